"""Errors of an estimator, on data that are made up or public. Nothing here protects anybody."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal, get_args

from ._columns import aligned, is_table
from ._report import NoSequence
from ._entries import check_filled, entries
from ._errors import ParameterError
from ._functions import quantile
from ._names import AnyEstimator
from ._types import Counts, Pair
from ._process import enter
from ._suum import simulate as _simulate

_Simulated = Literal["mean", "sum", "frequency", "quantile", "median"]


class Simulation(NoSequence):
    """The errors of a simulation, one for each trial, in the units of the statistic."""

    _instead = "simulation.errors"

    def __init__(self, errors: list[float]) -> None:
        #: Estimate minus truth; for frequencies the largest absolute error over the categories, and
        #: for several quantiles over these.
        self.errors = errors

    @property
    def bias(self) -> float:
        """The mean error."""
        return math.fsum(self.errors) / len(self.errors)

    @property
    def rmse(self) -> float:
        """The root of the mean squared error."""
        return math.sqrt(math.fsum(error * error for error in self.errors) / len(self.errors))

    def quantile(self, probability: float) -> float:
        """Error that a share ``probability`` (0 to 1) of the trials does not exceed in absolute
        value.
        """
        if not 0 <= probability <= 1:
            raise ParameterError("probability: must be from 0 to 1", "for example 0.95")
        sizes = sorted(map(abs, self.errors))
        return sizes[max(math.ceil(probability * len(sizes)), 1) - 1]

    def __repr__(self) -> str:
        return (
            f"{len(self.errors)} trials: root mean squared error {self.rmse:.4g}, "
            f"bias {self.bias:.2g}"
        )


def simulate(
    values: Iterable[float] | Iterable[str],
    *,
    epsilon: Iterable[float] | float | None = None,
    profile: Counts | None = None,
    statistic: _Simulated = "mean",
    bounds: Pair | None = None,
    categories: Iterable[str] | None = None,
    q: float | Iterable[float] = 0.5,
    step: float | None = None,
    cells: int | None = None,
    variance: float | None = None,
    target: Literal["population", "dataset", "dataset-correlated"] = "population",
    estimator: AnyEstimator = "auto",
    beta: float = 0.05,
    trials: int = 1000,
    seed: int = 0,
    released: bool = True,
) -> Simulation:
    """The errors of many made-up releases, with fast noise that protects nobody.

    Not for private data: it knows the truth. For the "population" records are drawn from the values
    anew in each trial, for the "dataset" the values are shuffled over the people, and for
    "dataset-correlated" they stay where they are.

    >>> import suum
    >>> people = {0.5: 100, float("inf"): 5}
    >>> simulation = suum.simulate([0.0, 1.0], profile=people, bounds=(0, 1), seed=1)
    >>> plan = suum.plan(profile=people, bounds=(0, 1))
    >>> abs(simulation.rmse / plan.rmse - 1) < 0.2
    True

    Parameters
    ----------
    values:
        Numbers, or labels of ``categories`` for a frequency. With ``epsilon`` one for each budget,
        else for the population any number of them, and otherwise one for each person of the
        profile, by ascending budget.
    epsilon, profile:
        The budgets of people (one number for everybody), or how many have each.
    trials, seed:
        How many trials, from which seed: the same seed gives the same errors.
    released:
        Whether estimates are taken as they would be released: clamped and post-processed.
    statistic, bounds, categories, q, step, cells, variance, target, estimator, beta:
        As for ``plan``. An error of several quantiles is that of the one that is farthest off.
        Releases of quantiles are made one by one, which takes milliseconds for each.
    """
    enter()
    if is_table(values):
        raise ParameterError("values: a table is no column", "give one of its columns")
    values, epsilon = aligned([("values", values), ("epsilon", epsilon)], has_order=True)
    labels = None if categories is None else [str(category) for category in categories]
    listed: list[Any] = list(values)
    if (epsilon is None) == (profile is None):
        raise ParameterError(
            "profile: either it or epsilon is needed",
            "give the budgets of people, or how many have each",
        )
    check_filled({"profile": profile})
    people = _people(profile)
    _check(trials, "trials", 1, 10**9)
    _check(seed, "seed", 0, 2**64 - 1)
    if statistic == "median":
        statistic, q = "quantile", 0.5
    elif statistic not in get_args(_Simulated):
        raise ParameterError(
            "statistic: there is none of that name that can be simulated",
            "choose mean, sum, frequency, quantile or median; of a histogram give as values the "
            'label of each bin, with categories and statistic="frequency"',
        )
    if epsilon is not None:
        budgets = (
            [float(epsilon)] * len(listed)
            if isinstance(epsilon, (int, float))
            else [float(budget) for budget in epsilon]
        )
        if len(budgets) != len(listed):
            raise ParameterError(
                "epsilon: there must be as many budgets as values",
                "or give profile, which says how many have each",
            )
        order = sorted(range(len(budgets)), key=budgets.__getitem__)
        listed = [listed[at] for at in order]
        people = Counter(sorted(budgets))
    options = {
        "profile": people, "statistic": statistic, "bounds": bounds, "categories": labels,
        "variance": variance, "target": target, "estimator": estimator, "beta": beta,
    }  # fmt: skip
    if labels is not None:
        places = {label: place for place, label in enumerate(labels)}
        listed = [places.get(str(value)) for value in listed]
        if None in listed:
            raise ParameterError(
                f"values: number {listed.index(None) + 1} is none of the categories",
                "name all categories",
            )
    numbers = [float(value) for value in listed]
    if not all(map(math.isfinite, numbers)):
        raise ParameterError(
            "values: all must be finite numbers", "leave out or replace those that are not"
        )
    if statistic == "quantile":
        if not released:
            raise ParameterError("released: quantiles are released as they are", "leave it out")
        asked = {
            "bounds": bounds, "step": step, "cells": cells, "target": target,
            "estimator": estimator, "q": [q] if isinstance(q, (int, float)) else list(q),
        }  # fmt: skip
        return Simulation(of_quantiles(numbers, people, asked, trials, seed))
    return Simulation(_simulate(entries(options), numbers, trials, seed, released))


def _check(number: Any, name: str, least: int, most: int) -> None:
    """Refuses what is no whole number in a range."""
    if not hasattr(number, "__index__") or not least <= number.__index__() <= most:
        end = f"2**{most.bit_length()} - 1" if most > 10**9 else f"10**{len(str(most)) - 1}"
        raise ParameterError(
            f"{name}: must be a whole number from {least} to {end}",
            f"for example {name}={1000 if least else 1}",
        )


def _people(profile: Any) -> dict[float, int]:
    """Number of people with each budget: from a dictionary, a Series, or text."""
    if profile is None:
        return {}
    if isinstance(profile, str):
        pairs = [pair.partition(":") for pair in profile.split(",")]
        try:
            return {float(budget): int(count) for budget, _, count in pairs}
        except ValueError:
            raise ParameterError(
                "profile: not a budget and a count for each", "for example {0.1: 3400, 0.5: 4300}"
            ) from None
    said = entries({"profile": profile})["profile"]
    return {float(budget): count for budget, count in said.items()}


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
