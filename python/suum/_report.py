"""Common base of releases and plans: a record in JSON, words for people, rows for data frames, and
what is kept of an answer for other processes and later days.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, astuple, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from ._errors import RequestError
from ._suum import Answer, answer_from_record, spending_stream
from ._times import Unit, moment
from ._values import Estimate, Interval, Tier, rounded_up


class NoSequence:
    """Refuses to be an array, to have a length or members, and to be gone through.

    Without this NumPy makes an array of nothing, or of one object, where numbers are wanted.

    >>> class Reading(NoSequence):
    ...     _instead = "reading.value"
    >>> len(Reading())
    Traceback (most recent call last):
    TypeError: a Reading is no sequence: use reading.value
    >>> bool(Reading())
    True
    """

    #: Expression to use instead, as the error names it.
    _instead: str

    def _refused(self) -> TypeError:
        return TypeError(f"a {type(self).__name__} is no sequence: use {self._instead}")

    def __bool__(self) -> bool:
        return True

    # Type checkers do not see these: for them there is no such method, and they refuse its use.
    if not TYPE_CHECKING:

        def __array__(self, dtype: object = None, copy: object = None) -> Any:
            raise self._refused()

        def __len__(self) -> int:
            raise self._refused()

        def __iter__(self) -> Iterator[Any]:
            raise self._refused()

        def __contains__(self, item: object) -> bool:
            raise self._refused()


class Document(NoSequence):
    """An answer to print, to read, or to keep."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._record: dict[str, Any] = answer.record()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._answer,)

    def to_dict(self) -> dict[str, Any]:
        """All there is to know: the keys of docs/reference/json.md; infinity is ``math.inf``."""
        return self._record

    def to_json(self) -> str:
        """Text that ``--format json`` of the command line prints."""
        return self._answer.json()

    def __str__(self) -> str:
        return self._answer.text().rstrip("\n")


class Page(Document):
    """A document that is also a page of HTML."""

    def to_html(self) -> str:
        """The page, one file that needs nothing else."""
        return self._answer.html()


class Row(NamedTuple):
    """Estimate, with the statistic and the category or rank that it belongs to."""

    statistic: str
    #: ``None`` of a group without records.
    answer: Estimate | None
    #: In the units of the estimate; ``None`` where none is known.
    rmse: float | None
    #: More columns: the category, or ``q``.
    of: dict[str, Any] = {}


def tidy_columns(
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


_COLUMNS = [field.name for field in fields(Tier)]


class Privacy(Sequence[Tier]):
    """Allowed and spent budget of each tier: a sequence of rows that turns into a DataFrame.

    Any library that reads Arrow takes it as it is, for example
    ``polars.DataFrame(release.privacy)``.

    >>> import suum
    >>> release = suum.mean([3, 9, 0], epsilon=[0.5, 1, 1], bounds=(0, 10))
    >>> [(tier.level, tier.count) for tier in release.privacy]
    [('0.5', 1), ('1', 2)]
    >>> all(tier.spent <= tier.epsilon for tier in release.privacy)
    True
    """

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = [
            Tier(
                row.get("level", f"{row['epsilon']:g}"),
                row["epsilon"],
                row.get("count"),
                row["spent"],
                row.get("weight"),
            )
            for row in rows
        ]

    @overload
    def __getitem__(self, at: int) -> Tier: ...
    @overload
    def __getitem__(self, at: slice) -> list[Tier]: ...
    def __getitem__(self, at: int | slice) -> Tier | list[Tier]:
        return self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Tier]:
        return iter(self._rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows in Arrow's C stream interface; another schema than theirs is not made."""
        return spending_stream([astuple(row) for row in self._rows])

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each tier."""
        import pandas

        return pandas.DataFrame([astuple(row) for row in self._rows], columns=_COLUMNS)

    def to_polars(self) -> Any:
        """A Polars DataFrame with a row for each tier."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        lines = [_COLUMNS, *map(_cells, self._rows)]
        widths = [max(len(line[column]) for line in lines) for column in range(len(_COLUMNS))]
        cells = (
            [
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(line, widths))
            ]
            for line in lines
        )
        return "\n".join("  ".join(line).rstrip() for line in cells)

    def _repr_html_(self) -> str:
        return answer_from_record({"title": "", "tiers": self._told()}).fragment()

    def _told(self) -> list[dict[str, Any]]:
        """Rows of the table that the extension makes."""
        return [asdict(row) for row in self._rows]


class _Undrawn:
    """Field of an answer that has no value before the block of its release ends."""

    def __get__(self, report: object, owner: type[object]) -> Any:
        if report is None:
            return self
        raise RequestError(
            "release: it is drawn when its block ends, and not if that raises an error",
            "use its answers after: with study.release() as release",
        )


