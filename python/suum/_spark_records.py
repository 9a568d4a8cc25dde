"""Records of a Spark DataFrame, for releases that need more than sums per level."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import _consent, _public
from ._errors import ReadError, RequestError
from ._columns import is_one
from ._public import Computed, hides_people, times_of_rows


#: Types of columns that are dates or times.
_TIMES = ("date", "timestamp", "timestamp_ntz")


def needs_records(data: Any, what: str, options: Mapping[str, Any]) -> bool:
    """Returns true if sums per level are not enough for a request to a DataFrame: if a range is
    searched for in the records, if dates are read, if budgets by person are looked up in memory, if
    a check of bounds is a second answer, if accounts belong to persons, if totals, medians or the
    last of their rows count of persons, or if a person's rows may be in several groups.
    """
    value, grouped = options.get("value"), options.get("group_by") is not None
    hides = hides_people(options)
    usual = "total" if what == "sum" else None
    number = options.get("per_person") or usual
    return (
        options.get("bounds") == "auto"
        or options.get("check_bounds") not in (None, False)
        or isinstance(_consent.budgets_of(options), _consent.ByKey)
        or (value is not None and dict(native(data).dtypes).get(value) in _TIMES)
        or (
            options.get("person") is not None
            and (
                number in ("total", "median")
                or bool(times_of_rows(options))
                or options.get("ledger") is not None
                or (grouped and (hides or options.get("person_groups") is not None))
            )
        )
    )


def named(
    data: Any, options: Mapping[str, Any], hides: bool
) -> tuple[Any, dict[str, Any], dict[str, set[str]]]:
    """Computes all Columns of Spark among the options. Returns the DataFrame with these columns,
    options that name them, and the columns that each is computed from.
    """
    data, options = native(data), dict(options)
    roles: dict[str, Any] = {}
    for role in ROLES:
        said = options.get(role)
        several = said if isinstance(said, (list, tuple)) else [said]
        roles.update({_place(role, at): one for at, one in enumerate(several)})
    columns = {role: one for role, one in roles.items() if is_one(one, "pyspark", "Column")}
    computed = {role: _computed(data, role, one) for role, one in columns.items()}
    _public.check({**roles, "public_columns": options.get("public_columns")}, computed, hides)
    frame, origins = data, {}
    for role, column in columns.items():
        roots = computed[role].roots
        if computed[role].is_column and _text(column) in _names(*roots):
            roles[role] = next(iter(roots))
            continue
        roles[role], frame = _with_column(frame, column, role)
        origins[roles[role]] = set(roots)
    for role in ROLES:
        said = options.get(role)
        if isinstance(said, (list, tuple)):
            options[role] = [roles[_place(role, at)] for at in range(len(said))]
        elif said is not None:
            options[role] = roles[role]
    return frame, options, origins


def _place(role: str, at: int) -> str:
    """Name of a role, by its position among several columns of that role."""
    return role if at == 0 else f"{role}_{at + 1}"


def _with_column(data: Any, column: Any, role: str) -> tuple[str, Any]:
    """Adds a computed column to a DataFrame. Returns its name, and the DataFrame."""
    try:
        own = data.select(column).columns[0]
        names = (own, role, f"{role}_", f"{role}__")
        name = next(one for one in names if one not in data.columns)
        return name, data.withColumn(name, column)
    except Exception as raised:
        failure = condition(raised)
    raise _not_computed(role, failure)


def _not_computed(role: str, failure: str) -> ReadError:
    return ReadError(
        f"{role}: Spark cannot compute it ({failure})", "check the names of the columns"
    )


def _computed(data: Any, role: str, column: Any) -> Computed:
    """Returns the columns that a Column reads: it cannot be resolved without one of them.

    Refuses windows, aggregates and generators, which Spark does not compute of one row alone.
    """
    try:
        own = data.select(column).columns[0]
    except Exception as raised:
        failure = condition(raised)
    else:
        if not _is_condition(data, column):
            raise RequestError(
                f"{role}: this expression does not make each record of its own row alone",
                "means, ranks and the like of all rows void the certificate",
            )
        roots = frozenset(name for name in data.columns if not _resolves(data, column, name))
        aliases = ["", *(f" AS {name}" for name in _names(own))]
        texts = [name + alias for name in _names(*roots) for alias in aliases]
        return Computed(roots, len(roots) == 1 and _text(column) in texts)
    raise _not_computed(role, failure)


def _is_condition(data: Any, column: Any) -> bool:
    """Returns true if Spark lets a Column choose rows, which it refuses if the Column reads other
    rows.
    """
    with _unlogged():
        try:
            return bool(data.where(column.isNull()).columns)
        except Exception:
            return False


def _text(column: Any) -> str:
    """Text of a Column, as Spark writes it."""
    return str(column).removeprefix("Column<'").removesuffix("'>")


def _names(*names: str) -> list[str]:
    """Spellings of names in such a text, without and with quotes."""
    return [text for name in names for text in (name, f"`{name.replace('`', '``')}`")]


def _resolves(data: Any, column: Any, without: str) -> bool:
    """Returns true if Spark can compute a Column without a column of the data, as far as names and
    types tell.
    """
    others = [f"`{name.replace('`', '``')}`" for name in data.columns if name != without]
    with _unlogged():
        try:
            return bool(data.select(*others).select(column).columns)
        except Exception:
            return False


@contextmanager
def _unlogged() -> Iterator[None]:
    """Silences the loggers of Python: PySpark logs whatever cannot be resolved to standard error.
    """
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


#: Options that can name a column.
ROLES = ("value", "epsilon", "privacy", "person", "group_by", "strata", "weight", "crosstab")


def native(data: Any) -> Any:
    """A DataFrame of Spark, also of one of pandas on Spark."""
    return data.to_spark() if hasattr(data, "to_spark") else data


def collected(data: Any, names: Iterable[str]) -> Any:
    """Columns of all records of a DataFrame, collected on the driver."""
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
