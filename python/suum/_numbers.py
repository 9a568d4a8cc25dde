"""The releases that are one number each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._values import Arithmetic, Estimate, Interval, Moment
from ._errors import RequestError
from ._release import Release
from ._report import estimate, possible_interval
from ._tidy import Row


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
