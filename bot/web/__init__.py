"""The web process: takes webhooks, shows the dashboard. It executes nothing and holds no key."""

from bot.web.app import make_app, make_pages, make_setup_app

__all__ = ["make_app", "make_pages", "make_setup_app"]
