"""What data can be: every kind of column, what is missing, and what is copied."""

from __future__ import annotations

import array
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
import suum
from conftest import LEVELS, RANDHIE
from suum._columns import column_of

VALUES = [3, 0, 9, 1, 7, 2]
BUDGETS = [0.5, 1.0, math.inf, 0.5, 1.0, 2.0]


def table_of(values: Any, **options: Any) -> str:
    """What a scan has counted: exact, and so the same for the same numbers."""
    options = {"epsilon": BUDGETS, "bounds": (0, 10), "value": "value", **options}
    return suum.levels(values, **options).to_json()


EXPECTED = table_of(VALUES)


def test_several_files_are_read_as_one(tmp_path: Path) -> None:
    lines = [f"{value},{budget}" for value, budget in zip(VALUES, BUDGETS)]
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path, rows in zip(paths, (lines[:2], lines[2:])):
        path.write_text("\n".join(["value,epsilon", *rows]) + "\n", encoding="utf-8")
    names = [str(path) for path in paths]
    for given in (paths, names, tuple(names), [paths[0], names[1]]):
        assert table_of(given, epsilon="epsilon") == EXPECTED
    asked = {"statistic": "mean", "value": "value", "bounds": (0, 10), "epsilon": "epsilon"}
    seeded = {**asked, "insecure_seed": 1}
    whole = {"value": VALUES, "epsilon": BUDGETS}
    expected = suum.run(seeded, whole).estimate
    assert suum.run({**seeded, "data": names}).estimate == expected
    assert suum.run(seeded, names).estimate == expected
    with pytest.raises(suum.ReadError, match="would count twice"):
        table_of([paths[0], paths[0]], epsilon="epsilon")
    # A list of text beside budgets is a column.
    column = ["a.csv", "b.csv"]
    counted = suum.levels(column * 9, epsilon=1.0, categories=column)
    assert json.loads(counted.to_json())["records"] == 18


def test_numbers_with_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "commas.csv"
    rows = [f"{value},0;{budget}".replace(".", ",") for value, budget in zip(VALUES, BUDGETS)]
    path.write_text("\n".join(["value;epsilon", *rows]) + "\n", encoding="utf-8")
    assert table_of(path, epsilon="epsilon", delimiter=";", decimal=",") == EXPECTED
    with pytest.raises(suum.DataError) as refused:
        table_of(path, epsilon="epsilon", delimiter=";")
    assert 'decimal=","' in (refused.value.hint or "")
    with pytest.raises(suum.RequestError, match="decimal: it is said of CSV files"):
        table_of({"value": VALUES, "epsilon": BUDGETS}, epsilon="epsilon", decimal=",")


@pytest.mark.parametrize("truth", [False, numpy.False_, True])
def test_a_truth_value_stands_for_a_missing_one(truth: Any) -> None:
    values = [True, None, False]
    told = [True, bool(truth), False]
    asked: dict[str, Any] = {"epsilon": 1.0, "categories": [True, False]}
    assert _levels(values, missing=truth, **asked) == _levels(told, **asked)
    asked = {"levels": {True: 1, False: 0.1}, "bounds": (0, 1)}
    found = _levels([1, 0, 1], privacy=values, missing_consent=truth, **asked)
    assert found == _levels([1, 0, 1], privacy=told, **asked)


def _levels(values: Any, **asked: Any) -> Any:
    return json.loads(suum.levels(values, **asked).to_json())["levels"]


@pytest.mark.parametrize("missing", [pandas.NA, math.nan, None])
@pytest.mark.parametrize("first", [3, 3.5, True])
def test_what_stands_for_a_missing_cell_in_lists(first: Any, missing: Any) -> None:
    asked: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 10), "missing": 1}
    expected = suum.levels([first, 1], **asked).to_json()
    assert suum.levels([first, missing], **asked).to_json() == expected
    asked = {"epsilon": 1.0, "categories": ["a", "b"], "missing": "b"}
    expected = suum.levels(["a", "b"], **asked).to_json()
    assert suum.levels(["a", missing], **asked).to_json() == expected


@pytest.mark.parametrize(
    "dtype",
    [
        "f2",
        "f4",
        "f8",
        "i1",
        "i2",
        "i4",
        "i8",
        "u1",
        "u2",
        "u4",
        "u8",
        ">f8",
        ">i4",
        "longdouble",
        "object",
    ],
)
def test_numpy_types(dtype: str) -> None:
    assert table_of(numpy.array(VALUES, dtype)) == EXPECTED


