"""Level tables of Spark, from a cluster whose executors can be lost."""

from __future__ import annotations

import doctest
import json
import math
import os
import random
import signal
import struct
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas
import pyarrow
import pyarrow.parquet
import pytest
import suum
import typed_labels
from conftest import LEVELS, RANDHIE, run_page, without_query
from hard_records import Case
from spark_cluster import tell
from test_engines import check, expected, folder

# What `test_engines.py` compares, here beside the other tests of a cluster: one is enough.
__all__ = ["expected", "folder"]

pytestmark = pytest.mark.spark

VISITS: dict[str, Any] = {
    "value": "visits",
    "bounds": (0, 77),
    "privacy": "privacy",
    "levels": LEVELS,
}
HEALTH: dict[str, Any] = {"group_by": "health", "groups": ["excellent", "good", "fair", "poor"]}


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_the_release_is_the_one_of_a_single_machine(spark: Any, tmp_path: Path, form: str) -> None:
    """The same files, in pieces, read by both."""
    frame = pandas.read_csv(RANDHIE)
    for number in range(5):
        part = frame.iloc[number::5]
        if form == "csv":
            part.to_csv(tmp_path / f"{number}.csv", index=False)
        else:
            part.to_parquet(tmp_path / f"{number}.parquet", index=False)
    path = str(tmp_path)
    people = (
        spark.read.csv(path, header=True, inferSchema=True)
        if form == "csv"
        else spark.read.parquet(path)
    )
    assert people.rdd.getNumPartitions() > 1
    table = suum.spark.levels(people, **VISITS, step=1)
    assert table.to_json() == suum.levels(path, **VISITS, step=1).to_json()
    for statistic in ("mean", "variance", "summary"):
        # A single statistic needs no more than its own sums, and takes a table with more.
        # A table for quantiles has no sums in cells, from which a mean would learn.
        step: dict[str, Any] = {"step": 1} if statistic == "summary" else {}
        if statistic == "mean":
            step = {"adapt": False}
        found = getattr(suum, statistic)(table, **step, insecure_seed=7)
        direct = getattr(suum, statistic)(path, **VISITS, **step, insecure_seed=7)
        assert without_query(found.to_json()) == without_query(direct.to_json())
    table = suum.spark.levels(people, **VISITS, **HEALTH)
    grouped = suum.mean(table, **HEALTH, insecure_seed=7)
    direct = suum.mean(path, **VISITS, **HEALTH, insecure_seed=7)
    assert without_query(grouped.to_json()) == without_query(direct.to_json())


def test_a_study_asks_a_cluster_what_it_asks_a_table(spark: Any) -> None:
    columns = {
        "visits": suum.number(0, 77, step=1),
        "health": suum.labels("excellent", "good", "fair", "poor", public=True),
    }
    study = suum.Study(
        spark.read.csv(RANDHIE, header=True, inferSchema=True),
        consent=suum.tiers("privacy", LEVELS),
        columns=columns,
    ).options(insecure_seed=7)
    local = study.on(pandas.read_csv(RANDHIE))
    for ask in (
        lambda it: it.mean("visits"), lambda it: it.by("health").variance("visits"),
        lambda it: it.frequency("health"), lambda it: it.count(),
        lambda it: it.where("health = 'poor'").sum("visits"),
    ):  # fmt: skip
        found, expected = ask(study), ask(local)
        assert type(found) is type(expected) and found.to_pandas().equals(expected.to_pandas())
    # A level table does not say that intervals end at steps, too.
    assert study.median("visits").estimate == local.median("visits").estimate
    assert study.plan.mean("visits").rmse == local.plan.mean("visits").rmse
    with study.release() as release, local.release() as same:
        for one in (release, same):
            one.mean("visits")
            one.frequency("health")
    assert release.to_pandas().equals(same.to_pandas())


