"""Columns of groups of all types, which every engine has to write as the same text."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import pyarrow

BERLIN = datetime.timezone(datetime.timedelta(hours=1))

TIMES = [
    datetime.datetime(2020, 1, 1),
    datetime.datetime(2020, 1, 1, 7, 30),
    datetime.datetime(2020, 1, 1, 0, 0, 0, 500_000),
    datetime.datetime(2020, 1, 1, 0, 0, 0, 250),
    datetime.datetime(1960, 12, 31, 23, 59, 59, 120_000),
]

#: The type of each column and the groups in it.
LABELS: dict[str, tuple[pyarrow.DataType, list[Any]]] = {
    "integer": (pyarrow.int32(), [1, -2, 3]),
    "boolean": (pyarrow.bool_(), [True, False]),
    "date": (pyarrow.date32(), [datetime.date(2020, 1, 31), datetime.date(1960, 2, 1)]),
    "time": (pyarrow.timestamp("us"), TIMES),
    # One is midnight in UTC, one in Berlin.
    "instant": (
        pyarrow.timestamp("us", "Europe/Berlin"),
        [
            datetime.datetime(2020, 1, 1, 1, tzinfo=BERLIN),
            datetime.datetime(2020, 1, 1, tzinfo=BERLIN),
            # Both are half past two there.
            datetime.datetime(2020, 10, 25, 0, 30, tzinfo=datetime.timezone.utc),
            datetime.datetime(2020, 10, 25, 1, 30, tzinfo=datetime.timezone.utc),
        ],
    ),
    "double": (
        pyarrow.float64(), [1.0, -0.0, 2.5, 0.1, 1e7, -4e15, 1e-5, 1.25e-7, 12345678.9, 1e17]
    ),
    # As the doubles that they are.
    "float": (pyarrow.float32(), [1.0, -0.0, 2.5, 0.10000000149011612, 1e7, 12.5]),
    "decimal": (pyarrow.decimal128(12, 2), [Decimal("1.00"), Decimal("2.50"), Decimal("0.00")]),
    "whole": (pyarrow.decimal128(38, 0), [Decimal(7), Decimal(-(10**15))]),
}

#: What not all engines have.
RARE: dict[str, tuple[pyarrow.DataType, list[Any]]] = {
    "nanoseconds": (pyarrow.timestamp("ns"), TIMES),
    "milliseconds": (pyarrow.timestamp("ms"), TIMES[:3]),
    "of_day": (
        pyarrow.time64("us"),
        [datetime.time(7, 30), datetime.time(0), datetime.time(23, 59, 59, 120_000)],
    ),
}

ROWS = 60


def table() -> pyarrow.Table:
    """All columns, with as many records in each group as come out."""
    columns: dict[str, Any] = {
        name: pyarrow.array((groups * ROWS)[:ROWS], type=kind)
        for name, (kind, groups) in {**LABELS, **RARE}.items()
    }
    numbers = pyarrow.array([float(row % 7) for row in range(ROWS)])
    return pyarrow.table({"v": numbers, "e": [1.0] * ROWS, **columns})


def by(name: str) -> dict[str, Any]:
    """What a level table of a column of groups is asked for."""
    return {
        "value": "v",
        "bounds": (0, 7),
        "epsilon": "e",
        "group_by": name,
        "groups": {**LABELS, **RARE}[name][1],
    }
