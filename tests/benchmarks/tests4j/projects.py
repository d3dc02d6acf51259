"""A small Java repository whose tests are about its methods."""

from __future__ import annotations

from pathlib import Path

from tests.checkout.conftest import Origin, new_origin

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <properties><java.version>11</java.version></properties>
  <build><plugins><plugin>
    <artifactId>maven-compiler-plugin</artifactId>
    <configuration><release>${java.version}</release></configuration>
  </plugin></plugins></build>
</project>
"""
BOX = """package acme;

public class Box {
    private int size;

    public Box(int size) { this.size = size; }

    public int getSize() { return size; }

    public void setSize(int size) { this.size = size; }

    public int put() { return put(1); }

    public int put(int count) {
        if (count < 0 || size > 9) {
            return -1;
        }
        return size += count;
    }

    public abstract static class Lid { abstract void close(); }
}
"""
BOX_TEST = """package acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoxTest {
    private Box box;

    @BeforeEach
    void setUp() { box = new Box(1); }

    /** By its name. */
    @Test
    void testGetSize() { assertEquals(1, box.getSize()); }

    @Test
    void onlyOneCall() { assertEquals(3, box.put(2)); }

    @Test
    void twoCalls() { box.put(2); assertEquals(3, box.getSize()); }

    @Test
    void none() { assertEquals(3, 3); }
}
"""
OLD_TEST = """package acme;

import junit.framework.TestCase;

public class ShelfTest extends TestCase {
    public void testAdd() { assertEquals(1, new Shelf().add(1)); }
}
"""
FILES = {
    "pom.xml": POM,
    "src/main/java/acme/Box.java": BOX,
    "src/main/java/acme/Shelf.java": "package acme; class Shelf { int add(int n) { return n; } }",
    "src/main/java/acme/Api.java": "package acme;\ninterface Api { void call(); }\n",
    "src/test/java/acme/BoxTest.java": BOX_TEST,
    "src/test/java/acme/TestBox.java": BOX_TEST.replace("BoxTest", "TestBox").replace(
        "    @Test\n    void onlyOneCall", "    void onlyOneCall"
    ),
    "src/test/java/acme/ShelfTest.java": OLD_TEST,
    "src/test/java/acme/ApiTest.java": "class ApiTest { @Test void call() {} }\n",
    "README.md": "A box.\n",
}


def project(folder: Path, name: str = "acme/app") -> tuple[Origin, str]:
    """The repository below a folder, as `OWNER+NAME/repo`, and the id of its commit."""
    origin = new_origin(folder / name.replace("/", "+") / "repo")
    return origin, origin.commit({path: text.encode() for path, text in FILES.items()})
