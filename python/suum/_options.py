"""Types of options, and the documentation of those that several functions have."""

from __future__ import annotations

import inspect
import json
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union

from ._forms import Array, Column, Moment, Series
from ._suum import schema

F = TypeVar("F", bound=Callable[..., object])

Path = Union[str, os.PathLike[str]]
Target = Literal["population", "dataset", "dataset-correlated"]
Neighbors = Literal["replace", "add-remove", "both"]
#: Two numbers, the lower one first.
Pair = Union[tuple[float, float], Sequence[float], Array, str]
#: A date or a time, also as ISO 8601 writes it, or one of NumPy.
Instant = Union[Moment, str, Array]
#: Two numbers, or two dates or times.
Bounds = Union[Pair, Sequence[Instant]]
#: The edges of bins, in ascending order.
Edges = Union[Sequence[float], Sequence[Instant], Array, str]
#: The edges of bins of numbers.
Numbers = Union[Sequence[float], Array, str]
#: Constant that stands in place of missing numbers.
Constant = Union[float, Moment]
Post = Literal["simplex", "clamp", "none"]
#: Numbers that a person counts with who has several rows.
PersonValue = Literal["mean", "total", "median", "min", "max"]
#: Shares of records: one, several (also of NumPy), or text such as "deciles".
Shares = Union[float, Sequence[float], Array, str]
#: Numbers by labels, which have the type of their column.
ByLabel = Union[Mapping[Any, float], Series, str]
#: Numbers of people by budget.
Counts = Union[Mapping[float, int], Series, str]
Names = Union[Iterable[str], str]
#: Declared labels, of the type that their column has.
Labels = Union[Iterable[object], str]
#: One or several columns of groups. mypy finds no type for ``[[1, 2], ["f", "m"]]`` that is both
#: columns and a list of objects, so what is in a list of them is not said.
GroupBy = Union[str, Column, Sequence[Any]]
#: The groups of one column, or a list of them for each.
Groups = Union[Labels, Iterable[Labels]]
#: Both columns of a table, as in ``GroupBy``.
Crosstab = Union[str, Sequence[Any]]
#: A register of choices: a path, or a table.
Register = Any
#: A column of budgets, one budget for everybody, or one for each person by who they are.
Budgets = Union[str, float, Column, Mapping[Any, float]]

