"""Libraries of data, and refusals of data that cannot be read, with what to give instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ._errors import DataError, RequestError

#: Libraries whose classes users derive from; an object of a derived class is the library's too.
_DERIVED_FROM = {"numpy", "pandas", "polars", "pyarrow"}


def library(thing: object) -> str:
    """The name of the top-level package that defines the class of a thing, or a base of it.

    >>> import collections
    >>> library(collections.Counter())
    'collections'
    """
    packages = [base.__module__.partition(".")[0] for base in type(thing).__mro__]
    return next((package for package in packages if package in _DERIVED_FROM), packages[0])


def is_one(thing: object, package: str, *names: str) -> bool:
    """Returns true if a thing is of one of these classes of a library, or of a subclass.

    >>> is_one({}, "builtins", "dict"), is_one({}, "pandas", "DataFrame")
    (True, False)
    """
    return any(
        base.__module__.partition(".")[0] == package and base.__name__ in names
        for base in type(thing).__mro__
    )


def no_column(name: str, table: Any) -> DataError:
    """Refusal of a name that no column of a table has; the names of its columns are public."""
    instead = _instead(name, table)
    if name == "epsilon":
        # A release says so, too, where everybody had the same budget.
        instead += "; or give everybody one budget, as in epsilon=1.0"
    return DataError(f"column {name}: the data have none of that name", instead)


def _instead(name: str, table: Any) -> str:
    names = names_of(table)
    if name in [str(one) for one in names if not isinstance(one, str)]:
        return "names must be text: give data.rename(columns=str)"
    index: Any = getattr(table, "index", None)
    if library(table) == "pandas" and name in index.names:
        return "it is in the index: give data.reset_index()"
    texts = {one.lower(): one for one in names if isinstance(one, str)}
    near = get_close_matches(name.lower(), texts, 1)
    if near:
        return f"did you mean {texts[near[0]]}?"
    some = ", ".join(list(texts.values())[:12])
    if not some:
        return "check the spelling"
    return f"choose one of {some}" + (", …" if len(texts) > 12 else "")


def names_of(table: Any) -> list[Any]:
    """Names of the columns of a table, also of a lazy one; empty if they cannot be found."""
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, (list, tuple)):
        return list(table[0]) if table and isinstance(table[0], Mapping) else []
    if hasattr(table, "collect_schema"):
        try:
            return list(table.collect_schema().names())
        except Exception:
            # Nothing can be made of it: that is said when it is computed.
            return []
    schema = getattr(table, "schema", None)
    names = getattr(schema, "names", None)
    return list(getattr(table, "columns", ()) if names is None or callable(names) else names)


def check_names(names: Iterable[str], table: Any) -> None:
    """Refuses a name that a lazy table does not have, before the table is computed."""
    there = names_of(table)
    for name in names if there else ():
        if name not in there:
            raise no_column(name, table)


def refuse_names(table: Any, beside: Mapping[str, Any]) -> None:
    """Refuses names of columns of a table in place of a column, which would be paired with it."""
    names = names_of(table)
    for role, column in beside.items():
        if isinstance(column, (int, tuple)) and _is_name(column, names):
            raise RequestError(
                f"{role}: names of columns must be text",
                'rename them, for example with data.rename(columns=str), or give data[NAME]',
            )
        if not isinstance(column, (list, tuple)) or not all(_is_name(one, names) for one in column):
            continue
        if role == "value":
            raise RequestError(
                "value: these are names of several columns",
                "give one; statistics such as suum.mean take several, whose names must be text",
            )
        if role == "group_by":
            raise RequestError(
                "group_by: these are names of several columns",
                "declare a list of groups for each: groups=[[A, B], [C, D]]",
            )


#: Expressions of libraries, of which suum reads those of Polars and Spark where it says so.
_EXPRESSIONS = {
    "pandas": "Expression", "pyarrow": "Expression", "duckdb": "Expression",
    "_duckdb": "Expression", "pyspark": "Column", "polars": "Expr",
}  # fmt: skip


def refuse_expressions(
    options: Mapping[str, Any], roles: Iterable[str], allowed: Iterable[str] = ()
) -> None:
    """Refuses expressions in the place of columns, but for those of ``allowed`` libraries: it is
    not known what they read.
    """
    for role in roles:
        said = options.get(role)
        several = said if isinstance(said, (list, tuple)) else [said]
        for package, name in _EXPRESSIONS.items():
            if package not in allowed and any(is_one(one, package, name) for one in several[:9]):
                raise RequestError(
                    f"{role}: an expression of {package.strip('_')} is not read here",
                    "name a column, or make one first, for example with data.assign(x=…) or "
                    "data.with_columns(x=…); a tier or group that is computed from values "
                    "publishes them",
                )


def refuse_single(table: Any) -> None:
    """Refuses a dictionary of numbers in place of one of columns."""
    if isinstance(table, Mapping) and any(isinstance(one, (int, float)) for one in table.values()):
        raise DataError(
            "data: a dictionary is a table, with a column by each name, and this one has numbers",
            'give a list for each name, as in {"visits": [3, 0, 9]}, or list(data.values())',
        )


def _is_name(one: object, names: Sequence[Any]) -> bool:
    return isinstance(one, (str, int, tuple)) and one in names


def refuse_values(data: Any) -> None:
    """Refuses values without budgets beside them."""
    columns = [("pandas", "Series"), ("polars", "Series"), ("numpy", "ndarray")]
    if isinstance(data, (list, tuple)) or any(is_one(data, *column) for column in columns):
        raise RequestError(
            "epsilon: it is not said what each record allows",
            "say epsilon=1.0 for everybody, epsilon=[…] with a budget for each record, or "
            "privacy=[…] with levels={…}",
        )


def no_table(data: Any) -> DataError:
    """Refusal of data that are no table."""
    return DataError(f"data: {type(data).__name__} is no table that is known here", _way(data))


def is_connection(data: object) -> bool:
    """Returns true for a connection, of which tables are read, or an engine of SQLAlchemy."""
    if any(is_one(data, name, "DuckDBPyConnection") for name in ("duckdb", "_duckdb")):
        return True
    if hasattr(data, "cursor") or hasattr(data, "exec_driver_sql"):
        return True
    return (hasattr(data, "dialect") and hasattr(data, "connect"))


def _way(data: Any) -> str:
    if library(data) in ("duckdb", "_duckdb"):
        return 'give a relation, as con.sql("…"), or suum.duckdb.levels(con, table=…)'
    if is_connection(data):
        return (
            'name its table beside it, as in table="people", or give what '
            'suum.sql.levels(connection, "TABLE", …) makes of it'
        )
    if library(data) == "sqlalchemy":
        return "give its connection as data, and this as query="
    if is_grouped(data):
        return GROUPED
    if hasattr(data, "read"):
        return "give its path, or what a library reads of it, for example pandas.read_csv(data)"
    if isinstance(data, (list, tuple)) or library(data) == "numpy":
        return "give a table, for example pandas.DataFrame(data)"
    return (
        "give a path, a DataFrame, something with __arrow_c_stream__, or values with "
        "epsilon=budgets beside them"
    )


#: Remedy for a group-by of pandas or Polars.
GROUPED = "give the table itself, with group_by=COL and groups=[A, B]"


def is_grouped(data: object) -> bool:
    """Returns true for a table or column of pandas or Polars in groups."""
    names = ("DataFrameGroupBy", "SeriesGroupBy", "GroupBy", "LazyGroupBy")
    return any(is_one(data, package, *names) for package in ("pandas", "polars"))
