"""A mapping by what tests call when they run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main
from tests.languages.java.repository import POM, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(1800),
]

BOX = """\
package words;

public class Box {
    private int size;

    public int size() {
        return size;
    }

    public void put(int number) {
        size += number;
    }

    public void put(Object thing) {
        put(1);
    }

    public void clear() {
        size = 0;
    }
}
"""
TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoxTest {
    private final Box box = new Box();

    @BeforeEach
    void setUp() {
        box.clear();
    }

    private Object unknown() {
        return "a";
    }

    @Test
    void putsWhatIsUnknown() {
        box.put(unknown());
    }

    @Test
    void putsNumber() {
        box.put(Integer.parseInt("1"));
    }

    @Test
    void testSize() {
        box.put(2);
        assertEquals(2, box.size());
    }

    @Test
    void refers() {
        IntSupplier size = box::size;
        assertEquals(0, size.getAsInt());
    }

    @Test
    void callsANamesake() {
        List<Object> list = new ArrayList<>();
        assertEquals(0, list.size());
        list.clear();
    }
}
"""
CALLED = {
    "pom.xml": POM,
    "src/main/java/words/Box.java": BOX,
    "src/test/java/words/BoxTest.java": TEST,
}


def test_methods_are_those_that_tests_enter(tmp_path: Path, java_cache: Path) -> None:
    """Overloads and namesakes of other classes are told apart; fixtures do not count."""
    origin = Repository(tmp_path / "o" / "calls")
    origin.git("rm", "-rq", "src")
    base = origin.commit(CALLED)
    out = tmp_path / "dataset.json"
    arguments = ["tests4j", "map", f"o/calls@{base}", "--mapping", "calls", "--out", str(out)]
    places = ["--repos", str(tmp_path / "{owner}" / "{name}"), "--cache", str(java_cache)]
    done = CliRunner().invoke(main, [*arguments, *places, "--sandbox", "bubblewrap"])
    assert done.exit_code == 0, done.output
    found = json.loads(out.read_bytes())
    assert found["mapping"] == "calls"
    assert {
        test["name"]: f"{method['name']}({','.join(method['parameters'])})"
        for method in found["repositories"][0]["methods"]
        for test in method["tests"]
    } == {
        "putsWhatIsUnknown": "put(Object)",
        "putsNumber": "put(int)",
        "testSize": "size()",
        "refers": "size()",
    }


def test_a_repository_that_cannot_be_built_is_named(tmp_path: Path, java_cache: Path) -> None:
    origin = Repository(tmp_path / "o" / "broken")
    base = origin.commit({**CALLED, "pom.xml": "<project"})
    arguments = ["tests4j", "map", f"o/broken@{base}", "--mapping", "calls"]
    places = ["--repos", str(tmp_path / "{owner}" / "{name}"), "--cache", str(java_cache)]
    out = ["--out", str(tmp_path / "dataset.json"), "--sandbox", "bubblewrap"]
    done = CliRunner().invoke(main, [*arguments, *places, *out])
    assert done.exit_code == 1
    assert "the class path cannot be resolved" in " ".join(done.output.split())
