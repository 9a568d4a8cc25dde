"""One value, one meaning: pandas, Polars, Arrow and both doors of DuckDB give the same answer for
values of a type, or all of them refuse it.
"""

from __future__ import annotations

import datetime
import decimal
import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
import suum

#: Two records, of which everybody knows everything.
TIERS: dict[str, Any] = {"privacy": "t", "levels": {"p": 1}}
BOUNDS: dict[str, Any] = {"value": "v", "bounds": (0, 8), **TIERS}


class Case(NamedTuple):
    """Two values of a type, in the libraries that have it."""

    name: str
    #: What they add up to, each clamped to 0 to 8; ``None`` where they are refused.
    total: Optional[float]
    pandas: Optional[Callable[[], Any]] = None
    polars: Optional[Callable[[], Any]] = None
    arrow: Optional[Callable[[], Any]] = None
    #: A type of DuckDB and two literals.
    duckdb: Optional[tuple[str, ...]] = None


def _integers() -> Iterator[Case]:
    kinds = {
        "int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER", "int64": "BIGINT",
        "uint8": "UTINYINT", "uint16": "USMALLINT", "uint32": "UINTEGER", "uint64": "UBIGINT",
    }  # fmt: skip
    for kind, name in kinds.items():
        yield Case(
            kind,
            8,
            lambda kind=kind: pandas.Series([3, 5], dtype=kind),
            lambda kind=kind: polars.Series(numpy.array([3, 5], dtype=kind)),
            lambda kind=kind: pyarrow.array(numpy.array([3, 5], dtype=kind)),
            (name, "3", "5"),
        )
    large = [2**53 + 1, -(2**53) - 1]
    yield Case(
        "integers beyond 2^53",
        8,
        lambda: pandas.Series(large),
        lambda: polars.Series(large),
        lambda: pyarrow.array(large),
        ("BIGINT", *map(str, large)),
    )
    yield Case(
        "the largest of 64 bits",
        9,
        lambda: pandas.Series([2**64 - 1, 1], dtype="uint64"),
        lambda: polars.Series([2**64 - 1, 1], dtype=polars.UInt64),
        lambda: pyarrow.array([2**64 - 1, 1], pyarrow.uint64()),
        ("UBIGINT", str(2**64 - 1), "1"),
    )
    ends = (str(2**127 - 1), str(-(2**127)))
    yield Case("signed integers of 128 bits", 8, duckdb=("HUGEINT", *ends))
    yield Case("integers of 128 bits", 9, duckdb=("UHUGEINT", str(2**128 - 1), "1"))
    yield Case("integers of any size", None, duckdb=("BIGNUM", "3", "5"))
    yield Case("integers that can be missing", 8, lambda: pandas.Series([3, 5], dtype="Int64"))


