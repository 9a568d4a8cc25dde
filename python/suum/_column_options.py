"""Options that the descriptions of columns add to a question of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._codebook import Codebook
from ._entries import entries
from ._errors import RequestError
from ._public import hides_people
from ._question import Question
from ._suum import completed_job, filter_columns

#: Columns that are read besides values.
_ROLES = ("group_by", "strata", "privacy", "epsilon", "person", "weight")

#: Statistics of a summary that does not say which.
SUMMARY = ("mean", "variance", "q25", "q50", "q75")


def column_options(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options of a question that a function asks beside these options of its study."""
    names = of.column
    is_one = names is None or isinstance(names, str) or of.is_table
    described = [
        _described(columns, function, of.about(name), options)
        for name in ([names] if is_one else names)
    ]
    asked = {**options, **of.options, "statistic": function}
    about = [{name: own.get(name) for name in ("value", "crosstab")} for own in described]
    known = completed(columns, [{**asked, **own} for own in about])
    # Descriptions have labels and dates as they were given, and the extension says which apply.
    found = [
        {option: one for option, one in own.items() if option not in _OF_NUMBERS or option in it}
        for own, it in zip(described, known["answers"])
    ]
    question = found[0] if is_one else _merged(list(names), found)
    lists = {
        name: list(dict.fromkeys([*known.get(name, []), *_listed(options.get(name))]))
        for name in ("null", "public_columns")
    }
    filled = {name: one for name, one in lists.items() if one}
    _check_where({**options, **filled})
    return {**{name: one for name, one in question.items() if one is not None}, **filled}


#: Options of a description of which the extension knows where they apply.
_OF_NUMBERS = ("bounds", "step")


def completed(columns: Codebook, questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns one request of these questions with all that its columns say, as the extension
    completes a request by a study file: ``null`` and ``public_columns``, and its ``answers``.
    """
    of_all = {name: one for each in questions for name, one in each.items() if one is not None}
    shared = {name: of_all[name] for name in (*_SHARED, *_ROLES[2:]) if name in of_all}
    answers = [
        {
            "statistic": list(SUMMARY) if each["statistic"] == "summary" else each["statistic"],
            **entries({name: each.get(name) for name in (*_OF_ANSWER, *_ROLES[:2])}),
        }
        for each in questions
    ]
    named = {name: one for name, one in shared.items() if isinstance(one, str)}
    described = {name: entries(column.entries()) for name, column in columns.items()}
    return completed_job({**named, "columns": described, "answers": answers})


_SHARED = ("where", "from_levels")
_OF_ANSWER = ("value", "crosstab", "per_person", "cells", "bounds", "step")


def _described(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options that the description of one column has for a question."""
    name, given = of.column, of.options.get("bounds")
    # What the study says itself takes the place of what the column says.
    found = {
        option: one
        for option, one in of.describe(columns, name, of.options).items()
        if options.get(option) is None
    }
    usual = {"sum": "total", "mean": "mean"}.get(function)
    number = {**options, **of.options}.get("per_person", usual)
    counts_totals = options.get("person") is not None and number == "total"
    if "bounds" in found and counts_totals and given is None:
        raise RequestError(
            f"column {name}: its range is that of a row, and here a total of a person counts",
            f'say which totals there can be: {function}("{name}", bounds=(LO, HI))',
        )
    return {**found, "bounds": given} if given is not None and "bounds" in found else found


def _merged(names: list[str], found: list[dict[str, Any]]) -> dict[str, Any]:
    """Options of several columns, those of which each has its own by their names."""
    merged: dict[str, Any] = {"value": names}
    for name, own in zip(names, found):
        for option, value in own.items():
            if option in ("bounds", "categories", "bins"):
                merged.setdefault(option, {})[name] = value
            elif option != "value" and value is not None:
                if merged.setdefault(option, value) != value:
                    raise RequestError(
                        f"column {name}: its {option} is another than that of the others",
                        "ask about each column on its own in: with study.release() as release",
                    )
    return merged


def _check_where(options: Mapping[str, Any]) -> None:
    """Refuses conditions on columns that are not public, in the words of a study."""
    where = options.get("where")
    public = [name for role in ("public_columns", *_ROLES) for name in _listed(options.get(role))]
    for name in filter_columns(where) if where else ():
        if name not in public and not hides_people(options):
            raise RequestError(
                f"where: column {name} is not public, and which records are chosen by it would "
                "tell what stands in it",
                "if everybody may know it of everybody, describe it with public=True; or hide who "
                'takes part: study.options(neighbors="both")',
            )


def _listed(values: Any) -> list[Any]:
    """Values as a list: one is alone in it."""
    if values is None:
        return []
    return list(values) if isinstance(values, (list, tuple, set, frozenset)) else [values]
