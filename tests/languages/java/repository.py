"""A small Maven project in a git repository, and what can be done to it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>words</artifactId>
  <version>1-SNAPSHOT</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source>
    <project.build.sourceEncoding>ISO-8859-1</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-engine</artifactId>
      <version>5.14.1</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"""
FOR_MAVEN = "<maven.compiler.target>8</maven.compiler.target>\n  </properties>"
"""The end of its properties with what Maven's compiler needs, too, for sources of level 8."""
CODE = "src/main/java/words/Plural.java"
USER = "src/main/java/words/Shelf.java"
TESTS = "src/test/java/words/PluralTest.java"
NEW_TESTS = "src/test/java/words/BoxTest.java"

BROKEN = """\
package words;

public final class Plural {
    public static String of(String word) {
        return word + "s";
    }
}
"""
FIXED = """\
package words;

public final class Plural {
    public static String of(String word) {
        if (word.endsWith("x")) {
            return word + "es";
        }
        return word + "s";
    }
}
"""
SHELF = """\
package words;

final class Shelf {
    // Caf\xe9
    static String label(String word) {
        return "many " + Plural.of(word);
    }
}
"""
OLD_TESTS = """\
package words;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PluralTest {
    @Test
    public void cat() {
        assertEquals("cats", Plural.of("cat"));
    }
}
"""
BOX = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() {
        assertEquals("boxes", Plural.of("box"));
    }

    @Test
    void shelf() {
        assertEquals("many boxes", Shelf.label("box"));
    }
}
"""
SPEAKING = """\
package words;

import KIND.Test;

public class NAME {
    @Test
    public void first() {
        System.out.println("[first]");
    }

    @Test
    public void firstOfAll() {
        System.out.println("[firstOfAll]");
    }

    @Test
    public void second() {
        System.out.println("[second]");
    }
}
"""
"""Says which of its tests run; KIND is the package of `Test`."""


def lay(place: Path, files: Mapping[str, str], encoding: str = "utf-8") -> None:
    """Write files below a directory."""
    for name, text in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding=encoding)


class Repository:
    """A git repository; sources are written in Latin-1, as its pom says."""

    def __init__(self, path: Path, pom: str = POM) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "-q", "-b", "main")
        self.base = self.commit(
            {"pom.xml": pom, CODE: BROKEN, USER: SHELF, TESTS: OLD_TESTS, ".gitignore": "target\n"}
        )

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints."""
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        command = ["git", "-C", str(self.path), *identity, *arguments]
        return subprocess.run(command, capture_output=True, encoding="latin-1", check=True).stdout

    def commit(self, files: Mapping[str, str]) -> str:
        """A commit on the current one."""
        lay(self.path, files, encoding="latin-1")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")
        return self.git("rev-parse", "HEAD").strip()

    def replace_sources(self, files: Mapping[str, str]) -> None:
        """Let the base have these files, and none of its sources."""
        self.git("rm", "-rq", "src")
        self.base = self.commit(files)

    def change(self, files: Mapping[str, str]) -> str:
        """A commit on the base, by itself."""
        self.git("checkout", "-q", "--detach", self.base)
        return self.commit(files)

    def patch(self, files: Mapping[str, str]) -> str:
        """The same as a diff."""
        return self.git("diff", self.base, self.change(files))
