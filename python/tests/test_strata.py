"""Strata and design weights, as names of columns and as columns themselves."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy
import pandas
import polars
import pytest
import suum

#: Two fifths are young; the old allow less, and their values are larger.
AGES = ["young", "young", "old", "old", "old"] * 400
VALUES = [0.0, 1.0, 6.0, 7.0, 8.0] * 400
BUDGETS = [4.0 if age == "young" else 2.0 for age in AGES]
WEIGHTS = [1.0 if age == "young" else 2.5 for age in AGES]
FRAME = pandas.DataFrame({"age": AGES, "x": VALUES, "eps": BUDGETS, "w": WEIGHTS})
OPTIONS: dict[str, Any] = {"bounds": (0, 10), "insecure_seed": 7}
NAMED: dict[str, Any] = {"value": "x", "epsilon": "eps", **OPTIONS}
SHARES = {"young": 0.8, "old": 0.2}


def _strata(release: Any) -> Any:
    return release.to_dict()["strata"]


def test_strata_are_columns_by_name_or_themselves(tmp_path: Any) -> None:
    path = tmp_path / "people.csv"
    FRAME.to_csv(path, index=False)
    by: dict[str, Any] = {"strata": "age", "population_shares": SHARES}
    release = suum.mean(path, **NAMED, **by)
    # 0.8 × 0.5 + 0.2 × 7, where the mean of the records is 4.4.
    assert release.estimate == pytest.approx(1.8, abs=0.2)
    assert release.to_dict()["query"]["population_shares"] == SHARES
    beside: dict[str, Any] = {**by, "strata": FRAME["age"]}
    for found in [
        suum.mean(FRAME, **NAMED, **by),
        suum.mean(polars.from_pandas(FRAME), **NAMED, **by),
        suum.mean(FRAME, **NAMED, **beside),
        suum.mean(FRAME, **NAMED, **{**by, "strata": FRAME["age"][::-1]}),
        suum.mean(VALUES, epsilon=BUDGETS, **OPTIONS, **{**by, "strata": AGES}),
        suum.mean(FRAME["x"], epsilon=FRAME["eps"], **OPTIONS, **beside),
    ]:
        assert found.estimate == release.estimate and found.interval == release.interval
    median = suum.median(FRAME, **NAMED, **by, step=1)
    # 0.4 of the shares are at 0 and 0.4 at 1; of the records the median is 6.
    assert median.estimate == 1
    assert median.to_dict()["strata"]["column"] == "age"
    assert suum.quantile(path, **NAMED, **by, step=1).estimate[0.5] == median.estimate
    with pytest.raises(suum.RequestError, match="strata: its index has other labels"):
        suum.mean(FRAME, **NAMED, **{**by, "strata": FRAME["age"][:-1]})
    with pytest.raises(suum.RequestError, match="strata: the data are elsewhere"):
        suum.mean(path, **NAMED, **{**by, "strata": AGES})


def test_strata_of_records_keep_their_shares() -> None:
    classes: dict[str, Any] = {"strata": "age", "classes": ["young", "old"]}
    assert suum.mean(FRAME, **NAMED, **classes).estimate == pytest.approx(4.4, abs=0.2)
    total = suum.sum(FRAME, **NAMED, **classes)
    assert total.estimate == pytest.approx(4.4 * len(AGES), rel=0.05)
    shares = suum.frequency(
        FRAME, value="age", categories=["young", "old"], epsilon="eps", insecure_seed=7,
        strata="w", classes=[1.0, 2.5],
    )  # fmt: skip
    assert shares.estimate["young"] == pytest.approx(0.4, abs=0.05)
    bars = suum.histogram(
        FRAME, value="x", bins=[0, 5, 10], epsilon="eps", insecure_seed=7, **classes
    )
    assert list(bars.estimate.values()) == pytest.approx([0.4, 0.6], abs=0.05)
    options = {name: NAMED[name] for name in ("value", "epsilon", "bounds")}
    with_strata = suum.plan(FRAME, **options, **classes).rmse
    assert (with_strata or 0) > 0
    assert with_strata != suum.plan(FRAME, **options).rmse


def test_design_weights_are_labels_of_whatever_type() -> None:
    weights: dict[str, Any] = {"weight": "w", "classes": [1, 2.5]}
    release = suum.mean(FRAME, **NAMED, **weights)
    # Each old one stands for 2.5 persons: (2 × 0.5 + 3 × 2.5 × 7) / (2 + 7.5).
    assert release.estimate == pytest.approx(5.63, abs=0.2)
    for classes in ([1.0, 2.5], numpy.array([1, 2.5]), ["1", "2.5"], iter([1, 2.5]), "1,2.5"):
        again = suum.mean(FRAME, **NAMED, **{**weights, "classes": classes})
        assert again.estimate == release.estimate
    beside = suum.mean(VALUES, epsilon=BUDGETS, **OPTIONS, weight=WEIGHTS, classes=[1, 2.5])
    assert beside.estimate == release.estimate


def test_numbers_are_strata_with_shares() -> None:
    decades = numpy.where(FRAME["age"] == "young", 2.0, 7.0)
    by: dict[str, Any] = {"strata": decades, "population_shares": {2.0: 0.8, 7: 0.2}}
    named: dict[str, Any] = {"strata": "age", "population_shares": SHARES}
    found = suum.mean(FRAME, **NAMED, **by)
    assert found.estimate == suum.mean(FRAME, **NAMED, **named).estimate
    series = pandas.Series([0.8, 0.2], index=["young", "old"])
    again = suum.mean(FRAME, **NAMED, strata="age", population_shares=series.to_dict())
    assert again.estimate == found.estimate
    with pytest.raises(suum.RequestError, match="strata: .* is to be hidden"):
        suum.mean(FRAME, **NAMED, **named, neighbors="both")
    with pytest.raises(suum.ParameterError, match="classes: the values of the column are not"):
        suum.mean(FRAME, **NAMED, strata="age")


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    "by",
    [
        {"strata": "age", "population_shares": SHARES},
        {"strata": "age", "classes": ["young", "old"]},
        {"weight": "w", "classes": [1, 2.5]},
    ],
)
def test_level_tables_have_strata(by: dict[str, Any], grouped: bool) -> None:
    groups = {"group_by": "site", "groups": ["north", "south"]} if grouped else {}
    # As text, since a database compares numbers as it spells them.
    weights = FRAME["w"].map({1.0: "1", 2.5: "2.5"})
    frame = FRAME.assign(site=["north"] * 1000 + ["south"] * 1000, w=weights)
    read = {"value": "x", "epsilon": "eps", "bounds": (0, 10)}
    con = duckdb.connect()
    con.register("people", frame)
    direct = suum.mean(frame, **NAMED, **groups, **by)
    for table in [
        suum.levels(frame, **read, **groups, **by),
        suum.duckdb.levels(con, table="people", **read, **groups, **by),
        suum.duckdb.levels(con.sql("SELECT * FROM people"), **read, **groups, **by),
    ]:
        found = suum.mean(table, insecure_seed=7, **groups, **by)
        assert found.to_pandas().equals(direct.to_pandas())
        with pytest.raises(suum.TableError, match="a table for each group|not those of the column"):
            suum.mean(table, insecure_seed=7, **groups)
    text = suum.levels_sql(dialect="spark", table="people", **read, **groups, **by)
    assert ("`w`" if "weight" in by else "`age`") in text