@pytest.mark.parametrize(
    "dtype",
    ["Int8", "Int64", "UInt32", "Float32", "Float64", "int64[pyarrow]", "double[pyarrow]", "f4"],
)
def test_pandas_types(dtype: str) -> None:
    assert table_of(pandas.Series(VALUES, dtype=dtype)) == EXPECTED
    assert table_of(pandas.Series(VALUES, dtype=dtype, index=range(6, 0, -1))) == EXPECTED


@pytest.mark.parametrize(
    "dtype", [polars.Int8, polars.UInt16, polars.Int64, polars.Float32, polars.Float64]
)
def test_polars_types(dtype: Any) -> None:
    assert table_of(polars.Series(VALUES, dtype=dtype)) == EXPECTED


@pytest.mark.parametrize(
    "dtype",
    [
        pyarrow.int8(),
        pyarrow.uint64(),
        pyarrow.float16(),
        pyarrow.float32(),
        pyarrow.decimal128(21, 2),
    ],
    ids=str,
)
def test_arrow_types(dtype: Any) -> None:
    column = pyarrow.array(VALUES).cast(dtype)
    assert table_of(column) == EXPECTED
    assert table_of(pyarrow.chunked_array([column[:2], column[2:2], column[2:]])) == EXPECTED


@pytest.mark.parametrize(
    "values",
    [
        tuple(VALUES),
        range(6),
        array.array("d", VALUES),
        (float(value) for value in VALUES),
        numpy.array(VALUES).tolist(),
    ],
    ids=["tuple", "range", "array.array", "generator", "list"],
)
def test_sequences(values: Any) -> None:
    expected = table_of(list(range(6))) if isinstance(values, range) else EXPECTED
    assert table_of(values) == expected


def test_truth_values_are_numbers_and_labels() -> None:
    truths = [True, False, True, True, False, True]
    expected = table_of([int(truth) for truth in truths])
    assert table_of(truths) == expected
    assert table_of(numpy.array(truths)) == expected
    assert table_of(pandas.Series(truths)) == expected
    counts = {
        suum.levels(column, epsilon=BUDGETS, value="value", categories=["true", "false"]).to_json()
        for column in (
            truths,
            numpy.array(truths),
            polars.Series(truths),
            ["true" if truth else "false" for truth in truths],
        )
    }
    assert len(counts) == 1


def test_labels_of_every_kind() -> None:
    labels = ["strict", "public", "strict", "relaxed", "public", "strict"]
    options: dict[str, Any] = {"levels": LEVELS, "bounds": (0, 10), "value": "value"}
    expected = suum.levels(VALUES, privacy=labels, **options).to_json()
    for column in [
        numpy.array(labels),
        numpy.array(labels, object),
        pandas.Series(labels),
        pandas.Series(labels, dtype=object),
        pandas.Series(labels, dtype="category"),
        pandas.Series(labels, dtype="string"),
        polars.Series(labels),
        polars.Series(labels, dtype=polars.Categorical),
        polars.Series(labels, dtype=polars.Enum(list(LEVELS))),
        pyarrow.array(labels),
        pyarrow.array(labels, pyarrow.large_string()),
        pyarrow.array(labels, pyarrow.string_view()),
        pyarrow.array(labels).dictionary_encode(),
    ]:
        assert suum.levels(VALUES, privacy=column, **options).to_json() == expected, type(column)


def test_labels_with_commas_and_signs_are_labels() -> None:
    labels = ["Doe, Jane", "a=b", r"back\slash"]
    release = suum.frequency(labels * 2, epsilon=BUDGETS, categories=labels)
    assert list(release.estimate) == labels
    tiers = suum.count(privacy=labels, levels=dict.fromkeys(labels, 0.5))
    assert [tier.level for tier in tiers.privacy] == labels


def test_a_duckdb_relation_and_only_its_columns() -> None:
    query = f"select *, error('read') as unused from read_csv('{RANDHIE}')"
    relation = duckdb.sql(f"select * from read_csv('{RANDHIE}')")
    options: dict[str, Any] = {
        "value": "visits",
        "privacy": "privacy",
        "levels": LEVELS,
        "bounds": (0, 77),
    }
    expected = suum.levels(RANDHIE, **options).to_json()
    assert suum.levels(relation, **options).to_json() == expected
    assert suum.levels(duckdb.sql(query), **options).to_json() == expected


