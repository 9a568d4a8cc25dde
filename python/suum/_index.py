"""Indexes, as pandas has them: rows of two objects belong together if their labels are equal.

All columns that a release reads are aligned once, before anything else is made of them. The first
one with an index says the order of rows, and others with the same labels in another order follow
it. Where labels differ, or an order cannot be told from them, the column is refused: budgets would
go to the wrong persons. What has no index is paired by position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._errors import RequestError
from ._unknown import library


#: A name, for refusals, and a column or table.
Named = tuple[str, Any]


def aligned(columns: Sequence[Named], table: object = None, has_order: bool = False) -> list[Any]:
    """The columns, each with its rows in the order of the first index.

    A ``table`` beside which they stand comes first, and keeps its order. Columns without an index
    are paired by position: with the table, or with the first column if that ``has_order``. If
    neither is so and orders differ, nobody knows with which, and they are refused.
    """
    found = [column for _, column in columns]
    first, expected = "data", _index(table)
    moved = []
    for at, (name, column) in enumerate(columns):
        index = _index(column)
        if index is None:
            continue
        if expected is None:
            first, expected = name, index
            has_order = has_order and at == 0
        elif not _are_equal(index, expected):
            found[at] = column.iloc[_places(name, index, first, expected)]
            moved.append(name)
    if moved and not has_order and _index(table) is None:
        everything = [*columns, *([] if table is None else [("data", table)])]
        unlabelled = [name for name, column in everything if _index(column) is None]
        if unlabelled:
            raise RequestError(
                f"{unlabelled[0]}: it has no index, and those of {first} and {moved[0]} have "
                "different orders",
                f"give {unlabelled[0]} as a Series with an index, or put all columns into one "
                "table",
            )
    return found


def aligned_beside(
    options: Mapping[str, Any], beside: Mapping[str, Any], table: object = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Brings the columns beside a table, or alone, into one order of rows. Returns all options, and
    these columns among them.
    """
    found = dict(zip(beside, aligned(list(beside.items()), table)))
    return {**options, **found}, found


def aligned_all(
    table: Mapping[str, Any],
    options: Mapping[str, Any],
    named: Iterable[str],
    beside: Mapping[str, Any],
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Brings a dictionary of columns, each of which can have an index, and the columns beside it
    into one order of rows. Returns the table, all options, and the columns beside it.
    """
    names = [name for name in dict.fromkeys(named) if name in table]
    columns = [(name, table[name]) for name in names]
    found = aligned([*columns, *beside.items()])
    own = dict(zip(names, found))
    others = dict(zip(beside, found[len(names) :]))
    return {**table, **own}, {**options, **others}, others


def _places(name: str, index: Any, first: str, expected: Any) -> Any:
    """Positions of the labels of the first index in another index, which has the same labels.

    Refuses indexes whose labels differ or are there twice, and levels in another order.
    """
    if (
        library(index) != "pandas"
        or library(expected) != "pandas"
        or len(index) != len(expected)
        or index.nlevels != expected.nlevels
        or (index.nlevels > 1 and list(index.names) != list(expected.names))
        or not index.is_unique
        or not expected.is_unique
    ):
        raise _differ(name, first)
    try:
        places = index.get_indexer(expected)
    except Exception:
        # Labels that cannot be compared, or intervals that overlap.
        raise _differ(name, first) from None
    if (places < 0).any():
        raise _differ(name, first)
    return places


def _differ(name: str, first: str) -> RequestError:
    of_persons = (
        ', or name its index after the column of persons, as in epsilon.rename_axis("id") '
        'with person="id", if it has a budget for each person'
        if name == "epsilon"
        else ""
    )
    return RequestError(
        f"{name}: its index has other labels than that of {first}, or one of them twice, and suum "
        "pairs rows by their labels",
        f"give {name}.reindex({first}.index), or {name}.to_numpy() if the order is known "
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
    tables: Iterable[Any] = data.values() if isinstance(data, Mapping) else [data]
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
    """Returns true if two indexes have the same labels in the same order; false if it is unknown.
    """
    if one is other:
        return True
    return library(one) == library(other) == "pandas" and bool(one.equals(other))
