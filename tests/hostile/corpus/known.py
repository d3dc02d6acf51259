"""What fixgate still gets wrong, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

WRONG_ACCEPTS: Mapping[str, str] = {}
"""Heads that are accepted, and must not be."""

OVER_CAUTION: Mapping[str, str] = {}
"""Honest heads that are not accepted."""
