"""A cell is the same label wherever it lies; test_spark.py has Spark."""

from __future__ import annotations

import datetime
import sqlite3
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow.parquet
import pytest
import suum
from postgres_server import Server, server
from typed_labels import LABELS, RARE, ROWS, by, table

NAMES = [*LABELS, *RARE]


def found(data: Any, name: str, **options: Any) -> str:
    return suum.levels(data, **by(name), **options).to_json()


@pytest.mark.parametrize("name", NAMES)
def test_every_group_has_its_records(name: str) -> None:
    groups = by(name)["groups"]
    counts = suum.count(table(), epsilon=float("inf"), group_by=name, groups=groups)
    assert [counts[group].estimate for group in groups] == [
        len(range(at, ROWS, len(groups))) for at in range(len(groups))
    ]


@pytest.mark.parametrize("name", NAMES)
def test_libraries_and_files(name: str, tmp_path: Path) -> None:
    people = table()
    expected = found(people, name)
    pyarrow.parquet.write_table(people, tmp_path / "people.parquet")
    assert found(tmp_path / "people.parquet", name) == expected
    assert found(people.to_pandas(), name) == expected
    assert found(polars.from_arrow(people), name) == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_duckdb(name: str, zone: str) -> None:
    people = table()
    con = duckdb.connect()
    con.execute(f"SET TimeZone = '{zone}'")
    con.register("people", people)
    levels = suum.duckdb.levels(con, table="people", **by(name))
    assert levels.to_json() == found(people, name)
    assert found(con.sql("SELECT * FROM people"), name) == levels.to_json()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    with server() as started:
        types = [f"{name} {_POSTGRES[name]}" for name in NAMES]
        people = table()
        lines = "".join("\t".join(map(_cell, row)) + "\n" for row in zip(*people.columns))
        started.run(
            f"CREATE TABLE people (v float8, e float8, {', '.join(types)});\n"
            f"COPY people FROM stdin;\n{lines}\\.\n"
        )
        yield started


_POSTGRES = {
    "integer": "integer", "boolean": "boolean", "date": "date", "time": "timestamp",
    "instant": "timestamptz", "double": "float8", "float": "float4", "decimal": "numeric",
    "whole": "numeric", "nanoseconds": "timestamp", "milliseconds": "timestamp(3)",
    "of_day": "time",
}  # fmt: skip


def _cell(value: Any) -> str:
    plain = value.as_py()
    return repr(plain) if isinstance(plain, float) else str(plain)


@pytest.mark.parametrize("name", NAMES)
def test_postgresql(postgres: Server, name: str, tmp_path: Path) -> None:
    expected = found(table(), name)
    assert found(postgres.url, name, table="people") == expected
    query = suum.levels_sql(dialect="postgres", table="people", **by(name))
    settings = "SET TimeZone = 'America/New_York'; SET standard_conforming_strings = off;\n"
    (tmp_path / "result.csv").write_text(postgres.run(settings + query), encoding="utf-8")
    assert suum.from_levels(tmp_path / "result.csv").to_json() == expected


def test_whole_numbers_with_a_point_in_sqlite(tmp_path: Path) -> None:
    """Others have no text there in which none of their digits is lost."""
    con = sqlite3.connect(tmp_path / "people.sqlite")
    con.execute("CREATE TABLE people (v REAL, e REAL, double REAL)")
    whole = [1.0, -0.0, 1e7, -4e15]
    rows = [(float(at % 7), whole[at % 4]) for at in range(ROWS)]
    con.executemany("INSERT INTO people VALUES (?, 1.0, ?)", rows)
    con.commit()
    asked = {**by("double"), "groups": whole}
    levels = suum.sql.levels(con, table="people", dialect="sqlite", **asked)
    values, groups = map(list, zip(*rows))
    people = {"v": values, "e": [1.0] * ROWS, "double": groups}
    assert levels.to_json() == suum.levels(people, **asked).to_json()
    of_file = suum.mean(tmp_path / "people.sqlite", table="people", **asked)
    assert list(of_file) == whole
    con.execute("INSERT INTO people VALUES (1.0, 1.0, 2.5)")
    with pytest.raises(suum.DataError, match="double: not a declared group"):
        suum.sql.levels(con, table="people", dialect="sqlite", **{**asked, "groups": [*whole, 2.5]})


