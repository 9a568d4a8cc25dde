"""The same release to the last bit, whichever engine adds the records up.

    python3 crates/suum-sql/tests/engines.py target/debug/suum sqlite duckdb postgres spark

prints each level query with `suum levels-sql`, runs it in the engines that are named, brings the result back with
`--from-levels` and compares the release with that of the same records as CSV. DuckDB needs the Python packages duckdb and
pyarrow, Spark pyspark and Java 17; PostgreSQL needs its server programs, which do not run as root (as root they run as
the user postgres).
"""

import csv
import glob
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

TIERS = ["strict", 'it\'s "so\\so"', "Ünïcode 🙂", "Strict"]
LEVELS = 'strict=0.1,it\'s "so\\so"=1,Ünïcode 🙂=inf,Strict=0.1'
LABELS = ["good", "Good", " o'clock\t", "naïve", "nai\u0308ve", '"\\', None]
COLUMNS = ["value", "tier", "budget", "label", "site", "id"]
NUMBERS = {"value", "budget"}
SPECIAL = [
    0.0, -0.0, 5e-324, -5e-324, 2.2250738585072009e-308, 1e300, sys.float_info.max, -sys.float_info.max, math.inf,
    -math.inf, math.nan, None, -3.0, 5.0, 1.0, 9007199254740992.0, 0.1, 2.5,
]  # fmt: skip
BUDGETS = [0.0, -0.0, 0.1, 0.3, 0.30000000000000004, 1.0, math.inf, 1e-100, 1e100, 1e-5]


def records(dice, count=4000):
    """Records that engines like to treat differently."""

    def number():
        tie = -3 + (dice.randrange(2**30) + 0.5) * 8 / 2**30
        beside = math.nextafter(tie, dice.choice([-9.0, 9.0]))
        return dice.choice([tie, beside, dice.uniform(-4, 6), dice.choice(SPECIAL)])

    def budget():
        return dice.choice([dice.choice(BUDGETS), 10 ** dice.uniform(-30, 30), 10 ** dice.uniform(-3, 1)])

    rows = []
    for _ in range(count):
        person = dice.randrange(600)
        # Some persons differ in case only, and nobody is in two groups.
        name = f"p{person}" if person % 3 else f"P{person + 1}"
        site = ["north", "süd"][person % 2]
        rows.append((number(), f" {dice.choice(TIERS)} ", budget(), dice.choice(LABELS), site, name))
    return rows


def cases():
    """Statistics: the command, the options of the data, and what the query is to add up."""
    number = ["--value", "value", "--missing", "1", "--bounds"]
    tiny = ["--value", "value", "--missing", "2e-129", "--bounds", "1e-130,3e-129"]
    label = ["--value", "label", "--categories", "good,o'clock,naïve,Good", "--other", "other", "--missing", "naïve"]
    bins = ["--value", "value", "--bins=-3,-0,0.1,2.5,1e12", "--other", "else", "--missing", "else"]
    statistics = [
        ("mean", [*number, "-3,5"], []),
        ("mean", [*number, "-1000000000000,30000000000000"], []),
        ("mean", [*number, "0,10000000000000"], []),
        ("mean", tiny, []),
        ("variance", [*number, "-3,5"], ["--squares"]),
        ("quantile", [*number, "-3,5"], ["--step", "0.125"]),
        ("quantile", tiny, ["--cells", "1048576"]),
        ("frequency", label, []),
        ("frequency", bins, []),
        ("count", [], []),
    ]
    persons = [[], ["--person", "id"]]
    groups = [[], ["--group-by", "site", "--groups", "south,süd,north"]]
    for privacy in (["--privacy", "tier", "--levels", LEVELS], ["--epsilon", "budget"]):
        for command, value, added in statistics:
            for person in persons:
                for group in groups:
                    yield command, privacy + person + group + value, added
        rows = ["--step", "0.125", "--rows", "3"]
        yield "quantile", [*privacy, "--person", "id", *number, "-3,5"], rows


class Suum:
    """The command."""

    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.stderr}")
        return done.stdout

    def release(self, command, *arguments):
        return self(command, *arguments, "--insecure-seed", "7", "--format", "json")


