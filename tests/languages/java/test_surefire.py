"""What surefire gives the virtual machine of tests, they get here, too."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from evaluator.languages.java.environment.surefire import agents, machine_options, variables

EFFECTIVE = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <configuration>
          <argLine>@{argLine} -Xmx512m --add-opens java.base/java.util=words ${jacoco}
            -javaagent:/m2/agent.jar -Dlist="a b"</argLine>
          <systemPropertyVariables>
            <data>/copy/src/data</data>
            <unknown>${nowhere}</unknown>
          </systemPropertyVariables>
          <systemProperties>
            <property><name>old</name><value>style</value></property>
          </systemProperties>
          <environmentVariables><HOME_OF_DATA>/copy/data</HOME_OF_DATA></environmentVariables>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
"""


def test_arguments_and_properties_are_given_and_agents_left_out() -> None:
    assert machine_options(ET.fromstring(EFFECTIVE), 17, 17, "/copy") == [
        *("-Xmx512m", "--add-opens=java.base/java.util=words", "-Dlist=a b"),
        *("-Ddata={tree}/src/data", "-Dold=style"),
    ]


PROPERTY = """
  <properties><argLine>
    --add-opens java.desktop/java.awt=ALL-UNNAMED
    -Xss2m
  </argLine></properties>
  <build>"""


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ("", ["--add-opens=java.desktop/java.awt=ALL-UNNAMED", "-Xss2m"]),
        ("<configuration/>", ["--add-opens=java.desktop/java.awt=ALL-UNNAMED", "-Xss2m"]),
        ("<configuration><argLine>-Xmx1g</argLine></configuration>", ["-Xmx1g"]),
        (
            "<configuration><argLine>@{argLine} -Xmx1g</argLine></configuration>",
            ["--add-opens=java.desktop/java.awt=ALL-UNNAMED", "-Xss2m", "-Xmx1g"],
        ),
    ],
)
def test_a_property_says_what_no_configuration_does(
    configuration: str, expected: list[str]
) -> None:
    stated = re.sub("<configuration>.*</configuration>", configuration, EFFECTIVE, flags=re.DOTALL)
    pom = ET.fromstring(stated.replace("<build>", PROPERTY.strip(), 1))
    assert machine_options(pom, 17, 17, "/copy") == expected


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("/m2/agent.jar", ["-javaagent:/kept/agent.jar"]),
        ("${settings.localRepository}/a/agent.jar=on", ["-javaagent:/kept/agent.jar=on"]),
        ('"${settings.localRepository}"/a/agent.jar=on', ["-javaagent:/kept/agent.jar=on"]),
        ("${org.mocks:mock-core:jar}", ["-javaagent:/kept/mock-core-5.2.jar"]),
        ('"@{org.mocks:mock-core:jar}"', ["-javaagent:/kept/mock-core-5.2.jar"]),
        ("${org.mocks:mock:jar}", []),
        ("/elsewhere/other.jar", []),
    ],
)
def test_agents_are_those_of_the_class_path(agent: str, expected: list[str]) -> None:
    pom = ET.fromstring(EFFECTIVE.replace("/m2/agent.jar", agent))
    class_path = ["/kept/mock-core-api-5.2.jar", "/kept/mock-core-5.2.jar", "/kept/agent.jar"]
    assert agents(pom, class_path) == expected


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        ("java.sql,jdk.httpserver", ["--add-modules=java.sql,jdk.httpserver"]),
        ("ALL-SYSTEM", ["--add-modules=ALL-SYSTEM"]),
        ("org.words", []),
        ("java.sql,org.words", ["--add-modules=java.sql"]),
    ],
)
def test_only_modules_of_the_jdk_are_added(modules: str, expected: list[str]) -> None:
    line = f"<argLine>--add-modules {modules}</argLine>"
    pom = ET.fromstring(re.sub(r"<argLine>.*?</argLine>", line, EFFECTIVE, flags=re.DOTALL))
    assert [each for each in machine_options(pom, 17, 17, "/copy") if "modules" in each] == expected


def test_variables_name_the_tree_wherever_it_is() -> None:
    assert variables(ET.fromstring(EFFECTIVE), "/copy") == {"HOME_OF_DATA": "{tree}/data"}


def test_code_for_old_versions_may_look_into_the_jdk_as_it_could() -> None:
    options = machine_options(ET.fromstring(EFFECTIVE), 8, 17, "/copy")
    assert "--add-opens=java.base/java.lang=ALL-UNNAMED" in options
    assert "--add-opens=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED" in options
