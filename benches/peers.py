#!/usr/bin/env python3
"""Runs suum and its peers side by side and prints a table of ratios.

    benches/peers.py [--rows N] [--work FOLDER]

It builds suum, makes a virtual environment for the peers and the data files, all in FOLDER (default
target/peers), then runs everything alternately, five times each, and prints the medians as
Markdown. Times of one run can be compared with each other, not with those of another machine or
hour.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
import venv
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PEERS = ["duckdb", "polars", "pyarrow", "numpy", "opendp", "cvxpy"]
LEVELS = [0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0, float("inf")]
TIERS = ["never", "strict", "standard", "relaxed", "open", "partner", "staff", "public"]
DECLARED = "never=0,strict=0.01,standard=0.1,relaxed=0.5,open=1,partner=2,staff=3,public=inf"
TIMES = 5


def in_environment(work):
    """Starts this script again with the peers installed."""
    python = work / "venv/bin/python"
    if not python.exists():
        print("installing the peers …", file=sys.stderr)
        venv.create(work / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "-q", "install", *PEERS], check=True)
    os.execv(python, [str(python), *sys.argv, "--installed"])


def built():
    """The paths of suum and of the yardstick."""
    print("building suum …", file=sys.stderr)
    cargo = [
        "cargo",
        "build",
        "--release",
        "--message-format=json",
        "--manifest-path",
        ROOT / "Cargo.toml",
    ]
    paths = {}
    for target in (["-p", "suum-cli"], ["-p", "suum-data", "--bench", "yardstick"]):
        out = subprocess.run([*cargo, *target], check=True, stdout=subprocess.PIPE).stdout
        for line in out.splitlines():
            message = json.loads(line)
            if message.get("executable"):
                paths[message["target"]["name"]] = message["executable"]
    return paths["suum"], paths["yardstick"]


def make_data(work, rows):
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet

    done = work / f"made-{rows}"
    if done.exists():
        return
    print("making data …", file=sys.stderr)
    dice = np.random.default_rng(5)
    v = np.clip(dice.normal(50, 15, rows), 0, 100)
    eps = dice.choice(np.array(LEVELS), rows)
    few = pa.table({"id": dice.integers(0, rows // 4, rows), "v": v, "eps": eps})
    parquet.write_table(few, work / "few.parquet", row_group_size=1_000_000)
    parquet.write_table(few, work / "one_group.parquet", row_group_size=rows)
    keys = pa.array(dice.integers(0, 8, rows).astype(np.int8))
    tiers = pa.table({"v": v, "tier": pa.DictionaryArray.from_arrays(keys, pa.array(TIERS))})
    parquet.write_table(tiers, work / "tiers.parquet", row_group_size=1_000_000)
    every = pa.table({"v": v, "eps": np.exp(dice.uniform(-5, 5, rows))})
    parquet.write_table(
        every, work / "distinct.parquet", row_group_size=1_000_000, use_dictionary=False
    )
    part = rows // 4
    text = pa.table({"id": few["id"][:part], "v": np.round(v[:part], 3), "eps": eps[:part]})
    csv.write_csv(text, work / "few.csv", csv.WriteOptions(quoting_style="none"))
    done.touch()


def process(command):
    """The seconds of a process from start to end."""
    start = time.perf_counter()
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def peak(command):
    """The peak memory of a process in MiB, started from a process so small that its own does not
    count.
    """
    code = (
        "import os, resource, sys\n"
        "os.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n"
        "os.spawnv(os.P_WAIT, sys.argv[1], sys.argv[1:])\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)"
    )
    launcher = [sys.executable, "-I", "-S", "-c", code, *(str(part) for part in command)]
    return (
        int(subprocess.run(launcher, check=True, capture_output=True, text=True).stderr.split()[-1])
        / 1024
    )


def python(code):
    return [sys.executable, "-c", code]


def duckdb(work, query):
    """A process that answers a query with DuckDB and tells the seconds that took, without its
    start. A name in braces is a file.
    """
    query = re.sub(r"\{(.*?)\}", lambda name: f"'{work / name[1]}'", query)
    # A bar would be drawn among the numbers.
    quiet = 'connection.execute("SET enable_progress_bar = false")'
    return timed(
        f"import duckdb\nconnection = duckdb.connect()\n{quiet}\n"
        f'work = lambda: connection.execute("{query}").fetchall()'
    )


def polars(work, file):
    """The same of Polars, which groups a file by budget."""
    reader = "scan_csv" if file.endswith(".csv") else "scan_parquet"
    return timed(
        f'import polars as pl\nwork = lambda: pl.{reader}("{work / file}").group_by("eps")'
        '.agg(pl.len(), pl.col("v").sum()).collect()'
    )


def timed(code):
    return python(
        f"import time\n{code}\nstart = time.perf_counter()\nwork()\n"
        "print(time.perf_counter() - start)"
    )


def told(command):
    """The numbers that a program prints: seconds, or milliseconds by name."""
    out = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True
    ).stdout
    words = [line.split() for line in out.splitlines()]
    return (
        {name: float(number) / 1e3 for name, number in words}
        if len(words[0]) == 2
        else float(words[0][0])
    )


# Values are clamped, as suum does; the first call, which asks for memory, is not counted.
OPENDP = """
import time
import numpy as np
import opendp.prelude as dp
dp.enable_features("contrib")
size = 10_000_000
data = np.random.default_rng(1).uniform(0, 100, size)
space = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=size), dp.symmetric_distance()
mean = space >> dp.t.then_clamp((0.0, 100.0)) >> dp.t.then_mean() >> dp.m.then_laplace(scale=1.0)
mean(data)
start = time.perf_counter()
mean(data)
print(time.perf_counter() - start)
"""

CVXPY = """
import time
import cvxpy as cp
import numpy as np
n = 10_000
eps = np.exp(np.random.default_rng(1).uniform(-5, 5, n))
w, t = cp.Variable(n), cp.Variable()
problem = cp.Problem(cp.Minimize(0.25 * cp.sum_squares(w) + 2 * cp.square(t)), \
[cp.sum(w) == 1, w >= 0, w <= eps * t])
start = time.perf_counter()
problem.solve(solver=cp.CLARABEL)
print(time.perf_counter() - start)
"""


def alternately(contestants, files=None):
    """Medians of what each contestant returns, who take turns.

    The file of a contestant is read before its turn: nobody finds it cold, or warmed by others.
    """
    runs = {name: [] for name in contestants}
    for turn in range(TIMES):
        for name, run in contestants.items():
            if files:
                subprocess.run(["cksum", files[name]], check=True, stdout=subprocess.DEVNULL)
            print(f"{turn + 1}/{TIMES} {name}".ljust(60), end="\r", file=sys.stderr)
            runs[name].append(run())
    print(" " * 60, end="\r", file=sys.stderr)
    first = next(iter(runs.values()))[0]
    if isinstance(first, dict):
        return {
            name: {key: statistics.median(r[key] for r in run) for key in run[0]}
            for name, run in runs.items()
        }
    return {name: statistics.median(run) for name, run in runs.items()}


@dataclass
class Against:
    """Another program at the same work, and how long suum may take beside it."""

    peer: str
    command: list
    most: float


@dataclass
class Work:
    """What suum does, from the start of the process to its end, and who else does it."""

    what: str
    file: str
    command: list
    against: list = field(default_factory=list)


def group_by(key="eps"):
    return f"SELECT {key}, count(*), sum(v) FROM {{FILE}} GROUP BY {key}"


def works(work, suum, yardstick):
    """All of them, in the order of the table. What adapts reads the data more than once."""
    numbers = ["--epsilon", "eps"]
    value = ["--value", "v", "--bounds", "0,100"]
    anywhere = ["--value", "v", "--bounds", "auto"]

    def one(what, file, words, *against):
        command = [suum, words[0], work / file, *words[1:], "--quiet"]
        peers = []
        for peer, query, most in against:
            if isinstance(query, str):
                query = duckdb(work, query.replace("FILE", file))
            peers.append(Against(peer, query, most))
        return Work(what, file, command, peers)

    def decode(file):
        return [yardstick, "decode", work / file, "v", "eps"]

    def plain(what, file):
        """A program for the same, without checks, exactness and privacy."""
        return ("a plain program, whole process", [yardstick, "plain", what, work / file], 1.2)

    rounded = (
        "SELECT count(*) FROM (SELECT round(ln(eps) * 1000) AS key, count(*), sum(v) "
        "FROM {FILE} GROUP BY key)"
    )
    two_quantiles = (
        "SELECT eps, count(*), avg(v), quantile_cont(v, 0.25), quantile_cont(v, 0.75) "
        "FROM {FILE} GROUP BY eps"
    )
    of_persons = (
        "SELECT eps, count(*), sum(m) FROM "
        "(SELECT id, min(eps) AS eps, avg(v) AS m FROM {FILE} GROUP BY id) GROUP BY eps"
    )
    deciles = "[" + ", ".join(f"0.{at}" for at in range(1, 10)) + "]"
    tiers = ["--privacy", "tier", "--levels", DECLARED]
    mean = ["mean", "--no-adapt", *value]
    few, csv = "few.parquet", "few.csv"
    return [
        one("a mean, 8 levels", few, mean + numbers,
            ("DuckDB GROUP BY", group_by(), 0.45),
            ("bare decode, whole process", decode(few), 1.3),
            ("Polars group_by", polars(work, few), 1.0)),
        one("a mean in one row group", "one_group.parquet", mean + numbers,
            ("DuckDB GROUP BY", group_by(), 0.7)),
        one("a mean, 8 tiers by label", "tiers.parquet", mean + tiers,
            ("DuckDB GROUP BY", group_by("tier"), 0.7)),
        one("a mean, all budgets different", "distinct.parquet", mean + numbers,
            ("DuckDB, budgets rounded alike", rounded, 0.3),
            ("bare decode, whole process", decode("distinct.parquet"), 2.0),
            plain("distinct", "distinct.parquet")),
        one("a mean from CSV", csv, mean + numbers,
            ("DuckDB", group_by(), 1.0),
            ("Polars", polars(work, csv), 1.0)),
        one("a level table, with cells to learn from", few, ["levels", *value, *numbers],
            ("DuckDB GROUP BY", group_by(), 1.0)),
        one("a mean that learns (adapts)", few, ["mean", *value, *numbers],
            ("DuckDB GROUP BY with two quantiles", two_quantiles, 0.6)),
        one("a mean without bounds (adapts)", few, ["mean", *anywhere, *numbers],
            ("DuckDB GROUP BY with two quantiles", two_quantiles, 0.6),
            plain("sorted", few)),
        one("a median", few, ["quantile", "--q", "0.5", *value, *numbers],
            ("DuckDB quantile_cont", "SELECT quantile_cont(v, 0.5) FROM {FILE}", 0.25)),
        one("deciles", few, ["quantile", "--q", "deciles", *value, *numbers],
            ("DuckDB quantile_cont", f"SELECT quantile_cont(v, {deciles}) FROM {{FILE}}", 0.2)),
        one("shares of 10 bins", few,
            ["frequency", "--value", "v", "--bins", ",".join(map(str, range(0, 101, 10))),
             *numbers],
            ("DuckDB GROUP BY bins",
             "SELECT eps, floor(v / 10) AS bin, count(*) FROM {FILE} GROUP BY ALL", 0.25),
            plain("bins", few)),
        one("mean, variance and median", few,
            ["summary", "--statistic", "mean,variance,q50", *value, *numbers],
            ("DuckDB, the same",
             "SELECT avg(v), var_samp(v), quantile_cont(v, 0.5) FROM {FILE}", 0.35)),
        one("a mean of 5 M persons", few, ["mean", "--person", "id", *value, *numbers],
            ("DuckDB, grouped twice", of_persons, 0.6),
            plain("persons", few)),
    ]


def row(what, ours, theirs, peer, most):
    """A line of the table: the ratio of our time to theirs, and the target for it."""
    ratio = ours / theirs
    met = "yes" if ratio <= most else "**no**"
    return (
        f"| {what} | {1e3 * ours:.0f} ms | {peer} | {1e3 * theirs:.0f} ms | {ratio:.2f} "
        f"| {most} | {met} |"
    )


def machine():
    """What the table was made on and with."""
    import importlib.metadata as metadata

    versions = ", ".join(f"{peer} {metadata.version(peer)}" for peer in PEERS)
    lines = [line for line in open("/proc/cpuinfo") if line.startswith("model name")]
    model = lines[0].split(":")[1].strip() if lines else "?"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return (
        f"{platform.system()} {platform.release()}, {model}, {os.cpu_count()} threads, "
        f"{memory >> 30} GiB; {versions}."
    )


def asked(description, **options):
    """The options of a program, each with what it is unless given and its help; ``work`` is a
    folder with the peers installed, with which the program goes on.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, (default, what) in options.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=what)
    parser.add_argument("--work", type=Path, default=ROOT / "target/peers")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.work.mkdir(parents=True, exist_ok=True)
    if not arguments.installed:
        in_environment(arguments.work)
    return arguments


