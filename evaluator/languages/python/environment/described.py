"""What a project says of itself in its metadata: what it is about, who wrote it, where it is kept.

Some ask for it as they are imported, and end where it is not there. Fields:
https://packaging.python.org/en/latest/specifications/core-metadata/ and pyproject-toml/ there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluator.languages.python.environment.setup_cfg import stated

Fields = dict[str, tuple[str, ...]]
"""The values of each field; what files do not say is not there."""

_SETUPTOOLS = {
    "description": "Summary",
    "summary": "Summary",
    "url": "Home-page",
    "home_page": "Home-page",
    "author": "Author",
    "author_email": "Author-email",
    "maintainer": "Maintainer",
    "maintainer_email": "Maintainer-email",
    "license": "License",
    "keywords": "Keywords",
}
"""What setup() takes, setup.cfg holds, and pbr has other names for."""
_POETRY = {
    "description": "Summary",
    "homepage": "Home-page",
    "license": "License",
    "keywords": "Keywords",
}
_POETRY_URLS = {"repository": "Repository", "documentation": "Documentation"}


def by_standard(table: Mapping[str, Any]) -> Fields:
    """The fields of the `[project]` table of pyproject.toml."""
    terms = table.get("license")
    return _filled(
        {
            "Summary": _text(table.get("description")),
            "Keywords": _text(table.get("keywords")),
            "License-Expression": _text(terms),
            "License": _text(terms.get("text")) if isinstance(terms, dict) else "",
            **_people("Author", table.get("authors")),
            **_people("Maintainer", table.get("maintainers")),
        },
        _urls(table.get("urls")),
    )


def by_setuptools(declared: Mapping[str, Any]) -> Fields:
    """The fields of `[metadata]` in setup.cfg, or of the arguments of setup()."""
    known = {name.replace("-", "_"): value for name, value in declared.items()}
    texts = {field: _text(known[name]) for name, field in _SETUPTOOLS.items() if name in known}
    urls = known.get("project_urls")
    return _filled(texts, _urls(dict(_pairs(urls)) if isinstance(urls, str) else urls))


def by_poetry(table: Mapping[str, Any]) -> Fields:
    """The fields of `[tool.poetry]`, which names the first of several people."""
    texts = {field: _text(table.get(name)) for name, field in _POETRY.items()}
    for field, people in (("Author", "authors"), ("Maintainer", "maintainers")):
        name, _, address = next(_texts(table.get(people)), "").partition("<")
        texts |= {field: name.strip(), f"{field}-email": address.strip("> ")}
    known = {label: table.get(name) for name, label in _POETRY_URLS.items()}
    more = table.get("urls")
    return _filled(texts, _urls(known | (more if isinstance(more, dict) else {})))


def _filled(texts: Mapping[str, str], urls: Iterable[str]) -> Fields:
    fields = {name: (_line(text),) for name, text in texts.items() if _line(text)}
    listed = tuple(map(_line, urls))
    return fields | ({"Project-URL": listed} if listed else {})


def _people(field: str, people: Any) -> Mapping[str, str]:
    """Those without an address by their names, the others by both."""
    known = [each for each in people if isinstance(each, dict)] if _is_list(people) else []
    pairs = [(_text(each.get("name")), _text(each.get("email"))) for each in known]
    names = [name for name, address in pairs if name and not address]
    addresses = [f"{name} <{address}>" if name else address for name, address in pairs if address]
    return {field: ", ".join(names), f"{field}-email": ", ".join(addresses)}


def _urls(urls: Any) -> Iterator[str]:
    for label, url in urls.items() if isinstance(urls, dict) else ():
        if _text(url):
            yield f"{label}, {_text(url)}"


def _pairs(lines: str) -> Iterator[tuple[str, str]]:
    """The lines `label = URL` of setup.cfg."""
    for line in lines.splitlines():
        label, equals, url = line.partition("=")
        if equals:
            yield label.strip(), url.strip()


def _text(value: Any) -> str:
    """A text, several with commas between them; "" for anything else, and for `file:`."""
    if _is_list(value):
        return ",".join(_texts(value))
    return stated(value.strip()) if isinstance(value, str) else ""


def _line(text: str) -> str:
    return " ".join(text.split())


def _texts(values: Any) -> Iterator[str]:
    return (each for each in values if isinstance(each, str)) if _is_list(values) else iter(())


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
