"""What `.github/fixgate.yml` sets, and that each mistake is told with its line and a remedy."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.configuration import Configuration, Gate, ReproduceWhen, read_configuration
from bot.configuration.reading import schema
from evaluator.environment.configuration import read_configuration as read_environment

WHOLE = """
reproduce:
  when: all
  labels: true
verify:
  gate: required
limits:
  usd_per_issue: 0.5
environment:
  python: ["3.12"]
"""


def test_a_whole_file():
    configuration, mistakes = read_configuration(WHOLE)
    assert mistakes == ()
    assert configuration.reproduce.when is ReproduceWhen.ALL
    assert configuration.reproduce.labels
    assert configuration.reproduce.label == "bug"
    assert configuration.verify.gate is Gate.REQUIRED
    assert configuration.limits.usd_per_issue == 0.5


@pytest.mark.parametrize("text", ["", "\n# nothing yet\n", "{}", "verify: {}"])
def test_what_is_not_said_is_the_default(text):
    assert read_configuration(text) == (Configuration(), ())


@pytest.mark.parametrize(
    ("text", "line", "key", "remedy"),
    [
        ("verify:\n  gate: hard\n", 2, "verify.gate", "advisory, required"),
        ("verify:\n  gates: required\n", 2, "verify.gates", "known keys are when, drafts, gate"),
        ("\nverfy: {}\n", 2, "verfy", "known keys are reproduce, verify, limits, environment"),
        ("reproduce:\n  label: 3\n", 2, "reproduce.label", "The label"),
        ("reproduce:\n  denials: [x]\n", 2, "reproduce.denials.0", "'exception' or 'output'; see"),
        ("reproduce:\n  denials:\n  - x\n", 3, "reproduce.denials.0", "may merely deny"),
        ("limits:\n  usd_per_issue: -1\n", 2, "limits.usd_per_issue", "minimum"),
        ("environment:\n  pythn: x\n", 2, "environment.pythn", "known keys are python"),
        ("environment:\n  python: [3.11]\n", 2, "environment.python.0", "string"),
        ("- a\n- b\n", 1, "", "object"),
        ("a: [1\nb: 2\n", 2, "", "YAML"),
        ("a: &a [*a, *a]\nb: *nope", 2, "", "YAML"),
        ("x" * 200_000, 1, "", "characters"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_to_do(text, line, key, remedy):
    configuration, mistakes = read_configuration(text)
    assert configuration == Configuration()
    assert [(m.line, m.key) for m in mistakes] == [(line, key)]
    assert remedy in mistakes[0].message


def test_a_mistake_elsewhere_does_not_open_a_required_gate():
    configuration, mistakes = read_configuration("verify:\n  gate: required\nverfy: {}\n")
    assert len(mistakes) == 1
    assert configuration.verify.gate is Gate.REQUIRED


def test_all_mistakes_are_told_at_once():
    _, mistakes = read_configuration("verify:\n  gate: x\n  drafts: 1\nlimits:\n  y: 2\n")
    assert [mistake.line for mistake in mistakes] == [2, 3, 5]


@given(st.text())
def test_no_text_breaks_the_reader(text):
    read_configuration(text)


def test_the_published_schema_is_that_of_the_models():
    """`python -m bot.configuration > bot/configuration/fixgate.schema.json` writes it anew."""
    published = resources.files("bot.configuration").joinpath("fixgate.schema.json")
    assert json.loads(published.read_text("utf-8")) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


TEXTS = [
    WHOLE,
    "verify: {regression_budget: 5}",
    "verify: {regression_budget: null}",
    "verify: {regression_budget: 3601}",
    "verify: null",
    "reproduce: {label: ''}",
    "reproduce: {when: sometimes}",
    "limits: {issues_per_day: 5.0}",
    "limits: {issues_per_day: 5.5}",
    "limits: {minutes_per_issue: 0}",
    "limits: {usd_per_issue: '1'}",
    "limits: {usd_per_issue: true}",
    "verify: {drafts: 1}",
    "- verify",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_schema_takes_what_the_reader_takes(text):
    _, mistakes = read_configuration(text)
    fits = jsonschema.Draft202012Validator(schema()).is_valid(yaml.safe_load(text))
    assert fits == (not mistakes)


MIXED = """
environment:
  python: ["3.12"]
  packages: [requests]
  framework: pytest
"""


@pytest.mark.parametrize(
    "text",
    [
        MIXED,
        f"{MIXED}  java: '17'\n  build: maven\n",
        "environment:\n  java: '17'\n  modules: [core]\n",
        "environment:\n  build: maven\n  variables: {CI: 'yes'}\n",
    ],
)
def test_a_repository_may_set_the_environments_of_several_languages(text: str) -> None:
    assert read_configuration(text)[1] == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (f"{MIXED}  java: '17'\n  biuld: maven\n", "environment.biuld"),
        (f"{MIXED}  java: '17'\n  build: mvn\n", "environment.build"),
        ("environment:\n  build: maven\n  pakages: []\n", "environment.pakages"),
    ],
)
def test_a_key_of_none_of_the_languages_is_a_mistake(text: str, key: str) -> None:
    assert [mistake.key for mistake in read_configuration(text)[1]] == [key]


def test_each_language_takes_its_own_keys(tmp_path: Path) -> None:
    file = tmp_path / ".github" / "fixgate.yml"
    file.parent.mkdir()
    file.write_text(MIXED)
    assert read_environment(tmp_path, "java") == {}
    file.write_text(f"{MIXED}  java: '17'\n  variables: {{CI: 'yes'}}\n")
    assert read_environment(tmp_path, "java") == {"java": ("17",), "variables": {"CI": "yes"}}
    assert read_environment(tmp_path, "python") == {
        "python": ("3.12",),
        "packages": ("requests",),
        "framework": "pytest",
        "variables": {"CI": "yes"},
    }