def _numbers() -> Iterator[Case]:
    floats = {"float16": None, "float32": "FLOAT", "float64": "DOUBLE"}
    for kind, name in floats.items():
        yield Case(
            kind,
            2.75,
            lambda kind=kind: pandas.Series([0.5, 2.25], dtype=kind),
            (lambda kind=kind: polars.Series(numpy.array([0.5, 2.25], dtype=kind)))
            if kind != "float16"
            else None,
            lambda kind=kind: pyarrow.array(numpy.array([0.5, 2.25], dtype=kind)),
            (name, "0.5", "2.25") if name is not None else None,
        )
    for title, total, values in [
        ("negative zero", 1, [-0.0, 1.0]),
        ("infinities", 8, [float("inf"), float("-inf")]),
        ("NaN, which is missing", None, [float("nan"), 1.0]),
        ("nothing beside a number", None, [None, 1.0]),
    ]:
        literals = ["NULL" if value is None else f"'{value}'" for value in values]
        yield Case(
            title,
            total,
            lambda values=values: pandas.Series(values, dtype="float64"),
            lambda values=values: polars.Series(values, dtype=polars.Float64),
            lambda values=values: pyarrow.array(values, pyarrow.float64()),
            ("DOUBLE", *literals),
        )
    yield Case(
        "nothing",
        None,
        lambda: pandas.Series([None, None]),
        lambda: polars.Series([None, None]),
        lambda: pyarrow.nulls(2),
        ("INTEGER", "NULL", "NULL"),
    )
    tenths = [decimal.Decimal("0.10"), decimal.Decimal("7.30")]
    yield Case(
        "decimals",
        7.4,
        lambda: pandas.Series(tenths),
        lambda: polars.Series(tenths, dtype=polars.Decimal(9, 2)),
        lambda: pyarrow.array(tenths, pyarrow.decimal128(9, 2)),
        ("DECIMAL(9, 2)", "0.10", "7.30"),
    )
    large = [decimal.Decimal(2**53 + 1), decimal.Decimal(-(2**53) - 1)]
    yield Case(
        "decimals beyond 2^53",
        8,
        lambda: pandas.Series(large),
        lambda: polars.Series(large, dtype=polars.Decimal(38, 0)),
        lambda: pyarrow.array(large, pyarrow.decimal128(38, 0)),
        ("DECIMAL(38, 0)", *map(str, large)),
    )
    yield Case(
        "truth values",
        1,
        lambda: pandas.Series([True, False]),
        lambda: polars.Series([True, False]),
        lambda: pyarrow.array([True, False]),
        ("BOOLEAN", "true", "false"),
    )
    yield Case("complex numbers", None, lambda: pandas.Series([3 + 0j, 5 + 0j]))


def _texts() -> Iterator[Case]:
    for title, cells in [
        ("numbers as text", ["3", "5"]),
        ("empty text", ["", ""]),
        ("words", ["good", "bad"]),
    ]:
        yield Case(
            title,
            None,
            lambda cells=cells: pandas.Series(cells),
            lambda cells=cells: polars.Series(cells),
            lambda cells=cells: pyarrow.array(cells),
            ("VARCHAR", *(f"'{cell}'" for cell in cells)),
        )
    yield Case(
        "categories of text",
        None,
        lambda: pandas.Series(["3", "5"], dtype="category"),
        lambda: polars.Series(["3", "5"], dtype=polars.Categorical),
        lambda: pyarrow.array(["3", "5"]).dictionary_encode(),
        ("ENUM('3', '5')", "'3'", "'5'"),
    )
    yield Case(
        "categories of integers",
        8,
        lambda: pandas.Series([3, 5], dtype="category"),
        arrow=lambda: pyarrow.array([3, 5]).dictionary_encode(),
    )
    yield Case("JSON", None, duckdb=("JSON", "'3'", "'5'"))


def _times() -> Iterator[Case]:
    days = [datetime.date(2020, 1, 3), datetime.date(2020, 1, 5)]
    moments = [datetime.datetime(2020, 1, 3), datetime.datetime(2020, 1, 5, 7, 30)]
    clock = [datetime.time(7, 30), datetime.time(8)]
    spans = [datetime.timedelta(seconds=3), datetime.timedelta(seconds=5)]
    yield Case(
        "dates",
        None,
        lambda: pandas.Series(days),
        lambda: polars.Series(days),
        lambda: pyarrow.array(days),
        ("DATE", "'2020-01-03'", "'2020-01-05'"),
    )
    duck = {"s": "TIMESTAMP_S", "ms": "TIMESTAMP_MS", "us": "TIMESTAMP", "ns": "TIMESTAMP_NS"}
    for unit, name in duck.items():
        yield Case(
            f"timestamps in {unit}",
            None,
            lambda unit=unit: pandas.Series(moments).astype(f"datetime64[{unit}]"),
            (lambda unit=unit: polars.Series(moments, dtype=polars.Datetime(unit)))
            if unit != "s"
            else None,
            lambda unit=unit: pyarrow.array(moments, pyarrow.timestamp(unit)),
            (name, "'2020-01-03'", "'2020-01-05 07:30:00'"),
        )
        yield Case(
            f"durations in {unit}",
            None,
            lambda unit=unit: pandas.Series(spans).astype(f"timedelta64[{unit}]"),
            (lambda unit=unit: polars.Series(spans, dtype=polars.Duration(unit)))
            if unit != "s"
            else None,
            lambda unit=unit: pyarrow.array(spans, pyarrow.duration(unit)),
        )
    yield Case(
        "timestamps in a zone",
        None,
        lambda: pandas.Series(moments).dt.tz_localize("UTC"),
        lambda: polars.Series(moments).dt.replace_time_zone("UTC"),
        lambda: pyarrow.array(moments, pyarrow.timestamp("us", "UTC")),
        ("TIMESTAMPTZ", "'2020-01-03'", "'2020-01-05 07:30:00'"),
    )
    yield Case(
        "times of day",
        None,
        lambda: pandas.Series(clock),
        lambda: polars.Series(clock),
        lambda: pyarrow.array(clock),
        ("TIME", "'07:30:00'", "'08:00:00'"),
    )
    yield Case(
        "times of day in a zone", None, duckdb=("TIMETZ", "'07:30:00+01'", "'08:00:00+01'")
    )
    yield Case(
        "intervals",
        None,
        lambda: pandas.Series(pandas.interval_range(0, 2)),
        None,
        lambda: pyarrow.array([(0, 3, 0), (0, 5, 0)], pyarrow.month_day_nano_interval()),
        ("INTERVAL", "'3 days'", "'5 days'"),
    )
    yield Case(
        "periods", None, lambda: pandas.Series(pandas.period_range("2020-01", periods=2, freq="M"))
    )


