"""The level query: printed for any database, or run by one that Python has at hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Unpack

from . import keywords
from ._consent import is_number, of_all
from ._data import ROLES, without_points
from ._entries import entries
from ._errors import ReadError, RequestError
from ._groups import columns, role
from ._help import documented
from ._levels import Levels
from ._names import Dialect
from ._process import enter
from ._public import hides_people
from ._suum import level_query

#: The names of the columns of a result, and its rows.
Result = tuple[Sequence[str], Iterable[Sequence[Any]]]


@documented(keywords.LevelQuery, "str")
def levels_sql(
    *,
    dialect: Dialect,
    table: str | None = None,
    query: str | None = None,
    **options: Unpack[keywords.LevelQuery],
) -> str:
    """The query with which a database or warehouse computes a level table itself.

    Run it as one statement, bring its whole result back as a file, and give that to
    ``from_levels``. The result holds raw sums and is NOT private: keep it as safe as the data.

    >>> import suum
    >>> query = suum.levels_sql(
    ...     dialect="snowflake",
    ...     table="SURVEY.PEOPLE",
    ...     value="VISITS",
    ...     bounds=(0, 77),
    ...     epsilon="BUDGET",
    ... )
    >>> 'FROM "SURVEY"."PEOPLE" AS source' in query
    True

    Parameters
    ----------
    dialect:
        Whose SQL to write.
    table, query:
        The table or view, as NAME or SCHEMA.NAME (a name with a point in it stands in double
        quotes); or a SELECT in the dialect whose rows are the records.
    bounds, categories, bins, crosstab:
        What is added up or counted, as for ``levels``; none for counts alone.
    """
    # The extension prints an instruction for the command line above the query.
    given = level_options("levels_sql", locals())
    return printed(given).replace("suum … --from-levels RESULT", "suum.from_levels(RESULT)", 1)


#: Keywords of level queries.
KEYWORDS = keywords.names(keywords.LevelQuery, "table", "query")


def level_options(function: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a level query, from the arguments of a function."""
    keywords.check(function, arguments["options"], KEYWORDS)
    given = {**arguments, **arguments["options"]}
    return {name: one for name, one in given.items() if name in KEYWORDS or name == "dialect"}


def printed(options: Mapping[str, Any]) -> str:
    """The query with these options."""
    enter()
    options = _budgeted(options)
    by = {role(at): column for at, column in enumerate(columns(options) or [])}
    named = {**options, **by}
    for one in dict.fromkeys([*ROLES, *by]):
        if not isinstance(named.get(one), (str, type(None))):
            more = ", or give one number for everybody" if one == "epsilon" else ""
            raise RequestError(f"{one}: the data are elsewhere", f"name a column of them{more}")
    given = {name: value for name, value in options.items() if name not in ("dialect", "progress")}
    return level_query(options["dialect"], entries(without_points(given)))


