"""The command line, to compare with, and the example data."""

from __future__ import annotations

import csv
import math
import json
import os
import signal
import subprocess
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import suum

# What a shell starts in the background ignores interrupts, and Python leaves it so; tests interrupt
# themselves. Other libraries put handlers around this one when they are imported.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parents[2]
RANDHIE = str(ROOT / "examples" / "randhie.csv")
LEVELS = {"strict": 0.01, "standard": 0.1, "relaxed": 1, "public": math.inf}
TIERS = ["--privacy", "privacy", "--levels", "strict=0.01,standard=0.1,relaxed=1,public=inf"]

CommandLine = Callable[..., str]


#: Files that take minutes. They begin first: two processes share the files, and neither is to wait
#: for the longest.
LONGEST = ("test_spark.py", "test_package.py", "test_gallery.py", "test_engines.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the longest files first, and leaves the others in their order."""
    place = {name: at for at, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path.name, len(LONGEST)))


def run_page(page: str, names: dict[str, object]) -> list[str]:
    """Runs the code of a page of the documentation in one go, and gives its blocks."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    folder = os.getcwd()
    os.chdir(ROOT)
    try:
        for block in blocks:
            exec(compile(block, f"docs/{page}", "exec"), names)
    finally:
        os.chdir(folder)
    return blocks


def without_query(said: str) -> dict[str, Any]:
    """A release as JSON, but for what was asked: that of a level table is not how it was made."""
    release: dict[str, Any] = json.loads(said)
    assert release.pop("query")["statistic"]
    return release


@pytest.fixture(scope="session")
def command_line() -> CommandLine:
    """What the `suum` command prints; test.sh names the command in SUUM."""
    suum = os.environ.get("SUUM", str(ROOT / "target" / "debug" / "suum"))

    def answer(*words: str, given: str | None = None) -> str:
        done = subprocess.run(
            [suum, *words], input=given, capture_output=True, text=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return answer


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on a standalone cluster with two executors."""
    # Not where Spark is not asked for.
    from spark_cluster import SHORT_LIVED, session

    with session(tmp_path_factory.mktemp("spark"), java=SHORT_LIVED) as started:
        yield started


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


def keyword_type(name: str) -> Any:
    """Type of the keywords of a function."""
    kind = {"std": "Deviation", "levels": "LevelTable", "levels_sql": "LevelQuery"}.get(name)
    return getattr(suum.keywords, kind or name.capitalize())


def keywords_of(name: str) -> dict[str, Any]:
    """Types of the keywords of a function, by name."""
    hints = typing.get_type_hints(getattr(suum, name))
    no_keywords = ("data", "of", "dialect", "options", "return")
    own = {one: hint for one, hint in hints.items() if one not in no_keywords}
    return {**own, **typing.get_type_hints(keyword_type(name))}
