"""Modules of a Maven project, of which only `core` can be built.

`wrong` does not compile, `user` needs `wrong`, and `lost` needs a library that is nowhere.
"""

from __future__ import annotations

from tests.languages.java.building import MODULE
from tests.languages.java.repository import POM

PARENT = POM.replace(
    "<version>1-SNAPSHOT</version>",
    "<version>1-SNAPSHOT</version>\n  <packaging>pom</packaging>\n  <modules>"
    + "".join(f"<module>{name}</module>" for name in ("core", "wrong", "user", "lost"))
    + "</modules>",
    1,
)
NEEDING = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>{name}</artifactId>
      <version>{version}</version>
    </dependency>
  </dependencies>
"""
POMS = {
    "pom.xml": PARENT,
    "core/pom.xml": MODULE.format(name="core", rest=""),
    "wrong/pom.xml": MODULE.format(
        name="wrong", rest=NEEDING.format(name="core", version="1-SNAPSHOT")
    ),
    "user/pom.xml": MODULE.format(
        name="user", rest=NEEDING.format(name="wrong", version="1-SNAPSHOT")
    ),
    "lost/pom.xml": MODULE.format(name="lost", rest=NEEDING.format(name="nowhere", version="7")),
}
