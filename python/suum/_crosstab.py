"""Tables of two columns: which they are, and their shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._groups import ByLabel
from ._report import estimate
from ._values import Estimate


def columns(options: Mapping[str, Any]) -> list[Any] | None:
    """Both columns of a table, if there is one.

    >>> columns({"crosstab": "region,sex"}), columns({"crosstab": ("region", "sex")})
    (['region', 'sex'], ['region', 'sex'])
    >>> columns({})
    """
    crosstab = options.get("crosstab")
    if isinstance(crosstab, str):
        # A comma in a name is what the command line has a backslash for.
        return None if "\\" in crosstab else [name.strip() for name in crosstab.split(",")]
    return None if crosstab is None else list(crosstab)


def role(at: int) -> str:
    """What a column is called by its place among both."""
    return "crosstab" if at == 0 else f"crosstab_{at + 1}"


class Margin(ByLabel):
    """The share of each label of one column, which is the sum of its cells."""

    @classmethod
    def of(cls, record: Mapping[str, Any], label: Any) -> Margin:
        """Those of a release, with the labels that were declared."""
        return cls((label(one["category"]), estimate(one)) for one in record["shares"])


def names(columns: list[str]) -> list[str]:
    """What columns of a data frame are called that have the labels of these; other columns keep
    their names.

    >>> names(["region", "group"])
    ['region', 'group_']
    """
    taken = {"group", "statistic", "estimate", "lower", "upper", "rmse"}
    return [f"{name}_" if name in taken else name for name in columns]


def rows(cells: list[tuple[Any, Estimate]]) -> dict[Any, list[tuple[str, Estimate]]]:
    """The cells of each label of the first column, by their labels of the second one."""
    by_row: dict[Any, list[tuple[str, Estimate]]] = {}
    for (row, column), answer in cells:
        by_row.setdefault(row, []).append((str(column), answer))
    return by_row
