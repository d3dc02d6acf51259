"""How GitHub says no."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.demo.simulator.records import Json

DOCUMENTATION = "https://docs.github.com/rest"


class MisfitError(Exception):
    """What the simulator itself was about to say is not what GitHub would say."""


class RefusedError(Exception):
    """A request that GitHub refuses, with the answer it gives."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Sequence[Json | str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """The parts of the answer."""
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = list(errors)
        self.headers = dict(headers or {})

    def body(self) -> Json:
        """The answer's JSON."""
        listed = {"errors": self.errors} if self.errors else {}
        return {
            "message": self.message,
            **listed,
            "documentation_url": DOCUMENTATION,
            "status": str(self.status),
        }


def not_found() -> RefusedError:
    """What is not there, or not to be seen with this token."""
    return RefusedError(404, "Not Found")


def forbidden() -> RefusedError:
    """What the token's permissions do not allow."""
    return RefusedError(403, "Resource not accessible by integration")


def invalid_request(detail: str) -> RefusedError:
    """A body or a query that does not fit the description."""
    return RefusedError(422, f"Invalid request.\n\n{detail}")


def invalid(resource: str, field: str, code: str, message: str = "") -> RefusedError:
    """A value that fits the description and still cannot be taken."""
    detail = {"message": message} if message else {}
    error: Json = {"resource": resource, "field": field, "code": code, **detail}
    return RefusedError(422, "Validation Failed", errors=[error])
