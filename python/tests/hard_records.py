"""Records that engines like to treat differently, and everything that is asked of them."""

from __future__ import annotations

import csv
import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Optional

COLUMNS = ["value", "tier", "budget", "label", "site", "id"]
LEVELS = {"strict": 0.1, 'it\'s "so\\so"': 1, "Ünïcode 🙂": math.inf, "Strict": 0.1}

Row = tuple[Optional[float], str, float, Optional[str], str, str]

_LABELS = ["good", "Good", " o'clock\t", "naïve", "nai\u0308ve", '"\\', "a,b\nc", None]
_SPECIAL = [
    0.0, -0.0, 5e-324, -5e-324, 2.2250738585072009e-308, 1e300, sys.float_info.max,
    -sys.float_info.max, math.inf, -math.inf, math.nan, None, -3.0, 5.0, 1.0, 9007199254740992.0,
    0.1, 2.5,
]  # fmt: skip
_BUDGETS = [0.0, -0.0, 0.1, 0.3, 0.30000000000000004, 1.0, math.inf, 1e-100, 1e100, 1e-5]


def records(count: int = 4000) -> list[Row]:
    """Numbers at midpoints of the grid over [-3, 5] and beside them, and those that are hard to get
    right.
    """
    dice = random.Random(5)

    def number() -> float | None:
        tie = -3 + (dice.randrange(2**30) + 0.5) * 8 / 2**30
        beside = math.nextafter(tie, dice.choice([-9.0, 9.0]))
        return dice.choice([tie, beside, dice.uniform(-4, 6), dice.choice(_SPECIAL)])

    def budget() -> float:
        return dice.choice(
            [dice.choice(_BUDGETS), 10 ** dice.uniform(-30, 30), 10 ** dice.uniform(-3, 1)]
        )

    rows: list[Row] = []
    for _ in range(count):
        person = dice.randrange(600)
        # Some persons differ in case only, and nobody is in two groups.
        name = f"p{person}" if person % 3 else f"P{person + 1}"
        site = ["north", "süd"][person % 2]
        rows.append(
            (number(), f" {dice.choice([*LEVELS])} ", budget(), dice.choice(_LABELS), site, name)
        )
    return rows


def write_csv(path: Path, rows: list[Row]) -> None:
    """The records as CSV, with numbers in the fewest digits that read back as them."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows(
            [[repr(cell) if isinstance(cell, float) else cell for cell in row] for row in rows]
        )


class Case(NamedTuple):
    """A statistic, and what is asked of a level query for it."""

    statistic: str
    #: Keywords for columns, as a statistic takes them with data.
    columns: dict[str, Any]
    #: Keywords that a statistic takes with data and with a level table.
    options: dict[str, Any]
    #: Keywords of a level query, besides those of columns.
    added: dict[str, Any]

    def asked(self) -> dict[str, Any]:
        """The keywords of a level query."""
        return {**self.columns, **self.added}

    def of_table(self) -> dict[str, Any]:
        """The keywords that a statistic takes with a level table."""
        groups = {
            name: self.columns[name] for name in ("group_by", "groups") if name in self.columns
        }
        return {**groups, **self.options}


def cases() -> Iterator[Case]:
    """Every statistic, of tiers and of budgets, of rows and of persons, of all and of groups."""
    number = {"value": "value", "missing": 1.0, "bounds": (-3, 5)}
    # Sums of the widest range need more than 64 bits, and the finest steps of the narrowest one are
    # near the least numbers.
    wide = {**number, "bounds": (-1000000000000, 30000000000000)}
    large = {**number, "bounds": (0, 10000000000000)}
    tiny = {"value": "value", "missing": 2e-129, "bounds": (1e-130, 3e-129)}
    categories = ["good", "o'clock", "naïve", "Good", "a,b\nc"]
    label = {"value": "label", "categories": categories, "other": "other", "missing": "naïve"}
    bins = {
        "value": "value",
        "bins": [-3, -0.0, 0.1, 2.5, 1e12],
        "other": "else",
        "missing": "else",
    }
    eighths = {"step": 0.125, "q": [0.1, 0.5]}
    statistics: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
        ("mean", number, {}, {}),
        ("mean", wide, {}, {}),
        ("mean", large, {}, {}),
        ("mean", tiny, {}, {}),
        ("variance", number, {}, {}),
        ("quantile", number, eighths, {"step": 0.125}),
        ("quantile", tiny, {"cells": 16384}, {"cells": 16384}),
        ("summary", number, {"step": 0.125}, {"step": 0.125}),
        ("frequency", label, {}, {}),
        ("frequency", bins, {}, {}),
        ("count", {}, {}, {}),
    ]
    persons: list[dict[str, Any]] = [{}, {"person": "id"}]
    groups: list[dict[str, Any]] = [{}, {"group_by": "site", "groups": ["south", "süd", "north"]}]
    for privacy in ({"privacy": "tier", "levels": LEVELS}, {"epsilon": "budget"}):
        for statistic, value, options, query in statistics:
            for person in persons:
                for group in groups:
                    yield Case(statistic, {**privacy, **person, **group, **value}, options, query)
        # No level query adds up the rows of persons: totals are exact, and sums of engines are not.
        yield Case("sum", {**privacy, **large}, {}, {})
        for per_person in ("mean", "min", "max"):
            number_of = {"per_person": per_person}
            person = {**privacy, "person": "id", **number}
            yield Case("mean", person, number_of, number_of)
            step = {"step": 0.125, **number_of}
            yield Case("quantile", person, {"q": [0.1, 0.5], **step}, step)
        rows = {"step": 0.125, "rows": 3}
        yield Case(
            "quantile", {**privacy, "person": "id", **number, "rows": 3}, {"step": 0.125}, rows
        )