def _others() -> Iterator[Case]:
    yield Case(
        "bytes",
        None,
        lambda: pandas.Series([b"3", b"5"]),
        lambda: polars.Series([b"3", b"5"]),
        lambda: pyarrow.array([b"3", b"5"]),
        ("BLOB", "'3'", "'5'"),
    )
    yield Case("bits", None, duckdb=("BIT", "'101'", "'1'"))
    name = uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
    yield Case(
        "identifiers of 128 bits",
        None,
        lambda: pandas.Series([name, name]),
        None,
        lambda: pyarrow.array([name.bytes, name.bytes], pyarrow.binary(16)),
        ("UUID", f"'{name}'", f"'{name}'"),
    )
    yield Case(
        "lists",
        None,
        lambda: pandas.Series([[3], [5]]),
        lambda: polars.Series([[3], [5]]),
        lambda: pyarrow.array([[3], [5]]),
        ("INTEGER[]", "[3]", "[5]"),
    )
    yield Case(
        "records",
        None,
        lambda: pandas.Series([{"a": 3}, {"a": 5}]),
        lambda: polars.Series([{"a": 3}, {"a": 5}]),
        lambda: pyarrow.array([{"a": 3}, {"a": 5}]),
        ("STRUCT(a INTEGER)", "{'a': 3}", "{'a': 5}"),
    )
    yield Case("maps", None, duckdb=("MAP(INTEGER, INTEGER)", "MAP {1: 3}", "MAP {1: 5}"))
    yield Case("lists of text", None, duckdb=("VARCHAR[]", "['3']", "['5']"))


CASES = [*_integers(), *_numbers(), *_texts(), *_times(), *_others()]


def _connection(case: Case) -> duckdb.DuckDBPyConnection:
    assert case.duckdb is not None
    kind, *literals = case.duckdb
    con = duckdb.connect()
    con.execute(f"CREATE TABLE x (v {kind}, t VARCHAR)")
    for literal in literals:
        con.execute(f"INSERT INTO x VALUES ({literal}, 'p')")
    return con


