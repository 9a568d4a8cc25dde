"""Records of a Spark DataFrame, for releases that need more than sums per level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import _budgets
from ._errors import ReadError
from ._library import is_one


#: Types of columns that are dates or times.
_TIMES = ("date", "timestamp", "timestamp_ntz")


def needs_records(data: Any, what: str, options: Mapping[str, Any]) -> bool:
    """Whether sums per level are not enough for what is asked of a DataFrame: a range is searched
    for in the records, dates are read there, budgets by person are looked up in memory, a check of
    bounds is a second answer, accounts belong to persons, totals of persons are added up exactly,
    and nobody may know whose rows are in several groups where it is hidden who takes part.
    """
    value, grouped = options.get("value"), options.get("group_by") is not None
    hides = options.get("neighbors") in ("add-remove", "both")
    return (
        options.get("bounds") == "auto"
        or options.get("check_bounds") not in (None, False)
        or isinstance(_budgets.of(options), _budgets.ByKey)
        or (value is not None and dict(native(data).dtypes).get(value) in _TIMES)
        or (
            options.get("person") is not None
            and (what == "sum" or options.get("ledger") is not None or (hides and grouped))
        )
    )


def named(data: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A DataFrame in which all that Columns of Spark compute are columns, and options that name
    them, as for an expression of Polars.
    """
    data, options = native(data), dict(options)

    def name_of(column: Any, role: str) -> Any:
        nonlocal data
        if not is_one(column, "pyspark", "Column"):
            return column
        try:
            own = data.select(column).columns[0]
            names = (own, role, f"{role}_", f"{role}__")
            name = next(one for one in names if one not in data.columns)
            data = data.withColumn(name, column)
        except Exception as raised:
            failure = condition(raised)
        else:
            return name
        raise ReadError(
            f"{role}: Spark cannot compute it ({failure})", "check the names of the columns"
        )

    for role in ROLES:
        said = options.get(role)
        if isinstance(said, (list, tuple)):
            options[role] = [name_of(one, role) for one in said]
        elif said is not None:
            options[role] = name_of(said, role)
    return data, options


#: What can name a column.
ROLES = ("value", "epsilon", "privacy", "person", "group_by", "strata", "weight", "crosstab")


def native(data: Any) -> Any:
    """A DataFrame of Spark, also of one of pandas on Spark."""
    return data.to_spark() if hasattr(data, "to_spark") else data


def collected(data: Any, names: Iterable[str]) -> Any:
    """These columns of all records of a DataFrame, brought to the driver."""
    try:
        quoted = [f"`{name.replace('`', '``')}`" for name in dict.fromkeys(names)]
        few = native(data).select(*quoted)
        found = few.toArrow() if hasattr(few, "toArrow") else few.toPandas()
    except Exception as raised:
        failure = condition(raised)
    else:
        return found
    raise ReadError(
        f"spark: the records could not be collected ({failure})",
        "check the names of the columns; run toArrow() of them without suum to see why",
    )


def condition(raised: Exception) -> str:
    """The name of an error condition of Spark, such as UNRESOLVED_COLUMN, which has nothing of the
    data.
    """
    for ask in ("getCondition", "getErrorClass"):
        name = getattr(raised, ask, lambda: None)()
        if isinstance(name, str) and re.fullmatch(r"[A-Z0-9_.]+", name):
            return name
    return type(raised).__name__
