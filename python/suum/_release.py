"""Releases: private answers, with what they cost, and their class by their record."""

from __future__ import annotations

import json
import math
import os
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, Union

from . import _plot
from ._entries import text_of_file
from ._errors import ParameterError
from ._groups import Labels, labels_of, shown
from ._process import enter
from ._report import Privacy, Published, Row, possible_interval, tidy_columns, with_text
from ._suum import Answer, read_record, release_sensitivity
from ._times import UNITS
from ._values import Estimate, ExpectedError, Interval

#: The class of each statistic, which the file of its function adds, and of releases of groups by
#: that of one of them.
KINDS: dict[str, type[Any]] = {}
OF_GROUPS: dict[type[Any], type[Any]] = {}


def is_beside(answer: Mapping[str, Any]) -> bool:
    """Returns true for what is released beside a requested answer: the check of its bounds, or
    the sizes of its groups.
    """
    return bool(answer.get("checks_bounds") or answer.get("counts_groups"))


def with_beside(record: dict[str, Any]) -> dict[str, Any]:
    """Record of a requested answer with what was released beside it, and the spending of both.
    "answers" has the spending of each, from which a certificate is computed again. If all groups
    were left out there are their sizes alone.
    """
    requested = [answer for answer in record["answers"] if not is_beside(answer)]
    beside = next(answer for answer in record["answers"] if is_beside(answer))
    answer = requested[0] if requested else {**beside, "groups": []}
    name = "bounds_check" if beside.get("checks_bounds") else "group_sizes"
    return {**answer, **record, name: beside}


def of_record(record: dict[str, Any], wanted: type[Any] | None = None) -> Any:
    """Release of a dictionary; of the requested class, if it can be read as that."""
    one = record
    roles = [is_beside(answer) for answer in record.get("answers", [])]
    if roles.count(True) == 1 and roles.count(False) <= 1:
        one = with_beside(record)
    of_statistic = KINDS.get(_name(one.get("statistic")))
    kind = named_by(record)[0] or of_statistic
    whole = "groups" in one or {"private", "protects"} <= one.keys()
    if kind is None or not whole:
        hint = "for several answers, suum.Survey.from_json" if "answers" in one else (
            "give what to_json() writes"
        )
        raise ParameterError("release: it is no release", hint)
    if wanted is not None:
        of_one = {groups: of_one for of_one, groups in OF_GROUPS.items()}
        wanted = of_one.get(wanted, wanted)
        kind = wanted if wanted is of_statistic or wanted._reads(one) else kind
    labels = [*labels_of(record), None][0]
    return (OF_GROUPS[kind] if "groups" in one else kind)(record, labels)


def named_by(record: dict[str, Any]) -> list[type[Any] | None]:
    """Class of the answer of a function, where several functions make the same statistic; of
    several answers those of each, if they differ.
    """
    return [KINDS.get(name) for name in str(record.get("function")).split(",")]


def part_of_record(
    record: dict[str, Any], labels: Labels | None = None, wanted: type[Any] | None = None
) -> Any:
    """Release of one answer of a record with several; of the requested class, if there is one."""
    parts = [record, *(part for part in record.get("groups", []) if "statistic" in part)]
    names = [part["statistic"] for part in parts if part.get("statistic")]
    statistic = names[0] if names else None
    kind = wanted or KINDS.get(_name(statistic), KINDS["mean"])
    return (OF_GROUPS[kind] if "groups" in record else kind)(record, labels)


def _name(statistic: Any) -> str:
    return "summary" if isinstance(statistic, list) else str(statistic)


R = TypeVar("R", bound="Release")


