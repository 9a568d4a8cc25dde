"""Level tables of what a DuckDB connection can read: DuckDB adds the records up, and a few rows
come back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ._level_query import Result, documented, run
from ._levels import Levels
from ._options import Labels, Tiers

__all__ = ["levels"]


class Connection(Protocol):
    """A connection, or the module ``duckdb`` for the one it has itself."""

    def execute(self, query: str) -> Any: ...


@documented
def levels(
    con: Connection,
    *,
    table: str | None = None,
    query: str | None = None,
    trust_query: bool = False,
    value: str | None = None,
    epsilon: str | None = None,
    privacy: str | None = None,
    levels: Tiers | None = None,
    missing_consent: float | str | None = None,
    null: Names | None = None,
    bounds: tuple[float, float] | str | None = None,
    missing: float | str | None = None,
    person: str | None = None,
    categories: Labels | None = None,
    bins: Sequence[float] | str | None = None,
    other: str | None = None,
    step: float | None = None,
    cells: int | None = None,
    rows: int | None = None,
    group_by: str | None = None,
    groups: Labels | None = None,
    other_group: str | None = None,
) -> Levels:
    """The raw level table of a table or query of DuckDB. NOT private: keep it as safe as the data.

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

    Parameters
    ----------
    con:
        A connection of the package duckdb.
    table, query:
        The table or view, as NAME or SCHEMA.NAME (a name with a point in it stands in double
        quotes); or a SELECT whose rows are the records, for example ``"SELECT * FROM
        'people/*.parquet'"``.
    trust_query:
        Says that you have checked that the query is row-wise (docs/how-to/databases.md). Otherwise
        queries that are not known to be so are refused.
    """
    options = {**locals(), "dialect": "duckdb"}
    del options["con"]

    def answer(text: str) -> Result:
        found = con.execute(text)
        return [column[0] for column in found.description], found.fetchall()

    return run("duckdb", options, answer, lambda raised: type(raised).__name__)