#: Descriptions of options that several functions take; each docstring gets those of its own.
_SHARED = {
    ("data",): """
        A path (CSV, also .gz and .zst, or Parquet; a folder or glob of them), or a list of
        several, which are read as one; a SQLite file or a ``postgresql://`` URL, of which
        ``table`` or ``query`` says what is read; a table (pandas, Polars, PyArrow, DuckDB, a
        dictionary of columns, anything with ``__arrow_c_stream__``); the column of values, with
        budgets beside it; or ``Levels``. Columns are NumPy arrays, Series, Arrow arrays or
        lists. suum pairs pandas objects by the labels of their indexes, and refuses those that
        have other labels; all else it pairs by position. Nothing is copied that lies in memory
        as Arrow has it.""",
    ("value", "epsilon", "privacy", "levels", "person", "group_by"): """
        Names of columns; in memory also columns themselves. ``epsilon`` holds numbers
        (``math.inf`` is public, 0 unused); in memory one number stands for everybody's budget,
        and a dictionary, or a Series whose index is named like ``person``, has the budget of
        each person. ``privacy`` holds labels of ``levels``, which says what
        each allows. ``person`` says whose row it is: a person counts once, at the strictest of
        their rows. Without it each row is a record with a budget of its own, and what the rows
        of one person spend adds up.

        A list of names as ``value`` asks the same of each column, from one split of every budget,
        as ``run`` does: suum chooses parts with which expected errors are alike. ``bounds``,
        ``categories`` and ``bins`` are dictionaries by column then, or the same for all. The
        answer is a ``ByColumn``, in which ``answer["wage"]`` is the release about a column.""",
    ("per_person",): """
        With which number a person counts who has several rows: the "mean", "total", "median",
        "min" or "max" of them, whose bounds ``bounds`` then are. Without it that is the mean, in
        a sum the total, and in quantiles ``rows`` of them.""",
    ("suppress_below",): """
        Leaves out groups with fewer records than this, or with fewer persons where ``person`` is
        given, and spends nothing on them. How many there are is public with
        ``neighbors="replace"`` only.""",
    ("groups", "other_group"): """
        The declared groups of ``group_by``, and one for all others. The release then is one for
        each group. Of several columns there is one for each combination: ``group_by=["region",
        "sex"], groups=[["north", "south"], ["f", "m"]]`` (or a dictionary of these lists by
        the names of columns), found as ``release["north", "f"]``.""",
    ("between",): """
        Two of the groups. The release is then a ``Difference``: what the first has more than the
        second, with an interval, and the release of both, but of no other group.""",
    ("check_bounds",): """
        Also release how many values lie at each of the bounds, or beyond it, from this part of
        every budget (0.05 if it is ``True``): ``release.bounds_check``. ``release.privacy`` is
        then what both cost together.""",
    ("missing_consent",): """
        What records with an empty cell of ``privacy`` or ``epsilon`` count as: a declared tier,
        or 0, which means that they are not used. Without it they are refused.""",
    ("delimiter", "encoding", "decimal"): """
        Of CSV files: what separates cells (";", "tab"; a comma by default), how their text is
        encoded ("utf-8" by default, or "latin-1"), and what stands before decimals ("." by default,
        or "," beside another delimiter).""",
    ("consent", "key"): """
        A register with the column ``privacy`` or ``epsilon``, which the data then lack: a CSV or
        Parquet file, a table in memory, or the name of a table of the same database. ``key`` is the
        column by which a choice is found, in the data and in the register ("id", or
        "respondent=id"). In memory ``epsilon`` can also be a dictionary of persons.""",
    ("consent_from", "consent_until", "consent_status", "consent_reference", "as_of"): """
        Columns of a register with one row for each decision: from when on it holds, until when (no
        end if empty), whether it is active (also if empty), withdrawn or expired, and what proves
        it. In force ``as_of`` a date or time (now, if none is given) is the latest that has begun,
        of several of one time the strictest. People whose decision has ended, or was withdrawn, are
        not used.""",
    ("consent_attributes",): """
        Columns of the register with public attributes of a person, which ``group_by``, ``strata``
        and ``weight`` can name, and the data then lack.""",
    ("consent_active", "consent_withdrawn", "consent_expired"): """
        The words of ``consent_status``, in place of the usual ones.""",
    ("null",): """
        Texts that stand for an empty cell, in whatever column; in columns of numbers also
        numbers.""",
    ("strata", "weight", "classes", "population_shares"): """
        A column on which budgets may depend, such as age groups, or one of design weights, by name
        or in memory: the estimate keeps the share of each stratum. ``classes`` declares them, whose
        shares are then those of their records (or of their weights, which are read off the data if
        they are not declared); ``population_shares`` declares both, as in
        {"young": 0.4, "old": 0.6}.""",
    ("target",): """
        What the result is about: the "population", these records ("dataset"), or these records
        where budgets may depend on values ("dataset-correlated").""",
    ("neighbors", "epsilon_range", "clip"): """
        What the promise is about. "replace" hides the value of a record: another value changes
        the probability of any release by a factor of at most exp(ε). "add-remove" hides whether
        a record is there, with the same factor; another value then counts as one record less
        and one more, and the factor is at most exp(2ε). With "both" one factor of exp(ε) is for
        presence and value, and answers are noisier. With these two ``epsilon_range`` declares
        what numeric budgets can be, and ``clip`` the most that a record should spend.""",
    ("confidence",): """
        With at least this probability an interval contains the truth, if what
        ``release.assumes`` says is true.""",
    ("edition", "again"): """
        Which state of the data this is, in your words. If the ledger has answered the same query
        of this ``edition`` before, that answer comes again with its date, and nobody pays;
        ``again`` makes and pays for a new one.""",
    ("allow_moves",): """
        Accepts that people are in another tier than at an earlier release, where their budgets
        start anew; a ledger made with ``watch_moves`` refuses the release otherwise.""",
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
    ("table", "query", "trust_query"): """
        The table or view of a database, as NAME or SCHEMA.NAME, or a SELECT whose rows are the
        records. It must be row-wise (docs/how-to/databases.md); ``trust_query`` says that you have
        checked a query that is refused otherwise.""",
    ("where",): """
        Only records of which this is true, as in SQL: ``where="region = 'north' and year >= 2020"``
        compares columns of a table or file with constants. Unless it is hidden who takes part, the
        columns must be public: tier, budget, person, group, or among ``public_columns``.""",
    ("from_levels",): """
        A file with a level table, in place of data: of ``Levels.save``, or the result of a
        level query. One of groups needs ``group_by`` and all of its ``groups``.""",
    ("insecure_seed",): """
        Reproducible noise for tests. The release is then NOT private.""",
    ("progress",): """
        Whether long scans show how far they are; by default in terminals and notebooks.""",
}

