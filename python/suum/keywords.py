"""Types of the keywords of functions: ``help(suum.keywords.Mean)`` explains those of ``mean``.

They are the options of the table that all of suum has; a test adds those that are missing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._suum import plain_job
from ._types import (
    Bounds,
    Budgets,
    ByLabel,
    Column,
    Constant,
    Counts,
    Crosstab,
    Edges,
    GroupBy,
    Groups,
    Instant,
    Labels,
    Names,
    Neighbors,
    Numbers,
    Pair,
    Path,
    PersonShare,
    PersonValue,
    Post,
    Register,
    Shares,
    Target,
)
from ._errors import Error
from ._help import explanation
from ._names import AnyEstimator, FrequencyEstimator, MeanEstimator, QuantileEstimator

class Records(TypedDict, total=False):
    """Whose records are read, from where, and by which groups."""

    epsilon: Budgets | None
    privacy: str | Column | None
    levels: ByLabel | None
    missing_consent: float | str | None
    null: Names | None
    person: str | Column | None
    group_by: GroupBy | None
    groups: Groups | None
    other_group: str | None
    public_columns: Names | None
    table: str | None
    query: str | None
    trust_query: bool | None
    where: str | None
    delimiter: str | None
    encoding: str | None
    decimal: str | None
    consent: Register | None
    key: str | None
    consent_from: str | None
    consent_until: str | None
    consent_status: str | None
    consent_active: Names | None
    consent_withdrawn: Names | None
    consent_expired: Names | None
    consent_reference: str | None
    consent_attributes: Names | None
    as_of: Instant | None
    from_levels: Path | None
    progress: bool | None


class Answer(Records, total=False):
    """What every answer has: its promise, its interval, and who pays."""

    suppress_below: int | None
    neighbors: Neighbors | None
    confidence: float | None
    epsilon_range: Pair | None
    clip: float | None
    ledger: Path | None
    dataset: str | None
    spend: str | None
    target_rmse: float | None
    target_half_width: float | None
    edition: str | None
    allow_moves: bool | None
    again: bool | None


class Strata(TypedDict, total=False):
    """Strata, on which budgets may depend."""

    strata: str | Column | None
    weight: str | Column | None
    classes: Labels | None
    population_shares: ByLabel | None


class Count(Answer, total=False):
    """Keywords of ``suum.count``."""

    person_groups: Literal["public"] | None
    max_groups: int | None
    insecure_seed: int | None


class Variance(Count, total=False):
    """Keywords of ``suum.variance``."""

    bounds: Bounds | Mapping[str, Bounds] | None
    check_bounds: float | bool | None
    missing: Constant | Literal["exclude"] | None
    per_person: PersonValue | None
    target: Target | None


class Deviation(Variance, total=False):
    """Keywords of ``suum.std``."""


class Summary(Variance, total=False):
    """Keywords of ``suum.summary``."""

    statistic: Names | None
    split: ByLabel | None
    step: float | None
    cells: int | None
    rows: int | None
    interval_share: float | None


class Median(Variance, Strata, total=False):
    """Keywords of ``suum.median``."""

    step: float | None
    cells: int | None
    rows: int | None
    estimator: QuantileEstimator | None
    interval_share: float | None
    tiers_differ: float | str | None


class Quantile(Median, total=False):
    """Keywords of ``suum.quantile``."""

    q: Shares | None
    cdf: bool | None
    simultaneous: bool | None


class Mean(Variance, Strata, total=False):
    """Keywords of ``suum.mean``."""

    variance: float | None
    shrink: bool | None
    adapt: bool | None
    spare: float | None
    step: float | None
    tiers_differ: float | str | None
    tiers_apart: bool | None
    estimator: MeanEstimator | None
    beta: float | None


class Sum(Mean, total=False):
    """Keywords of ``suum.sum``."""


class Difference(Mean, total=False):
    """Keywords of ``suum.difference``."""


class CountedShares(Count, Strata, total=False):
    """Keywords of shares, of whatever they are."""

    per_person: PersonShare | None
    other: str | None
    missing: bool | str | None
    post: Post | None
    simultaneous: bool | None
    target: Target | None
    tiers_differ: float | str | None
    estimator: FrequencyEstimator | None
    beta: float | None


class Histogram(CountedShares, total=False):
    """Keywords of ``suum.histogram``."""

    bins: int | Edges
    delta: float | str | None
    bounds: Bounds | None


class Frequency(CountedShares, total=False):
    """Keywords of ``suum.frequency``."""

    crosstab: Crosstab | None
    categories: Groups | None
    bins: Edges | None
    delta: float | str | None


class Estimation(Answer, Strata, total=False):
    """Options that some statistic has, and that are not about one column."""

    per_person: PersonValue | None
    missing: Constant | str | None
    other: str | None
    step: float | None
    cells: int | None
    rows: int | None
    interval_share: float | None
    split: ByLabel | None
    variance: float | None
    shrink: bool | None
    adapt: bool | None
    spare: float | None
    check_bounds: float | bool | None
    target: Target | None
    tiers_differ: float | str | None
    tiers_apart: bool | None
    estimator: AnyEstimator | None
    beta: float | None
    post: Post | None
    simultaneous: bool | None


class Plan(Estimation, total=False):
    """Keywords of ``suum.plan``."""

    profile: Counts | None
    statistic: Names | None
    value: str | Column | None
    bounds: Bounds | Mapping[str, Bounds] | None
    between: Labels | None
    crosstab: Crosstab | None
    categories: Groups | Mapping[str, Groups] | None
    bins: Edges | Mapping[str, Edges] | None
    delta: float | str | None
    person_groups: Literal["public"] | None
    max_groups: int | None
    q: Shares | None
    cdf: bool | None
    what_if: Counts | None
    assume: Literal["normal", "skewed", "lumpy", "two-valued"] | None


class StudyOptions(Estimation, total=False):
    """Keywords of ``suum.Study.options``."""

    delta: float | str | None
    person_groups: Literal["public"] | None
    max_groups: int | None
    insecure_seed: int | None


class LevelTable(Records, Strata, total=False):
    """Keywords of ``suum.levels``."""

    per_person: PersonValue | None
    totals: bool | None
    bounds: Bounds | None
    missing: Constant | Literal["exclude"] | None
    crosstab: Crosstab | None
    categories: Groups | None
    bins: Edges | None
    other: str | None
    step: float | None
    cells: int | None
    rows: int | None
    adapt: bool | None


class LevelQuery(TypedDict, total=False):
    """Keywords of ``suum.levels_sql``, and of ``levels`` of the modules of engines."""

    trust_query: bool | None
    public_columns: Names | None
    where: str | None
    value: str | None
    epsilon: str | float | None
    privacy: str | None
    levels: ByLabel | None
    missing_consent: float | str | None
    null: Names | None
    bounds: Pair | None
    missing: float | str | None
    person: str | None
    per_person: PersonValue | None
    crosstab: str | Sequence[str] | None
    categories: Groups | None
    bins: Numbers | None
    other: str | None
    step: float | None
    cells: int | None
    rows: int | None
    adapt: bool | None
    group_by: str | Sequence[str] | None
    groups: Groups | None
    other_group: str | None
    strata: str | None
    weight: str | None
    classes: Labels | None
    population_shares: ByLabel | None


if TYPE_CHECKING:

    class NoSuchOption:
        """No value has this type. pyright names a wrong keyword of a function with overloads only
        if one overload has a type for it.
        """

    class OnlyVariance(Variance, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyDeviation(Deviation, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlySummary(Summary, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyMedian(Median, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyQuantile(Quantile, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyMean(Mean, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlySum(Sum, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyHistogram(Histogram, extra_items=NoSuchOption, total=False): ...  # type: ignore

    class OnlyFrequency(Frequency, extra_items=NoSuchOption, total=False): ...  # type: ignore


def names(kind: type[Any], *more: str) -> frozenset[str]:
    """Names of the keywords of a type, and more."""
    return frozenset(kind.__annotations__) | {*more}


def check(function: str, options: Iterable[str], known: Iterable[str]) -> None:
    """Refuses a keyword that a function does not have, as Python does."""
    for name in options:
        if name not in known:
            wrong = f"{function}() got an unexpected keyword argument {name!r}"
            raise TypeError(f"{wrong}: {instead(name)}")


def instead(name: str) -> str:
    """What to do about a keyword that there is not: the table of options knows the nearest."""
    try:
        plain_job({"statistic": "count", name: "1"})
    except Error as refused:
        if "no such option" in refused.message:
            return str(refused.hint)
    return "leave it out"


for _kind in (Count, Variance, Deviation, Summary, Median, Quantile, Mean, Sum, Difference,
              Histogram, Frequency, Plan, StudyOptions, LevelTable,
              LevelQuery):  # fmt: skip
    _kind.__doc__ = f"{_kind.__doc__}\n\n    Parameters\n    ----------\n{explanation(_kind)}\n"
