"""The command line, to compare with, and the example data."""

from __future__ import annotations

import csv
import math
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RANDHIE = str(ROOT / "examples" / "randhie.csv")
LEVELS = {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf}
TIERS = ["--privacy", "privacy", "--levels", "strict=0.01,standard=0.1,relaxed=1,public=inf"]

CommandLine = Callable[..., str]


@pytest.fixture(scope="session")
def command_line() -> CommandLine:
    """What the `suum` command prints; test.sh names the command in SUUM."""
    suum = os.environ.get("SUUM", str(ROOT / "target" / "debug" / "suum"))

    def answer(*words: str) -> str:
        done = subprocess.run([suum, *words], capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return answer


@pytest.fixture(scope="session")
def visits() -> list[float]:
    return [float(row["visits"]) for row in _rows()]


@pytest.fixture(scope="session")
def health() -> list[str]:
    return [row["health"] for row in _rows()]


@pytest.fixture(scope="session")
def tiers() -> list[str]:
    return [row["privacy"] for row in _rows()]


@pytest.fixture(scope="session")
def budgets(tiers: list[str]) -> list[float]:
    return [LEVELS[tier] for tier in tiers]


def _rows() -> list[dict[str, str]]:
    with open(RANDHIE, encoding="utf-8") as file:
        return list(csv.DictReader(file))
