"""Statistics by the names that data scientists look for, and any of them from a query."""

from __future__ import annotations

from typing import Any, Literal, get_args

from . import _means, _statistics
from ._classes import KINDS
from ._difference import difference
from ._edges import edges
from ._entries import entries
from ._forms import Column, Data
from ._kinds import Frequencies
from ._ledger import Ledger
from ._names import ALIASES, FrequencyEstimator, QuantileEstimator, Statistic
from ._numbers import Deviation, Median
from ._of_columns import of_numbers
from ._options import (
    Bounds,
    Budgets,
    ByLabel,
    Constant,
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
    Target,
    documented,
)
from ._queries import Query, asked_by, with_answers
from ._release import Release
from ._releases import released
from ._survey import Survey, several
from ._suum import plain_job


@of_numbers
@documented
def median(
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
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    estimator: QuantileEstimator = "auto",
    interval_share: float | None = None,
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
) -> Median:
    """The private median of a column of numbers, in the units of the data: ``quantile`` at 0.5, as
    a number.

    >>> import suum
    >>> release = suum.median(list(range(78)) * 50, epsilon=1.0, bounds=(0, 77), step=1)
    >>> 0 <= float(release) <= 77
    True

    Parameters
    ----------
    bounds, missing, step, cells, rows, estimator, interval_share:
        As for ``quantile``.
    """
    options = {**locals(), "q": 0.5}
    return released(Median, "quantile", options, median.__kwdefaults__)


@of_numbers
@documented
def std(
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
) -> Deviation:
    """The private standard deviation of a column of numbers, in their units, with the variance and
    the mean that are measured with it.

    Source: as for ``variance``.

    >>> import suum
    >>> release = suum.std([3, 0, 9, 1] * 500, epsilon=1.0, bounds=(0, 10))
    >>> 0 <= float(release) <= 5 and release.variance.estimate >= 0
    True

    Parameters
    ----------
    bounds, missing:
        As for ``variance``.
    """
    return released(Deviation, "variance", locals(), std.__kwdefaults__)


@documented
def histogram(
    data: Data | None = None,
    *,
    bins: int | Edges = 20,
    bounds: Bounds | None = None,
    value: str | Column | None = None,
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
    """The private share of values in each of several bins: ``frequency`` with numeric bins, of
    equal widths if you say how many. ``plot()`` draws the histogram, ``edges`` are where bins end.

    >>> import suum
    >>> release = suum.histogram([3, 14, 7] * 99, epsilon=1.0, bins=4, bounds=(0, 20))
    >>> release.edges
    [0.0, 5.0, 10.0, 15.0, 20.0]
    >>> list(suum.histogram([3, 14, 7], epsilon=1.0, bins=[0, 10, 20]).estimate)
    ['[0, 10)', '[10, 20]']

    Parameters
    ----------
    bins, bounds:
        How many bins of equal widths lie within ``bounds``, or the edges of bins in place of both.
        They are public, so data do not choose them. Values beyond are refused without ``other``.
    other, missing, post, simultaneous, estimator, beta:
        As for ``frequency``.
    """
    options = {**locals(), "bins": edges(bins, bounds), "bounds": None}
    return released(Frequencies, "frequency", options, histogram.__kwdefaults__)


def function(statistic: str) -> Any:
    """Returns the function that answers a statistic; ``None`` if there is none."""
    if statistic in _SHORT:
        return _SHORT[statistic]
    name = ALIASES.get(statistic, statistic)
    name = name.replace("-", "_") if name in (*get_args(Statistic), "summary") else ""
    return getattr(_means, name, None) or getattr(_statistics, name, None)


KINDS |= {"median": Median, "std": Deviation}

#: The functions that are short for others.
_SHORT = {"median": median, "std": std, "histogram": histogram, "difference": difference}


def run(
    query: Query,
    data: Data | None = None,
    **options: Any,
) -> Release | Survey:
    """The release that a query asks for (docs/how-to/query.md), or several answers from one split
    of every budget (docs/how-to/survey.md).

    >>> import suum
    >>> query = {"statistic": "mean", "value": "visits", "bounds": [0, 77], "epsilon": "eps"}
    >>> release = suum.run(query, {"visits": [3, 0, 9], "eps": [1.0, 1.0, 2.0]})
    >>> again = suum.run(release, {"visits": [3, 0, 9], "eps": [1.0, 1.0, 2.0]}, confidence=0.9)
    >>> again.interval.confidence
    0.9

    Parameters
    ----------
    query:
        A dictionary of options, a file of TOML or JSON with them, or a release or a file of one,
        which asks the same again. The file can name its data. ``answers`` is a list of
        dictionaries, one for each of several answers, under the options that all of them have.
    data:
        Other data than those of the query, as for every statistic.
    options:
        Options that take the place of those of the query, or are added to them.

    Raises
    ------
    suum.ParameterError, suum.RequestError
        There is no such option, or it makes no sense.
    suum.ReadError
        The file cannot be read. All others as for the statistics.
    """
    asked = {**asked_by(query), **options}
    if data is None:
        data = asked.get("data")
    asked.pop("data", None)
    if asked.get("answers") is not None:
        return several(with_answers(asked), data)
    statistic = asked.pop("statistic", None)
    names = statistic.split(",") if isinstance(statistic, str) else list(statistic or [])
    if len(names) == 1 and ALIASES.get(names[0], names[0]) == "summary":
        # Those that a summary is of unless it says which.
        names = ["mean", "variance", "q25", "q50", "q75"]
    called = function(names[0]) if len(names) == 1 else None
    if isinstance(query, Median) and names == ["quantile"] and "q" not in options:
        called = median
        asked.pop("q", None)
    elif isinstance(query, Deviation) and names == ["variance"]:
        called = std
    if called is None:
        called, asked["statistic"] = _statistics.summary, names
    unknown = asked.keys() - called.__kwdefaults__.keys()
    if unknown or not names:
        # The extension says what is wrong, and which name is the nearest.
        said = {"statistic": ",".join(names) or None, **{name: "1" for name in sorted(unknown)}}
        plain_job(entries(said))
    release: Release = called(data, **asked)
    return release
