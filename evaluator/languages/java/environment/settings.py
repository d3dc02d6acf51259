"""What Maven may know of the user's own settings: where to download from, and nothing secret."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

KEPT = ("mirrors", "proxies", "profiles", "activeProfiles")
_SETTINGS = Path.home() / ".m2" / "settings.xml"
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


def write_settings(place: Path, user: Path | None = None) -> None:
    """Write the user's mirrors, proxies and profiles, without servers, names and passwords.

    Where the user has no mirrors, Maven Central is asked by HTTPS, whatever a pom says.

    Raises InputError where the user's settings are no XML.
    """
    source = user or _SETTINGS
    settings = ET.Element("settings")
    if source.is_file():
        for child in ET.parse(source).getroot():  # noqa: S314
            if _name(child) in KEPT:
                settings.append(_without_secrets(child))
    if settings.find("mirrors") is None:
        mirror = ET.SubElement(ET.SubElement(settings, "mirrors"), "mirror")
        for name, text in CENTRAL.items():
            ET.SubElement(mirror, name).text = text
    ET.ElementTree(settings).write(place, encoding="unicode")


def mirror_of_central(user: Path | None = None) -> str:
    """The address that stands for Maven Central in the user's settings, or its own.

    Raises InputError where these are no XML.
    """
    source = user or _SETTINGS
    mirrors = ET.parse(source).getroot().iter() if source.is_file() else ()  # noqa: S314
    for mirror in (each for each in mirrors if _name(each) == "mirror"):
        said = {_name(each): (each.text or "").strip() for each in mirror}
        if _OF_CENTRAL.intersection(said.get("mirrorOf", "").split(",")) and "url" in said:
            return said["url"]
    return CENTRAL["url"]


def _without_secrets(element: ET.Element) -> ET.Element:
    copy = ET.Element(_name(element))
    copy.text = element.text
    for child in element:
        if _name(child) not in SECRET:
            copy.append(_without_secrets(child))
    return copy


def _name(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]
