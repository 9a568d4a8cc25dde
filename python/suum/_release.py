"""Releases: private answers, with what they cost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar

from . import _html
from ._report import Privacy, Report, estimate, possible_interval
from ._values import Estimate, ExpectedError, Interval

R = TypeVar("R", bound="Release")


class Release(Report):
    """A private answer. Everything in it may be published if ``private`` is true.

    With ``group_by=`` it is one release for each group, found by the group's name:
    ``release["north"]``. Then it works as a dictionary does: ``len`` counts the groups with
    records, and a loop goes through their names. Without groups it is no container, and each of
    these raises a ``TypeError`` that says what to use.
    """

    _values = "release.estimate and release.interval"

    @property
    def _instead(self) -> str:  # type: ignore[override]
        if "groups" in self._record:
            return "release[group] for the release of each group in release"
        return self._values

    @cached_property
    def _groups(self: R) -> dict[str, R]:
        parts = self._record.get("groups", [])
        return {part["group"]: type(self)(part) for part in parts if part.get("records") != 0}

    @property
    def privacy(self) -> Privacy:
        """What each tier allows and spends."""
        return Privacy(self._only("privacy"))

    @property
    def error(self) -> ExpectedError:
        """How far the estimate may be off. The text of the release says for which data: for the
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
    def private(self) -> bool:
        """Whether the noise is secret: false with ``insecure_seed=``, and then nobody is
        protected.
        """
        return bool(self._record["private"])

    @property
    def assumes(self) -> list[str]:
        """What must be true for intervals to hold; no release can check it."""
        return self._sentences("assumes")

    @property
    def ledger(self) -> dict[str, Any] | None:
        """What the release did to the accounts of its ledger, if it was charged to one
        (docs/reference/json.md).
        """
        return self._record.get("ledger")

    @property
    def groups(self: R) -> dict[str, R]:
        """The release of each group that has records; empty without ``group_by=``."""
        return dict(self._groups)

    def __getitem__(self: R, group: str) -> R:
        try:
            return self._by_name[group]
        except KeyError:
            raise KeyError(f"there is no group {group!r} with records") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, group: object) -> bool:
        return group in self._by_name

    @property
    def _by_name(self: R) -> dict[str, R]:
        """The groups, where there are any to be found by name."""
        if "groups" in self._record:
            return self._groups
        raise self._refused()

    def _only(self, key: str) -> Any:
        """What one release has, and several have each."""
        if "groups" in self._record:
            raise AttributeError(
                f"there is a release for each group: release[group], one of {list(self._groups)}"
            )
        return self._record[key]

    def _answers(self) -> list[tuple[str, Estimate]]:
        """All estimates with their names."""
        raise NotImplementedError

    def _title(self) -> str:
        column = self._record.get("column")
        return f"Private {self._record['statistic']}" + (f" of {column}" if column else "")

    def _short(self) -> str:
        lines = [self._title()]
        for name, (value, ends) in self._answers():
            between = "no interval" if ends is None else f"{ends.lower:.4g} to {ends.upper:.4g}"
            lines.append(f"  {name}: {value:.4g} ({between})")
        return "\n".join([*lines, *self._notes()])

    def _notes(self) -> list[str]:
        """What belongs beside the estimates: assumptions of their intervals, then warnings."""
        return [
            *(f"Assumed: {text}" for text in self.assumes),
            *(f"Warning: {text}" for text in self.warnings),
        ]

    def _fragment(self) -> str:
        if "groups" in self._record:
            lines = [
                (f"{group}: {name}" if name != release._record["statistic"] else group, answer)
                for group, release in self._groups.items()
                for name, answer in release._answers()
            ]
            title = f"{self._title()} by {self._record['group_by']}"
            parts = [_html.answers(lines), _html.notes(self._notes())]
            return _html.fragment(title, parts, self.private, self.explain())
        tiers = _html.tiers(self.privacy, "people" if "person" in self._record else "records")
        parts = [_html.answers(self._answers()), _html.notes(self._notes()), tiers]
        return _html.fragment(self._title(), parts, self.private, self.explain())


class Number(Release):
    """A private number: a mean, a sum, or a count.

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

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(self._record["statistic"], Estimate(self.estimate, self.interval))]


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
        return estimate(self._only("mean"))

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [*super()._answers(), ("standard deviation", self.deviation), ("mean", self.mean)]


class Frequencies(Release):
    """The private share of each category, in the order declared.

    >>> import suum
    >>> release = suum.frequency(["a", "b", "a"], epsilon=[1, 1, 1], categories=["a", "b"])
    >>> abs(sum(release.estimate.values()) - 1) < 1e-9
    True
    """

    @property
    def estimate(self) -> dict[str, float]:
        """The share of each category; from 0 to 1 and adding up to 1, except with ``post="none"``
        or ``"clamp"``.
        """
        return {record["category"]: record["estimate"] for record in self._only("frequencies")}

    @property
    def interval(self) -> dict[str, Interval | None]:
        """The confidence interval of each share; ``None`` where none can be given. With
        ``simultaneous=True`` the confidence is that all of them hold at once.
        """
        return {
            record["category"]: possible_interval(record["interval"])
            for record in self._only("frequencies")
        }

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(record["category"], estimate(record)) for record in self._only("frequencies")]


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
        return {record["q"]: record["estimate"] for record in self._only("quantiles")}

    @property
    def interval(self) -> dict[float, Interval | None]:
        """The confidence interval of each quantile, by ``q``. It covers with at least the stated
        confidence whatever ties and gaps the values have, if what ``assumes`` says is true;
        ``None`` where none shorter than the bounds could be had.
        """
        return {
            record["q"]: possible_interval(record["interval"]) for record in self._only("quantiles")
        }

    def _answers(self) -> list[tuple[str, Estimate]]:
        return [(f"q = {record['q']:g}", estimate(record)) for record in self._only("quantiles")]


class Summary(Release):
    """Several private statistics from one budget; those that were not asked for are ``None``, and
    have no quantiles.

    >>> import suum
    >>> release = suum.summary(
    ...     [3, 9, 0, 4], epsilon=[1, 1, 1, 1], bounds=(0, 10), statistic=["mean", "q50"]
    ... )
    >>> release.variance is None, list(release.quantiles)
    (True, [0.5])
    """

    _values = "release.mean, release.variance, release.deviation and release.quantiles"

    @property
    def mean(self) -> Estimate | None:
        """The mean, in the units of the data."""
        return self._optional("mean")

    @property
    def variance(self) -> Estimate | None:
        """The variance, in squared units of the data."""
        return self._optional("variance")

    @property
    def deviation(self) -> Estimate | None:
        """The standard deviation, in the units of the data."""
        return self._optional("deviation")

    @property
    def quantiles(self) -> dict[float, Estimate]:
        """The quantiles by ``q``, in the units of the data."""
        self._only("statistics")
        return {record["q"]: estimate(record) for record in self._record.get("quantiles") or []}

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

    def _optional(self, name: str) -> Estimate | None:
        self._only("statistics")
        record = self._record.get(name)
        return None if record is None else estimate(record)

    def _answers(self) -> list[tuple[str, Estimate]]:
        moments = [
            ("mean", self.mean),
            ("variance", self.variance),
            ("standard deviation", self.deviation),
        ]
        found = [(name, moment) for name, moment in moments if moment is not None]
        return found + [(f"q = {q:g}", quantile) for q, quantile in self.quantiles.items()]
