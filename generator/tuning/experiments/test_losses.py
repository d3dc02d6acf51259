"""Losses on the test split, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.dataset import SplitName
from evaluator.storage import ResultLines, content_key
from generator.tuning.data.batches import batches_of
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.data.encoding import pairs_of
from generator.tuning.data.store import PairStore, stored_pairs
from generator.tuning.saving import writing_to
from generator.tuning.training.loop import mean_loss
from generator.tuning.writer import LocalModel


@dataclass(frozen=True)
class TestLoss:
    """The mean loss in nats of a token, and of a test as a whole.

    In a class a test is indented: it has more tokens, which are easy to foresee. Contexts with a
    class and without one can be compared by whole tests only.
    """

    token: float
    test: float


@dataclass(frozen=True)
class TestLosses:
    """Losses on the test split of a dataset, kept in a file under what they depend on.

    `most` tests are read, the same for all models; 0 means all of them.
    """

    dataset: MethodSource
    path: Path
    cache: Path
    most: int
    batch: int

    def of(self, model: LocalModel) -> TestLoss:
        """The loss of a model, taken from the file if it is there.

        Raises SavingFailedError, InputError for a file that holds something else.
        """
        chosen = pairs_of(self.dataset, SplitName.TEST, self.most)
        pairs = stored_pairs(self.cache, chosen, model.encoding)
        key = content_key(model.digest, pairs.key, self.batch)
        with writing_to(self.path):
            kept = ResultLines(self.path, name_field="of")
            row = kept.read(key, key)
            if row is None:
                row = {"model": model.name, **self._computed(model, pairs)}
                kept.write(key, key, row)
        return TestLoss(float(str(row["loss"])), float(str(row["test"])))

    def _computed(self, model: LocalModel, pairs: PairStore) -> dict[str, float]:
        batches = batches_of(pairs, range(len(pairs)), self.batch)
        total, count = mean_loss(model.tuned, (each.to(model.device) for each in batches))
        return {"loss": total / count, "test": total / len(pairs)}
