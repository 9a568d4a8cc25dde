"""Help: what functions and their keywords mean, said once for all functions that have them."""

from __future__ import annotations

import inspect
import json
import re
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from ._suum import schema

F = TypeVar("F", bound=Callable[..., object])

#: Explanations of keywords for which Python has other words than the table of options.
_EXPLAINED = {
    ("epsilon", "privacy", "levels", "person", "group_by"): """
        Names of columns; in memory also columns themselves. ``epsilon`` holds numbers
        (``math.inf`` is public, 0 unused); in memory one number stands for everybody's budget,
        and a dictionary, or a Series whose index is named like ``person``, has the budget of
        each person. ``privacy`` holds labels of ``levels``, which says what
        each allows. ``person`` says whose row it is: a person counts once, at the strictest of
        their rows. Without it each row is a record with a budget of its own, and what the rows
        of one person spend adds up.""",
    ("groups", "other_group"): """
        The declared groups of ``group_by``, and one for all others. The release then is one for
        each group. Of several columns there is one for each combination: ``group_by=["region",
        "sex"], groups=[["north", "south"], ["f", "m"]]`` (or a dictionary of these lists by
        the names of columns), found as ``release["north", "f"]``.""",
    ("bounds",): """
        The range that values can take, in their units, from public knowledge; values beyond are
        clamped. With "auto" a part of every budget finds a range. Of a histogram where equal bins
        lie; a plan without bounds has errors that are shares of the range.""",
    ("crosstab", "categories", "bins", "other"): """
        The categories of a frequency, from public knowledge, and one for all other values, which
        are refused without it. Or ``bins``: edges of numeric bins, of which [0, 10, 20] counts
        [0, 10) and [10, 20]; of a histogram also how many of equal widths lie within ``bounds``.
        ``crosstab`` names two columns in place of one, with a list of categories for each.""",
    ("adapt",): """
        Whether to learn first where the values lie. A mean or a sum does so unless there is a
        ledger, which keeps what people do not spend for other releases. ``False`` also leaves out
        sums in cells of a level table.""",
    ("statistic", "split"): """
        What is asked for, such as "mean" or "mean,variance,q50", and the parts of every budget for
        "mean", "variance" and "quantile" (all of them together).""",
    ("profile", "what_if", "assume"): """
        How many records have each budget, in place of data; other people to compare with, as in
        {math.inf: +500, 0.1: -20}; the shape of data of which releases are simulated, whose errors
        and half widths are in ``to_dict()["expected"]``.""",
    ("totals",): """
        With ``person`` a person counts with the total of their rows, for ``suum.sum``: the same as
        ``per_person="total"``.""",
    ("consent", "key"): """
        A register with the column ``privacy`` or ``epsilon``, which the data then lack: a CSV or
        Parquet file, a table in memory, or the name of a table of the same database. ``key`` is the
        column by which a choice is found, in the data and in the register ("id", or
        "respondent=id"). In memory ``epsilon`` can also be a dictionary of persons.""",
    ("strata", "weight", "classes", "population_shares"): """
        A column on which budgets may depend, such as age groups, or one of design weights, by name
        or in memory: the estimate keeps the share of each stratum. ``classes`` declares them, whose
        shares are then those of their records (or of their weights, which are read off the data if
        they are not declared); ``population_shares`` declares both, as in
        {"young": 0.4, "old": 0.6}.""",
    ("neighbors",): """
        What the promise is about. "replace" hides the value of a record: another value changes
        the probability of any release by a factor of at most exp(ε). "add-remove" hides whether
        a record is there, with the same factor; another value then counts as one record less
        and one more, and the factor is at most exp(2ε). With "both" one factor of exp(ε) is for
        presence and value, and answers are noisier.""",
    ("confidence",): """
        With at least this probability an interval contains the truth, if what
        ``release.assumes`` says is true.""",
    ("ledger", "dataset", "spend", "target_rmse", "target_half_width"): """
        Charges the release to accounts (``Ledger``): whose, and how much ("10%" or "1/12" of what
        was allowed in all, "10%-of-left" of what is left, "eps=0.05" an ε), or the error or half
        the length of the interval that is good enough; one of these three is needed. A plan without
        a ledger says how many people such a target takes.""",
    ("public_columns",): """
        The columns that everybody may know of everybody, for good. Tiers, budgets, persons, strata,
        weights, and groups where it is public who takes part, are columns as they stand, or
        expressions (of Polars or Spark) that are computed from public columns alone. A ledger
        refuses other columns as group or tier once it protects their values. What you have computed
        before, as an array or a column of the table, is yours to answer for.""",
    ("from_levels",): """
        A file with a level table, in place of data: of ``Levels.save``, or the result of a
        level query. One of groups needs ``group_by`` and all of its ``groups``.""",
    ("progress",): """
        Whether long scans show how far they are; by default in terminals and notebooks.""",
}

