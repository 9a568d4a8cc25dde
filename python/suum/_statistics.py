"""Shares, quantiles, counts, and several statistics together. Names and defaults are those of the
command line.
"""

from __future__ import annotations

from typing import Any, Literal

from ._classes import KINDS
from ._forms import Column, Data
from ._kinds import Frequencies, Quantiles, Summary
from ._ledger import Ledger
from ._names import FrequencyEstimator, QuantileEstimator
from ._numbers import Number
from ._of_columns import of_labels, of_numbers
from ._options import (
    Bounds,
    Budgets,
    ByLabel,
    Constant,
    Crosstab,
    Edges,
    GroupBy,
    Groups,
    Instant,
    Labels,
    Names,
    Neighbors,
    Pair,
    Path,
    PersonValue,
    Post,
    Register,
    Shares,
    Target,
    documented,
)
from ._releases import released

KINDS |= {"frequency": Frequencies, "quantile": Quantiles, "summary": Summary, "count": Number}

__all__ = ["count", "frequency", "quantile", "summary"]


@of_labels
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
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    missing: bool | str | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: ByLabel | None = None,
    post: Post = "simplex",
    simultaneous: bool = False,
    target: Target = "population",
    tiers_differ: float | str | None = None,
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


@of_numbers
@documented
def quantile(
    data: Data | None = None,
    *,
    q: Shares = 0.5,
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
    cdf: bool = False,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    estimator: QuantileEstimator = "auto",
    interval_share: float | None = None,
    simultaneous: bool = False,
    target: Target = "population",
    tiers_differ: float | str | None = None,
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
        divided. With neither of them it is 1 where the column is of integers or truth values by
        its type, which counts as public (``cells=65536`` says that there is no step), and a list
        has no type.
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


@of_numbers
@documented
def summary(
    data: Data | None = None,
    *,
    statistic: Names = "mean,variance,q25,q50,q75",
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
    split: ByLabel | None = None,
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
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
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
