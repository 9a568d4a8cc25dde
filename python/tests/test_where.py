"""Some of the records, by a condition, in whatever form the data are."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
import suum

PEOPLE: dict[str, list[Any]] = {
    "visits": [float(i % 10) for i in range(240)],
    "eps": [1.0 if i % 3 else 0.5 for i in range(240)],
    "region": [[None, "north", "south", "east"][i % 4] for i in range(240)],
    "year": [2019 + i % 5 for i in range(240)],
    "day": [datetime.date(2020, 1, 1 + i % 7) for i in range(240)],
    "employed": [i % 2 == 0 for i in range(240)],
}
ASKED: dict[str, Any] = {
    "value": "visits",
    "epsilon": "eps",
    "bounds": (0, 10),
    "public_columns": ["region", "year", "day", "employed"],
}
FILTERS = [
    ("region = 'north' and year >= 2020", lambda p: p["region"] == "north" and p["year"] >= 2020),
    ("region is null or not employed = true", lambda p: p["region"] is None or not p["employed"]),
    ("day between '2020-01-02' and '2020-01-04'", lambda p: 2 <= p["day"].day <= 4),
]


def selected(keep: Any) -> dict[str, list[Any]]:
    rows = [dict(zip(PEOPLE, row)) for row in zip(*PEOPLE.values())]
    return {name: [row[name] for row in rows if keep(row)] for name in ("visits", "eps")}


def without_where(table: suum.Levels) -> str:
    text = table.to_json()
    start = text.index('"where":')
    end = text.index('"records":') if '"missing":' not in text else text.index('"missing":')
    return text[:start] + text[end:]


@pytest.mark.parametrize("where, keep", FILTERS)
def test_every_form_of_data_has_the_selected_records(where: str, keep: Any, tmp_path: Path) -> None:
    frame = pandas.DataFrame(PEOPLE)
    frame.to_csv(tmp_path / "people.csv", index=False)
    frame.to_parquet(tmp_path / "people.parquet")
    arrow = pyarrow.table(PEOPLE)
    expected = suum.levels(selected(keep), value="visits", epsilon="eps", bounds=(0, 10)).to_json()
    for data in [
        PEOPLE,
        frame,
        polars.DataFrame(PEOPLE),
        polars.LazyFrame(PEOPLE),
        arrow,
        arrow.to_reader(),
        duckdb.from_arrow(arrow),
        tmp_path / "people.csv",
        tmp_path / "people.parquet",
    ]:
        assert without_where(suum.levels(data, where=where, **ASKED)) == expected, type(data)
    con = duckdb.connect()
    con.register("people", arrow)
    table = suum.duckdb.levels(con, table="people", where=where, **ASKED)
    assert without_where(table) == expected
    assert suum.mean(table, insecure_seed=1).to_dict()["where"] == suum.mean(
        frame, where=where, insecure_seed=1, **ASKED
    ).to_dict()["where"]


def test_sqlite_selects_too(tmp_path: Path) -> None:
    con = sqlite3.connect(tmp_path / "people.db")
    pandas.DataFrame(PEOPLE).astype({"day": str}).to_sql("people", con, index=False)
    for where, keep in FILTERS:
        expected = suum.levels(selected(keep), value="visits", epsilon="eps", bounds=(0, 10))
        table = suum.sql.levels(con, "people", where=where, **ASKED)
        assert without_where(table) == expected.to_json()


def test_a_private_column_is_refused() -> None:
    private = {**ASKED, "public_columns": None}
    with pytest.raises(suum.RequestError, match="where: column region is not public") as refused:
        suum.mean(PEOPLE, where="region = 'north'", **private)
    assert "public_columns" in (refused.value.hint or "")
    with pytest.raises(suum.ParameterError, match="where: the function lower"):
        suum.mean(PEOPLE, where="lower(region) = 'north'", **ASKED)
    hidden = {**private, "neighbors": "both", "epsilon_range": (0.5, 1)}
    release = suum.mean(PEOPLE, where="region = 'north'", **hidden)
    assert "Only records where region = 'north'" in release.explain()
