"""What build tools are told of the user's own settings of Maven."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from evaluator.errors import InputError
from evaluator.languages.java.environment.settings import (
    CENTRAL,
    mirror_of_central,
    write_settings,
)

SETTINGS = """\
<settings xmlns="http://maven.apache.org/SETTINGS/1.0.0">
  <servers><server><id>own</id><username>me</username><password>secret</password></server></servers>
  <mirrors>
    <mirror><id>other</id><mirrorOf>other</mirrorOf><url>https://other.example</url></mirror>
    <mirror><id>own</id><mirrorOf>{}</mirrorOf><url>https://own.example</url></mirror>
  </mirrors>
  <proxies><proxy><host>proxy.example</host><password>secret</password></proxy></proxies>
</settings>
"""


def test_no_secret_is_passed_on(tmp_path: Path) -> None:
    user, written = tmp_path / "user.xml", tmp_path / "settings.xml"
    user.write_text(SETTINGS.format("*"))
    write_settings(written, user)
    text = written.read_text()
    assert "https://own.example" in text
    assert "proxy.example" in text
    assert "secret" not in text


@pytest.mark.parametrize(
    ("mirror_of", "expected"),
    [
        ("*", "https://own.example"),
        ("central", "https://own.example"),
        ("external:*,!other", "https://own.example"),
        ("jcenter", CENTRAL["url"]),
    ],
)
def test_a_mirror_stands_for_maven_central(tmp_path: Path, mirror_of: str, expected: str) -> None:
    user = tmp_path / "settings.xml"
    user.write_text(SETTINGS.format(mirror_of))
    assert mirror_of_central(user) == expected


def test_without_settings_maven_central_is_asked_by_https(tmp_path: Path) -> None:
    written = tmp_path / "settings.xml"
    write_settings(written, tmp_path / "absent.xml")
    assert ET.parse(written).findtext("mirrors/mirror/url") == CENTRAL["url"]
    assert mirror_of_central(tmp_path / "absent.xml") == CENTRAL["url"]


def test_what_stands_for_maven_central_stands_for_repositories_that_are_gone(
    tmp_path: Path,
) -> None:
    user, written = tmp_path / "user.xml", tmp_path / "settings.xml"
    user.write_text(SETTINGS.format("central"))
    write_settings(written, user, gone=[("ossrh", "gone.example")])
    *others, added = ET.parse(written).iterfind("mirrors/mirror")
    assert len(others) == 2
    assert {part.tag: part.text for part in added} == {
        "id": "central-in-place-of-ossrh-at-gone.example",
        "mirrorOf": "ossrh",
        "url": "https://own.example",
    }


def test_settings_that_are_no_xml_are_named(tmp_path: Path) -> None:
    user = tmp_path / "settings.xml"
    user.write_text("<settings>")
    for used in (lambda: write_settings(tmp_path / "x.xml", user), lambda: mirror_of_central(user)):
        with pytest.raises(InputError, match=r"settings\.xml is no XML: no element .*move it away"):
            used()
