"""Budgets that are no column: one for everybody, or one for each person by name."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, Union

from ._columns import is_missing, items
from ._errors import DataError, ParameterError, RequestError
from ._library import is_one


class Common:
    """Everybody allows the same."""

    def __init__(self, budget: float) -> None:
        self._budget = budget

    def column(self, persons: object) -> object:
        """A number in place of a column: the extension repeats it."""
        return self._budget


class Keyed:
    """What each person allows, by who they are."""

    def __init__(self, budgets: Mapping[Any, Any]) -> None:
        self._budgets = budgets

    def column(self, persons: object) -> object:
        """The budget of the person of each row."""
        if persons is None:
            raise RequestError(
                "epsilon: budgets by person need to know whose row it is",
                'name the column of persons, for example person="id"; what tiers allow is '
                "levels={…}, with privacy=COL",
            )
        missing = object()
        found = [self._budgets.get(person, missing) for person in items(persons)]
        if missing in found:
            raise DataError(
                f"person, row {found.index(missing) + 1}: epsilon has no budget for this person",
                "give every person a budget; 0 means that their rows are not used",
            )
        return [_number(budget, row) for row, budget in enumerate(found, start=1)]


def _number(budget: Any, row: int) -> float:
    """The budget of one person; NaN where there is none."""
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


Budgets = Union[Common, Keyed]


def of(options: Mapping[str, Any]) -> Budgets | None:
    """The budgets of the option ``epsilon``, if it is no column.

    A Series of pandas is one by person if its index has the name of the column of persons. By
    position it must have the index of the data, as every other Series.
    """
    epsilon: Any = options.get("epsilon")
    person = options.get("person")
    if is_number(epsilon):
        return Common(of_all(epsilon))
    if is_one(epsilon, "pandas", "Series") and _is_of_persons(epsilon, person):
        if not epsilon.index.is_unique:
            raise RequestError(
                "epsilon: its index has a person twice", "give each person one budget"
            )
        return Keyed(epsilon.to_dict())
    if isinstance(epsilon, Mapping):
        return Keyed(epsilon)
    return None


def is_number(epsilon: Any) -> bool:
    """Whether a budget is one number for everybody.

    >>> is_number(1), is_number(Decimal("0.5")), is_number(True), is_number([1])
    (True, True, False, False)
    """
    if isinstance(epsilon, (Real, Decimal)):
        return not isinstance(epsilon, bool)
    return getattr(epsilon, "ndim", None) == 0 and hasattr(epsilon, "__float__")


def of_all(epsilon: Any) -> float:
    """The budget of everybody."""
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
