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
import statistics
import subprocess
import sys
import time
import venv
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
    os.execv(python, [str(python), __file__, *sys.argv[1:], "--installed"])


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


def group_by(engine, work, file, key="eps"):
    """A process that groups the file by budget with another engine and tells the seconds that took,
    without its start.
    """
    path = work / file
    if engine == "duckdb":
        query = f"SELECT {key}, count(*), sum(v) FROM '{path}' GROUP BY {key}"
        if key == "eps" and file == "distinct.parquet":
            query = (
                f"SELECT count(*) FROM (SELECT eps, count(*), sum(v) FROM '{path}' GROUP BY eps)"
            )
        # A bar would be drawn among the numbers.
        quiet = 'connection.execute("SET enable_progress_bar = false")'
        code = (
            f"import duckdb\nconnection = duckdb.connect()\n{quiet}\n"
            f'work = lambda: connection.execute("{query}").fetchall()'
        )
    else:
        reader = "scan_csv" if file.endswith(".csv") else "scan_parquet"
        code = (
            f'import polars as pl\nwork = lambda: pl.{reader}("{path}").group_by("{key}")'
            '.agg(pl.len(), pl.col("v").sum()).collect()'
        )
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


def alternately(contestants, files=()):
    """Medians of what each contestant returns, who take turns.

    Of `files` the one that a contestant's name begins with is read before: nobody finds it cold, or
    warmed by others.
    """
    runs = {name: [] for name in contestants}
    for turn in range(TIMES):
        for name, run in contestants.items():
            for file in (path for start, path in dict(files).items() if name.startswith(start)):
                subprocess.run(["cksum", file], check=True, stdout=subprocess.DEVNULL)
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


def row(what, ours, theirs, peer, most=None, least=None):
    """A line of the table: the ratio of our time to theirs, or of their speed to ours, and the
    target for it.
    """
    ratio = ours / theirs
    if least:
        target, met = f"≥ {least} × as fast", theirs / ours >= least
        shown = f"{theirs / ours:.2f} × as fast"
    else:
        target, met = f"≤ {most}", ratio <= most
        shown = f"{ratio:.2f}"
    return (
        f"| {what} | {1e3 * ours:.1f} ms | {peer} | {1e3 * theirs:.1f} ms | {shown} | {target} "
        f"| {'yes' if met else '**no**'} |"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--work", type=Path, default=ROOT / "target/peers")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if not arguments.installed:
        in_environment(work)

    make_data(work, arguments.rows)
    suum, yardstick = built()
    levels = [suum, "levels", "--quiet", "--value", "v", "--bounds", "0,100"]
    numbers = ["--epsilon", "eps"]
    scan = lambda file, *privacy: [*levels, work / file, *(privacy or numbers)]
    commands = {
        "few": scan("few.parquet"),
        "one group": scan("one_group.parquet"),
        "tiers": scan("tiers.parquet", "--privacy", "tier", "--levels", DECLARED),
        "distinct": scan("distinct.parquet"),
        "csv": scan("few.csv"),
    }
    files = {
        "few": work / "few.parquet",
        "one group": work / "one_group.parquet",
        "tiers": work / "tiers.parquet",
        "distinct": work / "distinct.parquet",
        "csv": work / "few.csv",
    }
    ours = lambda name: lambda: process(commands[name])

    times = alternately(
        {
            "few": ours("few"),
            "few decode": lambda: process([yardstick, "decode", work / "few.parquet", "v", "eps"]),
            "few duckdb": lambda: told(group_by("duckdb", work, "few.parquet")),
            "few polars": lambda: told(group_by("polars", work, "few.parquet")),
            "one group": ours("one group"),
            "one group duckdb": lambda: told(group_by("duckdb", work, "one_group.parquet")),
            "tiers": ours("tiers"),
            "tiers duckdb": lambda: told(group_by("duckdb", work, "tiers.parquet", "tier")),
            "distinct": ours("distinct"),
            "distinct duckdb": lambda: told(group_by("duckdb", work, "distinct.parquet")),
            "csv": ours("csv"),
            "csv duckdb": lambda: told(group_by("duckdb", work, "few.csv")),
            "csv polars": lambda: told(group_by("polars", work, "few.csv")),
            "opendp": lambda: told(python(OPENDP)),
            "cvxpy": lambda: told(python(CVXPY)),
        },
        files,
    )
    memory = alternately({"memory": lambda: told([yardstick, "memory", "10000000"])})["memory"]
    weights = alternately({"weights": lambda: told([yardstick, "weights", "1000000"])})["weights"]

    import importlib.metadata as metadata

    versions = ", ".join(f"{peer} {metadata.version(peer)}" for peer in PEERS)
    model = next(
        (
            line.split(":")[1].strip()
            for line in open("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        "?",
    )
    memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    print(
        f"{platform.system()} {platform.release()}, {model}, {os.cpu_count()} threads, "
        f"{memory_bytes >> 30} GiB; {versions}."
    )
    print(
        f"{arguments.rows:,} rows of Parquet, {arguments.rows // 4:,} of CSV; "
        f"medians of {TIMES}. Load before the run: {load}.\n"
    )
    print("| what suum does | time | against | time | ratio | target | met |")
    print("|---|---:|---|---:|---:|---:|---|")
    print(
        row(
            "Parquet, 8 levels, whole process",
            times["few"],
            times["few duckdb"],
            "DuckDB GROUP BY",
            most=0.7,
        )
    )
    print(
        row("the same", times["few"], times["few decode"], "bare decode, whole process", most=2.5)
    )
    print(row("the same", times["few"], times["few polars"], "Polars group_by", most=1.0))
    print(
        row(
            "Parquet in one row group",
            times["one group"],
            times["one group duckdb"],
            "DuckDB GROUP BY",
            most=0.7,
        )
    )
    print(
        row(
            "Parquet, 8 tiers by label",
            times["tiers"],
            times["tiers duckdb"],
            "DuckDB GROUP BY",
            most=0.7,
        )
    )
    print(
        row(
            "Parquet, all budgets different",
            times["distinct"],
            times["distinct duckdb"],
            "DuckDB GROUP BY",
            most=0.3,
        )
    )
    print(
        row("CSV, 8 levels, whole process", times["csv"], times["csv duckdb"], "DuckDB", most=1.0)
    )
    print(row("the same", times["csv"], times["csv polars"], "Polars", most=1.0))
    print(
        row(
            "10⁷ rows in slices, 8 levels",
            memory["slices"],
            memory["sum"],
            "plain sum of both columns",
            most=2.0,
        )
    )
    print(
        row(
            "10⁷ rows in Arrow batches",
            memory["batches"],
            memory["sum"],
            "plain sum of both columns",
            most=2.0,
        )
    )
    print(
        row(
            "10⁷ rows in slices, 8 levels",
            memory["slices"],
            times["opendp"],
            "OpenDP mean of 10⁷ floats",
            least=10,
        )
    )
    print(
        row(
            "weights for 10⁶ different budgets",
            weights["population"],
            times["cvxpy"],
            "cvxpy (Clarabel) for 10⁴",
            most=0.1,
        )
    )
    print(
        "\nPeak memory of suum: "
        + ", ".join(f"{name} {peak(command):.0f} MiB" for name, command in commands.items())
        + "."
    )


load = " ".join(f"{average:.1f}" for average in os.getloadavg())

if __name__ == "__main__":
    main()
