"""Budgets that are no column of the data: one for everybody, or one for each person."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
import suum
from suum import _consent

VALUES = [3.0, 9.0, 0.0, 4.0]
PERSONS = ["p1", "p2", "p1", "p3"]
BUDGETS = {"p1": 0.5, "p2": 1.0, "p3": math.inf, "not here": 2.0}
TABLE = {"v": VALUES, "id": PERSONS}
BOUNDS: dict[str, Any] = {"bounds": (0, 10)}


def tables() -> dict[str, Any]:
    arrow = pyarrow.table(TABLE)
    connection = duckdb.connect()
    connection.register("people", arrow)
    return {
        "dictionary": TABLE,
        "pandas": pandas.DataFrame(TABLE, index=[5, 6, 7, 8]),
        "polars": polars.DataFrame(TABLE),
        "pyarrow": arrow,
        "lazy": polars.LazyFrame(TABLE),
        "reader": arrow.to_reader(),
        "relation": connection.sql("SELECT *, 'x' AS epsilon FROM people"),
    }


@pytest.mark.parametrize("name", tables())
@pytest.mark.parametrize("budget", [1, 0.5, math.inf, numpy.float32(0.5), numpy.int64(1)])
def test_one_budget_is_for_everybody(name: str, budget: Any) -> None:
    rows = {**TABLE, "epsilon": [float(budget)] * 4}
    expected = suum.levels(rows, value="v", epsilon="epsilon", **BOUNDS)
    given = suum.levels(tables()[name], value="v", epsilon=budget, **BOUNDS)
    assert given.to_json() == expected.to_json()


@pytest.mark.parametrize(
    "values",
    [
        VALUES,
        numpy.array(VALUES),
        pandas.Series(VALUES),
        polars.Series(VALUES),
        pyarrow.array(VALUES),
        pyarrow.chunked_array([VALUES[:1], VALUES[1:]]),
    ],
    ids=lambda values: type(values).__name__,
)
def test_one_budget_beside_a_column(values: Any) -> None:
    expected = suum.levels(VALUES, epsilon=[1.0] * 4, **BOUNDS).to_json()
    assert suum.levels(values, epsilon=1.0, **BOUNDS).to_json() == expected
    assert suum.levels(value=values, epsilon=1, **BOUNDS).to_json() == expected


def test_one_budget_beside_many_rows_needs_no_column_of_it() -> None:
    many = numpy.arange(200_001) % 7
    release = suum.mean(many, epsilon=1.0, bounds=(0, 6), insecure_seed=1)
    listed = suum.mean(many, epsilon=numpy.ones(200_001), bounds=(0, 6), insecure_seed=1)
    assert release.to_json() == listed.to_json()
    assert release.privacy[0].count == 200_001
    lazy = polars.LazyFrame({"v": many})
    assert suum.mean(lazy, value="v", epsilon=1.0, bounds=(0, 6)).privacy[0].count == 200_001


def test_a_release_of_one_budget_is_asked_for_again_with_it() -> None:
    data = {"v": [1.0, 2.0, 3.0]}
    release = suum.mean(data, value="v", epsilon=1.0, **BOUNDS)
    with pytest.raises(suum.DataError, match="column epsilon") as refused:
        suum.run(release, data)
    assert "one of v; or give everybody one budget, as in epsilon=1.0" in str(refused.value.hint)
    assert suum.run(release, data, epsilon=1.0).privacy[0].epsilon == 1.0


def test_one_budget_is_there_wherever_a_column_is() -> None:
    groups: dict[str, Any] = {"group_by": [1, 2], "groups": [1, 2]}
    shares = suum.frequency(["a", "b"], epsilon=1.0, categories=["a", "b"], **groups)
    assert shares[1].privacy[0].epsilon == 1
    assert suum.count(epsilon=0.5, person=PERSONS).privacy[0].count == 3
    for counted in [VALUES, TABLE, *tables().values()]:
        if not hasattr(counted, "read_all") and not hasattr(counted, "collect"):
            assert suum.count(counted, epsilon=0.5) == 4, type(counted)
    plan = suum.plan(TABLE, value="v", epsilon=1.0, bounds=(0, 10))
    assert plan.privacy[0].count == 4
    of_persons = suum.simulate([0.0, 1.0], epsilon=1.0, bounds=(0, 1), target="dataset", trials=3)
    assert len(of_persons.errors) == 3
    # A column of that name stays what it is.
    table = {"epsilon": VALUES}
    named = suum.levels(table, value="epsilon", epsilon=1.0, **BOUNDS).to_json()
    assert '"column":"epsilon"' in named


@pytest.mark.parametrize("name", tables())
def test_budgets_by_person(name: str) -> None:
    rows = {**TABLE, "e": [BUDGETS[person] for person in PERSONS]}
    options: dict[str, Any] = {"value": "v", "person": "id", **BOUNDS}
    expected = suum.levels(rows, epsilon="e", **options).to_json()
    series = pandas.Series(BUDGETS).rename_axis("id")
    for budgets in [BUDGETS, series]:
        given = suum.levels(tables()[name], epsilon=budgets, **options)
        assert given.to_json() == expected


def test_budgets_by_person_beside_columns() -> None:
    expected = suum.levels(
        VALUES, epsilon=[BUDGETS[one] for one in PERSONS], person=PERSONS, **BOUNDS
    ).to_json()
    for person in [PERSONS, numpy.array(PERSONS), polars.Series(PERSONS), pyarrow.array(PERSONS)]:
        assert suum.levels(VALUES, epsilon=BUDGETS, person=person, **BOUNDS).to_json() == expected
    once = suum.levels(VALUES, epsilon=BUDGETS, person=iter(PERSONS), **BOUNDS)
    assert once.to_json() == expected
    series = pandas.Series(PERSONS, name="who")
    budgets = pandas.Series(BUDGETS).rename_axis("who")
    given = suum.levels(VALUES, epsilon=budgets, person=series, **BOUNDS).to_json()
    assert given == expected.replace('"person":"person"', '"person":"who"')
    numbers = suum.count(epsilon={1: 0.5, 2: 1.0}, person=numpy.array([1, 2, 2]))
    assert [(tier.level, tier.count) for tier in numbers.privacy] == [("0.5", 1), ("1", 1)]


def test_a_series_that_is_not_said_to_be_by_person_goes_by_position() -> None:
    """Integer labels of an index can look like persons; only its name tells."""
    frame = pandas.DataFrame({"v": VALUES, "id": [3, 2, 1, 0]}, index=[3, 2, 1, 0])
    budgets = pandas.Series([0.1, 0.2, 0.3, 0.4])
    own = frame.assign(e=budgets)
    asked: dict[str, Any] = {"value": "v", "person": "id", **BOUNDS}
    expected = suum.levels(own, epsilon="e", **asked).to_json()
    assert suum.levels(frame, epsilon=budgets, **asked).to_json() == expected.replace('"e"', "")
    with pytest.raises(suum.RequestError, match="index has other labels than .* data") as refused:
        suum.mean(frame, epsilon=budgets.set_axis([1, 2, 3, 4]), **asked)
    assert 'rename_axis("id")' in str(refused.value.hint)


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"epsilon": {"p1": 0.5}, "person": "id"}, suum.DataError, "row 2: epsilon has no budget"),
        ({"epsilon": BUDGETS}, suum.RequestError, "whose row it is"),
        (
            {"epsilon": pandas.Series([1.0, 2.0], ["p1", "p1"]).rename_axis("id"), "person": "id"},
            suum.RequestError,
            "a person twice",
        ),
        ({"epsilon": -1.0}, suum.DataError, "not a privacy budget"),
        ({"epsilon": math.nan}, suum.ParameterError, "epsilon: not a privacy budget"),
        ({"epsilon": dict.fromkeys(PERSONS, -1.0), "person": "id"}, suum.DataError, "not a priv"),
        ({"epsilon": dict.fromkeys(PERSONS, "secret"), "person": "id"}, suum.DataError, "no numb"),
        ({"epsilon": dict.fromkeys(PERSONS), "person": "id"}, suum.DataError, "missing privacy"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(
    options: dict[str, Any], error: type[suum.Error], match: str
) -> None:
    with pytest.raises(error, match=match) as refused:
        suum.mean(TABLE, value="v", **options, **BOUNDS)
    assert refused.value.hint and not any(person in str(refused.value) for person in PERSONS)
    assert "secret" not in str(refused.value) and refused.value.__context__ is None


def test_one_number_can_be_of_any_type() -> None:
    for number in [1, 1.0, Decimal(1), Fraction(1), numpy.float32(1), numpy.array(1.0)]:
        assert suum.mean(TABLE, value="v", epsilon=number, **BOUNDS).privacy[0].epsilon == 1


def test_an_index_that_could_say_whose_budgets_they_are_is_not_passed_over() -> None:
    """Polars has no index, with which the order of the Series could be compared."""
    rows = {"id": ["p1", "p2"], "v": [1.0, 2.0]}
    budgets = pandas.Series({"p2": 0.5, "p1": 1.0})
    for data in [rows, polars.DataFrame(rows)]:
        with pytest.raises(suum.RequestError, match="could say whose") as refused:
            suum.mean(data, value="v", epsilon=budgets, person="id", **BOUNDS)
        assert "rename_axis" in str(refused.value.hint) and "to_numpy" in str(refused.value.hint)
        of_persons, of_rows = budgets.rename_axis("id"), budgets.to_numpy()
        for given, expected in [(of_persons, [1.0, 0.5]), (of_rows, [0.5, 1])]:
            table = suum.levels(data, value="v", epsilon=given, person="id", **BOUNDS)
            one = suum.levels(rows["v"], epsilon=expected, person=rows["id"], **BOUNDS)
            assert json.loads(table.to_json())["levels"] == json.loads(one.to_json())["levels"]


def test_budgets_that_are_not_beside_the_data_are_refused() -> None:
    with pytest.raises(suum.RequestError, match="epsilon: the data are elsewhere"):
        suum.mean("people.csv", value="v", epsilon=1.0, **BOUNDS)
    with pytest.raises(suum.RequestError, match="how many records"):
        suum.count(epsilon=1.0)
    with pytest.raises(suum.RequestError, match="looked up in a table"):

        class Stream:
            def __arrow_c_stream__(self, requested_schema: object = None) -> object:
                raise AssertionError("not asked")

        suum.mean(Stream(), value="v", person="id", epsilon=BUDGETS, **BOUNDS)


def test_budgets_by_person_are_looked_up_in_pieces() -> None:
    """An interrupt comes between them. A large dictionary would keep Python waiting as it grows."""

    class Persons(list[int]):
        asked: list[int] = []

        def __getitem__(self, at: Any) -> Any:
            piece = super().__getitem__(at)
            self.asked.append(len(piece))
            return piece

    count = 1 << 18
    budgets = pandas.Series([0.5, 1.0] * (count // 2), index=pandas.RangeIndex(count, name="id"))
    found = _consent.budgets_of({"epsilon": budgets, "person": "id"})
    assert isinstance(found, _consent.ByKey)
    persons = Persons(range(count))
    assert found.column(persons) == list(budgets)
    assert max(Persons.asked) <= 1 << 16 and len(Persons.asked) == 4
    parts = _consent._OfSeries(budgets)._parts
    assert len(parts) == 4 and max(map(len, parts)) <= 1 << 17
