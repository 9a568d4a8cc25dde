"""Level tables by way of connections: of DB-API 2.0, ADBC, SQLAlchemy, and relations of DuckDB."""

from __future__ import annotations

import decimal
import inspect
import json
import math
import sqlite3
from collections.abc import Iterator
from typing import Any

import duckdb
import pandas
import pyarrow
import pytest
import suum
from postgres_server import Server, server

PEOPLE: dict[str, Any] = {"value": "visits", "bounds": (0, 77), "epsilon": "eps"}
ROWS = [(row % 20, [0.1, 1.0][row % 2], "ab"[row % 2]) for row in range(400)]
IN_MEMORY = {
    "visits": [row[0] for row in ROWS], "eps": [row[1] for row in ROWS],
    "site": [row[2] for row in ROWS],
}  # fmt: skip
EXPECTED = suum.levels(IN_MEMORY, **PEOPLE).to_json()


@pytest.fixture
def con() -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(":memory:")
    opened.execute('CREATE TABLE people (visits INT, eps REAL, site TEXT)')
    opened.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    yield opened
    opened.close()


def filled_duckdb() -> Any:
    con = duckdb.connect()
    con.execute("CREATE TABLE people (visits INT, eps DOUBLE, site TEXT)")
    con.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    return con


def test_a_table_or_a_query_is_read_by_its_connection(con: sqlite3.Connection) -> None:
    query = "SELECT visits, eps FROM people"
    for table in [
        suum.sql.levels(con, "people", **PEOPLE),
        suum.sql.levels(con, query, **PEOPLE),
        suum.sql.levels(con, f"\n with p as ({query}) select * from p", **PEOPLE, trust_query=True),
        suum.sql.levels(con, table="people", **PEOPLE, dialect="sqlite"),
        suum.sql.levels(con, query=query, **PEOPLE),
        suum.sql.levels(filled_duckdb(), "people", **PEOPLE),
    ]:
        assert 0 <= suum.mean(table).estimate <= 77
        assert suum.count(table) == 400
        assert [tier.count for tier in suum.mean(table).privacy] == [200, 200]
    assert suum.sql.levels(con, "people", **PEOPLE).to_json() == EXPECTED
    sites: dict[str, Any] = {"group_by": "site", "groups": ["a", "b"]}
    grouped = suum.mean(suum.sql.levels(con, "people", **PEOPLE, **sites), **sites)
    assert list(grouped) == ["a", "b"]


def test_a_relation_of_duckdb_is_the_data_itself() -> None:
    con = filled_duckdb()
    for relation in [con.sql("SELECT * FROM people"), con.table("people")]:
        assert suum.duckdb.levels(relation, **PEOPLE).to_json() == EXPECTED
    few = con.table("people").filter("visits < 3")
    assert suum.count(suum.duckdb.levels(few, **PEOPLE)) == 60
    with pytest.raises(suum.ParameterError, match="a relation is the data itself"):
        suum.duckdb.levels(con.table("people"), table="people", **PEOPLE)
    assert suum.duckdb.levels(con, table="people", **PEOPLE).to_json() == EXPECTED


def test_a_connection_of_duckdb_sees_what_is_registered_and_not_committed() -> None:
    con = duckdb.connect()
    con.register("people", pyarrow.table(IN_MEMORY))
    assert suum.sql.levels(con, "people", **PEOPLE).to_json() == EXPECTED
    con = filled_duckdb()
    con.begin()
    con.execute("DELETE FROM people WHERE visits > 3")
    assert suum.count(suum.sql.levels(con, "people", **PEOPLE)) == 80
    con.rollback()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with server() as running:
        rows = ", ".join(map(str, ROWS))
        running.run(
            "CREATE TABLE people (visits INT, eps FLOAT8, site TEXT);"
            f"INSERT INTO people VALUES {rows};"
        )
        yield running


SITES: dict[str, Any] = {"group_by": "site", "groups": ["a", "b"]}


