#!/usr/bin/env python3
"""Runs suum on more and more rows, budgets and groups, and prints how time and memory grow.

    benches/growth.py [--most N] [--work FOLDER]

It builds suum and makes the data in FOLDER (default target/peers). Each line is one command on data
of several sizes: the least of three times as a whole process, the most memory, and the slope of the
processor time over the last step, on logarithmic scales: 1 where twice the work takes twice as
long. What is refused has its reason in place of a time. A mean that adapts learns a range of values
first; one that does not takes the bounds alone.
"""

import math
import multiprocessing
import os
import subprocess
import time
from dataclasses import dataclass

from peers import asked, built, machine

TIMES = 3
# A file of so many rows is as large as any; more rows are more files.
IN_A_FILE = 10_000_000


@dataclass
class Cost:
    """What a command took: seconds, seconds of processors, MiB."""

    wall: float
    processor: float
    memory: float


def cost(command):
    """The cost of the quickest of some runs, or the reason of a refusal."""
    costs = []
    for _ in range(TIMES):
        start = time.perf_counter()
        child = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - start
        if child.returncode != 0:
            return message.splitlines()[0]
        costs.append(Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return min(costs, key=lambda cost: cost.wall)


def table_of(rows, levels, groups):
    """Rows with a value, one of so many budgets and one of so many groups."""
    import numpy as np
    import pyarrow as pa

    dice = np.random.default_rng(rows + levels + groups)
    budgets = np.geomspace(0.01, 10, levels)
    return pa.table({
        "v": np.clip(dice.normal(50, 15, rows), 0, 100),
        "eps": budgets[dice.integers(0, levels, rows)],
        "group": dice.integers(0, groups, rows).astype(np.int32),
    })


def data(work, rows, levels=8, groups=1):
    """A folder with such data, which another process makes: what a process has held counts as the
    peak memory of those that it starts."""
    folder = work / f"growth-{rows}-{levels}-{groups}"
    if not folder.exists():
        making = multiprocessing.get_context("spawn").Process(
            target=make, args=(work, folder, rows, levels, groups)
        )
        making.start()
        making.join()
    return folder


def make(work, folder, rows, levels, groups):
    """Makes the folder, whole or not at all."""
    import pyarrow.parquet as parquet

    unfinished = work / "growth-unfinished"
    unfinished.mkdir(exist_ok=True)
    first = unfinished / "0.parquet"
    table = table_of(min(rows, IN_A_FILE), levels, groups)
    parquet.write_table(table, first, row_group_size=1_000_000)
    for more in range(1, rows // IN_A_FILE):
        os.link(first, unfinished / f"{more}.parquet")
    unfinished.rename(folder)


def power(size):
    """A power of ten as it is written."""
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(round(math.log10(size))))


def line(what, found):
    """A line of the table, of sizes with what each took."""
    costs = [(size, cost) for size, cost in found if not isinstance(cost, str)]
    reasons = [(size, cost) for size, cost in found if isinstance(cost, str)]
    refused = "".join(f"; at {power(size)} refused: {reason}" for size, reason in reasons)
    (before, less), (after, more) = costs[-2:]
    slope = math.log(more.processor / less.processor) / math.log(after / before)
    sizes = ", ".join(power(size) for size, _ in costs)
    times = ", ".join(f"{1e3 * cost.wall:.0f}" for _, cost in costs)
    memory = max(cost.memory for _, cost in costs)
    print(
        f"| {what} | {sizes} | {times} ms{refused} | {slope:.2f} | {memory:.0f} MiB |",
        flush=True,
    )


def main():
    arguments = asked(__doc__, most=(100_000_000, "the most rows"))
    work = arguments.work
    suum, _ = built()
    value = ["--value", "v", "--bounds", "0,100", "--epsilon", "eps", "--quiet"]
    commands = {
        "mean": ["mean", "--no-adapt", *value],
        "mean that adapts": ["mean", *value],
        "median": ["quantile", "--q", "0.5", *value],
    }
    tens = [10**power for power in range(9)]
    print(machine())
    print("\n| what grows | to | time | slope | memory |")
    print("|---|---|---|---:|---:|")
    for name, (statistic, *words) in commands.items():

        def run(what, sizes, folder, *more):
            def took(size):
                return cost([suum, statistic, folder(size), *words, *(add(size) for add in more)])

            line(f"{name}: {what}", [(size, took(size)) for size in sizes])

        run("rows", [n for n in tens[5:] if n <= arguments.most], lambda n: data(work, n))
        million = min(arguments.most, 1_000_000)
        run("budgets of 10⁶ rows", tens[:6], lambda n: data(work, million, levels=n))
        run(
            "groups of 10⁶ rows", tens[1:5], lambda n: data(work, million, groups=n),
            lambda n: "--group-by=group",
            lambda n: "--groups=" + ",".join(map(str, range(n))),
        )


if __name__ == "__main__":
    main()
