"""Plots of answers, with matplotlib where it is there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeVar

from ._times import moment, number, of_day, parsed, time_of_day
from ._values import Estimate, Interval

N = TypeVar("N")

_BIN = re.compile(r"\[([^,]+), ([^,]+)[)\]]")


def new(axes: Any) -> Any:
    """Returns ``axes``, or new ones if it is ``None``."""
    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.subplots(layout="constrained")[1]
    return axes


def points(axes: Any, answers: Sequence[tuple[str, Estimate]], label: str) -> None:
    """Draws each estimate as a point on the line of its interval, the first at the top."""
    answers = in_days(axes, answers)
    values = [answer.estimate for _, answer in answers]
    rows = range(len(answers))
    axes.errorbar(values, rows, xerr=_halves(answers), fmt="o", capsize=3)
    axes.set_yticks(rows, [name for name, _ in answers])
    axes.set_ylim(len(answers) - 0.5, -0.5)
    axes.set_xlabel(label)


def shares(axes: Any, of_groups: Mapping[str, Sequence[tuple[str, Estimate]]]) -> None:
    """The share of every category as a bar from 0, of each group beside each other; those of
    numeric bins lie where the bins are.
    """
    groups = list(of_groups.items())
    labels = [name for name, _ in groups[0][1]]
    numeric = edges(labels) or date_edges(labels)
    if not edges(labels) and numeric:
        of_dates(axes)
    starts = numeric[:-1] if numeric else [at - 0.4 for at in range(len(labels))]
    ends = numeric[1:] if numeric else [at + 0.4 for at in range(len(labels))]
    for place, (group, answers) in enumerate(groups):
        widths = [(end - start) / len(groups) for start, end in zip(starts, ends)]
        axes.bar(
            [start + place * width for start, width in zip(starts, widths)],
            [answer.estimate for _, answer in answers],
            width=widths,
            align="edge",
            yerr=_halves(answers),
            capsize=3,
            edgecolor="white",
            label=group or None,
        )
    if not numeric:
        crowded = len(labels) > 1 and sum(map(len, labels)) > 60
        axes.set_xticks(
            range(len(labels)),
            labels,
            **({"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if crowded else {}),
        )
    axes.set_ylabel("share")
    # Shares without post-processing can be negative.
    if all(answer.estimate >= 0 for _, answers in groups for _, answer in answers):
        axes.set_ylim(bottom=0)
    legend(axes, groups)


def curves(axes: Any, of_groups: Mapping[str, Sequence[tuple[float, Estimate]]]) -> None:
    """The share of records below every quantile, as a line for each group."""
    for group, answers in of_groups.items():
        answers = in_days(axes, answers)
        values = [answer.estimate for _, answer in answers]
        shares = [q for q, _ in answers]
        named = [(str(q), answer) for q, answer in answers]
        axes.errorbar(values, shares, xerr=_halves(named), fmt="o-", capsize=3, label=group or None)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of records below")
    legend(axes, of_groups)


def in_days(
    axes: Any, answers: Sequence[tuple[N, Estimate]]
) -> Sequence[tuple[N, Estimate]]:
    """Converts dates and times to days since 1970, as matplotlib has them, and lets the axis show
    dates; returns all others as they are.
    """
    units = {answer.unit for _, answer in answers}
    unit = units.pop() if len(units) == 1 else None
    if unit is None:
        return answers
    of_dates(axes)
    per_day = 1 if unit == "days" else 86_400
    return [
        (
            name,
            Estimate(
                one.estimate / per_day,
                (ends := one.interval)
                and Interval(ends.lower / per_day, ends.upper / per_day, ends.confidence),
            ),
        )
        for name, one in answers
    ]


def of_dates(axes: Any) -> None:
    """Lets the axis of values show dates."""
    from matplotlib import dates

    untyped: Any = dates
    ticks = untyped.AutoDateLocator()
    axes.xaxis.set_major_locator(ticks)
    axes.xaxis.set_major_formatter(untyped.ConciseDateFormatter(ticks))


def date_edges(labels: Sequence[str]) -> list[float]:
    """The edges of bins of dates or times, in days since 1970; none of other categories."""
    ends = moments(labels)
    return [number(end, "days") for end in ends] if is_date(ends) else []


def is_date(ends: Sequence[Any]) -> bool:
    """Returns true if all ends are dates or datetimes."""
    return all(isinstance(end, date) for end in ends)


def moments(labels: Sequence[str]) -> list[Any]:
    """The edges of bins of dates, times or times of day; none of other categories."""
    all_ends = _ends(labels, _parsed)
    if None in all_ends:
        return []
    if any(isinstance(end, datetime) for end in all_ends):
        # Those at midnight are dates alone in labels.
        return [moment(number(end, "seconds"), "seconds") for end in all_ends]
    return all_ends


def _parsed(end: str) -> Any:
    seconds = of_day(end)
    return parsed(end) if seconds is None else time_of_day(seconds)


def legend(axes: Any, groups: Any) -> None:
    """Adds the names of groups, if there are several."""
    if len(groups) > 1:
        axes.legend()


def _halves(answers: Sequence[tuple[str, Estimate]]) -> list[list[float]]:
    """Distances of the ends of intervals from their estimates, below and above; NaN where there is
    no end.
    """
    lower, upper = [], []
    for _, one in answers:
        value, ends = one.estimate, one.interval
        below = math.nan if ends is None else value - ends.lower
        above = math.nan if ends is None else ends.upper - value
        lower.append(max(below, 0.0) if math.isfinite(below) else math.nan)
        upper.append(max(above, 0.0) if math.isfinite(above) else math.nan)
    return [lower, upper]


def edges(labels: Sequence[str]) -> list[float]:
    """The edges of numeric bins; none of other categories."""
    try:
        all_ends = _ends(labels, float)
    except ValueError:
        return []
    return all_ends if all(map(math.isfinite, all_ends)) else []


def _ends(labels: Sequence[str], read: Callable[[str], N]) -> list[N]:
    """Edges of adjacent bins, each of which begins where the one before ends; empty for other
    labels.
    """
    found = [_BIN.fullmatch(label) for label in labels]
    ends = [(read(one[1]), read(one[2])) for one in found if one is not None]
    if len(ends) < len(labels) or any(one[1] != two[0] for one, two in zip(ends, ends[1:])):
        return []
    return [ends[0][0], *(end for _, end in ends)]
