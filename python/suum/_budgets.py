"""Budgets that are no column: one for everybody, or one for each person by name."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, Union

from ._columns import items
from ._errors import DataError, RequestError
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
                "name the column of persons, for example person=\"id\"",
            )
        missing = object()
        found = [self._budgets.get(person, missing) for person in items(persons)]
        if missing in found:
            raise DataError(
                f"person, row {found.index(missing) + 1}: epsilon has no budget for this person",
                "give every person a budget; 0 means that their rows are not used",
            )
        return [float(budget) for budget in found]


Budgets = Union[Common, Keyed]


def of(options: Mapping[str, Any]) -> Budgets | None:
    """The budgets of the option ``epsilon``, if it is no column.

    A Series of pandas is one by person if its index has the name of the column of persons. By
    position it must have the index of the data, as every other Series.
    """
    epsilon: Any = options.get("epsilon")
    person = options.get("person")
    if isinstance(epsilon, Real) and not isinstance(epsilon, bool):
        return Common(float(epsilon))
    if is_one(epsilon, "pandas", "Series") and _is_of_persons(epsilon, person):
        if not epsilon.index.is_unique:
            raise RequestError(
                "epsilon: its index has a person twice", "give each person one budget"
            )
        return Keyed(epsilon.to_dict())
    if isinstance(epsilon, Mapping):
        return Keyed(epsilon)
    return None


def _is_of_persons(epsilon: Any, person: Any) -> bool:
    named = person if isinstance(person, str) else getattr(person, "name", None)
    return named is not None and epsilon.index.name == named