class Report(NoSequence):
    """Result for people and for programs."""

    _answer: Answer | None = cast(Any, _Undrawn())
    _given: dict[str, Any] = cast(Any, _Undrawn())

    def __init__(self, answer: Answer | dict[str, Any]) -> None:
        """Wraps an answer, or the record of a part of one."""
        self._answer = None if isinstance(answer, dict) else answer
        self._given = answer if isinstance(answer, dict) else {}

    @cached_property
    def _whole(self) -> dict[str, Any]:
        """Record that ``to_json`` writes."""
        record: dict[str, Any] = self._given if self._answer is None else self._answer.record()
        return record

    @cached_property
    def _record(self) -> dict[str, Any]:
        return self._whole

    def __reduce__(self) -> tuple[Any, ...]:
        if self._answer is None:
            return type(self), (self._given,)
        return type(self), (self._answer,)

    def to_dict(self) -> dict[str, Any]:
        """Record as a dictionary: the keys of docs/reference/json.md; infinity is ``math.inf``."""
        return deepcopy(self._whole)

    def to_json(self) -> str:
        """Text that ``--format json`` of the command line prints."""
        return (
            json.dumps(with_text(self._given), indent=2) + "\n"
            if self._answer is None
            else self._answer.json()
        )

    def explain(self) -> str:
        """The text with all there is to say: where the error comes from, which estimators were
        compared, what is guaranteed. ``print(release)`` is the short one; the command line prints
        this with ``--explain``.

        Of one group of several, or of one part of a summary, it is the short one.

        >>> import suum
        >>> release = suum.mean([3, 9, 0], epsilon=[1, 1, 1], bounds=(0, 10))
        >>> "What is guaranteed" in release.explain()
        True
        """
        return self._shown.explained().rstrip("\n")

    def to_html(self) -> str:
        """The page that ``--report`` of the command line writes: one file that needs nothing beside
        it, with the method and its sources.

        Of one group of several, or of one part of a summary, the shorter fragment that a notebook
        shows.

        >>> import suum
        >>> release = suum.mean([3, 9, 0], epsilon=[1, 1, 1], bounds=(0, 10))
        >>> release.to_html().startswith("<!DOCTYPE html>")
        True
        """
        return self._shown.fragment() if self._answer is None else self._answer.html()

    @property
    def _shown(self) -> Answer:
        """The answer; of a part of one, what its record tells."""
        return self._answer or answer_from_record(self._told())

    def _told(self) -> dict[str, Any]:
        """Numbers of the record and the sentences about them, which the extension shows."""
        raise NotImplementedError

    @property
    def privacy(self) -> Privacy:
        """Allowed and spent budget of each tier."""
        return Privacy(self._record["privacy"])

    @property
    def warnings(self) -> list[str]:
        """Warnings for the user, for example about budgets that protect practically nothing."""
        return self._sentences("warnings")

    def _sentences(self, key: str) -> list[str]:
        """Sentences under a key, those of every group too, each once."""
        parts = [self._record, *self._record.get("groups", [])]
        return list(dict.fromkeys(text for part in parts for text in part.get(key, [])))

    def __str__(self) -> str:
        return self._shown.text().rstrip("\n")

    def __repr__(self) -> str:
        line = self._line() if "_answer" in self.__dict__ else "drawn when its block ends"
        return f"<suum.{self._name}: {line}>"

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _line(self) -> str:
        """One-line summary."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self._shown.fragment()

    def _repr_markdown_(self) -> str:
        return self._shown.markdown()


class Published(Report):
    """A release of one answer or of several."""

    @property
    def private(self) -> bool:
        """True if the noise is secret: false with ``insecure_seed=``, and then nobody is protected.
        """
        return bool(self._record["private"])

    @property
    def ledger(self) -> dict[str, Any] | None:
        """Effect of the release on the accounts of its ledger, if it was charged to one
        (docs/reference/json.md).
        """
        return self._record.get("ledger")

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each estimate."""
        return to_pandas(self._tidy())

    def to_polars(self) -> Any:
        """Polars DataFrame with the rows of ``to_pandas``."""
        return to_polars(self._tidy())

    def _tidy(self, dates: bool = True) -> dict[str, list[Any]]:
        """All rows, in which dates and times are such, or numbers."""
        raise NotImplementedError


def with_text(value: Any) -> Any:
    """Replaces infinities by text, since JSON has no number for them."""
    if isinstance(value, dict):
        return {key: with_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_text(item) for item in value]
    return "inf" if value == float("inf") else "-inf" if value == float("-inf") else value


def interval(record: dict[str, Any]) -> Interval:
    return Interval(record["lower"], record["upper"], record["confidence"])


def possible_interval(record: dict[str, Any] | None) -> Interval | None:
    """The interval, if there is one."""
    return None if record is None else interval(record)


def estimate(record: dict[str, Any], unit: Unit | None = None) -> Estimate:
    return Estimate(record["estimate"], possible_interval(record["interval"]), unit)


def _cells(tier: Tier) -> list[str]:
    return [
        tier.level,
        rounded_up(tier.epsilon),
        "" if tier.count is None else str(tier.count),
        rounded_up(tier.spent),
        "" if tier.weight is None else f"{tier.weight:.4g}",
    ]
