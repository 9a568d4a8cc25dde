"""Indexes, as pandas has them: rows of two objects belong together only if their indexes say so.

suum pairs columns by position. A column with an index could mean another order, for example after
the table beside it was sorted or filtered. Budgets would then go to the wrong persons. So suum
refuses columns whose indexes differ. It does not reorder them: whether a label means a person is
known only to whoever made the index.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._errors import RequestError
from ._library import library


def check_indexes(columns: Mapping[str, Any]) -> None:
    """Refuses columns or tables whose indexes differ in a label or in the order of labels.

    ``columns`` are all that is paired by position, by the role that each has. What has no index,
    such as a NumPy array or a list, is paired by position with anything.
    """
    indexes = [(role, _index(column)) for role, column in columns.items()]
    indexed = [(role, index) for role, index in indexes if index is not None]
    for role, index in indexed[1:]:
        first, expected = indexed[0]
        if not _are_equal(index, expected):
            of_persons = (
                ', or name its index after the column of persons, as in epsilon.rename_axis("id") '
                'with person="id", if it has a budget for each person'
                if role == "epsilon"
                else ""
            )
            raise RequestError(
                f"{role}: its index is not that of {first}, and suum pairs rows by position",
                f"give {role}.reindex({first}.index), or {role}.to_numpy() if the order is known "
                f"to agree, or put both into one table{of_persons}",
            )


def refuse_lost_index(options: Mapping[str, Any], data: Any) -> None:
    """Refuses budgets with an index beside a table that has persons and no index: the one could say
    whose budgets they are.
    """
    epsilon, person = options.get("epsilon"), options.get("person")
    index = _index(epsilon)
    is_named = isinstance(person, str) and library(index) == "pandas"
    if not is_named or type(index).__name__ == "RangeIndex":
        return
    tables = data.values() if isinstance(data, Mapping) else [data]
    if all(_index(other) is None for other in [options.get("value"), *tables]):
        raise RequestError(
            "epsilon: its index could say whose budgets they are, and suum pairs rows by position",
            'give epsilon.rename_axis("id") with person="id" if it has a budget for each person, '
            "or epsilon.to_numpy() if there is one for each row, in their order",
        )


def _index(column: Any) -> Any:
    """The index of a column or table; ``None`` if it has none. That of a list is a method."""
    index = None if isinstance(column, (list, tuple)) else getattr(column, "index", None)
    return None if callable(index) else index


def _are_equal(one: Any, other: Any) -> bool:
    """Whether two indexes have the same labels in the same order; of what is unknown, ``False``."""
    if one is other:
        return True
    return library(one) == library(other) == "pandas" and bool(one.equals(other))
