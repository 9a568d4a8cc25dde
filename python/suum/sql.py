"""Level tables of what any other database can read, by way of its connection: the database adds
the records up, and a few rows come back.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Any, get_args, Protocol, Unpack

from . import keywords
from ._level_query import KEYWORDS, Result, level_options, of_engine, run
from ._entries import sql_text
from ._errors import ParameterError
from ._process import aside, interruptible
from ._help import documented
from ._columns import is_one
from ._levels import Levels
from ._names import Dialect

__all__ = ["levels"]


class Statement(Protocol):
    """A table or a query of SQLAlchemy."""

    def compile(self, *args: Any, **keywords: Any) -> Any: ...


@documented(keywords.LevelQuery, "suum.Levels")
def levels(
    connection: Any,
    source: str | Statement | None = None,
    *,
    dialect: Dialect | None = None,
    table: str | Statement | None = None,
    query: str | Statement | None = None,
    **options: Unpack[keywords.LevelQuery],
) -> Levels:
    """The raw level table of a table or query of a database. NOT private: keep it as safe as the
    data.

    It is one SELECT in the transaction of the connection, if there is one.

    >>> import sqlite3, suum
    >>> con = sqlite3.connect(":memory:")
    >>> _ = con.execute("CREATE TABLE people (visits INT, eps REAL)")
    >>> _ = con.executemany("INSERT INTO people VALUES (?, 1.0)", [(n % 20,) for n in range(400)])
    >>> table = suum.sql.levels(con, "people", value="visits", epsilon="eps", bounds=(0, 77))
    >>> 0 <= suum.mean(table).estimate <= 77
    True

    Parameters
    ----------
    connection:
        A connection as DB-API 2.0 has it (psycopg, sqlite3, snowflake.connector, google.cloud's
        dbapi, ADBC's ``dbapi``), or a connection or an engine of SQLAlchemy.
    source, table, query:
        The table or view, as NAME or SCHEMA.NAME (a name with a point in it stands in double
        quotes); or a SELECT whose rows are the records, also as objects of SQLAlchemy. ``source``
        is either of them, as it reads.
    dialect:
        Whose SQL to write; by default what the package of the connection says.
    """
    given = level_options("levels", locals())
    if connection is None or isinstance(connection, (str, os.PathLike)):
        raise ParameterError(
            f"connection: {type(connection).__name__} is no connection",
            "open one, for example sqlite3.connect(FILE); statistics themselves read SQLite files "
            "and postgresql:// URLs, with table=NAME",
        )
    given["dialect"] = dialect or _dialect(connection)
    if source is not None:
        if table is not None or query is not None:
            raise ParameterError(
                "source: it is said already what is read", "give one of source, table and query"
            )
        source = sql_text(source)
        # No name begins with this word and a space.
        words = source.split(None, 1)
        is_query = len(words) == 2 and words[0].upper() in ("SELECT", "WITH")
        given["query" if is_query else "table"] = source

    def answer(text: str) -> Result:
        return _answer(connection, text)

    return run(given["dialect"], given, answer, lambda raised: type(raised).__name__)


def of_connection(
    connection: Any, what: str, options: Mapping[str, Any]
) -> tuple[Levels, dict[str, Any]]:
    """The level table that a statistic of a table needs, and the options that are left to be asked
    of it.
    """
    return of_engine(partial(levels, connection), {*KEYWORDS, "dialect"}, what, options)


#: Dialects by the package that a connection is of, or what a driver of ADBC calls its database.
_OF_PACKAGE: dict[str, Dialect] = {
    "sqlite3": "sqlite",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pg8000": "postgres",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "snowflake": "snowflake",
    "google": "bigquery",
    "sqlite": "sqlite",
    "postgresql": "postgres",
    "databricks": "spark",
    "pyhive": "spark",
}


def _dialect(connection: Any) -> Dialect:
    named = getattr(getattr(connection, "dialect", None), "name", None)
    if isinstance(named, str):
        named = "postgres" if named == "postgresql" else "spark" if named == "databricks" else named
        found = next((one for one in get_args(Dialect) if one == named), None)
    else:
        packages = [base.__module__.partition(".")[0] for base in type(connection).__mro__]
        if hasattr(connection, "adbc_get_info"):
            packages.append(str(connection.adbc_get_info().get("vendor_name")).lower())
        found = next((_OF_PACKAGE[one] for one in packages if one in _OF_PACKAGE), None)
    if found is None:
        raise ParameterError(
            "dialect: the connection does not say whose SQL it speaks",
            f"give one of {', '.join(get_args(Dialect))}",
        )
    dialect: Dialect = found
    return dialect


def _answer(connection: Any, text: str) -> Result:
    if hasattr(connection, "exec_driver_sql"):

        def of_sqlalchemy() -> Result:
            found = connection.exec_driver_sql(text)
            return list(found.keys()), [tuple(row) for row in found.fetchall()]

        return interruptible(of_sqlalchemy, connection.connection.driver_connection)
    if hasattr(connection, "dialect") and hasattr(connection, "connect"):
        # An engine of SQLAlchemy.
        with connection.connect() as opened:
            return _answer(opened, text)
    # A cursor of DuckDB is a connection of its own, which sees neither what is registered nor what
    # is not committed.
    modules = ("duckdb", "_duckdb")
    is_duckdb = any(is_one(connection, name, "DuckDBPyConnection") for name in modules)
    cursor = connection if is_duckdb else connection.cursor()

    def of_cursor() -> Result:
        cursor.execute(text)
        return [column[0] for column in cursor.description], cursor.fetchall()

    def whole() -> Result:
        try:
            return of_cursor()
        finally:
            if not is_duckdb:
                cursor.close()

    if hasattr(cursor, "adbc_cancel"):
        # In the main thread its driver keeps an interrupt for itself.
        return aside(whole, cursor.adbc_cancel)
    return interruptible(whole, cursor, connection)