def main():
    arguments = asked(
        __doc__,
        rows=(20_000_000, "how many rows of Parquet"),
        only=("", "only works whose name has this in it"),
    )
    work = arguments.work
    make_data(work, arguments.rows)
    suum, yardstick = built()
    chosen = [one for one in works(work, suum, yardstick) if arguments.only in one.what]
    contestants, files = {}, {}
    for one in chosen:
        contestants[one.what] = partial(process, one.command)
        for at, other in enumerate(one.against):
            # The yardstick is ours, and timed as suum is; others tell how long they took.
            run = process if other.command[0] == yardstick else told
            contestants[f"{one.what}: {at}"] = partial(run, other.command)
        files |= dict.fromkeys(set(contestants) - set(files), work / one.file)
    times = alternately(contestants, files)

    print(machine())
    print(
        f"{arguments.rows:,} rows of Parquet, {arguments.rows // 4:,} of CSV; "
        f"medians of {TIMES}. Load before the run: {load}.\n"
    )
    print("| what suum does | time | against | time | ratio | at most | met |")
    print("|---|---:|---|---:|---:|---:|---|")
    for one in chosen:
        for at, other in enumerate(one.against):
            what = one.what if at == 0 else "…"
            theirs = times[f"{one.what}: {at}"]
            print(row(what, times[one.what], theirs, other.peer, other.most))
    if not arguments.only:
        in_memory(yardstick)
    print("\nPeak memory of suum:")
    for one in chosen:
        print(f"* {one.what}: {peak(one.command):.0f} MiB")