_DATA = """
    data:
        A table (of pandas, Polars, PyArrow, DuckDB, a dictionary of columns), a path or several
        (CSV, Parquet), the address of a database, a column of values, or ``suum.Levels``."""

_VALUE = """
    value:
        The name of a column, or the column itself. A list of names asks the same of each, from one
        split of every budget: ``answer["wage"]`` is then the release about one."""

_WHO = """
    epsilon, privacy, levels:
        Who allows what: a number for everybody, or a column of numbers; or a column of tiers, and
        what each of them allows."""

_BOUNDS = """
    bounds:
        The range that values can take, from public knowledge; "auto" finds one, at a cost."""

_GROUPS = """
    group_by, groups, between:
        A column of groups with all its labels, and two of them to compare."""

_GROUPS_ALONE = """
    group_by, groups:
        A column of groups with all its labels."""

_RAISES = """
    Raises
    ------
    suum.Error
        What is wrong and what to change, never with a value of the data: ``ParameterError``,
        ``RequestError``, ``DataError``, ``ReadError``, ``LedgerError`` or ``BudgetError``.
"""


def parameters(function: Callable[..., object]) -> set[str]:
    """Names of the parameters that stand in the signature of a function."""
    return {*inspect.signature(function).parameters} - {"options"}


def documented(kind: type[Any], returns: str, more_returns: str = "") -> Callable[[F], F]:
    """Adds the parameters that functions share, the names of the keywords of a type, and what is
    returned, to what a function says of its own.
    """

    def complete(function: F) -> F:
        own = parameters(function)
        text, _, more = indented(function.__doc__).partition("Parameters\n    ----------\n")
        shared = {
            "data": _DATA, "value": _VALUE, "epsilon": _WHO, "bounds": _BOUNDS,
            "group_by": _GROUPS if "between" in own else _GROUPS_ALONE,
        }  # fmt: skip
        known = {*own, *(["epsilon"] if "data" in own else [])}
        first = "".join(
            text for name, text in shared.items()
            if name in known and not re.search(rf"^ *([a-z_]+, )*{name}\b", more, re.MULTILINE)
        )
        new_line = "\n" if more else ""
        further = ", ".join(sorted({*kind.__annotations__} - own))
        options = f"``help(suum.keywords.{kind.__name__})`` explains these, too: {further}."
        filled, returned = (
            textwrap.indent(textwrap.fill(text, 92, break_on_hyphens=False), " " * 8)
            for text in (options, more_returns)
        )
        returned = f"\n{returned}" if returned else ""
        function.__doc__ = (
            f"{text.rstrip()}\n\n    Parameters\n    ----------{first}\n"
            f"{more.rstrip()}{new_line}    options:\n{filled}\n\n"
            f"    Returns\n    -------\n    {returns}{returned}\n{_RAISES}"
        )
        return function

    return complete


def indented(documentation: str | None) -> str:
    """Documentation as it stands below a function; Python 3.13 takes its indentation away."""
    return textwrap.indent(inspect.cleandoc(documentation or ""), "    ").strip()


@cache
def _described() -> dict[str, str]:
    """Descriptions of the options, by the table."""
    options = json.loads(schema())["properties"].items()
    return {name: one["description"].replace("`", "``") for name, one in options}


def explanation(kind: type[Any]) -> str:
    """Parameters of a type, each explained once."""
    left, parts = dict.fromkeys(kind.__annotations__), []
    for told, text in _EXPLAINED.items():
        here = [name for name in told if name in left]
        if here:
            parts.append(f"{', '.join(here)}:{text}")
            left = {name: None for name in left if name not in here}
    for name in left:
        text = textwrap.fill(_described()[name], 92)
        parts.append(f"{name}:\n{textwrap.indent(text, ' ' * 8)}")
    return textwrap.indent("\n".join(parts), "    ", lambda line: not line.startswith(" "))
