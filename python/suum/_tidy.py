"""Answers as rows, one for each estimate, for data frames."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ._times import Unit, moment
from ._values import Estimate


class Row(NamedTuple):
    """Estimate, with the statistic and the category or rank that it belongs to."""

    statistic: str
    #: ``None`` of a group without records.
    answer: Estimate | None
    #: In the units of the estimate; ``None`` where none is known.
    rmse: float | None
    #: More columns: the category, or ``q``.
    of: dict[str, Any] = {}


def columns(
    grouped: Iterable[tuple[Any, Row]], by: Sequence[str] = (), dates: bool = True
) -> dict[str, list[Any]]:
    """Columns of equal length, of rows with their groups; ``None`` is missing. Groups of several
    columns, which are those of ``by``, have a column for each. ``dates`` allows dates and times in
    place of numbers, if all estimates are such.
    """
    rows = list(grouped)
    more = dict.fromkeys(name for _, row in rows for name in row.of)
    answers = [row.answer for _, row in rows]
    ends = [one and one.interval for one in answers]
    units = {one.unit for one in answers if one is not None}
    unit = units.pop() if dates and len(units) == 1 else None
    groups = [group for group, _ in rows]
    if len(by) > 1:
        named = {
            name: [None if group is None else group[at] for group in groups]
            for at, name in enumerate(_free(by, {*_OWN, *more}))
        }
    else:
        named = {"group": groups}
    return {
        **named,
        "statistic": [row.statistic for _, row in rows],
        **{name: [row.of.get(name) for _, row in rows] for name in more},
        "estimate": [one and _place(one.estimate, unit) for one in answers],
        "lower": [end and _place(end.lower, unit) for end in ends],
        "upper": [end and _place(end.upper, unit) for end in ends],
        "rmse": [row.rmse for _, row in rows],
    }


def _place(value: float, unit: Unit | None) -> float | datetime.datetime | None:
    """Number, or the date or time that it stands for; one that is infinite is missing."""
    if unit is None:
        return value
    return moment(value, unit) if math.isfinite(value) else None


#: Names of the other columns, which columns of groups must not have.
_OWN = ("column", "group", "statistic", "category", "q", "estimate", "lower", "upper", "rmse")


def _free(names: Sequence[str], taken: set[str]) -> list[str]:
    """Names of which no other column has one, made with underscores."""
    found: list[str] = []
    for name in names:
        while name in taken or name in found or name in names[len(found) + 1 :]:
            name += "_"
        found.append(name)
    return found


_NUMBERS = ("q", "estimate", "lower", "upper", "rmse")


def to_pandas(columns: dict[str, list[Any]]) -> Any:
    """A pandas DataFrame, in which missing numbers are NaN."""
    import pandas

    filled: dict[str, Any] = {}
    for name, column in columns.items():
        filled[name] = column
        if _are_numbers(name, column):
            filled[name] = [math.nan if one is None else one for one in column]
        elif None in column and _are_whole(column):
            # Beside a missing label pandas would make them numbers with a point.
            filled[name] = pandas.array(column, dtype="Int64")
    return pandas.DataFrame(filled)


def _are_numbers(name: str, column: list[Any]) -> bool:
    return name in _NUMBERS and not any(isinstance(one, datetime.datetime) for one in column)


def _are_whole(labels: list[Any]) -> bool:
    """Returns true if all numbers that are not missing are whole."""
    there = [one for one in labels if one is not None]
    return bool(there) and all(type(one) is int and one.bit_length() < 64 for one in there)


def to_polars(columns: dict[str, list[Any]]) -> Any:
    """A Polars DataFrame, in which missing numbers are null."""
    import polars

    numbers = {
        name: polars.Float64 for name, column in columns.items() if _are_numbers(name, column)
    }
    return polars.DataFrame(columns, schema_overrides=numbers, strict=False)
