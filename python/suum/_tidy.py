"""Answers as rows, one for each estimate, for data frames."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from ._groups import shown
from ._values import Estimate


class Row(NamedTuple):
    """An estimate, and what it is of."""

    statistic: str
    answer: Estimate
    #: In the units of the estimate; ``None`` where none is known.
    rmse: float | None
    #: More columns: the category, or ``q``.
    of: dict[str, Any] = {}


def columns(grouped: Iterable[tuple[Any, Row]]) -> dict[str, list[Any]]:
    """Columns of equal length, of rows with their groups; ``None`` is missing."""
    rows = list(grouped)
    more = dict.fromkeys(name for _, row in rows for name in row.of)
    ends = [row.answer.interval for _, row in rows]
    return {
        "group": [group for group, _ in rows],
        "statistic": [row.statistic for _, row in rows],
        **{name: [row.of.get(name) for _, row in rows] for name in more},
        "estimate": [row.answer.estimate for _, row in rows],
        "lower": [None if end is None else end.lower for end in ends],
        "upper": [None if end is None else end.upper for end in ends],
        "rmse": [row.rmse for _, row in rows],
    }


_NUMBERS = ("q", "estimate", "lower", "upper", "rmse")


def to_pandas(columns: dict[str, list[Any]]) -> Any:
    """A pandas DataFrame, in which missing numbers are NaN."""
    import pandas

    filled = {
        name: [math.nan if one is None else one for one in column] if name in _NUMBERS else column
        for name, column in columns.items()
    }
    return pandas.DataFrame(filled)


def to_polars(columns: dict[str, list[Any]]) -> Any:
    """A Polars DataFrame, in which missing numbers are null."""
    import polars

    columns = {**columns, "group": [_text(group) for group in columns["group"]]}
    numbers = {name: polars.Float64 for name in columns if name in _NUMBERS}
    return polars.DataFrame(columns, schema_overrides=numbers, strict=False)


def _text(group: Any) -> Any:
    """A group as a cell can have it: one label, or the text of several."""
    return shown(group) if isinstance(group, tuple) else group
