"""What the App does when something happens on GitHub: one module a behaviour."""

from bot.events.router import handle

__all__ = ["handle"]
