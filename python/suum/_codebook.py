"""Codebook: descriptions of columns, from public knowledge, and the edges of their bins."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Literal

from ._errors import ParameterError, RequestError
from ._times import moment_of, of_day, time_of_day, unit_of
from ._times import number as units_since_1970
from ._types import Bounds, Constant, Edges, Names


@dataclass(frozen=True, repr=False)
class Column:
    """Description of a column, as ``number``, ``labels``, ``date`` and ``truth`` make it."""

    kind: Literal["number", "labels", "date", "truth"]
    #: Range of values, also with "auto", which has releases find one.
    bounds: Bounds | None = None
    #: Step between possible values.
    step: float | None = None
    #: Edges of bins for shares of numbers, or how many bins ``bounds`` has.
    bins: int | Edges | None = None
    #: All labels, and the one that stands for all others.
    labels: tuple[Any, ...] = ()
    other: str | None = None
    #: Texts that stand for empty cells.
    null: Names | None = None
    #: What empty cells count as; "exclude" leaves their records out.
    missing: Constant | str | None = None
    #: True if everybody may know the column of everybody.
    public: bool = False
    #: Labels of groups and of strata, where they are others, and the share of each stratum.
    groups: tuple[Any, ...] = ()
    classes: tuple[Any, ...] = ()
    shares: Mapping[str, float] | None = None

    def __repr__(self) -> str:
        first: Any = self.labels if self.kind == "labels" else self.bounds
        is_said = self.kind != "truth" and first != "auto"
        options = [
            f"{field.name}={value!r}"
            for field in fields(self)
            if field.name not in ("kind", "bounds", "labels")
            and (value := getattr(self, field.name)) not in (field.default, None)
        ]
        return f"suum.{self.kind}({', '.join([*map(repr, first if is_said else ()), *options])})"

    def entries(self) -> dict[str, Any]:
        """Options by which a study file describes it, but for ``missing``."""
        null = [self.null] if isinstance(self.null, (str, int, float)) else self.null
        bounds = self.bounds if hasattr(self.bins, "__index__") else None
        return {
            "bounds": self.bounds,
            "step": self.step,
            "null": null and list(null),
            "bins": None if self.bins is None else edges(self.bins, bounds),
            "categories": list(self.labels) or None,
            "other": self.other,
            "groups": list(self.groups) or None,
            "classes": list(self.classes) or None,
            "population_shares": self.shares,
            "public": self.public,
        }

    def as_numbers(self, name: str) -> dict[str, Any]:
        """Options of a statistic of numbers."""
        if self.bounds is None:
            raise RequestError(
                f"column {name}: it is described by labels, which are no numbers",
                "describe it as suum.number(LO, HI), or ask for its frequency",
            )
        return {"bounds": self.bounds, "step": self.step, "missing": self.missing}

    def as_shares(self, name: str) -> dict[str, Any]:
        """Options of shares of labels, or of bins of numbers."""
        if self.labels:
            labels = list(self.labels)
            return {"categories": labels, "other": self.other, "missing": self.missing}
        if self.bins is None:
            raise RequestError(
                f"column {name}: its numbers are in no bins",
                f'ask for study.histogram("{name}", bins=20), or describe the column as '
                f"{self.kind}(LO, HI, bins=[…])",
            )
        return self.as_bins(self.bins)

    def as_bins(self, bins: int | Edges) -> dict[str, Any]:
        """Options of shares of these bins."""
        bounds = self.bounds if hasattr(bins, "__index__") else None
        return {"bins": edges(bins, bounds), "missing": self.missing}

    def as_groups(self, name: str) -> list[Any]:
        """Labels of groups."""
        if self.groups:
            return list(self.groups)
        if not self.labels:
            raise RequestError(
                f"column {name}: its description has no labels, and groups must be declared",
                f"describe it as suum.labels(A, B, …), or say by({name}=[A, B])",
            )
        return list(self.labels)

    def as_strata(self, name: str) -> dict[str, Any]:
        """Options of strata."""
        if self.shares is not None:
            return {"population_shares": self.shares}
        return {"classes": list(self.classes) or self.as_groups(name)}


Codebook = Mapping[str, Column]


def number(
    low: float | Literal["auto"] = "auto",
    high: float | None = None,
    *,
    step: float | None = None,
    bins: int | Edges | None = None,
    null: Names | None = None,
    missing: Constant | str | None = None,
    public: bool = False,
) -> Column:
    """Column of numbers from ``low`` to ``high``, which public knowledge says and not the data.
    Without both each release finds a range, which costs a part of every budget.

    >>> import suum
    >>> suum.number(0, 77, step=1)
    suum.number(0, 77, step=1)

    Parameters
    ----------
    low, high:
        The ends of the range; values beyond are clamped.
    step:
        The step between possible values, 1 for integers.
    bins:
        The edges of bins for shares, or the number of bins of equal widths.
    null:
        Numbers and texts that stand for an empty cell, such as -9.
    missing:
        A public constant in place of empty cells, or "exclude", which leaves their records out.
    public:
        Everybody may know the column of everybody, so that it can choose records.
    """
    is_open = low == "auto" and high is None
    if not is_open and (low is None or low == "auto" or high is None):
        raise ParameterError(
            "number: its range has one end",
            "give both from public knowledge, as in suum.number(0, 100); or neither, and releases "
            "find a range",
        )
    bounds: Any = "auto" if is_open else (low, high)
    return Column("number", bounds, step, bins, null=null, missing=missing, public=public)


def date(
    low: Any,
    high: Any,
    *,
    bins: int | Edges | None = None,
    null: Names | None = None,
    missing: Constant | str | None = None,
    public: bool = False,
) -> Column:
    """Column of dates or times from ``low`` to ``high``, as text of ISO 8601 or objects.

    >>> import suum
    >>> suum.date("1990-01-01", "2020-12-31")
    suum.date('1990-01-01', '2020-12-31')

    Parameters
    ----------
    low, high, bins, null, missing, public:
        As for ``number``.
    """
    bounds = (low, high)
    return Column("date", bounds, None, bins, null=null, missing=missing, public=public)


def labels(
    *names: Any,
    other: str | None = None,
    null: Names | None = None,
    missing: str | None = None,
    public: bool = False,
) -> Column:
    """Column of labels, of which these are all: text, whole numbers, dates or truth values.

    >>> import suum
    >>> suum.labels("north", "south", other="elsewhere")
    suum.labels('north', 'south', other='elsewhere')

    Parameters
    ----------
    names:
        The labels, from public knowledge; or one list of them.
    other:
        A label for all others, which are refused without it.
    null:
        Texts that stand for an empty cell.
    missing:
        A label for empty cells; or "exclude", which leaves their records out.
    public:
        As for ``number``.
    """
    is_list = len(names) == 1 and isinstance(names[0], Iterable) and not isinstance(names[0], str)
    found = list(names[0] if is_list else names)
    if not found:
        raise RequestError("labels: there are none", 'name all of them, as in labels("yes", "no")')
    if missing not in (None, "exclude", *found):
        found.append(missing)
    return Column(
        "labels", labels=tuple(found), other=other, null=null, missing=missing, public=public
    )


def truth(*, missing: bool | str | None = None, public: bool = False) -> Column:
    """Column of truth values: 0 and 1 in a mean, ``False`` and ``True`` as labels.

    >>> import suum
    >>> suum.Study({"sick": [True, False]}, columns={"sick": suum.truth()}).columns["sick"].bounds
    (0, 1)

    Parameters
    ----------
    missing:
        A truth value in place of empty cells; or "exclude", which leaves their records out.
    public:
        As for ``number``.
    """
    return Column("truth", (0, 1), labels=(False, True), missing=missing, public=public)


def description(columns: Codebook, name: str) -> Column:
    """Description of a column, which the study must have."""
    if name in columns:
        return columns[name]
    near = get_close_matches(name, list(columns), 1)
    raise RequestError(
        f"column {name}: the study does not describe it",
        f"did you mean {near[0]}?"
        if near
        else f'describe it: columns={{"{name}": suum.number(LO, HI)}}, or suum.labels(A, B, …)',
    )


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
    count = len(_between(bins, [units_since_1970(end, unit) for end in ends])) - 1
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