_RAISES = """
    Raises
    ------
    suum.ParameterError, suum.RequestError
        What is asked for makes no sense. Told before data are read, where it can be.
    suum.DataError
        The data do not have the declared form: names column and row, never a value.
    suum.ReadError, suum.LedgerError, suum.BudgetError
        A file cannot be read, a ledger not be used, nothing is left.
"""


def indented(documentation: str | None) -> str:
    """Documentation as it stands below a function; Python 3.13 takes its indentation away."""
    return textwrap.indent(inspect.cleandoc(documentation or ""), "    ").strip()


def _explained(told: str) -> set[str]:
    """The parameters that a text explains."""
    headers = re.findall(r"^    ([a-z_, ]+):$", told, re.MULTILINE)
    return {name for header in headers for name in header.split(", ")}


def _described(names: Iterable[str]) -> list[str]:
    """Descriptions in the schema of options that are explained nowhere else."""
    options = json.loads(schema())["properties"]
    about = {name: options[name]["description"].replace("`", "``") for name in names}
    return [
        f"    {name}:\n{textwrap.indent(textwrap.fill(text, 90), ' ' * 8)}"
        for name, text in about.items()
    ]


def documented(function: F) -> F:
    """Adds the parameters that statistics share to what a function says of its own."""
    own = indented(function.__doc__)
    told = own.partition("Parameters\n")[2]
    names = {"data", *(function.__kwdefaults__ or {})}
    shared = []
    for parameters, what in _SHARED.items():
        here = [name for name in parameters if name in names - _explained(told)]
        if here:
            shared.append(f"    {', '.join(here)}:{what}")
    if more := names - _explained("\n".join([told, *shared])):
        shared += _described(sorted(more))
    function.__doc__ = "\n".join([own, *shared, _returns(function), _RAISES])
    return function


def _returns(function: Callable[..., object]) -> str:
    """What a function returns, by its annotations."""
    names, more = function.__annotations__, []
    kind = names["return"]
    if kind not in ("Plan", "Levels", "Difference"):
        more = [
            words
            for name, words in (
                ("group_by", "With ``group_by`` a mapping of one for each group"),
                ("between", "with ``between`` a ``suum.Difference``"),
                ("value", "of several columns a ``suum.ByColumn``"),
            )
            if name in names
        ]
    text = textwrap.indent(textwrap.fill("; ".join(more) + "." if more else "", 90), " " * 8)
    lines = ["", "    Returns", "    -------", f"    suum.{kind}", text]
    return "\n".join(lines).rstrip() + "\n"
