"""Budgets that are no column: one for everybody, or one for each person by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, Union

from ._columns import is_missing, pieces
from ._errors import DataError, ParameterError, RequestError
from ._unknown import is_one


class Common:
    """One budget for everybody."""

    def __init__(self, budget: float) -> None:
        self._budget = budget

    def column(self, persons: object) -> object:
        """Number in place of a column: the extension repeats it."""
        return self._budget


class ByKey:
    """Budget of each person, by name."""

    def __init__(self, budgets: Mapping[Any, Any] | _OfSeries) -> None:
        self._budgets = budgets

    def column(self, persons: object) -> object:
        """Budget of the person of each row."""
        if persons is None:
            raise RequestError(
                "epsilon: budgets by person need to know whose row it is",
                'name the column of persons, for example person="id"; what tiers allow is '
                "levels={…}, with privacy=COL",
            )
        get, missing = self._budgets.get, object()
        found: list[float] = []
        for piece in pieces(persons):
            budgets = [get(person, missing) for person in piece]
            if missing in budgets:
                row = len(found) + budgets.index(missing) + 1
                raise DataError(
                    f"person, row {row}: epsilon has no budget for this person",
                    "give every person a budget; 0 means that their rows are not used",
                )
            found += [_number(one, row) for row, one in enumerate(budgets, start=len(found) + 1)]
        return found


class _OfSeries:
    """Budgets of a Series by its index. They are split into many dictionaries: a large one would
    keep Python waiting while it grows.
    """

    def __init__(self, budgets: Any) -> None:
        parts = max(1, len(budgets) >> 16)
        self._parts: list[dict[Any, Any]] = [{} for _ in range(parts)]
        for persons, amounts in zip(pieces(budgets.index), pieces(budgets)):
            for person, amount in zip(persons, amounts):
                self._parts[hash(person) % parts][person] = amount
        if sum(map(len, self._parts)) < len(budgets):
            raise RequestError(
                "epsilon: its index has a person twice", "give each person one budget"
            )

    def get(self, person: Any, missing: Any) -> Any:
        return self._parts[hash(person) % len(self._parts)].get(person, missing)


def _number(budget: Any, row: int) -> float:
    """Budget of one person; NaN if there is none."""
    if is_missing(budget):
        return math.nan
    try:
        return float(budget)
    except (TypeError, ValueError):
        # Python's words repeat what it is.
        refused = DataError(
            f"person, row {row}: the budget of this person is no number",
            "give every person a number; 0 means that their rows are not used",
        )
    raise refused


Budgets = Union[Common, ByKey]


def of(options: Mapping[str, Any]) -> Budgets | None:
    """Budgets of the option ``epsilon``, if it is not a column.

    A Series of pandas is one by person if its index has the name of the column of persons. By
    position it must have the index of the data, as every other Series.
    """
    epsilon: Any = options.get("epsilon")
    person = options.get("person")
    if is_number(epsilon):
        return Common(of_all(epsilon))
    if is_one(epsilon, "pandas", "Series") and _is_of_persons(epsilon, person):
        return ByKey(_OfSeries(epsilon))
    if isinstance(epsilon, Mapping):
        return ByKey(epsilon)
    return None


def is_number(epsilon: Any) -> bool:
    """Returns true if a budget is one number for everybody.

    >>> is_number(1), is_number(Decimal("0.5")), is_number(True), is_number([1])
    (True, True, False, False)
    """
    if isinstance(epsilon, (Real, Decimal)):
        return not isinstance(epsilon, bool)
    return getattr(epsilon, "ndim", None) == 0 and hasattr(epsilon, "__float__")


def of_all(epsilon: Any) -> float:
    """Budget of everybody."""
    budget = float(epsilon)
    if math.isnan(budget):
        raise ParameterError(
            "epsilon: not a privacy budget",
            "give everybody a number from 1e-100 to 1e100, or math.inf (public)",
        )
    return budget


def _is_of_persons(epsilon: Any, person: Any) -> bool:
    named = person if isinstance(person, str) else getattr(person, "name", None)
    return named is not None and epsilon.index.name == named
