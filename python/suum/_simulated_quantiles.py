"""Errors of made-up releases of quantiles. Nothing here protects anybody."""

from __future__ import annotations

import math
import random
from typing import Any

from ._errors import ParameterError
from ._functions import quantile


def of_quantiles(
    values: list[float], profile: dict[Any, int], asked: dict[str, Any], trials: int, seed: int
) -> list[float]:
    """The error of each release, of which the noise follows from the seed."""
    budgets = [
        float(budget)
        for budget, count in sorted(profile.items(), key=lambda one: float(one[0]))
        for _ in range(int(count))
    ]
    if not values:
        raise ParameterError("values: there are none", "give at least one to draw records from")
    if asked["target"] != "population" and len(values) != len(budgets):
        raise ParameterError(
            "values: for a dataset there must be as many as budgets",
            'give one for each person of the profile, or target="population"',
        )
    dice = random.Random(seed)
    given = {name: value for name, value in asked.items() if value is not None}
    truths: dict[float, float] | None = None
    errors = []
    for _ in range(trials):
        records = values
        if asked["target"] == "population":
            records = dice.choices(values, k=len(budgets))
        elif asked["target"] == "dataset":
            records = dice.sample(values, len(values))
        release = quantile(
            records, epsilon=budgets, insecure_seed=dice.getrandbits(48), progress=False, **given
        )
        if truths is None:
            truths = {q: _truth(values, q, *release.to_dict()["bounds"]) for q in release.estimate}
        off = [release.estimate[q] - truth for q, truth in truths.items()]
        errors.append(off[0] if len(off) == 1 else max(map(abs, off)))
    return errors


def _truth(values: list[float], q: float, lower: float, upper: float) -> float:
    """The least value that a share of at least ``q`` does not exceed, clamped to the bounds."""
    ordered = sorted(values)
    value = ordered[max(math.ceil(q * len(ordered) - 1e-9), 1) - 1]
    return min(max(value, lower), upper)
