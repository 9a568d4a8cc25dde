"""The releases of each statistic, of one group or as a mapping of groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from . import _plot
from ._errors import RequestError
from ._groups import ByLabel, ByShare, Labels, shown
from ._release import OF_GROUPS, Release
from ._report import Row, estimate, possible_interval, tidy_columns
from ._times import is_time, label
from ._values import Arithmetic, Estimate, ExpectedError, Interval, Moment


class Number(Arithmetic, Release):
    """A private number: a mean, a sum, or a count. It calculates, compares, rounds and formats as
    its estimate.

    >>> import suum
    >>> release = suum.mean([3, 9, 0], epsilon=[1, 1, float("inf")], bounds=(0, 10))
    >>> 0 <= release.estimate <= 10
    True
    >>> release.interval is None or release.interval.lower <= release.interval.upper
    True
    """

    @property
    def estimate(self) -> float:
        """The estimate, in the units of the data."""
        return float(self._only("estimate"))

    @property
    def interval(self) -> Interval | None:
        """The confidence interval, in the units of the data, if what ``assumes`` says is true;
        ``None`` with ``bounds="auto"``, where ``to_dict()["no_interval"]`` says why.
        """
        return possible_interval(self._only("interval"))

    def __float__(self) -> float:
        return self.estimate

    def as_datetime(self) -> Moment:
        """The estimate of a mean or median of dates or times, whose bounds were dates or times;
        as a number it counts the days, or the seconds, since the beginning of 1970.

        >>> import datetime, suum
        >>> days = [datetime.date(2020, 1, 1), datetime.date(2020, 12, 31)] * 500
        >>> release = suum.mean(days, epsilon=1.0, bounds=("2020-01-01", "2020-12-31"))
        >>> release.as_datetime().estimate.year
        2020
        """
        if self._record["statistic"] not in ("mean", "quantile"):
            raise RequestError(
                f"as_datetime: a {self._called} is no date", "take the estimate, which is a number"
            )
        return self._estimate_of(self.estimate, self.interval).as_datetime()

    def _rows(self) -> list[Row]:
        return [Row(name, answer, self._error_of(name)) for name, answer in self._answers()]

    def _error_of(self, name: str) -> float | None:
        """The expected error of one of its answers; that of others is not known."""
        return self.error.rmse if name == self._record["statistic"] else None

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(self._record["statistic"], self._estimate_of(self.estimate, self.interval))]


class Variance(Number):
    """A private variance, and the standard deviation and the mean with it. ``estimate`` is in
    squared units.
    """

    @property
    def deviation(self) -> Estimate:
        """The standard deviation, in the units of the data."""
        return estimate(self._only("deviation"))

    @property
    def mean(self) -> Estimate:
        """The mean, in the units of the data."""
        return self._estimate(self._only("mean"), "mean")

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [*super()._answers(), ("standard deviation", self.deviation), ("mean", self.mean)]


class Deviation(Number):
    """A private standard deviation, and the variance and the mean with it. ``error`` is that of the
    variance.
    """

    @property
    def estimate(self) -> float:
        """The standard deviation, in the units of the data."""
        return float(self._only("deviation")["estimate"])

    @property
    def interval(self) -> Interval | None:
        """Its confidence interval."""
        return possible_interval(self._only("deviation")["interval"])

    @property
    def variance(self) -> Estimate:
        """The variance, in squared units."""
        return Estimate(self._only("estimate"), possible_interval(self._only("interval")))

    @property
    def mean(self) -> Estimate:
        """The mean, in the units of the data."""
        return self._estimate(self._only("mean"), "mean")

    @classmethod
    def _reads(cls, record: Mapping[str, Any]) -> bool:
        return bool(record["statistic"] == "variance")

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [("standard deviation", Estimate(self.estimate, self.interval))]

    _statistic = "standard deviation"
    _function = "std"


class Median(Number):
    """A private median. ``error`` is that of the rank, as a share of records."""

    @property
    def estimate(self) -> float:
        """The median, in the units of the data."""
        return float(self._only("quantiles")[0]["estimate"])

    @property
    def interval(self) -> Interval | None:
        """Its confidence interval; ``None`` where none shorter than the bounds could be had."""
        return possible_interval(self._only("quantiles")[0]["interval"])

    @classmethod
    def _reads(cls, record: Mapping[str, Any]) -> bool:
        found = [part["quantiles"] for part in (record, *record.get("groups", []))
                 if "quantiles" in part]
        return bool(found) and all([one["q"] for one in each] == [0.5] for each in found)

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [("median", self._estimate_of(self.estimate, self.interval))]

    _statistic = "median"
    _function = "median"


class Difference(Number):
    """The difference of the private means, sums, quantiles or shares of two groups, and a
    ``Mapping`` of the releases of both.

    >>> import suum
    >>> people = {"site": ["a", "b"] * 500, "visits": [4.0, 1.0] * 500, "eps": [1.0] * 1000}
    >>> sites = {"group_by": "site", "groups": ["a", "b"], "between": ["a", "b"]}
    >>> more = suum.difference(people, value="visits", epsilon="eps", bounds=(0, 10), **sites)
    >>> more.between, round(more["a"].estimate - more["b"].estimate - more.estimate, 9)
    (('a', 'b'), 0.0)
    """

    @classmethod
    def _of_group(cls, part: Mapping[str, Any]) -> type[Release]:
        several = {"frequency": Frequencies, "quantile": Quantiles}
        ranks = [one["q"] for one in part.get("quantiles", [])]
        return Median if ranks == [0.5] else several.get(part["statistic"], Number)

    @property
    def estimate(self) -> float:
        """Difference of the two groups, the first less the second, in the units of the data."""
        return float(self._single("estimate"))

    @property
    def interval(self) -> Interval | None:
        """The confidence interval of the difference; ``None`` where there is none."""
        return possible_interval(self._single("interval"))

    @property
    def differences(self) -> dict[Any, Estimate]:
        """The difference of each share by its category, or of each quantile by its rank; of a mean
        or a sum the only one, by that name.

        >>> import suum
        >>> people = {"site": ["a", "b"] * 500, "sick": ["no"] * 999 + ["yes"], "eps": [1.0] * 1000}
        >>> sites = {"group_by": "site", "groups": ["a", "b"], "between": ["a", "b"]}
        >>> asked = {"value": "sick", "epsilon": "eps", "categories": ["no", "yes"]}
        >>> list(suum.frequency(people, **asked, **sites).differences)
        ['no', 'yes']
        """
        each = self._record.get("differences", [self._record])
        if any("category" in one for one in each):
            return ByLabel((self._labels.named(one["category"]), estimate(one)) for one in each)
        return {one.get("q", self._record["of"]): estimate(one) for one in each}

    def __float__(self) -> float:
        if "differences" in self._record:
            raise TypeError(f"there are several: use differences, of {list(self.differences)}")
        return self.estimate

    def _single(self, key: str) -> Any:
        if "differences" in self._record:
            raise AttributeError(f"there are several: differences, of {list(self.differences)}")
        return self._record[key]

    @property
    def between(self) -> tuple[Any, Any]:
        """The two groups, the first less the second."""
        one, other = self._record["between"]
        return self._labels.group(one), self._labels.group(other)

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [("difference", one) for one in self.differences.values()]

    def _compared(self) -> list[tuple[str, Estimate]]:
        one, other = map(shown, self.between)
        less = f"{one} less {other}"
        several = "differences" in self._record
        named = self.differences.items()
        return [(f"{less}, {name}" if several else less, each) for name, each in named]

    def _tidy(self, dates: bool = True) -> dict[str, list[Any]]:
        several = "differences" in self._record
        kind = "category" if self._record["of"] == "frequency" else "q"
        own = [
            (None, Row("difference", one, None, {kind: name} if several else {}))
            for name, one in self.differences.items()
        ]
        rows = [(group, row) for group, one in self.groups.items() for row in one._rows()]
        return tidy_columns([*own, *rows], self._by, dates)

    def _title(self) -> str:
        column = self._record.get("column")
        return f"Private difference of the {self._record['of']}" + (
            f" of {column}" if column else ""
        )

    def _line(self) -> str:
        (between, one), *more = self._compared()
        title = self._title().removeprefix("Private ")
        line = f"{title}, {between}: {one._text()}{one._confidence_text()}"
        if more:
            line += f", and {len(more)} more"
        return line + ("" if self.private else ", NOT PRIVATE")


class _Margin(ByLabel):
    """The share of each label of one column, which is the sum of its cells."""

    @classmethod
    def of(cls, record: Mapping[str, Any], label: Any) -> _Margin:
        """Margin of a release, with the declared labels."""
        return cls((label(one["category"]), estimate(one)) for one in record["shares"])


def _column_names(columns: list[str]) -> list[str]:
    """Names of columns of a data frame for these columns of labels; those that would clash get an
    underscore.

    >>> _column_names(["region", "group"])
    ['region', 'group_']
    """
    taken = {"group", "statistic", "estimate", "lower", "upper", "rmse"}
    return [f"{name}_" if name in taken else name for name in columns]


def _by_row(cells: list[tuple[Any, Estimate]]) -> dict[Any, list[tuple[str, Estimate]]]:
    """Cells by the label of the first column, each with its label of the second one."""
    by_row: dict[Any, list[tuple[str, Estimate]]] = {}
    for (row, column), answer in cells:
        by_row.setdefault(row, []).append((str(column), answer))
    return by_row


class Frequencies(Release):
    """The private share of each category, in the order declared.

    >>> import suum
    >>> release = suum.frequency(["a", "b", "a"], epsilon=[1, 1, 1], categories=["a", "b"])
    >>> abs(sum(release.estimate.values()) - 1) < 1e-9
    True
    """

    _number_kind = "share"

    @property
    def estimate(self) -> dict[Any, float]:
        """The share of each category, by the label that was declared; from 0 to 1 and adding up to
        1, except with ``post="none"`` or ``"clamp"``.
        """
        return ByLabel((category, answer.estimate) for category, answer in self._shares())

    @property
    def margins(self) -> dict[str, dict[Any, Estimate]]:
        """Share of each label of both columns of a cross table, which is the sum of its cells, with
        an interval of its own; empty for one column.
        """
        return {
            record["column"]: _Margin.of(
                record, lambda text, at=at: self._labels.of_column(at, text)
            )
            for at, record in enumerate(self._record.get("margins", []))
        }

    @property
    def interval(self) -> dict[Any, Interval | None]:
        """The confidence interval of each share; ``None`` where none can be given. With
        ``simultaneous=True`` the confidence is that all of them hold at once.
        """
        return ByLabel((category, answer.interval) for category, answer in self._shares())

    @property
    def others(self) -> Estimate | None:
        """With ``categories="auto"`` the share of all categories that are not published, together,
        with its interval; otherwise ``None``.
        """
        record = self._record.get("others")
        return None if record is None else estimate(record)

    @property
    def edges(self) -> list[Any] | None:
        """Edges of the bins, as numbers, dates or times (dates, if all times are at midnight);
        ``None`` for other categories.
        """
        names = [share["category"] for share in self._only("frequencies")]
        return None if self._is_table else _plot.edges(names) or _plot.moments(names) or None

    @property
    def _is_table(self) -> bool:
        return bool(self._record.get("margins"))

    def __getitem__(self, label: Any) -> Any:
        """The share of a category; of a cell of a table by both of its labels."""
        return ByLabel(self._shares())[label]

    def _ipython_key_completions_(self) -> list[Any]:
        return list(self.estimate)

    def _shares(self) -> list[tuple[Any, Estimate]]:
        of = self._labels.cell if self._is_table else self._labels.category
        return [
            (of(record["category"]), estimate(record)) for record in self._only("frequencies")
        ]

    def _rows(self) -> list[Row]:
        rmse = self.error.rmse
        if not self._is_table:
            return [
                Row("frequency", answer, rmse, {"category": category})
                for category, answer in self._shares()
            ]
        names = _column_names(self._only("column"))
        cells = [
            Row("frequency", answer, rmse, dict(zip(names, cell)))
            for cell, answer in self._shares()
        ]
        margins = zip(names, self.margins.values())
        return cells + [
            Row("margin", answer, None, {name: label})
            for name, margin in margins
            for label, answer in margin.items()
        ]

    def _draw(self, axes: Any) -> None:
        named = self._by_group().items()
        if any(release._is_table for _, release in named):
            of_rows = {
                str(row) if group is None else f"{shown(group)}, {row}": cells
                for group, release in named
                for row, cells in _by_row(release._shares()).items()
            }
            _plot.shares(axes, of_rows)
            axes.set_xlabel(shown(self._record.get("column") or ""))
            return
        of_groups = {
            "" if group is None else shown(group): release._answers() for group, release in named
        }
        _plot.shares(axes, of_groups)
        axes.set_xlabel(self._record.get("column") or "")

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(shown(one["category"]), estimate(one)) for one in self._only("frequencies")]


class Quantiles(Release):
    """Private quantiles. ``error`` is that of the rank, as a share of records.

    >>> import suum
    >>> release = suum.quantile(
    ...     [3, 9, 0, 4], epsilon=[1, 1, 1, 1], bounds=(0, 10), q=[0.25, 0.75], step=1
    ... )
    >>> list(release.estimate)
    [0.25, 0.75]
    """

    @property
    def estimate(self) -> dict[float, float]:
        """The value below which a share ``q`` of records lie, by ``q``, in units of the data."""
        return ByShare(
            (record["q"], record["estimate"]) for record in self._only("quantiles")
        )

    @property
    def interval(self) -> dict[float, Interval | None]:
        """The confidence interval of each quantile, by ``q``. It covers with at least the stated
        confidence whatever ties and gaps the values have, if what ``assumes`` says is true;
        ``None`` where none shorter than the bounds could be had.
        """
        return ByShare(
            (record["q"], possible_interval(record["interval"]))
            for record in self._only("quantiles")
        )

    def __getitem__(self, q: Any) -> Any:
        """The quantile at a share of records."""
        return self._by_share[q]

    @property
    def _by_share(self) -> dict[float, Estimate]:
        return ByShare((record["q"], self._estimate(record)) for record in self._only("quantiles"))

    def as_datetime(self) -> dict[float, Moment]:
        """The quantiles of dates or times, whose bounds were dates or times."""
        return ByShare((q, one.as_datetime()) for q, one in self._by_share.items())

    def _rows(self) -> list[Row]:
        # No RMSE in these rows: the expected error of a quantile is one of rank, in other units.
        return [Row("quantile", one, None, {"q": q}) for q, one in self._by_share.items()]

    def _draw(self, axes: Any) -> None:
        _plot.curves(
            axes,
            {
                "" if group is None else shown(group): list(release._by_share.items())
                for group, release in self._by_group().items()
            },
        )
        axes.set_xlabel(self._record.get("column") or "")

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(f"q = {q:g}", one) for q, one in self._by_share.items()]


#: Moments of a summary, with their titles.
_MOMENTS = {"mean": "mean", "variance": "variance", "deviation": "standard deviation"}


class Summary(Release):
    """Several private statistics from one budget. Those that were not asked for raise an
    ``AttributeError``, so ``hasattr`` tells which are there.

    >>> import suum
    >>> release = suum.summary(
    ...     [3, 9, 0, 4], epsilon=[1, 1, 1, 1], bounds=(0, 10), statistic=["mean", "q50"]
    ... )
    >>> hasattr(release, "variance"), list(release.quantiles)
    (False, [0.5])
    """

    _instead = "release.mean, release.variance, release.deviation and release.quantiles"

    def __getitem__(self, name: Any) -> Any:
        """A statistic by its name, such as "mean", "std" or "q25", or a quantile by its share."""
        known = {"std": "deviation", "standard deviation": "deviation", "median": "q50"}
        name = known.get(name, name) if isinstance(name, str) else name
        if name in _MOMENTS:
            return getattr(self, name)
        if isinstance(name, str) and name[:1] == "q" and name[1:].replace(".", "").isdigit():
            return self.quantiles[float(f"0.{name[1:].replace('.', '')}")]
        return self.quantiles[name]

    @property
    def mean(self) -> Estimate:
        """The mean, in the units of the data."""
        return self._one("mean")

    @property
    def variance(self) -> Estimate:
        """The variance, in squared units of the data."""
        return self._one("variance")

    @property
    def deviation(self) -> Estimate:
        """The standard deviation, in the units of the data."""
        return self._one("deviation")

    @property
    def quantiles(self) -> dict[float, Estimate]:
        """The quantiles by ``q``, in the units of the data."""
        self._only("statistics")
        return ByShare(
            (record["q"], self._estimate(record, "quantile"))
            for record in self._record.get("quantiles") or []
        )

    @property
    def error(self) -> ExpectedError:
        """Each statistic has an error of its own: ``release.to_dict()["parts"]``."""
        raise AttributeError('each statistic has an error of its own: release.to_dict()["parts"]')

    @property
    def estimator(self) -> str:
        """Each statistic has an estimator of its own: ``release.to_dict()["parts"]``."""
        raise AttributeError(
            'each statistic has an estimator of its own: release.to_dict()["parts"]'
        )

    def _one(self, name: str) -> Estimate:
        asked = self._only("statistics")
        record = self._record.get(name)
        if record is None:
            raise AttributeError(f"{name}: it was not asked for, but {', '.join(asked)} was")
        return self._estimate(record, name)

    def _answers(self) -> list[tuple[str, Estimate]]:
        found = [
            (title, self._estimate(self._record[name], name))
            for name, title in _MOMENTS.items()
            if self._record.get(name) is not None
        ]
        return found + [(f"q = {q:g}", quantile) for q, quantile in self.quantiles.items()]

    def _rows(self) -> list[Row]:
        parts = self._record.get("parts", {})
        errors = {name: part["error"]["rmse"] for name, part in parts.items()}
        rows = [
            Row(name, answer, errors.get(name), {"q": None})
            for name, answer in self._answers()
            if not name.startswith("q = ")
        ]
        return rows + [
            Row("quantile", answer, None, {"q": q}) for q, answer in self.quantiles.items()
        ]


class Groups(Mapping[Any, Any]):
    """The part of a release of groups that works as a dictionary does. The other base of its class
    is that of the release of one group, where type checkers find the same methods.
    """

    if TYPE_CHECKING:
        _record: dict[str, Any]
        _labels: Labels
        _by: tuple[str, ...]

    @cached_property
    def _groups(self) -> ByLabel:
        whole: type[Release] = type(self).__bases__[1]
        parts = self._record["groups"]
        labels = self._labels._replace(groups=(), own_by=self._by)
        found, empty = ByLabel(), []
        for part in parts:
            own = self._labels.group(part["group"])
            if part.get("records") == 0:
                empty.append(own)
            else:
                found[own] = whole._of_group(part)(part, labels._replace(own=own))
        return found.without(empty)

    @property
    def groups(self) -> dict[Any, Any]:
        """The release of each group that has records."""
        return self._groups.copy()

    def __getitem__(self, group: object) -> Any:
        return self._groups[group]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def _ipython_key_completions_(self) -> list[Any]:
        # IPython completes no dates; they are found by their text, too.
        return [label(one) if is_time(one) else one for one in self._groups]

    @property
    def _name(self) -> str:
        return type(self).__bases__[1].__name__

    # One is not equal to another, and can be a key.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __float__(self) -> float:
        raise TypeError("there is a number for each group: use float(release[group])")

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __array__(self, dtype: object = None, copy: object = None) -> Any:
        raise TypeError(
            f"a release of groups is no array: use release[group], one of {list(self)}, or "
            "release.to_pandas()"
        )


class _DifferenceOfGroups(Groups, Difference):  # type: ignore[misc]
    # It is a number, too.
    __float__ = Difference.__float__
    __format__ = Difference.__format__
    __eq__ = Difference.__eq__
    __hash__ = Difference.__hash__
    __array__ = Arithmetic.__dict__["__array__"]


# Classes of releases of groups at run time; names of the module, so that they can be pickled.
OF_GROUPS[Difference] = _DifferenceOfGroups
for _kind in (Number, Variance, Deviation, Median, Frequencies, Quantiles, Summary):
    _name = f"_{_kind.__name__}Groups"
    OF_GROUPS[_kind] = globals()[_name] = type(_name, (Groups, _kind), {"__module__": __name__})