def write_csv(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([[repr(cell) if isinstance(cell, float) else cell for cell in row] for row in rows])
    return path


def check(suum, folder, dialect, run):
    """Compares every case; `run` runs a query and gives the path of a file with its result."""
    count = 0
    for command, options, added in cases():
        sql = suum("levels-sql", "--dialect", dialect, "--table", "people", *options, *added)
        added = [] if added == ["--squares"] else added
        expected = suum.release(command, f"{folder}/people.csv", *options, *added)
        # Without --person there is no --rows: the result says it itself.
        steps = added[:2] if command == "quantile" else []
        found = suum.release(command, "--from-levels", run(sql), *steps)
        assert found == expected, f"{dialect}: {command} {options} {added}\n{expected}\n{found}"
        count += 1
    print(f"{dialect}: {count} releases are the same")


def sqlite(suum, folder, rows):
    import sqlite3

    path = f"{folder}/people.sqlite"
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE people (value REAL, tier TEXT, budget REAL, label TEXT, site TEXT, id TEXT COLLATE NOCASE)")
    file.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", rows)
    file.commit()

    def run(sql):
        found = file.execute(sql)
        names = [column[0] for column in found.description]
        with open(f"{folder}/result.json", "w", encoding="utf-8") as out:
            json.dump([dict(zip(names, row)) for row in found], out)
        return f"{folder}/result.json"

    check(suum, folder, "sqlite", run)
    for command, options, added in cases():
        added = [] if added == ["--squares"] else added
        expected = suum.release(command, f"{folder}/people.csv", *options, *added)
        assert suum.release(command, path, "--table", "people", *options, *added) == expected
    print("sqlite: so are those that it is asked for")


def duckdb(suum, folder, rows):
    import duckdb as engine
    import pyarrow

    database = engine.connect()
    database.execute(
        "CREATE TABLE people (value DOUBLE, tier VARCHAR COLLATE NOCASE, budget DOUBLE, "
        "label VARCHAR COLLATE NOACCENT.NOCASE, site VARCHAR, id VARCHAR COLLATE NOCASE)"
    )
    table = pyarrow.table({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})
    database.register("arrow", table)
    database.execute("INSERT INTO people SELECT * FROM arrow")
    formats = ["csv", "parquet", "json"]

    def run(sql):
        formats.append(formats.pop(0))
        path = f"{folder}/result.{formats[0]}"
        database.execute(f"COPY ({sql}) TO '{path}' (FORMAT {formats[0]})")
        return path

    check(suum, folder, "duckdb", run)


def postgres(suum, folder, rows):
    programs = max(glob.glob("/usr/lib/postgresql/*/bin"))
    home = tempfile.mkdtemp(prefix="suum-postgres-")
    root = os.geteuid() == 0
    if root:
        shutil.chown(home, "postgres")

    def program(*words):
        before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if root else []
        subprocess.run([*before, *words], check=True, stdout=subprocess.DEVNULL, cwd=home)

    def psql(text):
        words = ["psql", "-h", home, "-U", "postgres", "-X", "-q", "-v", "ON_ERROR_STOP=1", "--csv", "-f", "-"]
        return subprocess.run(words, input=text, text=True, check=True, capture_output=True).stdout

    def cell(value):
        if isinstance(value, float):
            return repr(value).replace("inf", "Infinity")
        return "\\N" if value is None else value.replace("\\", "\\\\").replace("\t", "\\t")

    program(f"{programs}/initdb", "-D", f"{home}/data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8")
    options = f"-k {home} -c listen_addresses= -c fsync=off"
    program(f"{programs}/pg_ctl", "-D", f"{home}/data", "-o", options, "-l", f"{home}/log", "-w", "start")
    try:
        lines = ["\t".join(map(cell, row)) for row in rows]
        psql(
            "CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level1', deterministic = false);\n"
            "CREATE TABLE people (value DOUBLE PRECISION, tier TEXT COLLATE caseless, budget DOUBLE PRECISION, "
            "label TEXT COLLATE caseless, site CHAR(9), id TEXT COLLATE caseless);\n"
            "COPY people FROM stdin;\n" + "\n".join(lines) + "\n\\.\n"
        )

        def run(sql):
            settings = "SET extra_float_digits = -15; SET standard_conforming_strings = off;\n"
            with open(f"{folder}/result.csv", "w", encoding="utf-8") as out:
                out.write(psql(settings + sql))
            return f"{folder}/result.csv"

        check(suum, folder, "postgres", run)
    finally:
        program(f"{programs}/pg_ctl", "-D", f"{home}/data", "-m", "immediate", "stop")
        shutil.rmtree(home)


def spark(suum, folder, rows):
    from pyspark.sql import SparkSession
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType

    builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", "2")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    kinds = [StructField(name, DoubleType() if name in NUMBERS else StringType()) for name in COLUMNS]
    session.createDataFrame(rows, StructType(kinds)).repartition(3).cache().createOrReplaceTempView("people")

    def run(sql):
        found = session.sql(sql)
        return write_csv(f"{folder}/result.csv", found.columns, found.collect())

    check(suum, folder, "spark", run)


def main():
    path, *engines = sys.argv[1:]
    known = {"sqlite": sqlite, "duckdb": duckdb, "postgres": postgres, "spark": spark}
    rows = records(random.Random(5))
    with tempfile.TemporaryDirectory() as folder:
        write_csv(f"{folder}/people.csv", COLUMNS, rows)
        for engine in engines:
            known[engine](Suum(path), folder, rows)


if __name__ == "__main__":
    main()
