"""The small values that releases and plans are made of."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import NamedTuple


class Interval(NamedTuple):
    """A confidence interval, in the units of the estimate; an end can be infinite."""

    lower: float
    upper: float
    #: With at least this probability such an interval contains the truth, if what
    #: ``release.assumes`` says is true.
    confidence: float


class Estimate(NamedTuple):
    """An estimate and its confidence interval, in the same units."""

    estimate: float
    #: ``None`` where no interval can be given.
    interval: Interval | None


class Moment(NamedTuple):
    """An estimate of dates or times, without a time zone: it is UTC."""

    estimate: datetime.datetime
    #: The ends of the confidence interval; ``None`` where none can be given.
    lower: datetime.datetime | None
    upper: datetime.datetime | None


class ExpectedError(NamedTuple):
    """Standard deviations in the units of the statistic (for quantiles of the rank): of a mean for
    the spread that was measured beside it, else in the worst case that the bounds allow, which is
    known before data are seen and is no finding.
    """

    #: Standard deviation of the noise that hides each record.
    noise_sd: float
    #: Standard deviation from drawing the records out of a population.
    sampling_sd: float
    #: Root mean square of both errors together.
    rmse: float


@dataclass(frozen=True)
class Tier:
    """Allowed and spent budget of the records of a tier.

    With ``person=`` a record is a person with all their rows. Without it each row is a record, and
    a person with several rows spends the sum of what their rows spend.
    """

    #: The label; or the text of the ε where budgets are numbers, so that this is text in every
    #: release: the number is ``epsilon``.
    level: str
    #: Budget of each record; infinite if public.
    epsilon: float
    #: Number of records; ``None`` where that is private.
    count: int | None
    #: The exact loss of each record, rounded up.
    spent: float
    #: One record's share of the estimate; ``None`` where there is not one.
    weight: float | None
