"""What build tools may know of the user's settings of Maven: where to download from, no secrets."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path

from evaluator.errors import InputError

KEPT = ("mirrors", "proxies", "profiles", "activeProfiles")
_OF_CENTRAL = frozenset({"central", "*", "external:*"})
SECRET = frozenset({"username", "password", "privateKey", "passphrase"})
CENTRAL = {
    "id": "central-by-https",
    "mirrorOf": "central",
    "url": "https://repo.maven.apache.org/maven2",
}
"""Old poms name Maven Central by plain HTTP, which it has refused since January 2020.

https://central.sonatype.org/faq/501-https-required-error/
"""


def write_settings(
    place: Path, user: Path | None = None, *, gone: Iterable[tuple[str, str]] = ()
) -> None:
    """Write the user's mirrors, proxies and profiles, without servers, names and passwords.

    Where the user has no mirrors, Maven Central is asked by HTTPS, whatever a pom says. It stands
    for repositories that are `gone`, too, given by id and host: most of what was there, it has, and
    of what it has not, Maven says in whose place it was asked.

    Raises InputError where the user's settings are no XML.
    """
    settings = ET.Element("settings")
    for child in _read(user):
        if _name(child) in KEPT:
            settings.append(_without_secrets(child))
    mirrors = settings.find("mirrors")
    if mirrors is None:
        mirrors = ET.SubElement(settings, "mirrors")
        _add_mirror(mirrors, CENTRAL)
    for name, host in gone:
        own = f"central-in-place-of-{name}-at-{host}"
        _add_mirror(mirrors, {"id": own, "mirrorOf": name, "url": mirror_of_central(user)})
    ET.ElementTree(settings).write(place, encoding="unicode")


def _add_mirror(mirrors: ET.Element, said: Mapping[str, str]) -> None:
    mirror = ET.SubElement(mirrors, "mirror")
    for name, text in said.items():
        ET.SubElement(mirror, name).text = text


def mirror_of_central(user: Path | None = None) -> str:
    """The address that stands for Maven Central in the user's settings, or its own.

    Raises InputError where these are no XML.
    """
    for mirror in (each for each in _read(user).iter() if _name(each) == "mirror"):
        said = {_name(each): (each.text or "").strip() for each in mirror}
        if _OF_CENTRAL.intersection(said.get("mirrorOf", "").split(",")) and "url" in said:
            return said["url"]
    return CENTRAL["url"]


def _read(user: Path | None) -> ET.Element:
    """The user's settings, without anything in them where there are none. Raises InputError."""
    source = user or Path.home() / ".m2" / "settings.xml"
    try:
        return ET.parse(source).getroot() if source.is_file() else ET.Element("settings")  # noqa: S314
    except ET.ParseError as error:
        raise InputError(f"{source} is no XML: {error}; mend it, or move it away") from error


def _without_secrets(element: ET.Element) -> ET.Element:
    copy = ET.Element(_name(element))
    copy.text = element.text
    for child in element:
        if _name(child) not in SECRET:
            copy.append(_without_secrets(child))
    return copy


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]
