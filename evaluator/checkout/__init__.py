"""Mirrors of repositories, pristine trees of their commits, and private work trees."""

from evaluator.checkout.mirror import Mirror
from evaluator.checkout.repositories import Repositories, is_full_name, local_name
from evaluator.checkout.submodules import LackingSubmodule, lacking_submodules
from evaluator.checkout.trees import Trees

__all__ = [
    "LackingSubmodule",
    "Mirror",
    "Repositories",
    "Trees",
    "is_full_name",
    "lacking_submodules",
    "local_name",
]