def test_labels_are_the_same_text_in_whatever_time_zone(spark: Any, tmp_path: Path) -> None:
    people = typed_labels.table().drop_columns([*typed_labels.RARE])
    pyarrow.parquet.write_table(people, tmp_path / "people.parquet")
    zone = "spark.sql.session.timeZone"
    before = spark.conf.get(zone)
    spark.conf.set(zone, "Europe/Berlin")
    try:
        read = spark.read.parquet(str(tmp_path / "people.parquet")).cache()
        for name in typed_labels.LABELS:
            asked = typed_labels.by(name)
            levels = suum.spark.levels(read, **asked)
            assert levels.to_json() == suum.levels(people, **asked).to_json(), name
        # Medians need the records.
        asked = typed_labels.by("instant")
        groups = asked["groups"]
        median = suum.median(
            read, value="v", bounds=(0, 7), epsilon="e", group_by="instant", groups=groups
        )
        assert list(median) == groups
    finally:
        spark.conf.set(zone, before)


def test_every_case_has_the_release_of_a_file(
    spark: Any, folder: Path, expected: list[tuple[Case, str, str | None]]
) -> None:
    people = spark.read.parquet(str(folder / "people.parquet")).repartition(3).cache()
    check(expected, lambda case: suum.spark.levels(people, **case.asked()))
    people.unpersist()


def test_tables_and_queries_of_a_session(spark: Any) -> None:
    spark.read.csv(RANDHIE, header=True, inferSchema=True).createOrReplaceTempView("`a.b`")
    few = "SELECT * FROM `a.b` WHERE health <> 'poor'"
    assert (
        suum.spark.levels(spark, table='"a.b"', **VISITS).to_json()
        == suum.levels(RANDHIE, **VISITS).to_json()
    )
    kept = [row for row in pandas.read_csv(RANDHIE).itertuples() if row.health != "poor"]
    table = suum.spark.levels(spark, query=few, public_columns=["health"], **VISITS)
    assert suum.count(table).estimate == len(kept)
    spark.catalog.dropTempView("a.b")


def test_levels_and_cells_are_those_of_a_file(spark: Any, tmp_path: Path) -> None:
    """However records are grouped: by tiers or budgets, in groups, and of persons."""
    frame = pandas.read_csv(RANDHIE)
    frame["budget"] = frame["privacy"].map(LEVELS)
    # Budgets whose last bits are zero, which Spark would look up in the same place.
    short = [0.0, -0.0, 0.5, 1, 2, 4, math.inf, 0.1]
    frame["short"] = [short[at % len(short)] for at in frame.index]
    frame["visits"] = [value + at % 977 / 977 for at, value in enumerate(frame["visits"])]
    frame["who"] = frame.index % 1000
    frame["home"] = frame["who"] % 3
    frame.to_parquet(tmp_path / "people.parquet", index=False)
    people = spark.read.parquet(str(tmp_path)).repartition(3).cache()
    budgets = {"value": "visits", "bounds": (0, 77), "epsilon": "budget"}
    homes: dict[str, Any] = {"group_by": "home", "groups": [0, 1, 2]}
    for further in ({}, homes, {"person": "who"}, {"person": "who", **homes}, {"adapt": False}):
        for asked in (VISITS, budgets, {**budgets, "epsilon": "short"}):
            table = suum.spark.levels(people, **asked, **further)
            assert table.to_json() == suum.levels(str(tmp_path), **asked, **further).to_json()
    people.unpersist()


