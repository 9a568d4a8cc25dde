"""Level tables of DuckDB, and level tables that were made elsewhere."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import duckdb
import pytest
import suum
from conftest import LEVELS, RANDHIE, without_query

VISITS: dict[str, Any] = {
    "value": "visits",
    "bounds": (0, 77),
    "privacy": "privacy",
    "levels": LEVELS,
}
HEALTH: dict[str, Any] = {"group_by": "health", "groups": ["excellent", "good", "fair", "poor"]}


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute(f"CREATE SCHEMA study; CREATE TABLE study.\"a.b\" AS SELECT * FROM '{RANDHIE}'")
    return con


def test_tables_and_queries(con: duckdb.DuckDBPyConnection) -> None:
    expected = suum.levels(RANDHIE, **VISITS, cells=77).to_json()
    options = {**VISITS, "cells": 77}
    assert suum.duckdb.levels(con, table='study."a.b"', **options).to_json() == expected
    query = f"SELECT * FROM '{RANDHIE}'"
    # The connection that the module has itself is one, too.
    for connection in (con, duckdb):
        table = suum.duckdb.levels(connection, query=query, **options).to_json()
        behind = '"query":"screened","query_columns":{"values":["visits"],"published":["privacy"]},'
        assert behind in table
        assert table.replace(behind, "") == expected


def test_a_query_is_row_wise_or_trusted(con: duckdb.DuckDBPyConnection) -> None:
    query = 'SELECT visits, privacy FROM study."a.b" LIMIT 500'
    with pytest.raises(suum.RequestError, match="LIMIT"):
        suum.duckdb.levels(con, query=query, **VISITS)
    table = suum.duckdb.levels(con, query=query, trust_query=True, **VISITS)
    rows = suum.mean(table).to_dict()["query_rows"]
    assert rows["from"] == "query" and rows["trusted"]
    assert "Where the rows come from" in str(suum.mean(table))


def test_what_is_not_committed_counts(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("BEGIN; CREATE TEMP TABLE few AS SELECT 1.0 AS budget FROM range(7)")
    assert suum.count(suum.duckdb.levels(con, table="few", epsilon="budget")).estimate == 7


def test_a_table_for_each_group(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    table = suum.duckdb.levels(con, table='study."a.b"', **VISITS, **HEALTH)
    expected = without_query(suum.mean(RANDHIE, **VISITS, **HEALTH, insecure_seed=3).to_json())
    table.save(tmp_path / "groups.json")
    for same in (
        table,
        suum.from_levels(tmp_path / "groups.json"),
        pickle.loads(pickle.dumps(table)),
    ):
        found = suum.mean(same, **HEALTH, insecure_seed=3)
        assert without_query(found.to_json()) == expected
        assert same.to_json() == suum.levels(RANDHIE, **VISITS, **HEALTH).to_json()
        with pytest.raises(suum.TableError, match="for each group"):
            suum.mean(same)
    with pytest.raises(suum.TableError, match="for each group"):
        suum.plan(table)


@pytest.mark.parametrize("form", ["csv", "parquet", "json"])
def test_a_result_in_a_file(con: duckdb.DuckDBPyConnection, tmp_path: Path, form: str) -> None:
    for options in ({}, HEALTH):
        query = suum.levels_sql(dialect="duckdb", table='study."a.b"', **VISITS, **options)
        path = tmp_path / f"result.{form}"
        con.execute(f"COPY ({query}) TO '{path}' (FORMAT {form})")
        direct = suum.mean(RANDHIE, **VISITS, **options, insecure_seed=3)
        for found in (
            suum.mean(suum.from_levels(path), **options, insecure_seed=3),
            suum.mean(from_levels=path, **options, insecure_seed=3),
        ):
            assert without_query(found.to_json()) == without_query(direct.to_json())


def test_results_that_are_not_whole_are_refused(con: duckdb.DuckDBPyConnection) -> None:
    found = con.execute(suum.levels_sql(dialect="duckdb", table='study."a.b"', **VISITS))
    names = [column[0] for column in found.description]
    rows = [dict(zip(names, row)) for row in found.fetchall()]
    table = suum.from_levels(json.dumps(rows))
    assert table.to_json() == suum.levels(RANDHIE, **VISITS).to_json()
    for wrong in (rows[:-1], rows[1:], [*rows, rows[-1]]):
        with pytest.raises(suum.TableError):
            suum.from_levels(json.dumps(wrong))
    with pytest.raises(suum.ReadError):
        suum.from_levels("no/such/file")


def test_refusals_repeat_nothing_that_duckdb_says(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("CREATE TABLE secrets AS SELECT 'secret' AS visits, 'hidden' AS privacy")
    for table, options, code in [
        ("secrets", {**VISITS, "value": "nothing"}, "BinderException"),
        ("nowhere", VISITS, "CatalogException"),
    ]:
        with pytest.raises(suum.ReadError, match=code) as failed:
            suum.duckdb.levels(con, table=table, **options)
        assert "secret" not in str(failed.value) and failed.value.hint
        assert failed.value.__context__ is None and failed.value.__cause__ is None
    with pytest.raises(suum.DataError, match="column visits: not a number") as refused:
        suum.duckdb.levels(con, table="secrets", value="visits", bounds=(0, 77), epsilon=1.0)
    assert "secret" not in str(refused.value)
    with pytest.raises(suum.DataError, match="column privacy: not a declared tier") as refused:
        suum.duckdb.levels(con, table="secrets", privacy="privacy", levels={"strict": 1})
    assert "hidden" not in str(refused.value)
    with pytest.raises(suum.ParameterError, match="table"):
        suum.duckdb.levels(con, **VISITS)
    # Before the connection is asked for anything.
    wrong = {**VISITS, "bounds": (77, 0)}
    with pytest.raises(suum.ParameterError, match="bounds"):
        suum.duckdb.levels(None, table="secrets", **wrong)  # type: ignore[arg-type]
