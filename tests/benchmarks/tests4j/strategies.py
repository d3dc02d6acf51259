"""Tests4J datasets of any content."""

from __future__ import annotations

from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    HumanTest,
    MappingKind,
    RepositorySnapshot,
    SplitName,
    TestFramework,
    Tests4JDataset,
    method_id,
)

_NAMES = st.from_regex(r"[a-z][A-Za-z0-9]{0,8}", fullmatch=True)
_TOKENS = st.none() | st.integers(0, 5000)
_FILLED = st.text(min_size=1)
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".java")

human_tests = st.builds(HumanTest, name=_FILLED, source=_FILLED, tokens=_TOKENS)


@st.composite
def focal_methods(draw: st.DrawFn, repository: str) -> FocalMethod:
    """A method of a repository, with what its id says."""
    place = draw(_PATHS), draw(_NAMES), draw(_NAMES), tuple(draw(st.lists(_NAMES, max_size=2)))
    path, focal_class, name, parameters = place
    return FocalMethod(
        id=method_id(repository, *place),
        focal_path=path,
        focal_class=focal_class,
        name=name,
        parameters=parameters,
        source=draw(_FILLED),
        tokens=draw(_TOKENS),
        focal_context=draw(st.text()),
        test_path=draw(_PATHS),
        test_class=draw(_NAMES),
        test_context=draw(st.text()),
        tests=draw(st.lists(human_tests, min_size=1, max_size=3).map(tuple)),
    )


@st.composite
def snapshots(draw: st.DrawFn) -> RepositorySnapshot:
    """A repository with some methods."""
    name = f"{draw(_NAMES)}/{draw(_NAMES)}"
    return RepositorySnapshot(
        name=name,
        commit=draw(st.from_regex(r"[0-9a-f]{40}", fullmatch=True)),
        split=draw(st.none() | st.sampled_from(SplitName)),
        framework=draw(st.sampled_from(TestFramework)),
        java_level=draw(st.none() | st.sampled_from(["1.8", "11"])),
        exclude=draw(st.lists(_PATHS, max_size=2).map(tuple)),
        methods=draw(
            st.lists(focal_methods(name), max_size=3, unique_by=lambda each: each.id).map(tuple)
        ),
    )


datasets = st.builds(
    Tests4JDataset,
    name=_FILLED,
    mapping=st.sampled_from(MappingKind),
    repositories=st.lists(snapshots(), max_size=3, unique_by=lambda each: each.name),
)
