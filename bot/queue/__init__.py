"""Where work waits: RQ on Redis. The store is the truth; what Redis loses is queued again."""

from bot.queue.queue import JobQueue, QueueName

__all__ = ["JobQueue", "QueueName"]
