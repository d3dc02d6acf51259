"""A training run from a dataset to a directory that can be sampled from."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from accelerate import PartialState

from evaluator.benchmarks.tests4j.dataset import SplitName
from evaluator.storage import DirectoryLock, UnreadableError, as_json, read_as
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.data.encoding import pairs_of
from generator.tuning.data.store import PairStore, stored_pairs
from generator.tuning.errors import RunMismatchError, SavingFailedError
from generator.tuning.saving import save_bytes
from generator.tuning.training import loop
from generator.tuning.training.building import BuiltModel, build_model
from generator.tuning.training.history import BEST, History
from generator.tuning.training.report import write_run_report
from generator.tuning.training.settings import TuningSettings

RUN = "run.json"


@dataclass(frozen=True)
class RunRecord:
    """`run.json`: the settings of a run, and what its model and data were.

    `base` and `pairs` are keys of the model before training and of the pairs of both splits.
    """

    settings: TuningSettings
    base: str
    dataset: str
    pairs: tuple[str, ...]
    parameters: int


def tune(
    dataset: MethodSource,
    settings: TuningSettings,
    directory: Path,
    cache: Path,
    on_step: loop.OnStep = lambda _history, _total: None,
) -> History:
    """Train as settings say, or go on with what `directory` holds of the same run.

    Raises EmptySplitError, RunMismatchError, and what loading, training and saving raise.
    """
    built = build_model(settings)
    splits = {SplitName.TRAIN: 0, SplitName.VALIDATION: settings.validation_pairs}
    pairs_by_split = (pairs_of(dataset, *each) for each in splits.items())
    stores = [stored_pairs(cache, pairs, built.encoding) for pairs in pairs_by_split]
    with _held(directory):
        _begin(directory, _record(dataset, built, settings, stores))
        pairs = loop.TrainingPairs(*stores)
        history = loop.train(built.tuned, pairs, settings.loop, directory, on_step)
        if _writes():
            write_run_report(directory, settings, history, len(pairs.train))
    return history


def _record(
    dataset: MethodSource, built: BuiltModel, settings: TuningSettings, stores: list[PairStore]
) -> RunRecord:
    parameters = sum(value.numel() for value in built.tuned.trained().values())
    keys = tuple(store.key for store in stores)
    return RunRecord(settings, built.base.digest, dataset.name, keys, parameters)


def _writes() -> bool:
    """Whether this process is the one of several that writes the run."""
    return bool(PartialState().is_main_process)


def _held(directory: Path) -> AbstractContextManager[None]:
    if not _writes():
        return nullcontext()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        return DirectoryLock.at_once(directory)
    except BlockingIOError as error:
        raise RunMismatchError(f"{directory} is in use by another run: wait for its end") from error
    except OSError as error:
        raise SavingFailedError(f"{directory} cannot be written to: {error}") from error


def _begin(directory: Path, record: RunRecord) -> None:
    """Note what the run is, or make sure that the directory holds this one."""
    path = directory / RUN
    if not path.exists() and _writes():
        save_bytes(path, json.dumps(as_json(record), indent=1).encode())
    PartialState().wait_for_everyone()
    if read_record(directory) != record:
        raise RunMismatchError(
            f"{directory} holds a run with other settings, data or model ({path} lists them): "
            "name another directory with --out"
        )


def read_record(directory: Path) -> RunRecord:
    """What a directory holds. Raises RunMismatchError where that cannot be read."""
    path = directory / RUN
    try:
        return read_as(RunRecord, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, UnreadableError) as error:
        raise RunMismatchError(f"{path} describes no run: {error}") from error


def is_run(directory: Path) -> bool:
    """Whether a directory holds a run whose model was validated at least once."""
    return (directory / RUN).is_file() and (directory / BEST).is_file()
