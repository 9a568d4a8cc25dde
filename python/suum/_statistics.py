"""One function for each statistic. Names and defaults are those of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ._ask import ask, said
from ._data import Column, Data
from ._kinds import Frequencies, Number, Quantiles, Summary, Variance
from ._ledger import Ledger
from ._levels import Levels
from ._library import is_one
from ._made import released
from ._names import AnyEstimator, FrequencyEstimator, MeanEstimator, QuantileEstimator
from ._options import (
    Bounds,
    Budgets,
    Constant,
    Crosstab,
    Edges,
    GroupBy,
    Groups,
    Labels,
    Names,
    Neighbors,
    Pair,
    Path,
    Post,
    Shares,
    Target,
    Tiers,
    documented,
)
from ._plan import Plan, names_of_tiers
from .spark import of_data


@documented
def mean(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    target: Target = "population",
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
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
    estimator, beta:
        How to weight records: "auto" or one of ``suum.plan(…).estimators`` that is not for study.
        ``beta`` is the PAC level of those that have one.
    """
    return released(Number, "mean", locals(), mean.__kwdefaults__)


@documented
def sum(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    target: Target = "population",
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
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
    bounds, missing, variance, shrink, adapt, spare, estimator, beta:
        As for ``mean``; with ``person`` ``bounds`` and ``variance`` are those of persons' totals.
    """
    return released(Number, "sum", locals(), sum.__kwdefaults__)


@documented
def frequency(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    crosstab: Crosstab | None = None,
    categories: Groups | None = None,
    bins: Edges | None = None,
    other: str | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    missing: str | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    post: Post = "simplex",
    simultaneous: bool = False,
    target: Target = "population",
    neighbors: Neighbors = "replace",
    confidence: float = 0.95,
    epsilon_range: Pair | None = None,
    clip: float | None = None,
    estimator: FrequencyEstimator = "auto",
    beta: float = 0.05,
    ledger: Path | Ledger | None = None,
    dataset: str | None = None,
    spend: str | None = None,
    target_rmse: float | None = None,
    target_half_width: float | None = None,
    public_columns: Names | None = None,
    edition: str | None = None,
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Frequencies:
    """The private share of every category of a column, from 0 to 1; its error is that of the
    largest.

    Source: Chaudhuri, Miagkov and Courtade, *Mean and frequency estimation under heterogeneous
    privacy*.

    >>> import suum
    >>> health = ["good", "good", "poor", "fair"] * 500
    >>> release = suum.frequency(health, epsilon=[1.0] * 2000, categories=["good", "fair", "poor"])
    >>> list(release.estimate)
    ['good', 'fair', 'poor']
    >>> list(suum.frequency([3, 14, 7], epsilon=[1, 1, 1], bins=[0, 10, 20]).estimate)
    ['[0, 10)', '[10, 20]']

    Parameters
    ----------
    crosstab:
        Two columns of categories in place of ``value``: the share of each pair of their
        categories, and both ``margins``, which are the sums of their cells.
    categories, other:
        The categories, from public knowledge, of a crosstab a list for each column; ``other`` names
        one for all other values, which are refused without it.
    bins:
        Edges of numeric bins in place of categories: [0, 10, 20] counts [0, 10) and [10, 20].
    missing:
        The declared category in which missing cells are counted; or "exclude", which leaves
        their records out: ``neighbors="replace"`` is then taken for "both". They are refused
        otherwise.
    post:
        What is done to the noisy shares, which costs no privacy: "simplex" makes them add up to 1.
    simultaneous:
        Intervals that hold for all categories at once with this confidence, not each alone.
    estimator, beta:
        As for ``mean``.
    """
    return released(Frequencies, "frequency", locals(), frequency.__kwdefaults__)


@documented
def quantile(
    data: Data | None = None,
    *,
    q: Shares = 0.5,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    cdf: bool = False,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    estimator: QuantileEstimator = "auto",
    interval_share: float | None = None,
    simultaneous: bool = False,
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Quantiles:
    """Private quantiles of a column of numbers, in the units of the data; their error is that of
    the rank.

    Weighted ranks: read off a histogram that is made finer where the records are, which has
    intervals for nothing; or by permute-and-flip over candidates in the bounds, or by recursion on
    the middle one, where that is better. Sources: McKenna and Sheldon
    2020, *Permute-and-flip*; Kaplan, Schnapp and Stemmer 2022, *Differentially Private Approximate
    Quantiles*.

    >>> import suum
    >>> visits, budgets = list(range(78)) * 50, [1.0] * 3900
    >>> release = suum.quantile(visits, epsilon=budgets, bounds=(0, 77), q=[0.25, 0.5], step=1)
    >>> release.estimate[0.5] == round(release.estimate[0.5])
    True

    Parameters
    ----------
    q:
        The shares of records that lie below the quantiles, each between 0 and 1; or "deciles", or
        "percentiles".
    cdf:
        Whether to ask for the whole distribution function: all percentiles, with intervals that
        hold at once.
    bounds:
        The range that values can take, in their units, from public knowledge. With "auto" a part of
        every budget finds a range.
    missing:
        A public constant in place of missing values; or "exclude", which leaves their records
        out: ``neighbors="replace"`` is then taken for "both". They are refused otherwise.
    step, cells:
        The step between possible values, 1 for integers; or into how many steps the bounds are
        divided. With neither of them it is 1 where the column is of integers by its type, which
        counts as public (``cells=65536`` says that there is no step), and a list has no type.
    rows:
        With how many of their rows each person counts, evenly spaced by rank; 1 is their median.
    estimator:
        How to weight records: "auto" takes the least expected error.
    interval_share:
        The part of the budget that buys the ends of the intervals; with 0 there are none. By
        default as much, up to a half, as makes the expected error at most a quarter larger, and
        nothing where a histogram has shorter ones for nothing.
    simultaneous:
        Whether the intervals are to hold for all quantiles at once.
    """
    return released(Quantiles, "quantile", locals(), quantile.__kwdefaults__)


@documented
def variance(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
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


@documented
def summary(
    data: Data | None = None,
    *,
    statistic: Names = "mean,variance,q25,q50,q75",
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: Bounds | None = None,
    check_bounds: float | bool | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    split: Mapping[Any, float] | str | None = None,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    interval_share: float | None = None,
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Summary:
    """Several statistics of a column in one pass, from one budget.

    >>> import suum
    >>> visits, budgets = [3, 0, 9, 1] * 500, [1.0] * 2000
    >>> release = suum.summary(visits, epsilon=budgets, bounds=(0, 10), statistic="mean,q50,q90")
    >>> release.mean is not None, list(release.quantiles)
    (True, [0.5, 0.9])

    Parameters
    ----------
    statistic:
        "mean", "variance", and quantiles such as "q50" or "q99.9".
    split:
        Parts of every budget for "mean", "variance" and "quantile" (all of them together).
    bounds, missing, step, cells, rows, interval_share:
        As for ``quantile``.
    """
    return released(Summary, "summary", locals(), summary.__kwdefaults__)


@documented
def count(
    data: Data | None = None,
    *,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
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
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    insecure_seed: int | None = None,
    progress: bool | None = None,
) -> Number:
    """The number of records; with ``neighbors="replace"`` it is public, exact and free, else one
    private number.

    >>> import suum
    >>> suum.count(epsilon=[0.1, 1, 1]).estimate
    3.0

    Parameters
    ----------
    """
    return released(Number, "count", locals(), count.__kwdefaults__)


@documented
def plan(
    data: Data | None = None,
    *,
    profile: Mapping[float, int] | str | None = None,
    statistic: Names = "mean",
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    bounds: Bounds | None = None,
    missing: Constant | str | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    crosstab: Crosstab | None = None,
    categories: Groups | None = None,
    bins: Edges | None = None,
    other: str | None = None,
    q: Shares = 0.5,
    cdf: bool = False,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    interval_share: float | None = None,
    split: Mapping[Any, float] | str | None = None,
    what_if: Mapping[float, int] | str | None = None,
    assume: Literal["normal", "skewed", "lumpy", "two-valued"] | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    target: Target = "population",
    neighbors: Neighbors = "replace",
    confidence: float = 0.95,
    epsilon_range: Pair | None = None,
    clip: float | None = None,
    estimator: AnyEstimator = "auto",
    beta: float = 0.05,
    post: Post = "simplex",
    simultaneous: bool = False,
    ledger: Path | Ledger | None = None,
    dataset: str | None = None,
    spend: str | None = None,
    target_rmse: float | None = None,
    target_half_width: float | None = None,
    public_columns: Names | None = None,
    edition: str | None = None,
    again: bool = False,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    progress: bool | None = None,
) -> Plan:
    """What a release would cost and how good it would be, before any value is read.

    Exact risks of every estimator, and what none can go below: Chaudhuri and Courtade 2023; *Limits
    of personalizing differential privacy budgets*, 2026.

    >>> import math, suum
    >>> plan = suum.plan(profile={0.1: 3400, 0.5: 4300, math.inf: 23}, bounds=(0, 77))
    >>> plan.gap >= 1
    True
    >>> suum.plan(epsilon=[0.1] * 3400 + [math.inf] * 23).chosen
    'typical'

    Parameters
    ----------
    profile:
        How many records have each budget, in place of data.
    statistic:
        "mean", "sum", "frequency", "quantile" or "variance", with neighbors="add-remove" also
        "count", or several such as "mean,variance,q50".
    bounds:
        Without them errors are shares of the range. With "auto" a range is found first, and errors
        are in standard deviations of the values.
    what_if:
        Compare with other people, for example {math.inf: +500, 0.1: -20}.
    assume:
        Simulate releases of data of this shape; ``to_dict()["expected"]`` has the errors and half
        widths that they had.
    groups, other_group:
        The declared groups of ``group_by``, and one for all others: the plan is then one for each
        group. With ``profile`` each has these people.
    missing, crosstab, categories, bins, other, q, cdf, step, cells, rows, interval_share, split, \
variance, shrink, adapt, spare, estimator, beta, post, simultaneous:
        As for the statistics.
    """
    answer = ask("plan", data, locals(), plan.__kwdefaults__)
    return Plan(answer, names_of_tiers(data, levels))


@documented
def levels(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    totals: bool = False,
    bounds: Bounds | None = None,
    missing: Constant | Literal["exclude"] | None = None,
    crosstab: Crosstab | None = None,
    categories: Groups | None = None,
    bins: Edges | None = None,
    other: str | None = None,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: Mapping[Any, float] | str | None = None,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    consent: Path | None = None,
    key: str | None = None,
    from_levels: Path | None = None,
    progress: bool | None = None,
) -> Levels:
    """The raw level table of the data. NOT private: keep it as safe as the data.

    >>> import suum
    >>> table = suum.levels([3, 0, 9], epsilon=[1, 1, 1], bounds=(0, 10))
    >>> 0 <= suum.mean(table).estimate <= 10
    True

    >>> sites = {"group_by": "site", "groups": ["north", "south"]}
    >>> people = {"site": ["north", "south"] * 50, "visits": [3.0, 4.0] * 50, "eps": [1.0] * 100}
    >>> table = suum.levels(people, value="visits", epsilon="eps", bounds=(0, 10), **sites)
    >>> list(suum.mean(table, **sites))
    ['north', 'south']

    Parameters
    ----------
    bounds, missing, crosstab, categories, bins, other:
        What is added up or counted, as for ``mean`` and ``frequency``; neither for counts alone.
    totals:
        With ``person`` a person counts with the total of their rows, for ``sum``, and not with the
        mean; ``bounds`` are then those of a person's total.
    step, cells, rows:
        Count rows at candidates too, for quantiles.
    groups, other_group:
        The declared groups of ``group_by``, and one for all others. There is a table for each
        group then, and statistics need the same keywords.
    strata, weight, classes, population_shares:
        As for the statistics, which need them again: there is a table for each stratum, of every
        group if there are groups.
    """
    if is_one(data, "pyspark", "DataFrame"):
        return of_data(data, "sum" if totals else "levels", said(locals()))[0]
    return Levels(ask("levels", data, locals()).text().encode())
