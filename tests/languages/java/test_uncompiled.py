"""Modules that cannot be compiled are left out and named, so that others are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.environment.types import Environment
from evaluator.errors import EnvironmentBuildError
from evaluator.model import Phase, Run, Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from evaluator.verdict import Decision
from tests.languages.java.broken_modules import PARENT, POMS
from tests.languages.java.building import build
from tests.languages.java.judging import judged
from tests.languages.java.repository import (
    BOX,
    BROKEN,
    CODE,
    FIXED,
    NEW_TESTS,
    SHELF,
    USER,
    Repository,
    lay,
)

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

WRONG = "wrong/src/main/java/words/Wrong.java"
NAMED = """\
package words;

import org.junit.jupiter.api.Test;

class {name}Test {{
    @Test
    void runs() {{}}
}}
"""
NAMES = {"wrong": "Wrong", "user": "User", "lost": "Lost"}
TESTS = {module: f"{module}/src/test/java/words/{name}Test.java" for module, name in NAMES.items()}
FILES = {
    **POMS,
    f"core/{CODE}": BROKEN,
    f"core/{USER}": SHELF,
    f"core/{NEW_TESTS}": BOX,
    WRONG: "package words;\n\nclass Wrong { Missing missing; }\n",
    "user/src/main/java/words/User.java": "package words;\n\nclass User {}\n",
    **{TESTS[module]: NAMED.format(name=name) for module, name in NAMES.items()},
}
ERROR = f"{WRONG}:3: cannot find symbol"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("modules") / "words"
    lay(place, FILES, encoding="latin-1")
    return place


@pytest.fixture(scope="module")
def environment(tree: Path, java_cache: Path) -> Environment:
    return build(tree, java_cache)


@pytest.fixture(scope="module")
def ended(environment: Environment, tree: Path) -> Run:
    files = (f"core/{NEW_TESTS}", *TESTS.values())
    return run_tests(choose_sandbox("bubblewrap"), RunRequest(tree, environment, files))


def test_modules_that_are_left_out_are_named_with_why(environment: Environment) -> None:
    reasons = {each.place: each.reason for each in environment.uncompiled}
    assert sorted(reasons) == ["lost", "user", "wrong"]
    assert reasons["wrong"].startswith(ERROR)
    assert reasons["user"].startswith(ERROR)
    assert "example:nowhere:jar:7" in reasons["lost"]
    assert "[Help" not in reasons["lost"]


def test_tests_of_other_modules_run(ended: Run) -> None:
    found = {o.test: o.status for o in ended.outcomes.values() if o.file == f"core/{NEW_TESTS}"}
    place = f"core/{NEW_TESTS}::BoxTest"
    assert found == {f"{place}::box": Status.FAILED, f"{place}::shelf": Status.FAILED}


@pytest.mark.parametrize(
    ("module", "why"), [("wrong", ERROR), ("user", ERROR), ("lost", "nowhere:jar:7")]
)
def test_their_own_tests_say_why_they_cannot_run(ended: Run, module: str, why: str) -> None:
    outcome = ended.outcomes[TESTS[module]]
    assert (outcome.status, outcome.phase) == (Status.ERROR, Phase.COLLECTION)
    assert outcome.failure is not None
    assert outcome.failure.message.startswith("its module is left out: ")
    assert why in outcome.failure.message


def test_where_no_module_is_left_the_error_is_told(tmp_path: Path, java_cache: Path) -> None:
    broken = BROKEN.replace("return word", "return wort")
    lay(tmp_path / "words", {**FILES, f"core/{CODE}": broken}, encoding="latin-1")
    with pytest.raises(EnvironmentBuildError, match=rf"does not compile: core/{CODE}:5: cannot"):
        build(tmp_path / "words", java_cache)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Of the same modules, all but one of which compile."""
    repository = Repository(tmp_path / "repository", PARENT.replace("<module>lost</module>", ""))
    files = {path: text for path, text in FILES.items() if path not in {"pom.xml", NEW_TESTS}}
    repository.git("rm", "-q", "-r", "src")
    repository.base = repository.commit(
        {**files, f"core/{NEW_TESTS}": BOX.replace("boxes", "boxs"), WRONG: "package words;\n"}
    )
    return repository


FIX = {f"core/{CODE}": FIXED, f"core/{NEW_TESTS}": BOX}


def test_a_fix_is_judged_beside_a_module_that_is_left_out(
    repository: Repository, java_cache: Path
) -> None:
    repository.git("rm", "-q", f"core/{NEW_TESTS}")
    repository.base = repository.commit({WRONG: FILES[WRONG]})
    assert judged(repository, repository.change(FIX), java_cache).decision is Decision.ACCEPT


def test_a_module_whose_compiler_stops_is_left_out_with_its_tests(
    repository: Repository, java_cache: Path
) -> None:
    """An annotation processor is named that there is not: an error that lies in no source."""
    services = "wrong/src/main/resources/META-INF/services/javax.annotation.processing.Processor"
    repository.git("rm", "-q", f"core/{NEW_TESTS}")
    fine = "package words;\n\nclass Wrong {}\n"
    repository.base = repository.commit({services: "words.Nowhere\n", WRONG: fine})
    assert judged(repository, repository.change(FIX), java_cache).decision is Decision.ACCEPT


@pytest.mark.parametrize("more", [{}, {"core/pom.xml": POMS["core/pom.xml"] + "<!-- -->\n"}])
def test_a_change_that_breaks_a_module_is_not_accepted_without_it(
    repository: Repository, java_cache: Path, more: dict[str, str]
) -> None:
    uses = 'package words;\n\nclass Wrong { String many = Plural.of("word"); }\n'
    repository.base = repository.change({WRONG: uses})
    renamed = FIXED.replace("String of", "String plural")
    shelf = SHELF.replace("Plural.of", "Plural.plural")
    box = BOX.replace("Plural.of", "Plural.plural")
    renaming = {f"core/{CODE}": renamed, f"core/{USER}": shelf, f"core/{NEW_TESTS}": box}
    head = repository.change({**renaming, **more})
    if more:
        with pytest.raises(EnvironmentBuildError, match="with the change, wrong cannot be comp"):
            judged(repository, head, java_cache)
    else:
        assert judged(repository, head, java_cache).decision is not Decision.ACCEPT
