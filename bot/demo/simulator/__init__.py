"""A GitHub to run against: stateful, on a real port, and as strict as the real one.

    with GitHubSimulator() as github:
        alice = github.add_user("alice")
        github.add_repository("alice/sample", {"README.md": "hello"})
        app = github.create_app(
            "fixgate", {"issues": "write"}, ["issues"], owner="alice", webhook_url=...
        )
        alice.install(app.app_id)
        number = alice.open_issue("alice/sample", "It breaks", "...")
        github.settle()  # all webhooks are delivered
        comments = github.repository("alice/sample").issues[number].comments

`python -m bot.demo.simulator` serves one as a process of its own.

It has the endpoints that the App calls, and no others. It holds Apps (made by manifest or
directly), installations, repositories that are real git repositories (cloned, fetched and pushed to
over HTTP), issues, comments, labels, reactions, pulls from branches and forks, check suites and
check runs, a merge queue, and the deliveries of webhooks with real signatures. `faults` makes it
fail on purpose, `limits` are GitHub's own rates, `clock` can be put forward.

What is checked, and when:

- Always, by rules of our own (`api/`): the token (JSON web tokens really verified, with GitHub's
  rules for `iat` and `exp`; installation tokens with their expiry, repositories and permissions),
  the shape of every body (types, required keys, choices, lengths, counts), unknown keys, what the
  published description does not hold (a completed check run needs a conclusion, columns only on
  annotations of one line, ...), and the rate limits. A refusal looks like GitHub's: 400, 401, 403,
  404, 405, 409, 415 or 422 with its message and errors.
- Where the package `githubkit` is installed (a development dependency, as it is large): every
  query, every body, every answer and every webhook payload too, against the typed models generated
  from the description that GitHub publishes. What does not fit is refused with 422; an answer or a
  payload of the simulator's own that does not fit is a fault of the simulator and raises.

Stricter than GitHub on purpose: repositories are private unless asked otherwise, so that a missing
permission shows; unknown keys and query parameters are refused everywhere.
"""

from bot.demo.simulator.courier import DeliveryAttempt
from bot.demo.simulator.errors import MisfitError
from bot.demo.simulator.people import Person
from bot.demo.simulator.records import AppSecrets, Role
from bot.demo.simulator.settings import ApiLimits, Faults
from bot.demo.simulator.simulator import GitHubSimulator
from bot.demo.simulator.world import Exchange

__all__ = [
    "ApiLimits",
    "AppSecrets",
    "DeliveryAttempt",
    "Exchange",
    "Faults",
    "GitHubSimulator",
    "MisfitError",
    "Person",
    "Role",
]
