"""Losses on the test split, each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.dataset import SplitName
from evaluator.storage import ResultLines, content_key
from generator.tuning.data.batches import batches_of, epoch_order
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.data.encoding import pairs_of
from generator.tuning.data.store import stored_pairs
from generator.tuning.saving import writing_to
from generator.tuning.training.loop import mean_loss
from generator.tuning.writer import LocalModel


@dataclass(frozen=True)
class TestLosses:
    """Losses on the test split of a dataset, kept in a file under what they depend on.

    `most` pairs are read, the same for all models; 0 means all of them.
    """

    dataset: MethodSource
    path: Path
    cache: Path
    most: int
    batch: int

    def of(self, model: LocalModel) -> float:
        """The loss of a model in nats a token, taken from the file if it is there.

        Raises SavingFailedError, InputError for a file that holds something else.
        """
        pairs = stored_pairs(self.cache, pairs_of(self.dataset, SplitName.TEST), model.encoding)
        order = epoch_order(len(pairs), 0, 0)[: self.most or len(pairs)]
        key = content_key(model.digest, pairs.key, len(order), self.batch)
        with writing_to(self.path):
            kept = ResultLines(self.path, name_field="of")
            row = kept.read(key, key)
            if row is None:
                batches = (each.to(model.device) for each in batches_of(pairs, order, self.batch))
                total, count = mean_loss(model.tuned, batches)
                row = {"model": model.name, "loss": total / count}
                kept.write(key, key, row)
        return float(str(row["loss"]))