def check(connection: Any, dialect: Any) -> None:
    """The level tables of a connection are those of the same records in memory."""
    for asked in [PEOPLE, {**PEOPLE, **SITES}, {**PEOPLE, "step": 1, "adapt": False}]:
        expected = suum.levels(IN_MEMORY, **asked).to_json()
        assert suum.sql.levels(connection, "people", **asked).to_json() == expected
        said = suum.sql.levels(connection, "people", dialect=dialect, **asked)
        assert said.to_json() == expected
    query = "SELECT visits, eps FROM people WHERE site = 'a'"
    public = {"public_columns": ["site"]}
    assert suum.count(suum.sql.levels(connection, query, **PEOPLE, **public)) == 200
    with pytest.raises(suum.RequestError, match="column site, which is not declared public"):
        suum.sql.levels(connection, query, **PEOPLE)
    with pytest.raises(suum.ReadError, match="the level query failed"):
        suum.sql.levels(connection, "nobody", **PEOPLE)


@pytest.mark.parametrize(
    ("driver", "call"),
    [
        ("adbc_driver_postgresql.dbapi", lambda driver, at: driver.connect(at.url)),
        ("psycopg", lambda driver, at: driver.connect(host=at.folder, user="postgres")),
        (
            "pg8000.dbapi",
            lambda driver, at: driver.connect(
                user="postgres", unix_sock=f"{at.folder}/.s.PGSQL.5432"
            ),
        ),
    ],
    ids=["adbc", "psycopg", "pg8000"],
)
def test_connections_to_postgresql(driver: str, call: Any, postgres: Server) -> None:
    connection = call(pytest.importorskip(driver), postgres)
    try:
        check(connection, "postgres")
    finally:
        connection.close()


def test_connections_of_adbc_to_files(tmp_path: Any) -> None:
    sqlite, duck = str(tmp_path / "people.db"), str(tmp_path / "people.duckdb")
    for path, driver in [(sqlite, sqlite3), (duck, duckdb)]:
        filled: Any = driver.connect(path)
        filled.execute("CREATE TABLE people (visits INT, eps DOUBLE PRECISION, site TEXT)")
        filled.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
        filled.commit()
        filled.close()
    # That of DuckDB comes with DuckDB, and needs the driver manager, which that of SQLite brings.
    for path, module, dialect in [(sqlite, "sqlite", "sqlite"), (duck, "duckdb", "duckdb")]:
        adbc = pytest.importorskip(f"adbc_driver_{module}.dbapi")
        with adbc.connect(path) as connection:
            check(connection, dialect)


def test_connections_of_sqlalchemy(tmp_path: Any) -> None:
    path = tmp_path / "people.db"
    with sqlite3.connect(path) as filled:
        filled.execute('CREATE TABLE people (visits INT, eps REAL, site TEXT)')
        filled.executemany("INSERT INTO people VALUES (?, ?, ?)", ROWS)
    filled.close()
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(f"sqlite:///{path}")
    assert suum.sql.levels(engine, "people", **PEOPLE).to_json() == EXPECTED
    with engine.connect() as connection:
        assert suum.sql.levels(connection, "people", **PEOPLE).to_json() == EXPECTED


class Warehouse:
    """A connection that has decimals where there are large integers, as some drivers do."""

    def __init__(self, con: sqlite3.Connection) -> None:
        self.con, self.closed = con, 0

    def cursor(self) -> Any:
        return self

    def execute(self, text: str) -> None:
        self.found = self.con.execute(text)
        self.description = self.found.description

    def fetchall(self) -> list[Any]:
        return [
            [decimal.Decimal(one) if isinstance(one, int) else one for one in row]
            for row in self.found
        ]

    def close(self) -> None:
        self.closed += 1


def test_what_drivers_make_of_numbers_and_who_closes_cursors(con: sqlite3.Connection) -> None:
    warehouse = Warehouse(con)
    table = suum.sql.levels(warehouse, "people", dialect="sqlite", **PEOPLE)
    assert table.to_json() == EXPECTED and warehouse.closed == 1


