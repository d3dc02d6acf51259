"""The pages that GitHub's `html_url`s lead to: repositories, issues, pulls, check runs.

For people to look at: what the App writes is shown as GitHub would show it, with its mentions and
references linked, so that one sees whether what was meant to be harmless is. Server-rendered, with
no script and nothing fetched from anywhere. Everyone may see them, as they hold no secrets.
"""

from bot.demo.simulator.pages.views import blueprint
from bot.demo.simulator.pages.website import Website

__all__ = ["Website", "blueprint"]
