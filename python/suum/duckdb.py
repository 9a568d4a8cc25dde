"""Level tables of what a DuckDB connection can read: DuckDB adds the records up, and a few rows
come back.
"""

from __future__ import annotations

import uuid
from typing import Any, cast, Protocol, Unpack

from . import keywords
from ._errors import ParameterError
from ._process import aside, interruptible
from ._help import documented
from ._level_query import Result, level_options, run
from ._levels import Levels
from ._columns import is_one

__all__ = ["levels"]


class Connection(Protocol):
    """A connection, or the module ``duckdb`` for the one it has itself."""

    def execute(self, query: str) -> Any: ...


class Relation(Protocol):
    """A relation, such as ``con.sql(…)`` gives."""

    def query(self, virtual_table_name: str, sql_query: str) -> Any: ...
    def project(self, *args: Any, **keywords: Any) -> Any: ...


@documented(keywords.LevelQuery, "suum.Levels")
def levels(
    con: Connection | Relation,
    *,
    table: str | None = None,
    query: str | None = None,
    **options: Unpack[keywords.LevelQuery],
) -> Levels:
    """The raw level table of a table, query or relation of DuckDB. NOT private: keep it as
    safe as the data.

    It is one SELECT in the transaction of the connection, if there is one. Whatever was open to be
    fetched is closed.

    >>> import duckdb, suum
    >>> con = duckdb.connect()
    >>> _ = con.execute(
    ...     "CREATE TABLE people AS "
    ...     "SELECT range % 20 AS visits, 'strict' AS consent FROM range(4000)"
    ... )
    >>> strict = {"privacy": "consent", "levels": {"strict": 0.1}}
    >>> table = suum.duckdb.levels(con, table="people", value="visits", bounds=(0, 77), **strict)
    >>> 0 <= suum.mean(table).estimate <= 77
    True
    >>> people = con.sql("SELECT * FROM people WHERE visits > 3")
    >>> table = suum.duckdb.levels(people, value="visits", bounds=(0, 77), **strict)

    Parameters
    ----------
    con:
        A connection of the package duckdb, or a relation, which is the data itself.
    table, query:
        The table or view, as NAME or SCHEMA.NAME (a name with a point in it stands in double
        quotes); or a SELECT whose rows are the records, for example ``"SELECT * FROM
        'people/*.parquet'"``.
    """
    given = {**level_options("levels", locals()), "dialect": "duckdb"}

    def failure(raised: Exception) -> str:
        return type(raised).__name__

    if is_one(con, "duckdb", "DuckDBPyRelation") or is_one(con, "_duckdb", "DuckDBPyRelation"):
        if table is not None or query is not None:
            raise ParameterError(
                "table: a relation is the data itself",
                "leave table and query out, or give the connection",
            )
        relation, view = cast(Relation, con), f"suum_levels_{uuid.uuid4().hex}"

        def of_relation(text: str) -> Result:
            found = relation.query(view, text)
            return found.columns, found.fetchall()

        # A relation does not say whose it is.
        whole = {**given, "table": view}
        return run("duckdb", whole, lambda text: aside(lambda: of_relation(text)), failure)
    connection = cast(Connection, con)

    def answer(text: str) -> Result:
        found = connection.execute(text)
        return [column[0] for column in found.description], found.fetchall()

    def watched(text: str) -> Result:
        return interruptible(lambda: answer(text), connection)

    return run("duckdb", given, watched, failure)