def test_a_column_counts_in_one_answer_and_is_a_label_in_another(tmp_path: Path) -> None:
    people, labels = table(), by("double")["groups"]
    pyarrow.parquet.write_table(people, tmp_path / "people.parquet")
    mean = {"statistic": "mean", "value": "double", "bounds": (0, 10)}
    shares = {"statistic": "frequency", "value": "double", "categories": labels}
    for data in (people, tmp_path / "people.parquet", people.to_pandas()):
        survey = suum.run({"epsilon": "e", "answers": [mean, shares]}, data)
        assert list(survey[1].estimate) == labels
    far = [1e300, 5e-324, 1.0]
    counts = suum.count({"far": far * 9}, epsilon=float("inf"), group_by="far", groups=far)
    assert [one.estimate for one in counts.values()] == [9, 9, 9]


def test_labels_are_found_however_numbers_are_written() -> None:
    levels = suum.levels(table(), value="double", categories=by("double")["groups"],
                         epsilon=float("inf"))  # fmt: skip
    shares = suum.frequency(levels).estimate
    assert shares[1.0] == shares[1] == shares["1"] == shares[Decimal("1.0")] > 0
    assert shares[-0.0] == shares[0] > 0 and shares[1e-5] > 0
    with pytest.raises(KeyError, match="there is no 3.0"):
        shares[3.0]


def test_tiers_of_numbers_and_times(tmp_path: Path) -> None:
    """In plans, ledgers and releases they have one name, and can stand for a missing choice."""
    people = pandas.DataFrame({"v": [1.0, 2.0] * 50, "t": [1.0, 2.5] * 50})
    levels = {1.0: 0.5, 2.5: 1.0}
    asked = {"value": "v", "bounds": (0, 4), "privacy": "t", "levels": levels}
    release = suum.mean(people, **asked)
    assert [tier.level for tier in suum.plan(people, **asked).privacy] == ["1", "2.5"]
    assert [tier.level for tier in release.privacy] == ["1", "2.5"]
    people.to_parquet(tmp_path / "people.parquet")
    people.to_csv(tmp_path / "people.csv", index=False)
    for file, names in (("people.parquet", ["1", "2.5"]), ("people.csv", ["1.0", "2.5"])):
        for kind in (suum.plan, suum.mean):
            assert [tier.level for tier in kind(tmp_path / file, **asked).privacy] == names
    assert suum.verify(release.to_json()).agrees
    suum.Ledger.create(tmp_path / "numbers.ledger", dataset="d", levels=levels)
    charged = {name: asked[name] for name in ("value", "bounds", "privacy")}
    suum.mean(people, **charged, ledger=tmp_path / "numbers.ledger", spend="10%")
    missing = people.assign(t=people.t.where(people.index > 5))
    few = suum.mean(missing, **asked, missing_consent=1.0)
    assert [tier.count for tier in few.privacy] == [53, 47]
    day = datetime.date(2020, 1, 1)
    dated = people.assign(t=[day, None] * 50)
    few = suum.mean(dated, **{**asked, "levels": {day: 0.5}}, missing_consent=day)
    assert [tier.count for tier in few.privacy] == [100]


def test_level_tables_have_the_labels_of_their_data(tmp_path: Path) -> None:
    people = pandas.DataFrame({"v": [1.0, 2.0] * 50, "g": [1.0, 2.0] * 50, "e": float("inf")})
    people.to_csv(tmp_path / "people.csv", index=False)
    asked = {"group_by": "g", "groups": [1.0, 2.0]}
    for data in (people, tmp_path / "people.csv"):
        levels = suum.levels(data, value="v", bounds=(0, 4), epsilon="e", **asked)
        assert [one.estimate for one in suum.mean(levels, **asked).values()] == [1, 2]
    # Text is no number, whatever it ends in.
    tiers = {"privacy": "t", "levels": {"v2.0": float("inf")}}
    levels = suum.levels(people.assign(t="v2.0"), value="v", bounds=(0, 4), **tiers, **asked)
    assert [one.estimate for one in suum.mean(levels, **asked).values()] == [1, 2]


def test_labels_of_numpy_keep_their_nanoseconds() -> None:
    labels = numpy.array(["2020-01-31", "1960-01-31T07:30:00.000000001"], "M8[ns]")
    people = pandas.DataFrame({"t": numpy.tile(labels, 50), "e": 1.0})
    counts = suum.count(people, epsilon=float("inf"), group_by="t", groups=labels)
    assert [one.estimate for one in counts.values()] == [50, 50]
