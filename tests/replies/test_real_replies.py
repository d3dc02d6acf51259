"""Replies that models really gave: each is read, or refused with a reason that is right."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluator.checkout import Repositories
from evaluator.diff import Source
from generator.languages.python.test_files import read_test_file
from generator.replies import (
    UnreadableReplyError,
    apply_edits,
    read_calls,
    read_edits,
    read_judgement,
    read_patches,
    read_search_replace,
)
from tests.mirrors import SWE_BENCH, mirror_templates

SourceOf = Callable[[str], Source | None]
ALL = (read_calls, read_edits, read_judgement, read_patches, read_search_replace, read_test_file)
COPY = re.compile(r"(?P<repo>\w+)-(?P<number>\d+)-acr-run-\d")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def replies(data: Path, source: str) -> list[tuple[str, str]]:
    found = rows(data / "model_replies_dev.jsonl")
    return [(row["instance_id"], row["reply"]) for row in found if row["source"] == source]


def readable(reader: Callable[[str], object], reply: str) -> bool:
    try:
        reader(reply)
    except UnreadableReplyError:
        return False
    return True


@pytest.mark.dataset
def test_no_reader_chokes_on_any_reply(data: Path) -> None:
    for row in rows(data / "model_replies_dev.jsonl"):
        for reader in ALL:
            with contextlib.suppress(UnreadableReplyError):
                reader(row["reply"])


@pytest.mark.dataset
def test_edits_are_refused_only_where_the_reply_holds_none_that_is_whole(data: Path) -> None:
    given = replies(data, "AutoCodeRover patch")
    refused = [reply for _, reply in given if not readable(read_edits, reply)]
    assert all("<file>" not in reply or reply.rstrip()[-3:] != "```" for reply in refused)
    assert len(refused) <= 0.16 * len(given)


@pytest.mark.dataset
def test_test_files_are_refused_only_where_a_plan_was_asked_for(data: Path) -> None:
    given = replies(data, "AssertFlip writer")
    contents = [json.loads(reply)["choices"][0]["message"]["content"] for _, reply in given]
    refused = [content for content in contents if not readable(read_test_file, content)]
    assert all(" plan " in content or "<plan>" in content for content in refused)
    assert len(refused) <= 0.34 * len(given)


@pytest.mark.dataset
def test_every_judgement_is_read(data: Path) -> None:
    for _, reply in replies(data, "AssertFlip validator"):
        judgement = read_judgement(reply)
        assert judgement.holds is json.loads(reply)["revealing"]
        assert judgement.reason == json.loads(reply)["reason"]


@pytest.fixture
def source_of(data: Path, tmp_path: Path) -> SourceOf:
    repositories = Repositories(mirror_templates(), tmp_path)
    instances = [row for name in ("lite", "verified") for row in rows(data / f"{name}_dev.jsonl")]

    def find(instance_id: str) -> Source | None:
        copy = COPY.fullmatch(instance_id)
        name = f"__{copy['repo']}-{copy['number']}" if copy else instance_id
        found = next((row for row in instances if row["instance_id"].endswith(name)), None)
        if found is None:
            return None
        return repositories.find(found["repo"], found["base_commit"]).source(found["base_commit"])

    return find


@pytest.mark.dataset
@pytest.mark.mirrors(*SWE_BENCH)
def test_most_edits_find_their_place_in_the_base_commit(data: Path, source_of: SourceOf) -> None:
    told: Counter[str] = Counter()
    for instance_id, reply in replies(data, "AutoCodeRover patch"):
        source = source_of(instance_id) if readable(read_edits, reply) else None
        if source is None:
            continue
        edits = read_edits(reply)
        done = apply_edits(edits, source)
        assert all(done.refused)
        told["edits"] += len(edits)
        told["applied"] += len(edits) - len(done.refused)
        told["replies"] += 1
        told["whole"] += not done.refused
    assert told["whole"] >= 0.7 * told["replies"]
    assert told["applied"] >= 0.7 * told["edits"]