def double_of_hash(wanted: int) -> float:
    """The double of which xxhash64 in Spark is this: its steps for eight bytes, backwards."""
    bits = (1 << 64) - 1
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    p4, p5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5

    def unshifted(word: int, by: int) -> int:
        found = word
        for _ in range(64 // by):
            found = word ^ (found >> by)
        return found

    def divided(word: int, factor: int) -> int:
        return word * pow(factor, -1, 1 << 64) & bits

    def turned_back(word: int, by: int) -> int:
        return (word >> by | word << (64 - by)) & bits

    word = divided(unshifted(wanted, 32), p3)
    word = unshifted(divided(unshifted(word, 29), p2), 33)
    word = turned_back(divided((word - p4) & bits, p1), 27)
    word = divided(turned_back(divided(word ^ (42 + p5 + 8 & bits), p1), 31), p2)
    return float(struct.unpack("<d", word.to_bytes(8, "little"))[0])


def test_nobodys_budget_is_rounded_up_where_hashes_agree(spark: Any) -> None:
    """Budgets are grouped by most bits of a hash: here by two of which all these bits agree."""
    hashes = [7 << 40 | last for last in range(1 << 15)]
    found = [budget for budget in map(double_of_hash, hashes) if 1e-3 < budget < 10]
    low, high = sorted(found)[0], sorted(found)[-1]
    people = spark.range(4000).selectExpr(
        "CAST(id % 20 AS DOUBLE) AS visits",
        f"IF(id % 4 = 0, CAST('{low!r}' AS DOUBLE), CAST('{high!r}' AS DOUBLE)) AS epsilon",
    )
    seen = people.selectExpr("xxhash64(epsilon) AS hash").distinct().collect()
    assert len(seen) == 2 and {row.hash >> 15 for row in seen} == {7 << 25}
    table = suum.spark.levels(people, value="visits", bounds=(0, 77), epsilon="epsilon")
    levels = json.loads(table.to_json())["levels"]
    # Values 0, 4, 8 … are of the lesser budget alone: no cell has both.
    counts = {level["epsilon"]: level["count"] for level in levels}
    assert counts == {low: 1000, high: 3000}
    both = people.selectExpr("1D AS visits", "epsilon")
    table = suum.spark.levels(both, value="visits", bounds=(0, 77), epsilon="epsilon")
    levels = json.loads(table.to_json())["levels"]
    assert [(level["epsilon"], level["count"]) for level in levels] == [(low, 4000)]


def test_sums_in_cells_are_for_a_mean_that_learns(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = spark.read.csv(RANDHIE, header=True, inferSchema=True)
    queries: list[str] = []

    def collected(session: Any, text: str) -> Any:
        queries.append(text)
        found = session.sql(text)
        return found.columns, found.collect()

    monkeypatch.setattr("suum.spark._collected", collected)
    for learns, statistic, options in [
        (True, suum.mean, {}),
        (True, suum.sum, {"target": "dataset"}),
        (True, suum.plan, {"statistic": "mean"}),
        (False, suum.mean, {"adapt": False}),
        (False, suum.mean, {"estimator": "affine"}),
        (False, suum.mean, {"shrink": True}),
        (False, suum.sum, {"variance": 20}),
        (False, suum.mean, {"target": "dataset-correlated"}),
        (False, suum.plan, {"statistic": "variance"}),
        (False, suum.variance, {}),
    ]:
        seed = {} if statistic is suum.plan else {"insecure_seed": 7}
        found, direct = (
            json.loads(statistic(data, **VISITS, **options, **seed).to_json())
            for data in (people, RANDHIE)
        )
        for told in (found, direct):
            told.pop("query", None)
            told.pop("created", None)
        assert found == direct
        assert ("cell_sums" in queries[-1]) == learns, options
    assert len(queries) == 10


def test_cells_are_left_out_where_they_are_too_many(spark: Any) -> None:
    """As for a thousand budgets of a million records, with smaller limits in the query."""
    people = "id % 20 AS visits", "element_at(array(0.1D, 1D), CAST(id % 2 AS INT) + 1) AS eps"
    spark.range(4000).selectExpr(*people).createOrReplaceTempView("crowd")
    asked: dict[str, Any] = {"value": "visits", "epsilon": "eps", "bounds": (0, 77)}
    text = suum.levels_sql(dialect="spark", table="crowd", **asked)

    def table(levels: int, records: int) -> dict[str, Any]:
        limited = text
        for limit, smaller in [("<= 1023 OR", f"<= {levels} OR"), ("<= 1048576", f"<= {records}")]:
            assert limit in limited
            limited = limited.replace(limit, smaller)
        rows = [row.asDict() for row in spark.sql(limited).collect()]
        read: dict[str, Any] = json.loads(suum.from_levels(json.dumps(rows)).to_json())
        return read

    whole = table(1023, 1 << 20)
    assert whole == table(2, 1) == table(1, 4000)
    assert all(len(level["cells"]) == 10 for level in whole["levels"])
    fewer = table(1, 3999)
    for key in ["cells", "cell_sums"]:
        assert key not in fewer and whole.pop(key)
        for level in whole["levels"]:
            level.pop(key)
    assert fewer == whole
    rows = [row.asDict() for row in spark.sql(text.replace("<= 4294967295", "<= 99")).collect()]
    with pytest.raises(suum.TableError, match="more records of one level in a cell") as refused:
        suum.from_levels(json.dumps(rows))
    assert "adapt=False" in str(refused.value.hint)
    spark.catalog.dropTempView("crowd")


def test_sums_of_tasks_are_exact_up_to_their_most_records(spark: Any) -> None:
    """As if each record stood for 2^31 - 1 like it."""
    many = (1 << 31) - 1
    visits = [0.0, 77.0, 77 * (1 - 2.0**-30), 1e300, 0.1]
    columns = {"visits": visits, "eps": [1.0 + at for at in range(len(visits))]}
    asked: dict[str, Any] = {"value": "visits", "bounds": (0, 77), "epsilon": "eps", "adapt": False}
    one = json.loads(suum.levels(columns, **asked).to_json())
    text = suum.levels_sql(dialect="spark", table="many", **asked)
    for of_records in [
        "COUNT(*)", "SUM(grid_index)", "SUM(shiftright(square, 31))", "SUM((square) & 2147483647)",
    ]:  # fmt: skip
        assert of_records in text
        text = text.replace(of_records, f"({of_records} * {many})")
    structs = ", ".join(
        f"struct(CAST('{value!r}' AS DOUBLE) AS visits, CAST({budget} AS DOUBLE) AS eps)"
        for value, budget in zip(*columns.values())
    )

    def table(times: int, tasks: int) -> dict[str, Any]:
        people = spark.range(0, times, 1, tasks).selectExpr(f"inline(array({structs}))")
        people.createOrReplaceTempView("many")
        rows = [row.asDict() for row in spark.sql(text).collect()]
        found: dict[str, Any] = json.loads(suum.from_levels(json.dumps(rows)).to_json())
        return found

    for times, tasks in [(8, 4), (12, 6)]:
        found = table(times, tasks)
        for level, of_one in zip(found["levels"], one["levels"], strict=True):
            for name in ("count", "sum", "squares"):
                assert int(level[name]) == int(of_one[name]) * times * many
    # Three records of a level in a task.
    with pytest.raises(suum.TableError, match="more records of one level in a task") as refused:
        table(12, 4)
    assert "repartition" in str(refused.value.hint)
    spark.catalog.dropTempView("many")


@pytest.mark.parametrize("adapt", [True, False])
def test_values_that_no_integer_reaches_are_clamped(spark: Any, adapt: bool) -> None:
    """Their grid indices, before they are: Spark's integers end at 2^63."""
    ends = [math.inf, 1e300, 1e19, 9.3e18, 9.2e18, 2.0**62, 51.0, 50.0]
    visits = [sign * end for end in ends for sign in (1, -1)] + [-2.0, -0.0, 49.99]
    columns = {"visits": visits, "eps": [(1 + at % 5) / 4 for at in range(len(visits))]}
    asked: dict[str, Any] = {
        "value": "visits", "bounds": (-2, 50), "epsilon": "eps", "adapt": adapt,
    }  # fmt: skip
    people = spark.createDataFrame(list(zip(*columns.values())), list(columns))
    found = suum.spark.levels(people, **asked).to_json()
    assert found == suum.levels(columns, **asked).to_json()


def test_persons_who_are_lost_or_counted_twice_are_found(spark: Any) -> None:
    """As by an engine that brings the rows of one person to two places, or to another person."""
    people = "id % 19 AS visits", "'strict' AS privacy", "CAST(id % 300 AS STRING) AS id"
    spark.range(4000).selectExpr(*people).createOrReplaceTempView("trips")
    text = suum.levels_sql(dialect="spark", table="trips", **VISITS, person="id")

    def table(was: str, now: str) -> suum.Levels:
        assert text.count(was) == 1
        rows = [row.asDict() for row in spark.sql(text.replace(was, now)).collect()]
        return suum.from_levels(json.dumps(rows))

    assert suum.count(table("GROUP BY person", "GROUP BY person")) == 300
    with pytest.raises(suum.DataError, match="column id: a person was counted twice"):
        table("GROUP BY person\n", "GROUP BY person, person = '7' AND grid_index > 100000000\n")
    others = "CASE person WHEN '7' THEN '8' ELSE person END AS person\n  FROM suum_cells"
    with pytest.raises(suum.TableError, match="do not add up"):
        table("person\n  FROM suum_cells", others)
    spark.catalog.dropTempView("trips")


def test_nothing_is_left_behind(spark: Any) -> None:
    people = spark.range(10).selectExpr("id AS visits", "'strict' AS privacy")
    suum.spark.levels(people, **VISITS)
    with pytest.raises(suum.DataError):
        suum.spark.levels(people, **{**VISITS, "levels": {"other": 1}})
    assert spark.catalog.listTables() == []


def test_refusals_repeat_nothing_that_spark_says(spark: Any) -> None:
    people = spark.createDataFrame(
        [("secret", "strict"), ("3", "strict"), ("", "strict")], ["visits", "privacy"]
    )
    with pytest.raises(suum.DataError, match="column visits: not a number") as refused:
        suum.spark.levels(people, **VISITS, missing=1)
    assert "secret" not in str(refused.value)
    # Numbers in text count, and an empty text is missing.
    numbers = people.where("visits <> 'secret'")
    assert suum.count(suum.spark.levels(numbers, **VISITS, missing=1)).estimate == 2
    failing = people.selectExpr("CAST(raise_error(visits) AS DOUBLE) AS visits", "privacy")
    for data, options, code in [
        (people, {**VISITS, "value": "visit"}, "UNRESOLVED_COLUMN"),
        (failing, VISITS, "USER_RAISED_EXCEPTION"),
    ]:
        with pytest.raises(suum.ReadError, match=code) as failed:
            suum.spark.levels(data, **options)
        assert "secret" not in str(failed.value) and failed.value.__context__ is None
    with pytest.raises(suum.ParameterError, match="table"):
        suum.spark.levels(people, table="people", **VISITS)
    with pytest.raises(suum.ParameterError, match="table"):
        suum.spark.levels(spark, **VISITS)


def test_the_examples(spark: Any) -> None:
    tested = doctest.testmod(suum.spark, extraglobs={"spark": spark})
    assert tested.attempted > 3 and tested.failed == 0
    assert run_page("how-to/spark.md", {"spark": spark})


class Slow:
    """A session in which every row that a reduce task gives takes its time."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def sql(self, text: str) -> Any:
        slow = (
            "CASE WHEN java_method('java.lang.Thread', 'sleep', 60L) = '' "
            "THEN '' ELSE part END AS part"
        )
        others = "group_number, level, item, records, source_rows, cell_rows, index_sum, square_sum"
        return self._session.sql(f"SELECT {slow}, {others} FROM ({text})")


def _stages(spark: Any, since: int) -> list[dict[str, Any]]:
    return [stage for stage in tell(spark, "stages") if stage["stageId"] >= since]


def _kill_in_the_reduce_stage(spark: Any, since: int) -> str:
    """Waits until a part of the reduce stage is done, and kills an executor that has results of the
    first stages.
    """
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        stages = _stages(spark, since)
        # It is the only one that writes nothing to be shuffled and waits for others.
        reducing = [
            stage
            for stage in stages
            if stage["status"] == "ACTIVE" and stage["shuffleWriteRecords"] == 0
        ]
        before = [
            stage
            for stage in stages
            if stage["status"] == "COMPLETE" and stage["shuffleWriteRecords"] > 0
        ]
        if before and any(
            stage["numCompleteTasks"] >= 2 and stage["numTasks"] > 8 for stage in reducing
        ):
            break
        time.sleep(0.1)
    else:
        raise AssertionError("there was no reduce stage")
    assert all(stage["attemptId"] == 0 and stage["numFailedTasks"] == 0 for stage in stages)
    executors = [executor for executor in tell(spark, "executors") if executor["id"] != "driver"]
    lost = max(executors, key=lambda executor: executor["totalShuffleWrite"])
    assert len(executors) == 2 and lost["totalShuffleWrite"] > 0
    mine = [
        "CoarseGrainedExecutorBackend",
        f"--executor-id {lost['id']} ",
        f"--app-id {spark.sparkContext.applicationId} ",
        # A cluster that began in the same second has applications of the same names.
        f":{spark.sparkContext.getConf().get('spark.driver.port')} ",
    ]
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True
    ).stdout
    found = [
        line.split()[0]
        for line in listed.splitlines()
        if "java" in line and all(word in line for word in mine)
    ]
    assert len(found) == 1
    os.kill(int(found[0]), signal.SIGKILL)
    return str(lost["id"])


def test_an_executor_killed_in_the_reduce_stage_changes_nothing(spark: Any, tmp_path: Path) -> None:
    dice = random.Random(3)
    count = 40_000
    tiers = {"strict": 0.1, "relaxed": 1, "public": math.inf}
    for number in range(4):
        columns = {
            # Each value of each tier is a row of the result.
            "visits": [dice.randrange(200) / 4 for _ in range(count // 4)],
            "tier": [dice.choice([*tiers]) for _ in range(count // 4)],
        }
        pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / f"{number}.parquet")
    asked: dict[str, Any] = {"value": "visits", "bounds": (0, 77)}
    asked |= {"privacy": "tier", "levels": tiers}
    people = spark.read.parquet(str(tmp_path)).repartition(4)
    people.createOrReplaceTempView("people")
    since = 1 + max((stage["stageId"] for stage in tell(spark, "stages")), default=-1)
    settings = {"spark.sql.adaptive.enabled": "false", "spark.sql.shuffle.partitions": "32"}
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        with ThreadPoolExecutor(1) as beside:
            killing = beside.submit(_kill_in_the_reduce_stage, spark, since)
            table = suum.spark.levels(Slow(spark), table="people", **asked)
            lost = killing.result()
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)
        spark.catalog.dropTempView("people")
    # Something was lost, and made again.
    gone = [executor for executor in tell(spark, "allexecutors") if executor["id"] == lost]
    assert [executor["isActive"] for executor in gone] == [False]
    stages = _stages(spark, since)
    assert any(stage["attemptId"] > 0 and stage["shuffleWriteRecords"] > 0 for stage in stages)
    assert any(stage["attemptId"] > 0 and stage["shuffleWriteRecords"] == 0 for stage in stages)
    assert sum(stage["numFailedTasks"] for stage in stages) > 0

    assert table.to_json() == suum.levels(tmp_path, **asked).to_json()
    release = suum.mean(table, insecure_seed=7)
    direct = suum.mean(tmp_path, **asked, insecure_seed=7)
    assert without_query(release.to_json()) == without_query(direct.to_json())
    assert suum.count(table).estimate == count


def test_a_statistic_of_a_data_frame_has_the_cluster_add_up(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = spark.read.csv(RANDHIE, header=True, inferSchema=True)
    for name in ("toPandas", "toArrow", "toLocalIterator", "collect"):
        # What the driver collects are the few rows of another DataFrame, that of the level query.
        whole = getattr(type(people), name)

        def few(self: Any, *rest: Any, whole: Any = whole) -> Any:
            return _only_few(self, people, whole, rest)

        monkeypatch.setattr(type(people), name, few)
    seeded: dict[str, Any] = {"insecure_seed": 7}
    table = suum.spark.levels(people, **VISITS)
    expected = suum.mean(table, **seeded)
    assert suum.mean(people, **VISITS, **seeded).to_json() == expected.to_json()
    grouped = suum.mean(people, **VISITS, **HEALTH, **seeded)
    assert list(grouped) == HEALTH["groups"] and grouped["good"].privacy[0].count > 0
    # Visits are integers by their type.
    median = suum.median(people, **VISITS, **seeded)
    assert float(median) == round(median) and not suum.levels(people, **VISITS).to_json() == ""
    summary = suum.summary(people, **VISITS, statistic="mean,q90", **seeded)
    assert summary.mean.estimate > 0 and list(summary.quantiles) == [0.9]
    shares = suum.frequency(
        people, value="health", categories=HEALTH["groups"], epsilon=1.0, **seeded
    )
    assert shares.privacy[0].count == 20190 and shares.estimate["poor"] < 0.1
    assert suum.count(people, epsilon=0.5) == 20190
    assert suum.plan(people, privacy="privacy", levels=LEVELS).privacy[0].count == (
        suum.plan(RANDHIE, privacy="privacy", levels=LEVELS).privacy[0].count
    )
    of_bounds: dict[str, Any] = {"privacy": "privacy", "levels": LEVELS, "bounds": (0, 77)}
    for statistic in ["mean", "quantile"]:
        plan = suum.plan(people, statistic=statistic, **of_bounds)
        assert plan.rmse == suum.plan(RANDHIE, statistic=statistic, **of_bounds).rmse
    with pytest.raises(suum.RequestError, match="the data are elsewhere"):
        suum.mean(people, **{**VISITS, "epsilon": [1.0], "privacy": None, "levels": None})


def test_hidden_people_of_a_data_frame_are_released_by_what_was_declared(spark: Any) -> None:
    frame = pandas.DataFrame(
        {
            "visits": [at * 7 % 31 for at in range(3000)],
            "tier": [["strict", "relaxed"][at % 2] for at in range(3000)],
            "site": [["a", "b"][at // 2 % 2] for at in range(3000)],
        }
    )
    people = spark.createDataFrame(frame)
    tiers: dict[str, Any] = {"privacy": "tier", "levels": {"strict": 1, "relaxed": 4}}
    visits: dict[str, Any] = {"value": "visits", "bounds": (0, 31)}
    sites: dict[str, Any] = {"group_by": "site", "groups": ["a", "b"]}
    shares: dict[str, Any] = {"value": "site", "categories": ["a", "b"]}
    cases: list[tuple[str, dict[str, Any]]] = [
        ("mean", visits),
        ("sum", {**visits, **sites}),
        ("variance", visits),
        ("median", visits),
        ("summary", {**visits, **sites}),
        ("frequency", shares),
        ("histogram", {**visits, "bins": 4}),
        ("count", sites),
    ]
    for what, options in cases:
        for budgets in (tiers, {"epsilon": 1.0}):
            asked = {**options, **budgets, "neighbors": "both", "insecure_seed": 7}
            ask = getattr(suum, what)
            # A mean of a file reads twice, and learns first.
            adapt = {"adapt": False} if what in ("mean", "sum") else {}
            found, expected = (ask(data, **asked, **adapt) for data in (people, frame))
            rows, others = found.to_pandas(), expected.to_pandas()
            assert rows["estimate"].tolist() == others["estimate"].tolist(), (what, budgets)


def test_a_check_of_bounds_and_columns_of_spark(spark: Any) -> None:
    from pyspark.sql import functions

    frame = pandas.DataFrame({"visits": [float(at * 7 % 31) for at in range(3000)], "site": "a"})
    people = spark.createDataFrame(frame)
    asked: dict[str, Any] = {"epsilon": 1.0, "bounds": (0, 31)}
    checked = suum.mean(people, value="visits", check_bounds=True, **asked)
    assert list(checked.bounds_check.estimate)[1] == "between"
    half = functions.col("visits") / 2
    of_sites: dict[str, Any] = {"group_by": [people["site"], functions.lit("b")]}
    grouped = suum.mean(people, value=half, **asked, **of_sites, groups=[["a", "x"], ["b", "x"]])
    assert list(grouped) == [("a", "b")] and grouped.to_dict()["column"] == "(visits / 2)"
    with pytest.raises(suum.ReadError, match="value: Spark cannot compute it") as failed:
        suum.mean(people, value=functions.col("visit") / 2, **asked)
    assert failed.value.__context__ is None and "UNRESOLVED_COLUMN" in str(failed.value)


def test_columns_of_spark_choose_rows_by_public_columns(spark: Any, tmp_path: Path) -> None:
    from pyspark.sql import Window, functions

    values = [float(at % 31) for at in range(300)]
    frame = pandas.DataFrame({"v": values, "t": ["low", "high"] * 150})
    people = spark.createDataFrame(frame)
    levels = {"low": 0.5, "high": 1.0}
    asked: dict[str, Any] = {"value": "v", "bounds": (0, 62), "levels": levels}
    for plain in [functions.col("t"), people["t"].alias("tier")]:
        assert suum.mean(people, **asked, privacy=plain)
    large = functions.when(people["v"] > 10, "low").otherwise("high")
    for column, name in [(functions.lower("t"), "t"), (large, "v"), (large.alias("v"), "v")]:
        with pytest.raises(suum.RequestError, match=f"^privacy: .* column {name},") as refused:
            suum.mean(people, **asked, privacy=column)
        assert f'public_columns=["{name}"]' in (refused.value.hint or "")
        assert suum.plan(people, **asked, privacy=column, public_columns=[name])
    with pytest.raises(suum.RequestError, match="^privacy: the values .* column t,"):
        value = functions.col("v") + functions.length("t")
        suum.mean(people, **{**asked, "value": value}, privacy="t")
    of_rows = [functions.avg("v"), functions.explode(functions.array("v", "v"))]
    for value in [*of_rows, functions.avg("v").over(Window.partitionBy("t"))]:
        with pytest.raises(suum.RequestError, match="value: this expression .* own row"):
            suum.mean(people, **{**asked, "value": value}, privacy="t")
    ledger = suum.Ledger.create(tmp_path / "d.ledger", dataset="d", levels=levels)
    twice = {**asked, "value": (functions.col("v") * 2).alias("twice")}
    suum.mean(people, **twice, privacy="t", ledger=ledger, spend="10%")
    assert ledger.balance()["columns"]["values"] == ["v"]


def test_where_sums_are_not_enough_the_columns_are_collected(spark: Any, tmp_path: Path) -> None:
    """The release is that of the same records in memory."""
    frame = pandas.DataFrame(
        {
            "visits": [float(at * 7 % 31) for at in range(3000)],
            "tier": [["strict", "relaxed"][at % 2] for at in range(3000)],
            "site": [["a", "b"][at // 2 % 2] for at in range(3000)],
            "day.": pandas.to_datetime([f"2020-01-{1 + at % 28:02}" for at in range(3000)]),
            "id": [f"p{at // 2}" for at in range(3000)],
        }
    )
    people = spark.createDataFrame(frame).withColumn("day.", _date("`day.`"))
    frame["day."] = frame["day."].dt.date
    tiers: dict[str, Any] = {"privacy": "tier", "levels": {"strict": 1, "relaxed": 4}}
    visits: dict[str, Any] = {"value": "visits", "bounds": (0, 40)}
    sites: dict[str, Any] = {"group_by": "site", "groups": ["a", "b"]}
    budgets = {name: 1.0 + at % 2 for at, name in enumerate(frame["id"].unique())}
    days: dict[str, Any] = {"value": "day.", "bounds": ("2020-01-01", "2020-02-01")}
    cases: list[tuple[str, dict[str, Any]]] = [
        ("mean", {**visits, **tiers, "bounds": "auto"}),
        ("mean", {**visits, **tiers, "bounds": "auto", **sites}),
        ("quantile", {**visits, **tiers, "bounds": "auto", "q": [0.5], "person": "id"}),
        ("mean", {**visits, "epsilon": budgets, "person": "id"}),
        ("sum", {**visits, **tiers, "person": "id"}),
        ("mean", {**days, **tiers}),
        ("count", {**tiers, **sites, "person": "id", "neighbors": "add-remove"}),
    ]
    for what, options in cases:
        ask = getattr(suum, what)
        found, expected = (ask(data, **options, insecure_seed=7) for data in (people, frame))
        assert without_query(found.to_json()) == without_query(expected.to_json()), options
    asked = {**tiers, "answers": [{"statistic": "mean", **visits}, {"statistic": "mean", **days}]}
    found, expected = (suum.run(asked, data, insecure_seed=7).to_dict() for data in (people, frame))
    assert found["answers"] == expected["answers"] and found["privacy"] == expected["privacy"]
    ledger = suum.Ledger.create(tmp_path / "ledger", dataset="people", persons=True, allow=4)
    charged = suum.mean(people, **visits, **tiers, person="id", ledger=ledger, spend="50%").ledger
    assert charged is not None and charged["persons"]["charged"] == 1500
    with pytest.raises(suum.ReadError, match="UNRESOLVED_COLUMN") as failed:
        suum.mean(people, **{**visits, **tiers, "bounds": "auto", "value": "visit"})
    assert failed.value.__context__ is None


def _date(name: str) -> Any:
    from pyspark.sql.functions import expr

    return expr(f"CAST({name} AS DATE)")


def _only_few(frame: Any, people: Any, whole: Any, rest: Any) -> Any:
    assert frame is not people, "all records were collected"
    found = whole(frame, *rest)
    assert len(found) < 10_000
    return found
