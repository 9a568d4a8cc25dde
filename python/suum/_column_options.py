"""Options that the descriptions of columns add to a question of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._codebook import Codebook
from ._errors import RequestError
from ._question import Question
from ._relation import hides_people
from ._suum import filter_columns


def column_options(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options of a question that a function asks beside these options of its study."""
    question = _question(columns, function, of, options.get("person") is not None)
    read = names_read({**options, **question})
    compared = filter_columns(options["where"]) if options.get("where") else []
    public = [
        name
        for name in _names(*_roles(options), compared)
        if name in columns and columns[name].public
    ]
    lists = {
        "null": [*nulls(columns, read), *_listed(options.get("null"))],
        "public_columns": [*_listed(options.get("public_columns")), *public],
    }
    filled = {name: list(dict.fromkeys(found)) for name, found in lists.items() if found}
    _check_where({**options, **filled}, compared)
    return {**{name: one for name, one in question.items() if one is not None}, **filled}


def _question(
    columns: Codebook, function: str, of: Question, has_persons: bool
) -> dict[str, Any]:
    """Options of the column that a question is about; of several by their names."""
    names = of.column
    if names is None or isinstance(names, str) or of.is_table:
        return _of_column(columns, names, function, of, has_persons)
    merged: dict[str, Any] = {"value": list(names)}
    for name in names:
        for option, value in _of_column(columns, name, function, of, has_persons).items():
            if option in ("bounds", "categories", "bins"):
                merged.setdefault(option, {})[name] = value
            elif option != "value" and value is not None:
                if merged.setdefault(option, value) != value:
                    raise RequestError(
                        f"column {name}: its {option} is another than that of the others",
                        "ask about each column on its own in: with study.release() as release",
                    )
    return merged


def _of_column(
    columns: Codebook, name: Any, function: str, of: Question, has_persons: bool
) -> dict[str, Any]:
    found = of.describe(columns, name, of.options)
    if "bounds" not in found:
        return found
    usual = {"sum": "total", "mean": "mean"}.get(function)
    number = of.options.get("per_person", usual) if has_persons else None
    if number == "total" and "bounds" not in of.options:
        raise RequestError(
            f"column {name}: its range is that of a row, and here a total of a person counts",
            f'say which totals there can be: {function}("{name}", bounds=(LO, HI))',
        )
    found = {**found, "bounds": of.options.get("bounds", found["bounds"])}
    # Values lie between steps where they are means of rows, or of a sum its parts.
    between = number in ("mean", "median") or (has_persons and function == "sum")
    if found["bounds"] == "auto" or between:
        found.pop("step", None)
    return found


def names_read(options: Mapping[str, Any]) -> list[str]:
    """Names of the columns that a question reads."""
    return _names(options.get("value"), options.get("crosstab"), *_roles(options))


def nulls(columns: Codebook, names: Iterable[str]) -> list[Any]:
    """Texts that stand for an empty cell in these columns, which are read by the same rule."""
    used = {name: columns[name] for name in names if name in columns}
    found: list[Any] = []
    for name, column in used.items():
        for null in _listed(column.null):
            other = next((one for one in used if used[one].can_hold(null)), None)
            if other is not None:
                raise RequestError(
                    f"null: what stands for an empty cell in {name} can be a value of {other}, and "
                    "one request reads all columns by the same rule",
                    "ask about them in two requests",
                )
            found.append(null)
    return list(dict.fromkeys(found))


def _check_where(options: Mapping[str, Any], compared: Iterable[str]) -> None:
    """Refuses conditions on columns that are not public, in the words of a study."""
    public = _names(options.get("public_columns"), *_roles(options))
    for name in compared:
        if name not in public and not hides_people(options):
            raise RequestError(
                f"where: column {name} is not public, and which records are chosen by it would "
                "tell what stands in it",
                "if everybody may know it of everybody, describe it with public=True; or hide who "
                'takes part: study.options(neighbors="both")',
            )


def _roles(options: Mapping[str, Any]) -> list[Any]:
    """Columns that are read besides values."""
    roles = ("group_by", "strata", "privacy", "epsilon", "person", "weight")
    return [options.get(role) for role in roles]


def _names(*columns: Any) -> list[str]:
    """Names among columns, or lists of them."""
    return [name for each in columns for name in _listed(each) if isinstance(name, str)]


def _listed(values: Any) -> list[Any]:
    """Values as a list: one is alone in it."""
    if values is None:
        return []
    return list(values) if isinstance(values, (list, tuple, set, frozenset)) else [values]