def _tables(case: Case, options: dict[str, Any]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The doors that have the type, and what makes a level table there."""
    labels = ["p", "p"]
    makers: list[tuple[str, Optional[Callable[[], Any]], Callable[[Any], Any]]] = [
        ("pandas", case.pandas, lambda column: pandas.DataFrame({"v": column, "t": labels})),
        ("polars", case.polars, lambda column: polars.DataFrame({"v": column, "t": labels})),
        ("arrow", case.arrow, lambda column: pyarrow.table({"v": column, "t": labels})),
    ]
    for door, make, table in makers:
        if make is not None:
            data = table(make())
            yield door, lambda data=data: suum.levels(data, **options)
            if door == "arrow":
                reader = data.to_reader
                yield "reader", lambda reader=reader: suum.levels(reader(), **options)
    if case.duckdb is not None:
        con = _connection(case)
        yield "relation", lambda: suum.levels(con.table("x"), **options)
        yield "level query", lambda: suum.duckdb.levels(con, table="x", **options)


def test_there_are_cases_of_every_kind() -> None:
    assert len(CASES) > 45
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_type_has_one_meaning_at_every_door(case: Case) -> None:
    for door, levels in _tables(case, BOUNDS):
        if case.total is None:
            with pytest.raises(suum.Error) as refused:
                levels()
            assert refused.value.hint, door
            continue
        (level,) = json.loads(levels().to_json())["levels"]
        assert abs(int(level["sum"]) / 2**27 - case.total) < 1e-6, door


#: Types of DuckDB that are labels, two literals of each, and their texts.
LABELS = [
    ("VARCHAR", "'3'", "'5'", ["3", "5"]),
    ("ENUM('3', '5')", "'3'", "'5'", ["3", "5"]),
    ("UHUGEINT", str(2**128 - 1), "5", [str(2**128 - 1), "5"]),
    ("HUGEINT", str(2**127 - 1), "5", [str(2**127 - 1), "5"]),
    ("DECIMAL(9, 2)", "0.10", "7.00", ["0.1", "7"]),
    ("BOOLEAN", "true", "false", ["true", "false"]),
    ("DATE", "'2020-01-03'", "'2020-01-05'", ["2020-01-03", "2020-01-05"]),
    ("UUID", *(f"'{uuid.UUID(int=number)}'" for number in (3, 5)),
     [str(uuid.UUID(int=number)) for number in (3, 5)]),
    ("BIT", "'101'", "'1'", None),
    ("BLOB", "'3'", "'5'", None),
    ("INTERVAL", "'3 days'", "'5 days'", None),
    ("TIMETZ", "'07:30:00+01'", "'08:00:00+01'", None),
    ("INTEGER[]", "[3]", "[5]", None),
    ("STRUCT(a INTEGER)", "{'a': 3}", "{'a': 5}", None),
]  # fmt: skip


@pytest.mark.parametrize("kind, first, second, texts", LABELS, ids=[one[0] for one in LABELS])
def test_labels_are_the_same_from_a_relation_and_a_level_query(
    kind: str, first: str, second: str, texts: Optional[list[str]]
) -> None:
    con = _connection(Case(kind, None, duckdb=(kind, first, second)))
    names = texts or ["x", "y"]
    for options in (
        {"value": "v", "categories": names, "other": "other", **TIERS},
        {"group_by": "v", "groups": names, "other_group": "other", **TIERS},
        {"person": "v", **TIERS},
    ):
        doors = (
            lambda options=options: suum.levels(con.table("x"), **options),
            lambda options=options: suum.duckdb.levels(con, table="x", **options),
        )
        if texts is None:
            for levels in doors:
                with pytest.raises(suum.DataError):
                    levels()
            continue
        found = [levels().to_json() for levels in doors]
        assert found[0] == found[1]
        assert '"records":2' in found[0]


@pytest.mark.parametrize("kind", ["DOUBLE", "VARCHAR", "ENUM('0.5', 'inf')", "BIT", "TIMESTAMP"])
def test_budgets_are_the_same_from_a_relation_and_a_level_query(kind: str) -> None:
    literals = {
        "BIT": ("'101'", "'1'"), "TIMESTAMP": ("'2020-01-01'", "'2020-01-02'")
    }.get(kind, ("'0.5'", "'inf'"))  # fmt: skip
    con = _connection(Case(kind, None, duckdb=(kind, *literals)))
    doors = (
        lambda: suum.levels(con.table("x"), epsilon="v"),
        lambda: suum.duckdb.levels(con, table="x", epsilon="v"),
    )
    if kind in ("BIT", "TIMESTAMP"):
        for levels in doors:
            with pytest.raises(suum.DataError):
                levels()
        return
    found = [levels().to_json() for levels in doors]
    assert found[0] == found[1]


def test_large_integers_keep_their_places_where_rows_are_read(tmp_path: Path) -> None:
    large = 2**53
    case = Case(
        "integers",
        None,
        lambda: pandas.Series([large + 1, large + 7]),
        lambda: polars.Series([large + 1, large + 7]),
        lambda: pyarrow.array([large + 1, large + 7]),
        ("BIGINT", str(large + 1), str(large + 7)),
    )
    options = {**BOUNDS, "bounds": (large, large + 8)}
    for door, levels in _tables(case, options):
        if door == "level query":
            with pytest.raises(suum.ParameterError, match="^bounds: "):
                levels()
            continue
        (level,) = json.loads(levels().to_json())["levels"]
        assert int(level["sum"]) == 8 * 2**27, door
    people = pandas.DataFrame({"v": [large + at for at in (1, 3, 1, 3)], "t": ["p"] * 4})
    options = {"value": "v", "privacy": "t", "levels": {"p": float("inf")}, "target": "dataset"}
    file = sqlite3.connect(tmp_path / "people.sqlite")
    file.execute("CREATE TABLE people (v INTEGER, t TEXT)")
    file.executemany("INSERT INTO people VALUES (?, ?)", people.itertuples(index=False))
    file.commit()
    file.close()
    people.to_csv(tmp_path / "people.csv", index=False)
    people.to_parquet(tmp_path / "people.parquet")
    doors: list[tuple[Any, dict[str, Any]]] = [
        (people, {}),
        (tmp_path / "people.csv", {}),
        (tmp_path / "people.parquet", {}),
        (tmp_path / "people.sqlite", {"table": "people"}),
    ]
    for data, named in doors:
        release = suum.variance(data, bounds=(large, large + 4), **named, **options)
        assert (release.estimate, release.mean.estimate) == (1, large + 2)
    with pytest.raises(suum.ParameterError, match="^bounds: "):
        suum.variance(people, bounds=(large + 1, large + 5), **options)
    with pytest.raises(suum.ParameterError, match="^missing: "):
        suum.variance(people, bounds=(large, large + 4), missing=large + 1, **options)


WEIGHTED = {
    "value": "v", "bounds": (0, 8), "privacy": "t", "levels": {"p": 1}, "weight": "w",
    "insecure_seed": 7,
}  # fmt: skip


def test_design_weights_are_read_off_the_data_at_every_door() -> None:
    weights = [0.5, 2.5, 0.5, 1234567.125, 2.5, 0.5]
    rows = {"v": [1, 2, 3, 4, 5, 6], "t": ["p"] * 6, "w": weights}
    con = duckdb.connect()
    con.execute("CREATE TABLE x (v INTEGER, t VARCHAR, w DOUBLE)")
    con.executemany("INSERT INTO x VALUES (?, ?, ?)", list(zip(*rows.values())))
    frame, table = pandas.DataFrame(rows), pyarrow.table(rows)
    expected = suum.mean(frame, classes=[0.5, 2.5, 1234567.125], **WEIGHTED)
    for data in (frame, polars.DataFrame(rows), table, con.table("x")):
        release = suum.mean(data, **WEIGHTED)
        assert release.estimate == expected.estimate
        assert release.to_dict()["strata"] == expected.to_dict()["strata"]
    beside = {**WEIGHTED, "weight": weights}
    assert suum.mean(frame[["v", "t"]], **beside).estimate == expected.estimate
    with pytest.raises(suum.Error) as refused:
        suum.mean(table.to_reader(), **WEIGHTED)
    assert "--classes" in refused.value.hint or "classes" in refused.value.hint
    with pytest.raises(suum.Error, match="classes"):
        suum.duckdb.levels(con, table="x", weight="w", value="v", bounds=(0, 8), **TIERS)
    counted = suum.duckdb.levels(
        con, table="x", weight="w", classes=[0.5, 2.5, 1234567.125], value="v", bounds=(0, 8),
        **TIERS,
    )  # fmt: skip
    assert counted.to_json() == suum.levels(
        frame, weight="w", value="v", bounds=(0, 8), **TIERS
    ).to_json()