@pytest.mark.parametrize("has_pyarrow", [True, False])
def test_columns_keep_their_types_in_pandas_2(
    has_pyarrow: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its Series do not export themselves."""
    monkeypatch.delattr(pandas.Series, "__arrow_c_stream__", raising=False)
    if not has_pyarrow:
        monkeypatch.setattr("suum._columns.find_spec", lambda name: None)
    assert step_of(pandas.Series(VALUES, dtype="Int64"))["size"] == 1
    assert step_of(pandas.Series(VALUES, dtype="Float64")) is None
    truths = [True, False, True]
    labels = pandas.Series(truths, dtype="boolean")
    shares = suum.frequency(labels, epsilon=math.inf, categories=[True, False])
    assert shares.estimate == {True: pytest.approx(2 / 3), False: pytest.approx(1 / 3)}
    options: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 10), "missing": 2}
    for items, dtype in [
        ([True, None, False], "boolean"), ([3, None, 5], "Int64"), ([3.5, None, 5.0], "Float64"),
    ]:
        column = pandas.Series(items, dtype=dtype)
        assert suum.levels(column, **options).to_json() == suum.levels(items, **options).to_json()


def step_of(data: Any, value: str | None = None, **options: Any) -> Any:
    """What a release says of its step, if that is from the type of the column."""
    asked = {"epsilon": BUDGETS, "bounds": (0, 10), "insecure_seed": 1, "value": value, **options}
    return suum.quantile(data, **asked).to_dict().get("step")


def test_integers_are_known_by_their_type() -> None:
    whole = {"x": VALUES}
    for column in [
        numpy.array(VALUES, "u2"),
        numpy.array(VALUES, ">i4"),
        pandas.Series(VALUES),
        pandas.Series(VALUES, dtype="Int64"),
        polars.Series(VALUES, dtype=polars.Int8),
        pyarrow.array(VALUES, pyarrow.uint32()),
    ]:
        assert step_of(column)["size"] == 1, type(column)
        assert step_of({"x": column}, "x")["from"] == "type"
        assert step_of(column, cells=65536) is None
        assert step_of(column, bounds=(0, 9.5)) is None
    truth = [value > 2 for value in VALUES]
    for column in [
        numpy.array(truth),
        pandas.Series(truth, dtype="boolean"),
        polars.Series(truth),
        pyarrow.array(truth),
    ]:
        assert step_of(column, bounds=(0, 1))["size"] == 1, type(column)
    floats = numpy.array(VALUES, "f8")
    for column in [VALUES, tuple(VALUES), floats, pandas.Series(VALUES, dtype=object)]:
        assert step_of(column) is None, type(column)
    budgets = {**whole, "e": BUDGETS}
    relation = duckdb.sql("select 1::int as x, 1.0::double as y, 0.5::double as e from range(9)")
    reader = pyarrow.table(budgets).to_reader()
    for stream in [relation, pyarrow.table(budgets), reader, polars.DataFrame(budgets).lazy()]:
        assert step_of(stream, "x", epsilon="e")["size"] == 1, type(stream)
    assert step_of(relation, "y", epsilon="e") is None


def test_a_table_with_a_column_beside_it() -> None:
    for table in [{"v": VALUES}, pandas.DataFrame({"v": VALUES}), polars.DataFrame({"v": VALUES})]:
        assert table_of(table, value="v") == EXPECTED.replace('"value"', '"v"')


def test_names_of_columns_do_not_collide() -> None:
    values = pandas.Series(VALUES, name="epsilon")
    release = suum.mean(values, epsilon=pandas.Series(BUDGETS, name="epsilon"), bounds=(0, 10))
    assert release.to_dict()["column"] == "epsilon"


@pytest.mark.parametrize(
    "values",
    [
        [3, None, 9, 1, 7, 2],
        [3, math.nan, 9, 1, 7, 2],
        numpy.array([3, math.nan, 9, 1, 7, 2]),
        numpy.ma.masked_equal(VALUES, 0),
        numpy.array([3, None, 9, 1, 7, 2], object),
        pandas.Series([3, None, 9, 1, 7, 2]),
        pandas.Series([3, None, 9, 1, 7, 2], dtype="Int64"),
        polars.Series([3, None, 9, 1, 7, 2]),
        pyarrow.array([3, None, 9, 1, 7, 2]),
    ],
    ids=lambda values: type(values).__name__,
)
def test_missing_values_are_refused_or_replaced(values: Any) -> None:
    with pytest.raises(suum.DataError, match="column value, row 2: missing value") as refused:
        table_of(values)
    assert "missing=VALUE" in (refused.value.hint or "")
    # A level table says what stands in place of missing values.
    replaced = EXPECTED.replace('"records":', '"missing":0.0,"records":')
    assert table_of(values, missing=0) == replaced


def test_missing_labels_are_refused() -> None:
    for column in [
        ["a", None],
        pandas.Series(["a", None]),
        pandas.Series(["a", math.nan], dtype=object),
    ]:
        with pytest.raises(suum.DataError, match="row 2: missing privacy choice"):
            suum.count(privacy=column, levels={"a": 1})


def test_what_lies_apart_is_read_in_its_order() -> None:
    wide = numpy.array([VALUES, VALUES[::-1]]).T
    assert table_of(wide[:, 0]) == EXPECTED
    assert table_of(wide[::-1, 1]) == EXPECTED
    frozen = numpy.array(VALUES, "f8")
    frozen.flags.writeable = False
    assert table_of(frozen) == EXPECTED


def test_what_is_across_the_bounds_of_words_is_read() -> None:
    values = numpy.frombuffer(b"x" + numpy.array(VALUES, "f8").tobytes(), "f8", offset=1)
    assert not values.flags.aligned
    assert table_of(values) == EXPECTED


def test_masked_items_are_missing() -> None:
    budgets = [1.0, 1.0, 1.0]
    options: dict[str, Any] = {"epsilon": budgets, "insecure_seed": 1}
    plain = suum.mean([1, 2, 3], **options, bounds=(0, 3)).estimate
    for values in [numpy.array([1.0, 2.0, 3.0]), numpy.array([1, 2, 3])]:
        masked = numpy.ma.array(values, mask=[False, True, False])
        assert suum.mean(masked, **options, bounds=(0, 3), missing=2).estimate == plain
    labels = numpy.ma.array(["a", "secret", "b"], mask=[False, True, False])
    expected = suum.frequency(["a", "b", "b"], **options, categories=["a", "b"])
    assert (
        suum.frequency(labels, **options, categories=["a", "b"], missing="b").estimate
        == expected.estimate
    )
    numbers = numpy.ma.array([0, 1, 1])
    expected = suum.frequency([0, 1, 1], **options, categories=[0, 1])
    assert suum.frequency(numbers, **options, categories=[0, 1]).estimate == expected.estimate


def test_tiers_may_be_numbered() -> None:
    for tiers in [
        [0, 1, 0],
        numpy.array([0, 1, 0]),
        polars.Series([0, 1, 0]),
        pandas.Series([0, 1, 0]),
    ]:
        counted = suum.count(privacy=tiers, levels={0: 0.1, 1: 1})
        assert [(tier.level, tier.count) for tier in counted.privacy] == [("0", 2), ("1", 1)]


def test_columns_of_nothing_and_sparse_columns() -> None:
    nothing = polars.DataFrame({"v": [None] * 3, "e": [1.0] * 3})
    options: dict[str, Any] = {"value": "v", "epsilon": "e", "bounds": (0, 3), "insecure_seed": 1}
    plain = suum.mean({"v": [2.0] * 3, "e": [1.0] * 3}, **options).estimate
    assert suum.mean(nothing, **options, missing=2).estimate == plain
    sparse = pandas.DataFrame({"v": pandas.arrays.SparseArray([2.0] * 3), "e": [1.0] * 3})
    assert suum.mean(sparse, **options).estimate == plain


def test_nothing_is_copied_and_nothing_kept() -> None:
    values = numpy.arange(1000, dtype="f8")
    for dtype in ["f8", "f4", "i8", "i4", "u1"]:
        column = numpy.ones(1000, dtype)
        assert column_of(column, "x", as_labels=False) is column, dtype
    before = sys.getrefcount(values)
    suum.mean(values, epsilon=numpy.ones(1000), bounds=(0, 1000))
    assert sys.getrefcount(values) == before


@pytest.mark.parametrize("dtype", ["f8", "i8"])
def test_memory_does_not_grow_with_the_data(dtype: str) -> None:
    """A process that scans 160 MB in NumPy needs less than a quarter of that beside them."""
    code = (
        "import resource, numpy, suum\n"
        f"values, budgets = numpy.full(10_000_000, 3, '{dtype}'), numpy.full(10_000_000, 0.5)\n"
        "suum.mean(values[:1000], epsilon=budgets[:1000], bounds=(0, 10))\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "suum.mean(values, epsilon=budgets, bounds=(0, 10))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 40_000, "kB"


def test_no_library_is_needed(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ['numpy', 'pandas', 'polars', 'pyarrow', 'duckdb', 'matplotlib']: "
        "sys.modules[name] = None\n"
        "import suum\n"
        "release = suum.mean([3, 0, 9], epsilon=[1, 1, 1], bounds=(0, 10))\n"
        "assert '<svg' in release.to_html() and len(list(release.privacy)) == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_pandas_alone_is_enough() -> None:
    code = (
        "import sys\n"
        "sys.modules['pyarrow'] = None\n"
        "import pandas, suum\n"
        "labels = ['a', 'b', 'a']\n"
        # Without PyArrow pandas 2 makes no column of this type itself.
        "string = ['string'] if pandas.__version__ >= '3' else []\n"
        "for dtype in [object, *string, 'category', None]:\n"
        "    frame = pandas.DataFrame({'v': pandas.Series([1, 2, None], dtype='Int64'), "
        "'t': pandas.Series(labels, dtype=dtype)})\n"
        "    release = suum.mean(frame, value='v', privacy='t', levels={'a': 1, 'b': 2}, "
        "bounds=(0, 9), missing=3)\n"
        "    assert [tier.count for tier in release.privacy] == [2, 1]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("data", "options", "error", "match"),
    [
        ([1, 2], {"epsilon": [1], "bounds": (0, 10)}, suum.ParameterError, "different lengths"),
        ([], {"epsilon": [], "bounds": (0, 10)}, suum.DataError, "no records"),
        ([1, "a"], {"epsilon": [1, 1], "bounds": (0, 10)}, suum.DataError, "column value"),
        (["a", "b"], {"epsilon": [1, 1], "bounds": (0, 10)}, suum.DataError, "column value"),
        (
            numpy.zeros((2, 2)),
            {"epsilon": [1, 1], "bounds": (0, 10)},
            suum.DataError,
            "2 dimensions",
        ),
        (
            numpy.array(["2020-01-01"], "M8[D]"),
            {"epsilon": [1], "bounds": (0, 10)},
            suum.DataError,
            "does not hold numbers",
        ),
        (numpy.array([1j]), {"epsilon": [1], "bounds": (0, 10)}, suum.DataError, "neither"),
        ({"v": [1]}, {"value": "w", "epsilon": [1], "bounds": (0, 10)}, suum.DataError, "column w"),
        (5, {"value": "w", "epsilon": "e", "bounds": (0, 10)}, suum.DataError, "int is no table"),
        (
            "nowhere.csv",
            {"value": "w", "epsilon": "e", "bounds": (0, 10)},
            suum.ReadError,
            "nowhere.csv",
        ),
        (
            RANDHIE,
            {"value": "visits", "epsilon": [1], "bounds": (0, 10)},
            suum.RequestError,
            "elsewhere",
        ),
        (
            [-1.0],
            {"epsilon": [-1.0], "bounds": (0, 10)},
            suum.DataError,
            "row 1: not a privacy budget",
        ),
        (None, {"bounds": (0, 10)}, suum.ParameterError, "bounds|value|privacy"),
        (
            numpy.array([]),
            {"epsilon": numpy.array([]), "bounds": (0, 10)},
            suum.DataError,
            "no records",
        ),
        (
            pandas.DataFrame({"v": [], "e": []}),
            {"value": "v", "epsilon": "e", "bounds": (0, 10)},
            suum.DataError,
            "no records",
        ),
        (
            {"v": {7: 1.0}, "e": {7: 1.0}},
            {"value": "v", "epsilon": "e", "bounds": (0, 10)},
            suum.DataError,
            "v: a dict is no column",
        ),
        ({1.0, 2.0}, {"epsilon": [1, 1], "bounds": (0, 10)}, suum.DataError, "a set is no column"),
        (b"ab", {"epsilon": [1, 1], "bounds": (0, 10)}, suum.DataError, "text is no column"),
        (
            pandas.Series(pandas.period_range("2020-01", periods=2, freq="M")),
            {"epsilon": [1, 1], "bounds": (0, 10)},
            suum.DataError,
            "periods of time",
        ),
        (
            pandas.DataFrame([[1.0, 2.0, 1.0]], columns=["v", "v", "e"]),
            {"value": "v", "epsilon": "e", "bounds": (0, 10)},
            suum.DataError,
            "more than one",
        ),
        (
            pyarrow.table([[1.0], [2.0], [1.0]], names=["v", "v", "e"]),
            {"value": "v", "epsilon": "e", "bounds": (0, 10)},
            suum.DataError,
            "more than one",
        ),
        (
            pandas.Series([1.0, 2.0], index=[1, 2]),
            {"epsilon": pandas.Series([1.0, 2.0]), "bounds": (0, 10)},
            suum.RequestError,
            "index has other labels than that of data",
        ),
        (
            pyarrow.table({"v": [1.0]}).to_reader(),
            {"value": "v", "epsilon": [1.0], "bounds": (0, 10)},
            suum.RequestError,
            "read as they come",
        ),
        (
            [1.0],
            {"epsilon": [1.0], "bounds": (0, 10), "query": "SELECT 1"},
            suum.RequestError,
            "query: tables",
        ),
        (
            polars.LazyFrame({"v": ["secret"], "e": [1.0]}).with_columns(
                polars.col("v").cast(float)
            ),
            {"value": "v", "epsilon": "e", "bounds": (0, 10)},
            suum.ReadError,
            "could not be read",
        ),
    ],
)
def test_what_is_no_data_is_refused(
    data: Any, options: dict[str, Any], error: type[suum.Error], match: str
) -> None:
    with pytest.raises(error, match=match) as refused:
        suum.mean(data, **options)
    assert refused.value.hint and "secret" not in str(refused.value)


def test_a_library_that_fails_is_the_cause() -> None:
    class Broken:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise RuntimeError("secret 42")

    with pytest.raises(suum.ReadError) as refused:
        suum.mean(Broken(), value="v", epsilon="e", bounds=(0, 10))
    assert isinstance(refused.value.__cause__, RuntimeError)
    assert "42" not in str(refused.value)


def test_a_stream_that_fails_shows_nothing_of_the_data() -> None:
    schema = pyarrow.schema([("v", pyarrow.float64()), ("e", pyarrow.float64())])

    def batches() -> Any:
        yield pyarrow.record_batch([[1.0], [1.0]], schema=schema)
        raise ValueError("secret 42")

    with pytest.raises(suum.ReadError) as refused:
        suum.mean(
            pyarrow.RecordBatchReader.from_batches(schema, batches()),
            value="v",
            epsilon="e",
            bounds=(0, 10),
        )
    assert "42" not in str(refused.value)


@pytest.mark.parametrize("many", [4, 70_000])
def test_text_is_read_once_each_or_one_by_one(many: int) -> None:
    # Made anew for each cell, so that equal texts are different objects.
    labels: list[Any] = [f"label {row % many}" for row in range(100_000)]
    labels[7:10] = [None, math.nan, pandas.NA]
    options: dict[str, Any] = {"epsilon": 1.0, "other": "others", "missing": "label 1"}
    counted = {
        name: suum.frequency(column, categories=["label 1", "label 3"], insecure_seed=3, **options)
        for name, column in {
            "list": labels,
            "tuple": tuple(labels),
            "objects": pandas.Series(labels, dtype=object),
            "numpy": numpy.array(labels, dtype=object),
            "polars": polars.Series([one if isinstance(one, str) else None for one in labels]),
        }.items()
    }
    assert len({tuple(one.estimate.values()) for one in counted.values()}) == 1
    share = sum(isinstance(one, str) and one == "label 3" for one in labels) / len(labels)
    assert counted["list"].estimate["label 3"] == pytest.approx(share, abs=0.001)
    with pytest.raises(suum.DataError, match="numbers only, or text only"):
        suum.frequency([*labels, 3], categories=["label 1"], **options)