def in_memory(yardstick):
    """Lines of what is already in memory, and of the mathematics alone."""
    memory = alternately({"memory": lambda: told([yardstick, "memory", "10000000"])})["memory"]
    weights = alternately({"weights": lambda: told([yardstick, "weights", "1000000"])})["weights"]
    others = {"opendp": lambda: told(python(OPENDP)), "cvxpy": lambda: told(python(CVXPY))}
    times = alternately(others)
    sums = "plain sum of both columns"
    print(row("10⁷ rows in slices", memory["slices"], memory["sum"], sums, 1.6))
    print(row("10⁷ rows in Arrow batches", memory["batches"], memory["sum"], sums, 1.6))
    plain = "a plain program"
    print(row("10⁷ rows in slices", memory["slices"], memory["plain"], plain, 1.2))
    print(row("10⁷ rows in Arrow batches", memory["batches"], memory["plain"], plain, 1.2))
    mean = "OpenDP mean of 10⁷ floats"
    print(row("10⁷ rows in slices", memory["slices"], times["opendp"], mean, 0.1))
    solver = "cvxpy (Clarabel) for 10⁴"
    print(row("weights for 10⁶ budgets", weights["population"], times["cvxpy"], solver, 0.1))


load = " ".join(f"{average:.1f}" for average in os.getloadavg())

if __name__ == "__main__":
    main()
