"""Mirrors of repositories, pristine trees of their commits, and private work trees."""

from evaluator.checkout.mirror import Mirror
from evaluator.checkout.repositories import Repositories, local_name
from evaluator.checkout.submodules import lacking_submodules
from evaluator.checkout.trees import Trees

__all__ = ["Mirror", "Repositories", "Trees", "lacking_submodules", "local_name"]
