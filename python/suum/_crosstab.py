"""Cross tables of two columns: their columns, and their shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._groups import ByLabel
from ._report import estimate
from ._values import Estimate


def columns(options: Mapping[str, Any]) -> list[Any] | None:
    """Both columns of a cross table, if there is one.

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
    """Option name of a column of a cross table, by its position."""
    return "crosstab" if at == 0 else f"crosstab_{at + 1}"


class Margin(ByLabel):
    """The share of each label of one column, which is the sum of its cells."""

    @classmethod
    def of(cls, record: Mapping[str, Any], label: Any) -> Margin:
        """Margin of a release, with the declared labels."""
        return cls((label(one["category"]), estimate(one)) for one in record["shares"])


def names(columns: list[str]) -> list[str]:
    """Names of columns of a data frame for these columns of labels; those that would clash get an
    underscore.

    >>> names(["region", "group"])
    ['region', 'group_']
    """
    taken = {"group", "statistic", "estimate", "lower", "upper", "rmse"}
    return [f"{name}_" if name in taken else name for name in columns]


def rows(cells: list[tuple[Any, Estimate]]) -> dict[Any, list[tuple[str, Estimate]]]:
    """Cells by the label of the first column, each with its label of the second one."""
    by_row: dict[Any, list[tuple[str, Estimate]]] = {}
    for (row, column), answer in cells:
        by_row.setdefault(row, []).append((str(column), answer))
    return by_row
