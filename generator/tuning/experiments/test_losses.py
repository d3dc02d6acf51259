"""Losses on the test split, each computed once."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from evaluator.benchmarks.tests4j.dataset import SplitName
from evaluator.storage import ResultLines, content_key, read_as
from generator.tuning.data.batches import Pairs, batches_of
from generator.tuning.data.dataset_file import MethodSource
from generator.tuning.data.encoding import EncodedPair, pairs_of
from generator.tuning.data.store import PairStore, stored_pairs
from generator.tuning.saving import writing_to
from generator.tuning.training.loop import mean_loss
from generator.tuning.writer import LocalModel


@dataclass(frozen=True)
class TestLoss:
    """The mean loss in nats of a token, and of a test as a whole.

    In a class a test is indented: it has more tokens, which are easy to foresee. Contexts with a
    class and without one can be compared by whole tests only. `other_context` is the loss of a
    test where a prompt generator is given the context of another method: one that is no higher
    says that the generator learned a prefix, and not to read. None where nothing reads a context.
    """

    token: float
    test: float
    other_context: float | None


@dataclass(frozen=True)
class OtherContexts:
    """Pairs with the context of the one that is half of all pairs away, mostly of another class."""

    pairs: Pairs

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, index: int) -> EncodedPair:
        other = (index + len(self) // 2) % len(self)
        return replace(self.pairs[index], context=self.pairs[other].context)


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
        key = content_key(model.digest, pairs.key, self.batch, "with other contexts")
        with writing_to(self.path):
            kept = ResultLines(self.path, name_field="of")
            row = kept.read(key, key)
            if row is None:
                row = {"model": model.name, **asdict(self._computed(model, pairs))}
                kept.write(key, key, row)
        return read_as(TestLoss, {each: row[each] for each in TestLoss.__dataclass_fields__})

    def _computed(self, model: LocalModel, pairs: PairStore) -> TestLoss:
        total, count = self._loss(model, pairs)
        reads = model.encoding.soft is not None
        other = self._loss(model, OtherContexts(pairs))[0] / len(pairs) if reads else None
        return TestLoss(total / count, total / len(pairs), other)

    def _loss(self, model: LocalModel, pairs: Pairs) -> tuple[float, float]:
        batches = batches_of(pairs, range(len(pairs)), self.batch)
        return mean_loss(model.tuned, (each.to(model.device) for each in batches))
