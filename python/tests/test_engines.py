"""One release to the last bit, whichever engine adds the records up; test_spark.py has Spark."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
import pytest
import suum
from command_words import words
from conftest import CommandLine, without_query
from hard_records import COLUMNS, Case, Row, cases, records, write_csv
from postgres_server import Server, server

SEED = 7

#: What an engine makes of a case.
Engine = Callable[[Case], "suum.Levels | str"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records as CSV, as Parquet and as a SQLite file."""
    folder, rows = tmp_path_factory.mktemp("people"), records()
    write_csv(folder / "people.csv", rows)
    columns = {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}
    pyarrow.parquet.write_table(
        pyarrow.table(columns), folder / "people.parquet", row_group_size=999
    )
    file = sqlite3.connect(folder / "people.sqlite")
    file.execute(
        "CREATE TABLE people (value REAL, tier TEXT, budget REAL, label TEXT, site TEXT, "
        "id TEXT COLLATE NOCASE)"
    )
    file.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", rows)
    file.commit()
    file.close()
    return folder


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[tuple[Case, str, str | None]]:
    """Every case with its release from CSV, and its level table if there is one."""
    file = folder / "people.csv"
    return [(case, _release(case, file), _table(case, file)) for case in cases()]


def _release(case: Case, data: Any, **named: str) -> str:
    text: str = getattr(suum, case.statistic)(
        data, **case.columns, **case.options, **named, insecure_seed=SEED
    ).to_json()
    return text


def _table(case: Case, data: Any) -> str | None:
    # There is none in which missing cells count in a category.
    if isinstance(case.columns.get("missing"), str):
        return None
    return suum.levels(data, **case.asked()).to_json()


def check(expected: list[tuple[Case, str, str | None]], engine: Engine) -> None:
    """The engine has the release of every case."""
    for case, release, table in expected:
        found = engine(case)
        if isinstance(found, suum.Levels):
            # All digits of the sums, of which a release does not show the last.
            assert table is None or found.to_json() == table, case
            found = getattr(suum, case.statistic)(
                found, **case.of_table(), insecure_seed=SEED
            ).to_json()
        assert without_query(found) == without_query(release), case


def test_there_are_cases_of_every_kind(expected: list[tuple[Case, str, str | None]]) -> None:
    assert len(expected) == 104
    assert sum(table is not None for _, _, table in expected) == 88
    # Cases differ in what is asked, and so in their releases.
    assert len({release for _, release, _ in expected}) == len(expected)


def test_level_tables(folder: Path, expected: list[tuple[Case, str, str | None]]) -> None:
    for case, release, table in expected:
        if table is not None:
            found = getattr(suum, case.statistic)(
                suum.from_levels(table), **case.of_table(), insecure_seed=SEED
            )
            assert without_query(found.to_json()) == without_query(release), case


def test_parquet(folder: Path, expected: list[tuple[Case, str, str | None]]) -> None:
    check(expected, lambda case: _release(case, folder / "people.parquet"))


def test_standard_input(
    folder: Path, expected: list[tuple[Case, str, str | None]], command_line: CommandLine
) -> None:
    text = (folder / "people.csv").read_text(encoding="utf-8")

    def run(case: Case) -> str:
        asked = words(
            case.statistic,
            {**case.columns, **case.options, "insecure_seed": SEED, "format": "json"},
        )
        return command_line(*asked, "--", "-", given=text)

    check(expected, run)


def test_sqlite(folder: Path, expected: list[tuple[Case, str, str | None]]) -> None:
    check(expected, lambda case: _release(case, folder / "people.sqlite", table="people"))


def test_sqlite_with_the_printed_query(
    folder: Path, expected: list[tuple[Case, str, str | None]]
) -> None:
    file = sqlite3.connect(folder / "people.sqlite")

    def run(case: Case) -> suum.Levels:
        found = file.execute(suum.levels_sql(dialect="sqlite", table="people", **case.asked()))
        names = [column[0] for column in found.description]
        return suum.from_levels(json.dumps([dict(zip(names, row)) for row in found]))

    check(expected, run)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    def cell(value: str | float | None) -> str:
        if isinstance(value, float):
            return repr(value).replace("inf", "Infinity")
        if value is None:
            return "\\N"
        return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")

    with server() as started:
        lines = "".join("\t".join(map(cell, row)) + "\n" for row in records())
        started.run(
            "CREATE COLLATION caseless "
            "(provider = icu, locale = 'und-u-ks-level1', deterministic = false);\n"
            "CREATE TABLE people "
            "(value DOUBLE PRECISION, tier TEXT COLLATE caseless, budget DOUBLE PRECISION, "
            "label TEXT COLLATE caseless, site CHAR(9), id TEXT COLLATE caseless);\n"
            f"COPY people FROM stdin;\n{lines}\\.\n"
        )
        yield started


def test_postgresql(postgres: Server, expected: list[tuple[Case, str, str | None]]) -> None:
    check(expected, lambda case: _release(case, postgres.url, table="people"))


def test_postgresql_with_the_printed_query(
    postgres: Server, expected: list[tuple[Case, str, str | None]], tmp_path: Path
) -> None:
    # Settings of a session that change how numbers and texts are written.
    settings = "SET extra_float_digits = -15; SET standard_conforming_strings = off;\n"
    result = tmp_path / "result.csv"

    def run(case: Case) -> suum.Levels:
        query = suum.levels_sql(dialect="postgres", table="people", **case.asked())
        result.write_text(postgres.run(settings + query), encoding="utf-8")
        return suum.from_levels(result)

    check(expected, run)


def test_duckdb(folder: Path, expected: list[tuple[Case, str, str | None]]) -> None:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE people (value DOUBLE, tier VARCHAR COLLATE NOCASE, budget DOUBLE, "
        "label VARCHAR COLLATE NOACCENT.NOCASE, site VARCHAR, id VARCHAR COLLATE NOCASE)"
    )
    con.execute(f"INSERT INTO people SELECT * FROM '{folder}/people.parquet'")
    check(expected, lambda case: suum.duckdb.levels(con, table="people", **case.asked()))
