"""What the App does when something happens on GitHub: one module a behaviour."""

from bot.handlers.router import handle

__all__ = ["handle"]
