"""Plans: what a release would cost and how good it would be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _plot
from ._data import are_text, paths_of
from ._entries import label, without_point
from ._errors import RequestError
from ._groups import ByLabel, Labels, shown
from ._levels import Levels, content
from ._release import Release, is_beside
from ._report import Privacy, Report
from ._suum import Answer


class Candidate(NamedTuple):
    """An estimator that a plan has compared."""

    #: Its name, for ``estimator=``; releases refuse ``sample`` and ``stretch``: they are for study.
    name: str
    #: Its expected error, in the units of the statistic (for quantiles of the rank).
    rmse: float
    #: True if a release would use it.
    chosen: bool = False


class Plan(Report):
    """Cost and expected error of a release, from public facts alone.

    >>> import suum
    >>> plan = suum.plan(profile={0.1: 3400, 0.5: 4300, float("inf"): 23})
    >>> plan.chosen
    'typical'
    >>> [tier.count for tier in plan.privacy]
    [3400, 4300, 23]
    """

    _instead = "plan.estimators, plan.privacy or plan.to_dict()"

    def __init__(
        self,
        answer: Answer | dict[str, Any],
        tiers: Mapping[float, str] | None = None,
        labels: Labels | None = None,
        of_answers: Sequence[Labels] = (),
    ) -> None:
        super().__init__(answer)
        self._release: Callable[[], Release] | None = None
        self._tiers = tiers or {}
        self._labels = labels or Labels()
        self._of_answers = list(of_answers)

    def __reduce__(self) -> tuple[Any, ...]:
        kind, content = super().__reduce__()
        return kind, (*content, self._tiers, self._labels, self._of_answers)

    def run(self) -> Release:
        """Releases what was planned, from the data of the study that planned it."""
        if self._release is None:
            raise RequestError(
                "plan: it has no data to release",
                "plan with a study, as in suum.Study(…).plan.mean(COLUMN), in this process",
            )
        return self._release()

    @property
    def privacy(self) -> Privacy:
        """Allowed and planned spending of each tier; tiers of the same ε are one, with all names.
        """
        if "answers" in self._record:
            raise AttributeError("there is a plan for each answer: plan.answers[0].privacy")
        return Privacy(
            [
                {"level": self._tiers[row["epsilon"]], **row}
                if row["epsilon"] in self._tiers
                else row
                for row in self._record["privacy"]
            ]
        )

    @property
    def chosen(self) -> str | None:
        """The estimator a release would use; ``None`` where several statistics have several."""
        estimator: dict[str, str] = self._record.get("estimator") or {}
        return self._record.get("chosen", estimator.get("name"))

    @property
    def rmse(self) -> float | None:
        """The expected error of the chosen estimator; ``None`` where several statistics have
        several.
        """
        for candidate in self.estimators:
            if candidate.name == self.chosen:
                return candidate.rmse
        error = self._record.get("error")
        return error["rmse"] if isinstance(error, dict) else None

    @property
    def half_width(self) -> float | None:
        """Half the length that the interval is expected to have; of a mean, a sum and frequencies
        with replace-one neighbours it is the longest that there can be, if the mean or sum does not
        learn first. ``None`` where there is no one interval.
        """
        return self._record.get("half_width")

    @property
    def needed(self) -> dict[str, Any] | None:
        """Number of people that a target takes (docs/reference/json.md); ``None`` without a target,
        or with a ledger.
        """
        return self._record.get("needed")

    @property
    def groups(self) -> dict[Any, Plan]:
        """The plan of each group that has records, by its label in each column if there are
        several; empty without ``group_by=``.
        """
        parts = self._record.get("groups", [])
        with_records = [part for part in parts if part.get("records") != 0]
        return ByLabel(
            (self._labels.group(part["group"]), Plan(part, self._tiers)) for part in with_records
        )

    @property
    def difference(self) -> float | None:
        """The expected error of the difference of the two groups of ``between``; ``None`` without
        them.
        """
        error = self._record.get("difference")
        return None if error is None else float(error["rmse"])

    @property
    def answers(self) -> list[Plan]:
        """The plan of each of several answers, in the order asked for, of each check of bounds
        after the answer that it is of, and of the sizes of groups before theirs; empty where it is
        of one.
        """
        labels = iter(self._of_answers)
        return [
            Plan(part, self._tiers, None if is_beside(part) else next(labels, None))
            for part in self._record.get("answers", [])
        ]

    @property
    def estimators(self) -> list[Candidate]:
        """Every estimator that was compared, best first."""
        records = self._record.get("estimators") or self._record.get("compared") or []
        named = [
            Candidate(
                record["name"],
                record.get("rank_rmse", record.get("rmse")),
                record["name"] == self.chosen,
            )
            for record in records
        ]
        return sorted((one for one in named if one.rmse is not None), key=lambda one: one.rmse)

    @property
    def lower_bound(self) -> float | None:
        """Lower bound on the mean squared error of any method in the worst case (for means without
        bounds: on the root mean squared error, in standard deviations); ``None`` if none is known.
        """
        return self._record.get("lower_bound")

    @property
    def gap(self) -> float | None:
        """The chosen estimator's worst case over the lower bound; 1 is perfect. Of squared errors,
        but of means without bounds.
        """
        return self._record.get("gap")

    def plot(self, ax: Any = None) -> Any:
        """Draws the expected error of every estimator on axes of matplotlib, or new ones, and
        returns them.
        """
        axes = _plot.new(ax)
        shown = self.estimators[::-1]
        if not shown:
            raise RequestError(
                "plan: this one compares no estimators",
                "plot that of one mean, sum, frequency or quantile",
            )
        colours = ["C0" if one.name == self.chosen else "0.7" for one in shown]
        axes.barh([one.name for one in shown], [one.rmse for one in shown], color=colours)
        # Estimators that are far from the best would hide how the others compare.
        axes.set_xlim(0, min(1.1 * shown[0].rmse, 3 * shown[-1].rmse))
        axes.set_xlabel("expected error (root mean squared)")
        axes.set_title(self._title())
        return axes

    def _told(self) -> dict[str, Any]:
        return {
            "title": self._title(),
            "estimators": [one._asdict() for one in self.estimators],
            "tiers": self.privacy._told() if self._record.get("privacy") else [],
        }

    def _line(self) -> str:
        if "answers" in self._record:
            return ", ".join(one._record["statistic"] for one in self.answers)
        groups = self._record.get("groups")
        of = self._title().removeprefix("Plan for ")
        if groups is not None:
            return f"{of}, for {len(groups)} groups of {shown(self._record['group_by'])}"
        error = "" if self.rmse is None else f", expected error {self.rmse:.4g}"
        return f"{of}, {self.chosen or 'several estimators'}{error}"

    def _title(self) -> str:
        of_answers = "several answers" if "answers" in self._record else "several statistics"
        statistic = self._record.get("statistic") or of_answers
        return f"Plan for {statistic if isinstance(statistic, str) else ', '.join(statistic)}"


def names_of_tiers(data: object, options: Mapping[str, Any]) -> dict[float, str]:
    """Names of tiers by their budgets, as far as options or a level table have them."""
    levels: Any = options.get("levels")
    if isinstance(data, Levels):
        rows = json.loads(content(data)).get("levels", [])
        named = [(row["level"], row["epsilon"]) for row in rows if "level" in row]
    elif isinstance(levels, str):
        named = [pair.rpartition("=")[::2] for pair in levels.split(",") if "\\" not in pair]
    elif hasattr(levels, "items"):
        is_text = are_text(paths_of(data, options), options)
        named = [
            (label(tier if is_text else without_point(tier)), epsilon)
            for tier, epsilon in levels.items()
        ]
    else:
        named = []
    found: dict[float, str] = {}
    for name, epsilon in named:
        allowed = float(epsilon)
        found[allowed] = f"{found[allowed]}, {name}" if allowed in found else str(name)
    return found
