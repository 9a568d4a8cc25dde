"""Neighbouring relation: it hides a value of a person, or also their participation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def hides_people(options: Mapping[str, Any]) -> bool:
    """Returns true if it is hidden who takes part: by ``neighbors``, or because records without a
    value are left out, and who has one is hidden.

    >>> hides_people({"neighbors": "both"}), hides_people({"missing": "exclude"}), hides_people({})
    (True, True, False)
    """
    missing = options.get("missing")
    leaves_out = isinstance(missing, str) and missing == "exclude"
    return options.get("neighbors") in ("add-remove", "both") or leaves_out
