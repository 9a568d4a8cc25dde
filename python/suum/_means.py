"""Means, sums and variances. Names and defaults are those of the command line."""

from __future__ import annotations

from typing import Any, Literal

from ._classes import KINDS
from ._forms import Column, Data
from ._ledger import Ledger
from ._names import MeanEstimator
from ._numbers import Number, Variance
from ._of_columns import of_numbers
from ._options import (
    Bounds,
    Budgets,
    ByLabel,
    Constant,
    GroupBy,
    Groups,
    Instant,
    Labels,
    Names,
    Neighbors,
    Pair,
    Path,
    PersonValue,
    Register,
    Target,
    documented,
)
from ._releases import released

KINDS |= {"mean": Number, "sum": Number, "variance": Variance}

# ``sum`` is left out, so that ``from suum import *`` leaves Python's own alone.
__all__ = ["mean", "variance"]


@of_numbers
@documented
def mean(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    per_person: PersonValue | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: ByLabel | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    step: float | None = None,
    target: Target = "population",
    tiers_differ: float | str | None = None,
    tiers_apart: bool = False,
    neighbors: Neighbors = "replace",
    confidence: float = 0.95,
    epsilon_range: Pair | None = None,
    clip: float | None = None,
    estimator: MeanEstimator = "auto",
    beta: float = 0.05,
    ledger: Path | Ledger | None = None,
    dataset: str | None = None,
    spend: str | None = None,
    target_rmse: float | None = None,
    target_half_width: float | None = None,
    public_columns: Names | None = None,
    edition: str | None = None,
    allow_moves: bool = False,
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    where: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    consent: Register | None = None,
    key: str | None = None,
    consent_from: str | None = None,
    consent_until: str | None = None,
    consent_status: str | None = None,
    consent_active: Names | None = None,
    consent_withdrawn: Names | None = None,
    consent_expired: Names | None = None,
    consent_reference: str | None = None,
    consent_attributes: Names | None = None,
    as_of: Instant | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Number:
    """The private mean of a column of numbers, in the units of the data.

    A part of the budgets learns first where the values lie: what the mean would leave over, and
    at most a sixth of everybody's. Values are then clamped to that range, and what lies beyond is
    measured for the interval. Each record counts with a weight min(ε, τ), plus discrete Laplace
    noise on exact integer sums. The spread is measured beside the mean, which costs nothing more,
    and the interval is made for it. Weights: Chaudhuri and Courtade 2023, *Some privacy can be
    free*; noise: Canonne, Kamath and Steinke 2020, *The discrete Gaussian for differential
    privacy*, algorithm 2.

    >>> import math, suum
    >>> visits, budgets = [3, 0, 9, 1] * 500, [0.1, 1, math.inf, 1] * 500
    >>> release = suum.mean(visits, epsilon=budgets, bounds=(0, 77))
    >>> 0 <= release.estimate <= 77
    True
    >>> [(tier.level, tier.count) for tier in release.privacy]
    [('0.1', 500), ('1', 1000), ('inf', 500)]

    A table, and tiers in place of numbers:

    >>> table = {"visits": visits, "tier": ["strict", "open", "open", "open"] * 500}
    >>> levels = {"strict": 0.1, "open": 1}
    >>> release = suum.mean(table, value="visits", privacy="tier", levels=levels, bounds=(0, 77))
    >>> release.interval.confidence
    0.95

    Parameters
    ----------
    bounds:
        The range that values can take, in their units, from public knowledge; values beyond are
        clamped. With "auto" a part of every budget finds a range.
    missing:
        A public constant in place of missing values; or "exclude", which leaves their records
        out: ``neighbors="replace"`` is then taken for "both". They are refused otherwise.
    variance:
        The variance of the values, in squared units, if publicly known. Without one it is measured
        beside the mean, which costs nothing.
    shrink:
        Shrink the estimate towards the middle of the bounds where noise dominates.
    adapt:
        Whether to learn first where the values lie. It is done unless there is a ledger, which
        keeps what people do not spend for other releases.
    spare:
        The part of what the mean leaves over (ε − τ) that learning must not touch, 0 to 1.
    step:
        The step between possible values, 1 for integers. A mean of fewer than 8 steps does not
        learn. A column of integers or truth values says so by its type, which counts as public.
    estimator, beta:
        How to weight records: "auto" or one of ``suum.plan(…).estimators`` that is not for study.
        ``beta`` is the PAC level of those that have one.
    """
    return released(Number, "mean", locals(), mean.__kwdefaults__)


@of_numbers
@documented
def sum(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    per_person: PersonValue | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: ByLabel | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    step: float | None = None,
    target: Target = "population",
    tiers_differ: float | str | None = None,
    tiers_apart: bool = False,
    neighbors: Neighbors = "replace",
    confidence: float = 0.95,
    epsilon_range: Pair | None = None,
    clip: float | None = None,
    estimator: MeanEstimator = "auto",
    beta: float = 0.05,
    ledger: Path | Ledger | None = None,
    dataset: str | None = None,
    spend: str | None = None,
    target_rmse: float | None = None,
    target_half_width: float | None = None,
    public_columns: Names | None = None,
    edition: str | None = None,
    allow_moves: bool = False,
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    where: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    consent: Register | None = None,
    key: str | None = None,
    consent_from: str | None = None,
    consent_until: str | None = None,
    consent_status: str | None = None,
    consent_active: Names | None = None,
    consent_withdrawn: Names | None = None,
    consent_expired: Names | None = None,
    consent_reference: str | None = None,
    consent_attributes: Names | None = None,
    as_of: Instant | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Number:
    """The private sum of a column of numbers: the number of records, which is public, times their
    mean.

    Source as for ``mean``; with ``neighbors="add-remove"`` the sum is measured itself.

    >>> import suum
    >>> release = suum.sum([3, 0, 9, 1] * 500, epsilon=[1.0] * 2000, bounds=(0, 10))
    >>> 0 <= release.estimate <= 20000
    True

    With ``person`` the rows of each person are added up, and that total is clamped to ``bounds``,
    which are then those of a person's total; no row is clamped before.

    >>> person = ["ann", "bob"] * 1000
    >>> of_persons = {"person": person, "bounds": (0, 5000)}
    >>> release = suum.sum([3, 0] * 1000, epsilon=[1.0] * 2000, **of_persons)
    >>> 0 <= release.estimate <= 10000
    True

    Parameters
    ----------
    bounds, missing, variance, shrink, adapt, spare, step, estimator, beta:
        As for ``mean``; with ``person`` ``bounds`` and ``variance`` are those of persons' totals.
    """
    return released(Number, "sum", locals(), sum.__kwdefaults__)


@of_numbers
@documented
def variance(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    per_person: PersonValue | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
    target: Target = "population",
    neighbors: Neighbors = "replace",
    confidence: float = 0.95,
    epsilon_range: Pair | None = None,
    clip: float | None = None,
    ledger: Path | Ledger | None = None,
    dataset: str | None = None,
    spend: str | None = None,
    target_rmse: float | None = None,
    target_half_width: float | None = None,
    public_columns: Names | None = None,
    edition: str | None = None,
    allow_moves: bool = False,
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    where: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    consent: Register | None = None,
    key: str | None = None,
    consent_from: str | None = None,
    consent_until: str | None = None,
    consent_status: str | None = None,
    consent_active: Names | None = None,
    consent_withdrawn: Names | None = None,
    consent_expired: Names | None = None,
    consent_reference: str | None = None,
    consent_attributes: Names | None = None,
    as_of: Instant | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Variance:
    """The private variance of a column of numbers, in squared units, and the mean that is measured
    with it.

    Source: docs/mechanisms (the variance from two sums with the noise of one).

    >>> import suum
    >>> release = suum.variance([3, 0, 9, 1] * 500, epsilon=[1.0] * 2000, bounds=(0, 10))
    >>> 0 <= release.estimate <= 25 and 0 <= release.mean.estimate <= 10
    True

    Parameters
    ----------
    bounds, missing:
        As for ``mean``; with ``bounds="auto"`` there are no intervals.
    """
    return released(Variance, "variance", locals(), variance.__kwdefaults__)
