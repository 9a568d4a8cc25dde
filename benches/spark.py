#!/usr/bin/env python3
"""What a level table costs on a standalone cluster of Spark, by rows and by workers.

    python/test.sh --collect-only          (makes the environment, with suum and PySpark in it)
    target/python/bin/python benches/spark.py > table.md
    target/python/bin/python benches/spark.py --compare --rows 10000000

``--compare`` measures level tables of budgets against what Spark answers without suum on one
worker, in turns: what one would ask for anyhow, and by hand the same integers as those of the level
table. Values are uniform over the bounds, so that a level table has something in each of its
blocks of cells, the most there can be. Values that lie close together are in few, which cost less.

Parquet files are written to a temporary folder once (about 1 GB for 10^8 rows) and removed at the
end. Each cluster has a master and one or two workers on loopback, each with one executor of one
core. Every query runs once to warm up.
"""

import argparse
import math
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import suum

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "tests"))
from spark_cluster import session, tell  # noqa: E402

LEVELS = {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf}
ASKED = {"value": "visits", "bounds": (0, 77), "privacy": "privacy", "levels": LEVELS}
#: What is asked, and on how many rows at most: persons are shuffled, and take disk.
QUERIES = [("rows", {}, math.inf), ("persons of ten rows", {"person": "id"}, 10**7)]


BY_BUDGET = {"value": "visits", "bounds": (0, 77), "epsilon": "epsilon"}
#: The grid index of a value, as the level query computes it.
INDEX = (
    "LEAST(GREATEST(COALESCE(TRY_CAST(visits * CAST('13944699.012987014' AS DOUBLE) + 0.5D AS "
    "BIGINT), CASE WHEN visits < 0D THEN 0 ELSE 1073741824 END), 0), 1073741824)"
)
#: What is compared: a query of Spark's own, or the options of a level table.
COMPARED = {
    "groupBy(epsilon).agg(count, sum)": (
        "SELECT epsilon, COUNT(*), SUM(visits) FROM people GROUP BY epsilon"
    ),
    "level table of budgets, adapt=False": {**BY_BUDGET, "adapt": False},
    "counts and sums in cells, by hand": (
        "SELECT MIN(epsilon), place, COUNT(*), SUM(p), SUM(shiftright(p * p, 20)), "
        "SUM((p * p) & 1048575) FROM (SELECT epsilon, "
        "(xxhash64(epsilon) & -2048) | shiftright(g, 20) AS place, g & 1048575 AS p "
        f"FROM (SELECT epsilon, {INDEX} + 65536 AS g FROM people)) GROUP BY place"
    ),
    "level table of budgets": BY_BUDGET,
    "groupBy(privacy).agg(count, sum)": (
        "SELECT privacy, COUNT(*), SUM(visits) FROM people GROUP BY privacy"
    ),
    "level table of tiers, adapt=False": {**ASKED, "adapt": False},
    "level table of tiers": ASKED,
    "persons in two steps, by hand": (
        "SELECT e, COUNT(*), SUM(m) FROM (SELECT MIN(epsilon) AS e, AVG(visits) AS m FROM people "
        "GROUP BY id) GROUP BY e"
    ),
    "level table of persons, adapt=False": {**BY_BUDGET, "person": "id", "adapt": False},
    "level table of persons": {**BY_BUDGET, "person": "id"},
}


def write(spark, rows, path):
    """Records whose values look random, and do not compress."""
    mixed = "CAST(pmod(xxhash64(id), 1000000007) AS DOUBLE)"
    tier = (
        "element_at(array('strict', 'standard', 'relaxed', 'public'), "
        f"CAST({mixed} % 4 AS INT) + 1) AS privacy"
    )
    columns = [
        f"{mixed} * 77 / 1000000007 AS visits",
        tier,
        f"element_at(array(0.01D, 0.1D, 1D, double('inf')), CAST({mixed} % 4 AS INT) + 1) "
        "AS epsilon",
        f"CAST(id % {rows // 10} AS STRING) AS id",
    ]
    records = spark.range(0, rows, numPartitions=16).selectExpr(*columns)
    records.write.parquet(path)


def timed(spark, work):
    """Seconds from the question to the table on the driver, and those that the processors of
    executors worked in tasks.
    """
    since = 1 + max((stage["stageId"] for stage in tell(spark, "stages")), default=-1)
    start = time.perf_counter()
    work()
    taken = time.perf_counter() - start
    # The driver writes down the last tasks a little later.
    time.sleep(2)
    busy = sum(
        stage["executorCpuTime"] for stage in tell(spark, "stages") if stage["stageId"] >= since
    )
    return taken, busy / 1e9


def compare(rows, repeat):
    """Prints the processor time of each of the compared, in turns."""
    with tempfile.TemporaryDirectory(prefix="suum-spark-") as folder:
        with session(Path(folder), workers=1, partitions=2) as spark:
            write(spark, rows, f"{folder}/people")
            people = spark.read.parquet(f"{folder}/people")
            people.createOrReplaceTempView("people")
            busy = {name: [] for name in COMPARED}
            for _ in range(repeat + 1):
                for name, one in COMPARED.items():
                    if isinstance(one, str):
                        busy[name].append(timed(spark, spark.sql(one).collect)[1])
                    else:
                        table = partial(suum.spark.levels, people, **one)
                        busy[name].append(timed(spark, table)[1])
    print("| compared | CPU seconds (median) | from … to |\n|---|---|---|")
    for name, runs in busy.items():
        runs = runs[1:]
        print(f"| {name} | {statistics.median(runs):.2f} | {min(runs):.2f} … {max(runs):.2f} |")


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 10**8])
    arguments.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    arguments.add_argument("--repeat", type=int, default=3)
    arguments.add_argument("--compare", action="store_true")
    given = arguments.parse_args()
    if given.compare:
        return compare(given.rows[0], given.repeat)
    print(
        "| level table of | rows | workers | seconds (median) | from … to | CPU seconds "
        "| CPU seconds per 10^6 rows |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="suum-spark-") as folder:
        for place, workers in enumerate(given.workers):
            own = Path(folder) / f"cluster-{workers}"
            own.mkdir()
            with session(own, workers=workers, partitions=2 * workers) as spark:
                for rows in given.rows:
                    path = f"{folder}/{rows}"
                    if place == 0:
                        write(spark, rows, path)
                    people = spark.read.parquet(path)
                    for name, added, most in QUERIES:
                        if rows > most:
                            continue
                        runs = [
                            timed(spark, partial(suum.spark.levels, people, **ASKED, **added))
                            for _ in range(given.repeat + 1)
                        ][1:]
                        seconds, busy = zip(*runs)
                        cpu = statistics.median(busy)
                        middle = statistics.median(seconds)
                        figures = f"{middle:.2f} | {min(seconds):.2f} … {max(seconds):.2f}"
                        print(
                            f"| {name} | {rows:.0e} | {workers} | {figures} | {cpu:.2f} "
                            f"| {cpu * 1e6 / rows:.3f} |"
                        )
                        sys.stdout.flush()


if __name__ == "__main__":
    main()
