"""The parameters that some endpoints or models do not take, found out by their refusals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from generator.model.exchange import JsonObject

OtherWords = Mapping[str, Callable[[JsonObject], object]]
"""For each parameter that may be refused, what puts a request in other words, in place."""


class Dialect:
    """What an endpoint turned out not to take; each parameter is put in other words once.

    Safe for several threads.
    """

    def __init__(self, other_words: OtherWords) -> None:
        self._other_words = other_words
        self._refused: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def put(self, request: JsonObject) -> tuple[JsonObject, int]:
        """The request in the endpoint's words, and a number that tells how much was learned."""
        worded, refused = dict(request), self._refused
        for parameter in refused:
            self._other_words[parameter](worded)
        return worded, len(refused)

    def learn(self, refusal: str, version: int) -> bool:
        """Whether a refusal taught something, so that the request is worth putting again.

        `version` is the number that came with the request that was refused.
        """
        with self._lock:
            for parameter in self._other_words:
                if parameter in refusal and parameter not in self._refused:
                    self._refused += (parameter,)
                    break
            return len(self._refused) > version
