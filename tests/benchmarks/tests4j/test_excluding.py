"""What a dataset leaves out of a repository is not built either."""

from __future__ import annotations

from pathlib import Path

from evaluator.benchmarks.tests4j.excluding import excluded

POM = "<project><modules><module>core</module>\n<module> ui/web </module></modules></project>"
FILES = {
    "pom.xml": POM,
    "core/pom.xml": "<project/>",
    "ui/pom.xml": "<modules><module>web</module><module>../core</module></modules>",
    "ui/web/pom.xml": "<project/>",
    "ui/web/src/A.java": "class A {}",
    "ui/website/B.java": "class B {}",
}


def changes(tmp_path: Path, *beginnings: str) -> dict[str, str | None]:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = excluded(FILES, tmp_path, beginnings)
    return {path: None if each is None else each.decode() for path, each in found.items()}


def test_files_go_and_poms_name_no_module_that_is_gone(tmp_path: Path) -> None:
    assert changes(tmp_path, "ui/web/") == {
        "pom.xml": POM.replace("<module> ui/web </module>", ""),
        "ui/pom.xml": FILES["ui/pom.xml"].replace("<module>web</module>", ""),
        "ui/web/pom.xml": None,
        "ui/web/src/A.java": None,
    }


def test_a_beginning_may_be_a_part_of_a_name(tmp_path: Path) -> None:
    assert {path for path, each in changes(tmp_path, "ui/web").items() if each is None} == {
        "ui/web/pom.xml",
        "ui/web/src/A.java",
        "ui/website/B.java",
    }


def test_nothing_changes_where_nothing_is_excluded(tmp_path: Path) -> None:
    assert changes(tmp_path) == {}
    assert changes(tmp_path, "core/src/test") == {}
