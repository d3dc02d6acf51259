"""A request that was let in, and the answer to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from bot.demo.simulator.api.authentication import Caller
from bot.demo.simulator.errors import not_found
from bot.demo.simulator.records import Json, Repository
from bot.demo.simulator.world import World

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class ApiResponse:
    """An answer; `data` of None is no content."""

    data: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ApiCall:
    """A request that was let in."""

    world: World
    caller: Caller
    query: Mapping[str, str]
    body: Json
    address: str
    _repository: Repository | None

    @property
    def repository(self) -> Repository:
        """The repository in the path. Raises RefusedError (404)."""
        if self._repository is None:
            raise not_found()
        return self._repository

    def paged(
        self,
        records: Sequence[_Record],
        shape: Callable[[_Record], Json],
        key: str = "",
        **more: object,
    ) -> ApiResponse:
        """One page of a list, with links to the others; under a key with the total if named."""
        size = min(max(_number(self.query.get("per_page"), 30), 1), 100)
        page = max(_number(self.query.get("page"), 1), 1)
        last = max(-(-len(records) // size), 1)
        data: Any = [shape(one) for one in records[(page - 1) * size : page * size]]
        if key:
            data = {"total_count": len(records), key: data, **more}
        return ApiResponse(data, headers=self._links(page, last))

    def _links(self, page: int, last: int) -> dict[str, str]:
        pages = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = [("prev", "first") if page > 1 else (), ("next", "last") if page < last else ()]
        links = [self.link(name, page=pages[name]) for group in wanted for name in group]
        return {"Link": ", ".join(links)} if links else {}

    def link(self, relation: str, **parameters: object) -> str:
        """One entry of a Link header."""
        query = urlencode({**self.query, **parameters})
        return f'<{self.address}?{query}>; rel="{relation}"'


def _number(value: str | None, default: int) -> int:
    return int(value) if value is not None and value.isdecimal() else default
