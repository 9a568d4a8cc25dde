"""Plans and level tables. Names and defaults are those of the command line."""

from __future__ import annotations

from typing import Any, Literal

from . import _groups, _of_columns
from ._ask import ask, said
from ._entries import entries
from ._errors import ParameterError
from ._forms import Column, Data
from ._ledger import Ledger
from ._levels import Levels
from ._library import is_one
from ._names import AnyEstimator
from ._options import (
    Bounds,
    Budgets,
    ByLabel,
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
    Pair,
    Path,
    PersonValue,
    Post,
    Register,
    Shares,
    Target,
    documented,
)
from ._plan import Plan, names_of_tiers
from ._queries import Query, asked_by, is_query, unshortened, with_answers
from ._survey import answered
from ._suum import plain_job
from .spark import of_data


@documented
def plan(
    data: Data | Query | None = None,
    of: Data | None = None,
    *,
    profile: Counts | None = None,
    statistic: Names = "mean",
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    per_person: PersonValue | None = None,
    bounds: Bounds | None = None,
    missing: Constant | str | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    suppress_below: int | None = None,
    between: Labels | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: ByLabel | None = None,
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
    split: ByLabel | None = None,
    what_if: Counts | None = None,
    assume: Literal["normal", "skewed", "lumpy", "two-valued"] | None = None,
    variance: float | None = None,
    shrink: bool = False,
    adapt: bool | None = None,
    spare: float | None = None,
    check_bounds: float | bool | None = None,
    target: Target = "population",
    tiers_differ: float | str | None = None,
    tiers_apart: bool = False,
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
    progress: bool | None = None,
) -> Plan:
    """Plans a release: its cost and its expected error, before any value is read.

    Exact risks of every estimator, and what none can go below: Chaudhuri and Courtade 2023; *Limits
    of personalizing differential privacy budgets*, 2026.

    >>> import math, suum
    >>> plan = suum.plan(profile={0.1: 3400, 0.5: 4300, math.inf: 23}, bounds=(0, 77))
    >>> plan.gap >= 1
    True
    >>> suum.plan(epsilon=[0.1] * 3400 + [math.inf] * 23).chosen
    'typical'

    >>> query = {"statistic": "mean", "value": "visits", "bounds": (0, 77), "epsilon": "eps"}
    >>> suum.plan(query, profile={0.1: 3400, math.inf: 23}).chosen
    'typical'

    Parameters
    ----------
    data:
        As for the statistics; or a query as ``run`` takes it, which can have ``answers`` and name
        its data. Keywords then replace what it says.
    of:
        The data of a query.
    profile:
        How many records have each budget, in place of data.
    statistic:
        Which one, such as "mean"; "count" needs neighbors="add-remove". Or several such as
        "mean,variance,q50".
    value:
        A column, of which no value is read. A list of names plans an answer for each, from one
        split of every budget: ``plan.answers``.
    bounds:
        Without them errors are shares of the range. With "auto" a range is found first, and errors
        are in standard deviations of the values.
    check_bounds:
        The part of every budget from which a release checks the bounds (0.05 if it is ``True``):
        ``plan.answers`` are the plans of the statistic and of the check.
    what_if:
        Compare with other people, for example {math.inf: +500, 0.1: -20}.
    assume:
        Simulate releases of data of this shape; ``to_dict()["expected"]`` has the errors and half
        widths that they had.
    groups, other_group:
        The declared groups of ``group_by``, and one for all others: the plan is then one for each
        group. With ``profile`` each has these people.
    between:
        Two of the groups: ``plan.difference`` is the expected error of their difference.
    missing, crosstab, categories, bins, other, q, cdf, step, cells, rows, interval_share, split, \
variance, shrink, adapt, spare, estimator, beta, post, simultaneous:
        As for the statistics.
    """
    given = locals()
    if is_query(data):
        return _of_query(data, {name: given[name] for name in given if name != "data"})
    if of is not None:
        raise ParameterError("of: these are the data of a query, and data is none", "leave it out")
    given.pop("of")
    options = _groups.listed(unshortened(given))
    asked = options["statistic"]
    statistic = asked if isinstance(asked, str) else ",".join(asked)
    what = "summary" if "," in statistic else statistic
    names = _of_columns.names(what, options)
    if names is not None:
        common, answers = _of_columns.asked_of(what, names, options, plan.__kwdefaults__)
        return _of_answers({**common, "answers": answers}, data)
    answer = ask("plan", data, options, plan.__kwdefaults__)
    labels = _groups.Labels.of(options)
    # With a check of bounds it is one of two answers.
    return Plan(answer, names_of_tiers(data, options), labels, [labels])


def _of_query(query: Any, given: dict[str, Any]) -> Plan:
    """Plan of a query, whose options the other keywords replace."""
    data = given.pop("of")
    defaults: Any = plan.__kwdefaults__
    asked = {**asked_by(query), **said(given, defaults)}
    own = asked.pop("data", None)
    if data is None and asked.get("profile") is None:
        data = own
    # A plan has no noise.
    asked.pop("insecure_seed", None)
    if asked.get("profile") is not None:
        # It stands for the people whose columns the query names.
        of_people = ("epsilon", "privacy", "levels", "person", "missing_consent")
        asked = {name: one for name, one in asked.items() if name not in of_people or given[name]}
    if asked.get("answers") is not None:
        return _of_answers({**with_answers(asked), "progress": given["progress"]}, data)
    unknown = sorted(asked.keys() - defaults.keys())
    if unknown:
        # The extension says what is wrong, and which name is the nearest.
        plain_job(entries({"statistic": "mean", **dict.fromkeys(unknown, "1")}))
        raise ParameterError(f"{unknown[0]}: a plan does not have it", "leave it out")
    planned: Plan = plan(data, **asked)
    return planned


def _of_answers(asked: dict[str, Any], data: Any) -> Plan:
    answer, labels = answered(asked, data, "plan")
    return Plan(answer, names_of_tiers(data, asked), of_answers=labels)


@documented
def levels(
    data: Data | None = None,
    *,
    value: str | Column | None = None,
    epsilon: Budgets | None = None,
    privacy: str | Column | None = None,
    levels: ByLabel | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    person: str | Column | None = None,
    per_person: PersonValue | None = None,
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
    adapt: bool | None = None,
    group_by: GroupBy | None = None,
    groups: Groups | None = None,
    other_group: str | None = None,
    strata: str | Column | None = None,
    weight: str | Column | None = None,
    classes: Labels | None = None,
    population_shares: ByLabel | None = None,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    public_columns: Names | None = None,
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
        mean; ``bounds`` are then those of a person's total. The same as ``per_person="total"``.
    step, cells, rows:
        Count rows at candidates too, for quantiles.
    adapt:
        ``False`` leaves out sums in cells, from which a mean learns where the values lie.
    groups, other_group:
        The declared groups of ``group_by``, and one for all others. There is a table for each
        group then, and statistics need the same keywords.
    strata, weight, classes, population_shares:
        As for the statistics, which need them again: there is a table for each stratum, of every
        group if there are groups.
    """
    if is_one(data, "pyspark", "DataFrame"):
        options = said(locals())
        if totals:
            # No query adds them up exactly, and this one says so.
            options["per_person"] = "total"
        return of_data(data, "sum" if totals else "levels", options)[0]
    return Levels(ask("levels", data, locals()).text().encode())