def _budgeted(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Options in which one budget for everybody is in the entry ``budget``, and not in ``epsilon``.
    """
    epsilon = options.get("epsilon")
    if is_number(epsilon):
        return {**options, "epsilon": None, "budget": of_all(epsilon)}
    if isinstance(epsilon, Mapping):
        raise RequestError(
            "epsilon: a level query knows no budgets by person",
            "name a column of budgets, or give one number for everybody; budgets by person are for "
            "data that are read here, for example suum.mean(pandas.read_sql(…), epsilon=BUDGETS, "
            'person="id")',
        )
    return options


def run(
    engine: str,
    options: Mapping[str, Any],
    answer: Callable[[str], Result],
    code: Callable[[Exception], str],
) -> Levels:
    """Level table that an engine computes: ``answer`` runs the query, ``code`` names a failure
    without its message.
    """
    query = printed(options)
    # The exception of the engine can repeat values of the data: it is left behind, and with it its
    # traceback.
    try:
        names, rows = answer(query)
        # Some drivers have decimals where there are large integers; as text they keep all digits.
        result = json.dumps([dict(zip(names, row)) for row in rows], default=str)
    except Exception as raised:
        failure = code(raised)
    else:
        return Levels(result.encode())
    hint = _TOO_MANY if failure.startswith("ARITHMETIC_OVERFLOW") else (
        "check the names of tables and columns; run what "
        f'suum.levels_sql(dialect="{options["dialect"]}", …) gives without suum to see why'
    )
    raise ReadError(f"{engine}: the level query failed ({failure})", hint)


#: Spark can notice that a sum would wrap around before the query says so.
_TOO_MANY = (
    "a task has too many records of one level: use repartition; or with sums in cells one cell "
    "has: use adapt=False"
)


def of_engine(
    make: Callable[..., Levels],
    keywords: Container[str],
    what: str,
    options: Mapping[str, Any],
    is_whole: bool = False,
) -> tuple[Levels, dict[str, Any]]:
    """The level table that a statistic of records elsewhere needs, and the options that are left to
    be asked of it. ``make`` has these keywords; ``is_whole`` says that values are whole numbers.
    """
    hides = hides_people(options)
    epsilon = options.get("epsilon")
    if is_number(epsilon) and hides:
        # It is known of everybody, whether there are records or not.
        options = {"epsilon_range": (epsilon, epsilon), **options}
    asked = {name: value for name, value in options.items() if name in keywords}
    if what == "plan" and options.get("value") is None:
        # A plan reads no value.
        people = {name: asked[name] for name in asked if name in _PEOPLE}
        return make(**people), {
            name: value for name, value in options.items() if name not in people or name in _KEPT
        }
    if what != "levels" and not _has_quantiles(what, options):
        # With candidates of quantiles a table has no sums in cells, from which a mean learns.
        asked.pop("step", None)
    elif what != "levels" and not asked.keys() & {"step", "cells"}:
        # Means of integers are none.
        is_whole = is_whole and options.get("per_person") not in ("mean", "median")
        asked.update({"step": 1} if is_whole else {"cells": 65536})
    left = {name: value for name, value in options.items() if name not in asked or name in _KEPT}
    if hides:
        # A table of hidden people does not say what is public.
        left.update({name: asked[name] for name in _DECLARED if name in asked})
    if not _learns(what, options):
        asked["adapt"] = False
    return make(**asked), left


#: Options that are passed on to the query of a level table, besides being used to make it.
_KEPT = (
    "group_by", "groups", "other_group", "strata", "weight", "classes", "population_shares",
    "public_columns", "adapt", "per_person",
)  # fmt: skip

#: Options that declare values and tiers.
_DECLARED = (
    "bounds", "categories", "bins", "other", "crosstab", "step", "cells", "rows", "levels",
)  # fmt: skip

#: Options of a level table without values: they say who takes part, and in which group.
_PEOPLE = (
    "epsilon", "privacy", "levels", "missing_consent", "null", "person", "where", "table", "query",
    "trust_query", *_KEPT[:-2],
)  # fmt: skip


def _learns(what: str, options: Mapping[str, Any]) -> bool:
    """Returns true if this can be a mean or a sum that first learns where the values lie, which
    takes sums in cells. They are most of the cost of a level table.
    """
    if what == "levels":
        return options.get("adapt") is not False
    said = options.get("statistic", "mean") if what == "plan" else what
    return (
        (said if isinstance(said, str) else ",".join(said)) in ("mean", "sum")
        and options.get("adapt") is not False
        and (options.get("adapt") is True or options.get("ledger") is None)
        and options.get("estimator") in (None, "auto")
        and options.get("target") != "dataset-correlated"
        and options.get("variance") is None
        and options.get("strata") is None
        and not options.get("shrink")
    )


def _has_quantiles(what: str, options: Mapping[str, Any]) -> bool:
    said = options.get("statistic", "q50" if what == "summary" else what)
    names = said.split(",") if isinstance(said, str) else list(said)
    return any(re.fullmatch(r"quantile|q[0-9.]+", str(name).strip()) for name in names)