def test_what_a_connection_cannot_do_is_refused(con: sqlite3.Connection) -> None:
    with pytest.raises(suum.ParameterError, match="dialect: the connection does not") as refused:
        suum.sql.levels(Warehouse(con), "people", **PEOPLE)
    assert "bigquery" in str(refused.value.hint)
    with pytest.raises(suum.ParameterError, match="source: it is said already"):
        suum.sql.levels(con, "people", table="people", **PEOPLE)
    with pytest.raises(suum.ReadError, match="the level query failed") as failed:
        suum.sql.levels(con, "nobody", **PEOPLE)
    assert failed.value.__cause__ is None and "nobody" not in str(failed.value)
    with pytest.raises(suum.RequestError, match="row-wise|query"):
        suum.sql.levels(con, "SELECT DISTINCT visits, eps FROM people", **PEOPLE)


def test_spark_says_what_to_do_if_it_notices_first_that_a_sum_is_too_large() -> None:
    """With spark.sql.ansi.enabled, its default, it does."""

    class Overflow(Exception):
        def getCondition(self) -> str:
            return "ARITHMETIC_OVERFLOW"

    class Session:
        def sql(self, sqlQuery: str) -> Any:
            raise Overflow

    with pytest.raises(suum.ReadError, match="ARITHMETIC_OVERFLOW") as failed:
        suum.spark.levels(Session(), table="people", **PEOPLE)
    assert "repartition" in str(failed.value.hint) and "adapt=False" in str(failed.value.hint)


def test_keywords_are_those_of_duckdb() -> None:
    mine, theirs = (
        dict(inspect.signature(one).parameters) for one in (suum.sql.levels, suum.duckdb.levels)
    )
    assert set(mine) - {"connection", "source", "dialect"} == set(theirs) - {"con"}
    assert mine["options"] == theirs["options"]
    assert "Raises" in (suum.sql.levels.__doc__ or "")


def test_one_number_is_the_budget_of_everybody(con: sqlite3.Connection) -> None:
    visits: dict[str, Any] = {"value": "visits", "bounds": (0, 77)}
    dk = filled_duckdb()
    for budget in (1.0, 1, decimal.Decimal(1), math.inf):
        expected = json.loads(suum.levels(IN_MEMORY, **visits, epsilon=budget).to_json())
        for table in [
            suum.sql.levels(con, "people", **visits, epsilon=budget),
            suum.sql.levels(dk, "SELECT visits FROM people", **visits, epsilon=budget),
            suum.duckdb.levels(dk, table="people", **visits, epsilon=budget),
            suum.duckdb.levels(dk.table("people"), **visits, epsilon=budget),
        ]:
            assert json.loads(table.to_json())["levels"] == expected["levels"]
    persons = suum.sql.levels(con, "people", **visits, epsilon=0.5, person="site")
    assert [(tier.epsilon, tier.count) for tier in suum.mean(persons).privacy] == [(0.5, 2)]
    # Whatever a column is called, and also where nothing else is read.
    for source in (con, dk):
        counted = suum.sql.levels(source, "SELECT eps AS epsilon FROM people", epsilon=0.5)
        assert [tier.epsilon for tier in suum.count(counted).privacy] == [0.5]
    text = suum.levels_sql(dialect="snowflake", table="people", epsilon=0.1)
    assert "CAST('0.1' AS DOUBLE)" in text and "suum.from_levels(RESULT)" in text


def test_other_budgets_that_are_no_column_are_refused_with_a_way_out(
    con: sqlite3.Connection,
) -> None:
    by_person: Any = {"a": 1.0}
    for budgets, said in [
        (by_person, "a level query knows no budgets by person"),
        (pandas.Series(by_person), "the data are elsewhere"),
    ]:
        with pytest.raises(suum.RequestError, match=said) as refused:
            suum.sql.levels(con, "people", epsilon=budgets, person="site")
        assert "one number for everybody" in str(refused.value.hint)
    for number in (math.nan, -1.0, 1e-300):
        with pytest.raises(suum.ParameterError, match="epsilon: "):
            suum.sql.levels(con, "people", epsilon=number)
    tiers: dict[str, Any] = {"privacy": "site", "levels": {"a": 1, "b": 2}}
    with pytest.raises(suum.RequestError, match="a column says already"):
        suum.sql.levels(con, "people", epsilon=1.0, **tiers)
