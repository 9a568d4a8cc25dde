#!/usr/bin/env python3
"""What a level table costs on a standalone cluster of Spark, by rows and by workers.

    python/test.sh --collect-only          (makes the environment, with suum and PySpark in it)
    target/python/bin/python benches/spark.py > table.md

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
from pathlib import Path

import suum

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "tests"))
from spark_cluster import session, tell  # noqa: E402

LEVELS = {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf}
ASKED = {"value": "visits", "bounds": (0, 77), "privacy": "privacy", "levels": LEVELS}
#: What is asked, and on how many rows at most: persons are shuffled, and take disk.
QUERIES = [("rows", {}, math.inf), ("persons of ten rows", {"person": "id"}, 10**7)]


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
        f"CAST(id % {rows // 10} AS STRING) AS id",
    ]
    records = spark.range(0, rows, numPartitions=16).selectExpr(*columns)
    records.write.parquet(path)


def timed(spark, people, asked):
    """Seconds from the question to the table on the driver, and those that the processors of
    executors worked in tasks.
    """
    since = 1 + max((stage["stageId"] for stage in tell(spark, "stages")), default=-1)
    start = time.perf_counter()
    suum.spark.levels(people, **asked)
    taken = time.perf_counter() - start
    # The driver writes down the last tasks a little later.
    time.sleep(2)
    busy = sum(
        stage["executorCpuTime"] for stage in tell(spark, "stages") if stage["stageId"] >= since
    )
    return taken, busy / 1e9


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rows", type=int, nargs="+", default=[10**6, 10**7, 10**8])
    arguments.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    arguments.add_argument("--repeat", type=int, default=3)
    given = arguments.parse_args()
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
                            timed(spark, people, {**ASKED, **added})
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
