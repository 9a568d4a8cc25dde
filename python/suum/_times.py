"""Columns of dates and times, and what options say of them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import DataError, ParameterError
from ._moments import Unit, in_utc, is_moment, label, number, parsed

def unit_of(options: Mapping[str, Any]) -> Unit | None:
    """In what a column counts, from the bounds or bins that are said of it: in days if they are all
    dates, in seconds if one is a time, and ``None`` if they are no dates.
    """
    said = [one for name in ("bounds", "bins") for one in _ends(options.get(name))]
    found = [parsed(one) if isinstance(one, str) else in_utc(one) for one in said]
    moments = [one for one in found if isinstance(one, datetime.date)]
    if not moments:
        return None
    if len(moments) < len(found):
        raise ParameterError(
            "bounds: some are dates and others are not", "give all as dates, or all as times"
        )
    return "seconds" if any(isinstance(one, datetime.datetime) for one in moments) else "days"


def counted(options: Mapping[str, Any], unit: Unit) -> dict[str, Any]:
    """The options with numbers in place of dates and times."""
    said = dict(options)
    for name in ("bounds", "bins"):
        if said.get(name) is not None:
            said[name] = [number(one, unit) for one in _ends(said[name])]
    missing = said.get("missing")
    # Beside bins it is a category.
    if is_moment(missing) or (isinstance(missing, str) and said.get("bounds") is not None):
        said["missing"] = number(missing, unit)
    return said


def _ends(said: Any) -> list[Any]:
    """What bounds or bins consist of; text stands for itself."""
    return list(said) if isinstance(said, Iterable) and not isinstance(said, str) else []


class Clock:
    """In what dates and times of a column are to count, and whether they were counted."""

    def __init__(self, unit: Unit | None = None) -> None:
        self.unit = unit
        self.is_used = False

    def use(self, name: str) -> Unit:
        """The unit, which bounds or bins must have said."""
        if self.unit is None:
            raise DataError(
                f"column {name}: it holds dates or times",
                "say bounds or bins as dates or times, too",
            )
        self.is_used = True
        return self.unit


def listed(items: list[Any], name: str, clock: Clock | None) -> list[Any]:
    """A list of dates or times as numbers, or without a clock as labels."""
    if clock is None:
        return [label(one) if is_moment(one) else one for one in items]
    unit = clock.use(name)
    return [number(one, unit) if is_moment(one) else one for one in items]


def of_numpy(array: Any, name: str, clock: Clock | None) -> Any:
    """An array of dates and times as numbers, or without a clock as labels; what is not a time is
    missing.
    """
    import numpy

    if clock is None:
        # Beyond microseconds there are no moments in Python.
        return listed(array.astype("M8[us]").tolist(), name, None)
    one = numpy.timedelta64(1, "D" if clock.use(name) == "days" else "s")
    return (array - numpy.datetime64(0, "s")) / one
