"""Dictionaries that say something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._errors import ParameterError

#: Remedies for an empty dictionary, by option.
_SAY = {
    "levels": "say what each tier allows",
    "population_shares": "say the share of each stratum",
    "split": "say the part of each statistic",
    "profile": "say how many people have each budget, for example {0.1: 3400, 0.5: 4300}",
    "what_if": "say how many people come or go, for example {0.1: -20}",
}


def check_filled(options: Mapping[str, Any]) -> None:
    """Refuses a dictionary in which nothing is, or a Series of nothing."""
    for name, what in _SAY.items():
        said = options.get(name)
        is_table = isinstance(said, Mapping) or hasattr(said, "to_dict")
        if is_table and len(said) == 0:  # type: ignore[arg-type]
            raise ParameterError(f"{name}: it is empty", f"{what}, or leave {name} out")
