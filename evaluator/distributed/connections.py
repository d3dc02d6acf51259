"""Connections to Redis. Those that answer somebody fail fast; those of workers try again."""

from __future__ import annotations

from redis import Redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

UNREACHABLE = (RedisConnectionError, RedisTimeoutError, OSError)
"""What is raised where Redis does not answer."""

_FAST_SECONDS = 0.5


def failing_fast(url: str) -> Redis:
    """Gives up after half a second: a webhook is answered without Redis, too."""
    return Redis.from_url(
        url,
        socket_connect_timeout=_FAST_SECONDS,
        socket_timeout=_FAST_SECONDS,
        retry=Retry(NoBackoff(), 0),
    )


def retrying(url: str) -> Redis:
    """Tries for some seconds: a short restart of Redis goes unnoticed."""
    return Redis.from_url(
        url,
        socket_connect_timeout=5,
        health_check_interval=30,
        retry=Retry(ExponentialBackoff(cap=2.0, base=0.1), 6),
    )


def answers(connection: Redis) -> bool:
    """Whether Redis answers."""
    try:
        return bool(connection.ping())
    except UNREACHABLE:
        return False
