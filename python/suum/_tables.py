"""Plans and level tables. Names and defaults are those of the command line."""

from __future__ import annotations

from typing import Any, Unpack

from . import _groups, keywords
from ._ask import ask, said
from ._columns import is_table
from ._entries import entries
from ._errors import ParameterError
from ._types import Column, Data
from ._help import documented
from ._levels import Levels
from ._unknown import is_one
from ._plan import Plan, names_of_tiers
from ._queries import Query, asked_by, is_query, unshortened, with_answers
from ._survey import answered, asked_of_columns, several_columns
from ._suum import plain_job
from .spark import of_data


@documented(keywords.Plan, "suum.Plan")
def plan(
    data: Data | Query | None = None,
    of: Data | None = None,
    **options: Unpack[keywords.Plan],
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
        As for ``mean``; or a query as ``run`` takes it, which can have ``answers`` and name its
        data. Keywords then replace what it says.
    of:
        The column, of which no value is read; of several names there is a plan for each in
        ``plan.answers``. Beside a query its data.
    epsilon, privacy, levels, profile:
        Who allows what, as for ``mean``; or how many records have each budget, in place of data.
    statistic:
        Which one, such as "median", or several such as "mean,variance,q50"; else the mean.
    what_if, assume:
        Other people to compare with; the shape of data of which releases are simulated.
    bounds:
        Without them errors are shares of the range.
    between, check_bounds:
        ``plan.difference`` is the expected error of the difference of two groups; with a check of
        bounds ``plan.answers`` are the plans of the statistic and of the check.
    """
    keywords.check("plan", options, PLANNED)
    given: dict[str, Any] = {**options}
    if is_query(data):
        return _of_query(data, of, given)
    if of is not None:
        if is_table(of):
            raise ParameterError(
                "of: these are the data of a query, and data is none", "leave it out"
            )
        given["value"] = of
    given = {"statistic": "mean", **_groups.listed(unshortened({**given, "data": data}))}
    asked = given["statistic"]
    statistic = asked if isinstance(asked, str) else ",".join(asked)
    what = "summary" if "," in statistic else statistic
    names = several_columns(what, given)
    if names is not None:
        common, answers = asked_of_columns(what, names, given)
        return _of_answers({**common, "answers": answers}, data)
    answer = ask("plan", data, given)
    labels = _groups.Labels.of(given)
    # With a check of bounds it is one of two answers.
    return Plan(answer, names_of_tiers(data, given), labels, [labels])


#: Keywords of a plan.
PLANNED = keywords.names(keywords.Plan)


def _of_query(query: Any, data: Any, given: dict[str, Any]) -> Plan:
    """Plan of a query, whose options the keywords replace."""
    asked = {**asked_by(query), **said(given)}
    own = asked.pop("data", None)
    if data is None and asked.get("profile") is None:
        data = own
    # A plan has no noise.
    asked.pop("insecure_seed", None)
    if asked.get("profile") is not None:
        # It stands for the people whose columns the query names.
        of_people = ("epsilon", "privacy", "levels", "person", "missing_consent")
        left = asked.keys() - {name for name in of_people if not given.get(name)}
        asked = {name: one for name, one in asked.items() if name in left}
    if asked.get("answers") is not None:
        return _of_answers({**with_answers(asked), "progress": given.get("progress")}, data)
    unknown = sorted(asked.keys() - PLANNED)
    if unknown:
        # The extension says what is wrong, and which name is the nearest.
        plain_job(entries({"statistic": "mean", **dict.fromkeys(unknown, "1")}))
        raise ParameterError(f"{unknown[0]}: a plan does not have it", "leave it out")
    planned: Plan = plan(data, **asked)
    return planned


def _of_answers(asked: dict[str, Any], data: Any) -> Plan:
    answer, labels = answered(asked, data, "plan")
    return Plan(answer, names_of_tiers(data, asked), of_answers=labels)


@documented(keywords.LevelTable, "suum.Levels")
def levels(
    data: Data | None = None,
    value: str | Column | None = None,
    **options: Unpack[keywords.LevelTable],
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
    bounds, categories, bins, crosstab:
        What is added up or counted, as for ``mean`` and ``frequency``; none for counts alone.
    step, cells, rows:
        Count rows at candidates too, for quantiles.
    group_by, groups, strata:
        There is a table for each group and stratum, and statistics need the same keywords.
    """
    keywords.check("levels", options, keywords.names(keywords.LevelTable))
    given: dict[str, Any] = {**options, "value": value}
    if is_one(data, "pyspark", "DataFrame"):
        given = said(given)
        totals = given.pop("totals", False)
        if totals:
            # No query adds them up exactly, and this one says so.
            given["per_person"] = "total"
        return of_data(data, "sum" if totals else "levels", given)[0]
    return Levels(ask("levels", data, given).text().encode())
