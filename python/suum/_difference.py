"""The difference of two groups."""

from __future__ import annotations

from typing import Any, Literal

from ._classes import KINDS
from ._forms import Column, Data
from ._kinds import Difference
from ._ledger import Ledger
from ._names import MeanEstimator
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

KINDS["difference"] = Difference


@documented
def difference(
    data: Data | None = None,
    *,
    between: Labels,
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
) -> Difference:
    """The difference of the private means of two groups, with an interval.

    It is ``mean`` with ``between``: a release for each of the two groups, and the first mean less
    the second. Nobody is in two groups, so each has its whole budget; where a record that changes
    its group must be hidden (``neighbors="both"``) each group spends half. The interval is made for
    the noise and the sampling errors of both together. ``suum.sum`` with ``between`` is that of
    sums.

    >>> import suum
    >>> people = {"site": ["a", "b"] * 500, "visits": [4.0, 1.0] * 500, "eps": [1.0] * 1000}
    >>> sites = {"group_by": "site", "groups": ["a", "b"], "between": ["a", "b"]}
    >>> more = suum.difference(people, value="visits", epsilon="eps", bounds=(0, 10), **sites)
    >>> more.interval.lower <= more.estimate <= more.interval.upper
    True

    Parameters
    ----------
    bounds, missing, variance, shrink, adapt, spare, step, estimator, beta:
        As for ``mean``.
    """
    return released(Difference, "mean", locals(), difference.__kwdefaults__)
