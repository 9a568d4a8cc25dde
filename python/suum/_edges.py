"""The edges of the bins of histograms."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import ParameterError
from ._times import moment_of, number, of_day, time_of_day, unit_of


def edges(bins: Any, bounds: Any) -> list[Any] | dict[str, list[Any]]:
    """The edges of bins; of several columns by their names, if one of both is.

    >>> edges(2, {"age": (0, 120), "wage": (0, 50)})
    {'age': [0.0, 60.0, 120.0], 'wage': [0.0, 25.0, 50.0]}
    """
    by_name = [one for one in (bins, bounds) if isinstance(one, Mapping)]
    if not by_name:
        return _of_column(bins, bounds)
    # A column that one of both does not name is missing.
    names = [name for name in by_name[0] if all(name in one for one in by_name)]

    def of(name: str) -> list[Any]:
        said = [one[name] if isinstance(one, Mapping) else one for one in (bins, bounds)]
        return _of_column(*said)

    return {name: of(name) for name in names}


def _of_column(bins: Any, bounds: Any) -> list[Any]:
    """The edges of bins, which are dates or times if bounds are; dates, if all bins are of whole
    days.

    >>> _of_column(2, ("2020-01-01", "2020-01-04"))[1]
    datetime.datetime(2020, 1, 2, 12, 0)
    """
    ends = list(bounds) if isinstance(bounds, Iterable) and not isinstance(bounds, str) else []
    unit = unit_of(ends)
    if unit is None:
        times = [of_day(end) for end in ends]
        if ends and None not in times:
            return [time_of_day(edge) for edge in _between(bins, times)]
        return _between(bins, bounds)
    count = len(_between(bins, [number(end, unit) for end in ends])) - 1
    first, last = (moment_of(end) for end in ends)
    # In microseconds, of which there are none between two moments: widths are equal to one of them.
    whole = (last - first) // _MICROSECOND
    found = [first + (2 * whole * at + count) // (2 * count) * _MICROSECOND for at in range(count)]
    found.append(last)
    are_days = unit == "days" and all(edge.time() == datetime.time() for edge in found)
    return [edge.date() for edge in found] if are_days else found


_MICROSECOND = datetime.timedelta(microseconds=1)


def _between(bins: Any, bounds: Any) -> list[float]:
    """The edges of bins."""
    if hasattr(bins, "__index__") and not getattr(bins, "ndim", 0):
        count = int(bins)
        if bounds is None:
            raise ParameterError(
                "bounds: a number of bins needs to know where they lie",
                "give bounds=(LO, HI) from public knowledge, or the edges as bins",
            )
        if count < 1:
            raise ParameterError("bins: there must be at least one", "for example bins=20")
        ends = bounds.split(",") if isinstance(bounds, str) else list(bounds)
        try:
            low, high = map(float, ends)
        except (TypeError, ValueError):
            low, high = math.nan, math.nan
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ParameterError(
                "bounds: two finite numbers are needed, the lower one first",
                "for example bounds=(0, 100)",
            )
        # In as many digits as doubles surely have, so that labels are short.
        inner = [low + (high - low) * at / count for at in range(1, count)]
        return [low, *(float(f"{edge:.12g}") for edge in inner), high]
    is_edges = "," in bins if isinstance(bins, str) else not hasattr(bins, "__float__")
    if not is_edges and not getattr(bins, "ndim", 0):
        raise ParameterError(
            "bins: neither a whole number nor edges", "for example bins=20, or bins=[0, 10, 20]"
        )
    if bounds is not None:
        raise ParameterError(
            "bounds: the edges of bins say already where they lie", "leave bounds out"
        )
    own: list[float] = list(bins)
    return own
