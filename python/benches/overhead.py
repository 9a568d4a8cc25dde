"""What Python adds to the Rust call, for the mean of 10^7 NumPy values and as many budgets.

    cargo build --release --example mean_in_memory
    python python/benches/overhead.py target/release/examples/mean_in_memory

Both take the same numbers in turns, so that what else the machine does bears on both.
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time

import numpy
import suum

ROWS = 10_000_000
ROUNDS = 8
TURNS = 30
#: So many turns of each are warming up.
WARMING = 5


def main(rust: str) -> None:
    rows = numpy.arange(ROWS)
    values = (rows * 7919 % 77).astype("f8")
    budgets = numpy.array([0.01, 0.1, 1.0, math.inf])[rows % 4]
    in_rust, in_python = [], []
    for _ in range(ROUNDS):
        said = subprocess.run([rust], capture_output=True, text=True, check=True).stdout
        in_rust += [float(line.split()[0]) for line in said.splitlines()[WARMING:]]
        for turn in range(TURNS):
            time.sleep(0.02)
            start = time.perf_counter()
            suum.mean(values, epsilon=budgets, bounds=(0, 77))
            if turn >= WARMING:
                in_python.append(1e3 * (time.perf_counter() - start))
    for name, times in [("Rust", in_rust), ("Python", in_python)]:
        print(f"{name:>6}: median {statistics.median(times):.2f} ms, least {min(times):.2f} ms")
    of_medians = statistics.median(in_python) / statistics.median(in_rust) - 1
    print(
        f"Python adds {of_medians:.1%} to the median, "
        f"{min(in_python) / min(in_rust) - 1:.1%} to the least"
    )


if __name__ == "__main__":
    main(sys.argv[1])