class Release(Published):
    """A private answer. Everything in it may be published if ``private`` is true.

    With ``group_by=`` it is one release for each group, and a ``Mapping``: ``release["north"]``
    finds one by the label that was declared, ``len`` counts the groups with records, and a loop
    goes through their labels; of several columns by the label of each: ``release["north", "f"]``.
    Without groups it is no container, and each of these raises a
    ``TypeError`` that says what to use.
    """

    _instead = "release.estimate and release.interval"
    #: How the extension writes its numbers.
    _number_kind = "number"
    #: Name of the statistic, if it is not the one in the record.
    _statistic: str | None = None
    #: The function that makes it, where several make the same statistic.
    _function: str | None = None

    @classmethod
    def _reads(cls, record: Mapping[str, Any]) -> bool:
        """Returns true if a record of another class can be read as this one."""
        return False

    @classmethod
    def _of_group(cls, part: Mapping[str, Any]) -> type[Release]:
        """Class of the release of one group."""
        return cls

    def __init__(
        self, answer: Answer | dict[str, Any], labels: Labels | None = None
    ) -> None:
        super().__init__(answer)
        self._labels = labels or Labels()

    def __reduce__(self) -> tuple[Any, ...]:
        kind, content = super().__reduce__()
        return kind, (*content, self._labels)

    @classmethod
    def from_json(cls: type[R], release: Union[str, os.PathLike[str], Mapping[str, Any]]) -> R:
        """The release that a JSON text stands for: of ``to_json``, of ``--format json``, or what
        ``to_dict`` gives. What is neither text in braces nor a dictionary is the path of a file.

        A text has no words: ``explain`` and ``to_html`` of it are short. Labels have the type that
        they were declared with in Python. What ``suum.median`` and ``suum.std`` made has the class
        that it had; ``suum.Median.from_json`` and ``suum.Deviation.from_json`` also read the
        quantiles and variances of others.

        >>> import suum
        >>> release = suum.mean([3, 9, 0], epsilon=[1, 1, 1], bounds=(0, 10))
        >>> suum.Release.from_json(release.to_json()).estimate == release.estimate
        True
        """
        found: Any = of_record(record_of(release), cls)
        if not isinstance(found, cls):
            raise ParameterError(
                f"release: it is no {cls.__name__}", f"read it with suum.{found._name}.from_json"
            )
        return found

    @cached_property
    def _record(self) -> dict[str, Any]:
        return with_beside(self._whole) if "answers" in self._whole else self._whole

    @property
    def bounds_check(self) -> Any:
        """The shares of the values at each bound or beyond, as ``Frequencies``, if they were asked
        for with ``check_bounds``; else ``None``.

        >>> import suum
        >>> visits = [0.0, 12.0, 99.0, 5.0] * 500
        >>> release = suum.mean(visits, epsilon=1.0, bounds=(0, 20), check_bounds=True)
        >>> list(release.bounds_check.estimate)
        ['at or below 0', 'between', 'at or above 20']
        """
        check = self._record.get("bounds_check")
        return None if check is None else part_of_record(check)

    @property
    def group_sizes(self) -> Any:
        """The number of records of each group, counted with noise, as ``Count`` by group, if
        ``suppress_below`` needed it because participation is hidden; else ``None``.

        >>> import suum
        >>> people = {"v": [3.0] * 900 + [4.0] * 3, "site": ["north"] * 900 + ["south"] * 3}
        >>> release = suum.mean(
        ...     people, "v", bounds=(0, 9), epsilon=1.0, neighbors="add-remove",
        ...     group_by="site", groups=["north", "south"], suppress_below=400,
        ... )
        >>> list(release), release.group_sizes["north"].estimate > 400
        (['north'], True)
        """
        sizes = self._record.get("group_sizes")
        return None if sizes is None else part_of_record(sizes, self._labels)

    @property
    def privacy(self) -> Privacy:
        """Allowed and spent budget of each tier."""
        return Privacy(self._only("privacy"))

    @property
    def error(self) -> ExpectedError:
        """Expected error of the estimate. The text of the release says for which data: for the
        spread that was measured beside a mean, the worst ones, or normally distributed values with
        ``bounds="auto"``.
        """
        error = self._only("error")
        return ExpectedError(error["noise_sd"], error["sampling_sd"], error["rmse"])

    @property
    def estimator(self) -> str:
        """The name of the estimator that weighted records."""
        name: str = self._only("estimator")["name"]
        return name

    @property
    def assumes(self) -> list[str]:
        """Assumptions of the intervals; no release can check them."""
        return self._sentences("assumes")

    def sensitivity(self, difference: float = 0.0) -> Any:
        """The interval if tiers differ by at most ``difference``, which its assumption that budgets
        have nothing to do with values says they do not: of a mean, a sum or their difference by
        group the means of tiers, of a share the shares (``0.05`` is 5 percentage points). Of
        several shares a dictionary by category. Of a quantile it is the least and the largest
        rank that the estimate can have but for noise and sampling.

        >>> import suum
        >>> people = {"visits": [1.0, 4.0] * 500, "eps": [0.1, 1.0] * 500}
        >>> release = suum.mean(people, value="visits", epsilon="eps", bounds=(0, 10))
        >>> release.sensitivity(0) == release.interval
        True
        >>> release.sensitivity(1).upper > release.interval.upper
        True
        """
        read = self._sensitivities(None, difference)
        at = {
            name: Interval(one["at"]["lower"], one["at"]["upper"], confidence)
            for name, (one, confidence) in read.items()
        }
        return at[None] if list(at) == [None] else at

    def breakdown(self, claim: tuple[str, float]) -> Any:
        """The largest difference of tiers at which the interval still says what is claimed:
        ``("above", 2.5)`` or ``("below", 2.5)``. It is 0 if the interval does not even say so where
        tiers do not differ, and ``math.inf`` if it does however much they differ. Of several
        shares a dictionary by category; ``None`` of quantiles.

        >>> import suum
        >>> people = {"visits": [1.0, 4.0] * 500, "eps": [0.1, 1.0] * 500}
        >>> release = suum.mean(people, value="visits", epsilon="eps", bounds=(0, 10))
        >>> release.breakdown(claim=("above", 10))
        0.0
        """
        side, limit = claim
        read = self._sensitivities(f"{side} {limit!r}", None)
        broken = {name: one.get("breakdown") for name, (one, _) in read.items()}
        return broken[None] if list(broken) == [None] else broken

    def _sensitivities(
        self, claim: str | None, difference: float | None
    ) -> dict[Any, tuple[dict[str, Any], float]]:
        """Sensitivity of each estimate to differences of tiers, and the confidence."""
        enter()
        record = self._record
        text = json.dumps(with_text(dict(record)))
        read = release_sensitivity(text, claim, difference).record()["answers"]
        own = [one for one in read if not one.get("of")]
        if not own:
            # A release of groups has one for each of them.
            self._only("interval")
        first = record.get("frequencies") or record.get("quantiles") or record.get("differences")
        intervals = [one.get("interval") for one in first or [record]]
        known = [one["confidence"] for one in intervals if one]
        confidence = known[0] if known else math.nan
        named = {}
        for one in own:
            name: Any = one.get("name")
            if name is not None:
                is_rank = one["statistic"] == "quantile"
                name = float(name) if is_rank else self._labels.named(name)
            named[name] = (one, confidence)
        return named

    @property
    def groups(self: R) -> dict[Any, R]:
        """The release of each group that has records; empty without ``group_by=``."""
        return {}

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each estimate: ``group`` (if there are any; where they
        are of several columns these, each by its name), ``statistic``, ``category`` or ``q`` where
        there are several, ``estimate``, ``lower``, ``upper`` and ``rmse``. What is not known is
        missing.

        Groups without records have rows, too, in which all numbers are missing; dates are dates.
        ``rmse`` is the expected error in the units of the estimate; of frequencies that of the
        largest. ``to_dict`` has everything else.

        >>> import suum
        >>> release = suum.mean([3, 9, 0], epsilon=[1, 1, 1], bounds=(0, 10))
        >>> list(release.to_pandas().columns)
        ['group', 'statistic', 'estimate', 'lower', 'upper', 'rmse']
        """
        return super().to_pandas()

    def plot(self, ax: Any = None) -> Any:
        """Draws the estimates with their intervals on axes of matplotlib, or new ones, and returns
        them. Shares are bars from 0, quantiles the distribution function, all else points;
        a variance, whose units are squared, is drawn as the standard deviation.
        """
        axes = _plot.new(ax)
        self._draw(axes)
        axes.set_title(self._title_by())
        return axes

    if TYPE_CHECKING:
        # Releases of groups have these; of others they raise a ``TypeError``.
        def __getitem__(self: R, group: Any) -> R: ...
        def __iter__(self) -> Iterator[Any]: ...
        def __len__(self) -> int: ...
        def __contains__(self, group: object) -> bool: ...
        def keys(self) -> KeysView[Any]: ...
        def values(self: R) -> ValuesView[R]: ...
        def items(self: R) -> ItemsView[Any, R]: ...
        def get(self: R, group: Any, default: Any = None) -> R | Any: ...

    else:

        def __getitem__(self, group: object) -> Any:
            raise self._refused()

    def _only(self, key: str) -> Any:
        """Value of a key that one release has, and a release of groups has for each group."""
        if "groups" in self._record:
            raise AttributeError(
                f"there is a release for each group: release[group], one of {list(self)}"
            )
        return self._record[key]

    def _by_group(self: R) -> dict[Any, R]:
        """Releases that have estimates, by group; without groups only this one."""
        return self.groups if "groups" in self._record else {self._labels.own: self}

    def _rows(self) -> list[Row]:
        """All estimates, without groups."""
        raise NotImplementedError

    def _tidy(self, dates: bool = True) -> dict[str, list[Any]]:
        """All rows, in which dates and times are such, or numbers."""
        rows = [(group, row) for group, rows in self._rows_of_groups() for row in rows]
        return tidy_columns(rows, self._by, dates)

    def _rows_of_groups(self) -> list[tuple[Any, list[Row]]]:
        """Rows of every declared group; those of a group without records have no numbers."""
        if "groups" not in self._record:
            return [(self._labels.own, self._rows())]
        found = self.groups
        some = next((one._rows() for one in found.values()), [Row(self._called, None, None)])
        empty = [row._replace(answer=None, rmse=None) for row in some]
        groups = [self._labels.group(part["group"]) for part in self._record["groups"]]
        return [(one, found[one]._rows() if one in found else empty) for one in groups]

    @property
    def _by(self) -> tuple[str, ...]:
        """The columns of groups, if they are several."""
        by = self._record.get("group_by")
        return tuple(by) if isinstance(by, list) else self._labels.own_by

    def _draw(self, axes: Any) -> None:
        """All estimates as points, with the names of groups if there are any."""
        drawn = [
            (" ".join(name for name in names if name), answer)
            for group, release in self._by_group().items()
            for names, answer in [
                (("" if group is None else shown(group), name), answer)
                for name, answer in release._points()
            ]
        ]
        drawn.extend(self._compared())
        _plot.points(axes, drawn, self._record.get("column") or "records")

    def _estimates(self) -> list[Estimate]:
        """All estimates of all groups."""
        return [one for release in self._by_group().values() for _, one in release._answers()]

    def _compared(self) -> list[tuple[str, Estimate]]:
        """Comparisons of groups, with their names."""
        return []

    def _points(self) -> list[tuple[str, Estimate]]:
        """Estimates to draw: those in the units of the data, or else all. A single one has no name.
        """
        answers = self._answers()
        shown = [(name, answer) for name, answer in answers if name != "variance"] or answers
        return [("", shown[0][1])] if len(shown) == 1 else shown

    def _answers(self) -> list[tuple[str, Estimate]]:
        """All estimates with their names."""
        raise NotImplementedError

    def _estimate(self, record: Mapping[str, Any], of: str | None = None) -> Estimate:
        """Estimate of a part of the record, which is ``of`` this statistic."""
        return self._estimate_of(record["estimate"], possible_interval(record["interval"]), of)

    def _estimate_of(
        self, value: float, interval: Interval | None, of: str | None = None
    ) -> Estimate:
        is_place = (of or self._record["statistic"]) in ("mean", "quantile")
        unit = UNITS.get(str(self._record.get("unit"))) if is_place else None
        return Estimate(value, interval, unit)

    @property
    def _called(self) -> str:
        return self._statistic or str(self._record["statistic"])

    def _title(self) -> str:
        column = shown(self._record.get("column") or "")
        statistic = self._statistic or self._record["statistic"]
        # A release of groups names those of a summary.
        named = statistic if isinstance(statistic, str) else ", ".join(statistic)
        return f"Private {named}" + (f" of {column}" if column else "")

    def _title_by(self) -> str:
        """The title, with the column of groups if there is one."""
        by = self._record.get("group_by")
        return self._title() + (f" by {shown(by)}" if by else "")

    def _line(self) -> str:
        title = self._title().removeprefix("Private ")
        if "groups" in self._record:
            count = len(self.groups)
            of = f"{count} group{'' if count == 1 else 's'} of {shown(self._record['group_by'])}"
            told = f"{title} for {of}"
        else:
            answers = self._answers()
            named = [
                f"{name.replace('q = ', 'q')} = {one._text()}" if len(answers) > 1 else one._text()
                for name, one in answers
            ]
            first = named if len(named) < 7 else [*named[:5], f"… ({len(named)} in all)"]
            told = f"{title}: {', '.join(first)}"
            if len(answers) == 1:
                told += answers[0][1]._confidence_text()
        return told + ("" if self.private else ", NOT PRIVATE")

    def _told(self) -> dict[str, Any]:
        is_grouped = "groups" in self._record
        figures = [_figure(name, one) for name, one in self._compared()]
        for group, release in self._by_group().items() if is_grouped else [("", self)]:
            answers = release._answers()
            for name, one in answers:
                is_squared = len(answers) > 1 and name in ("variance", "standard deviation")
                kind = "other" if is_squared else self._number_kind
                if is_grouped:
                    of = shown(group)
                    name = of if name == release._record["statistic"] else f"{of}: {name}"
                figures.append(_figure(name, one, kind))
        return {
            "title": self._title_by(),
            "private": self.private,
            "figures": figures,
            "assumes": self.assumes,
            "warnings": self.warnings,
            "tiers": [] if is_grouped else self.privacy._told(),
            "of_persons": "person" in self._record,
        }


def _figure(name: str, one: Estimate, kind: str = "number") -> dict[str, Any]:
    """A number with its name and interval, as the extension shows it."""
    ends = one.interval
    interval = ends and {"lower": ends[0], "upper": ends[1], "confidence": ends.confidence}
    return {"name": name, "estimate": one.estimate, "interval": interval, "kind": one.unit or kind}


def record_of(release: Union[str, os.PathLike[str], Mapping[str, Any]]) -> dict[str, Any]:
    """Record of a release, from a JSON text, a file of one, or a dictionary."""
    if isinstance(release, Mapping):
        return dict(release)
    if not isinstance(release, (str, os.PathLike)):
        raise ParameterError(
            f"release: {type(release).__name__} is no release",
            "give what to_json() or to_dict() makes, or a file",
        )
    text = os.fspath(release)
    if not text.lstrip().startswith(("{", "[")):
        text = text_of_file("release", text)
    found = read_record(text)
    if not isinstance(found, dict):
        raise ParameterError("release: it is no JSON object", "give what to_json() writes")
    return found
