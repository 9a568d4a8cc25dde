"""Options that the descriptions of columns add to a question of a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._codebook import Codebook
from ._errors import RequestError
from ._question import Question
from ._public import hides_people, times_of_rows
from ._suum import filter_columns


def column_options(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options of a question that a function asks beside these options of its study."""
    question = _question(columns, function, of, options)
    compared = filtered(options)
    public = [
        name
        for name in _names(*_roles(options), compared)
        if name in columns and columns[name].public
    ]
    lists = {
        "null": [*nulls(columns, [{**options, **question}]), *_listed(options.get("null"))],
        "public_columns": [*_listed(options.get("public_columns")), *public],
    }
    filled = {name: list(dict.fromkeys(found)) for name, found in lists.items() if found}
    _check_where({**options, **filled}, compared)
    return {**{name: one for name, one in question.items() if one is not None}, **filled}


def _question(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options of the column that a question is about; of several by their names."""
    names = of.column
    if names is None or isinstance(names, str) or of.is_table:
        return _of_column(columns, names, function, of, options)
    merged: dict[str, Any] = {"value": list(names)}
    for name in names:
        for option, value in _of_column(columns, name, function, of, options).items():
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
    columns: Codebook, name: Any, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    found = of.describe(columns, name, of.options)
    # What the study says itself takes the place of what the column says.
    found = {option: one for option, one in found.items() if options.get(option) is None}
    if "bounds" not in found:
        return found
    own, given = found["bounds"], of.options.get("bounds")
    asked, has_persons = {**options, **of.options}, options.get("person") is not None
    usual = {"sum": "total", "mean": "mean"}.get(function)
    number = asked.get("per_person", usual) if has_persons else None
    if number == "total" and given is None:
        raise RequestError(
            f"column {name}: its range is that of a row, and here a total of a person counts",
            f'say which totals there can be: {function}("{name}", bounds=(LO, HI))',
        )
    # Steps count from the bounds of the column. Means of rows, or what counts of persons in several
    # statistics, lie between them.
    has_other_bounds = given is not None and list(given) != list(own)
    of_person = asked.get("per_person")
    is_averaged = of_person in ("mean", "median") or (
        of_person is None and has_persons and function not in ("median", "quantile")
    )
    if own == "auto" or has_other_bounds or is_averaged:
        found = {option: one for option, one in found.items() if option != "step"}
    return {**found, "bounds": own if given is None else given}


def names_read(options: Mapping[str, Any]) -> list[str]:
    """Names of the columns that a question reads."""
    times = times_of_rows(options)
    return _names(options.get("value"), options.get("crosstab"), *_roles(options), *times)


def nulls(columns: Codebook, questions: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Texts that stand for an empty cell in the columns that these questions read, by one rule."""
    amounts = {one for options in questions for one in _names(*map(options.get, _AMOUNTS))}
    compared = {one for options in questions for one in filtered(options)}
    read = [one for options in questions for one in names_read(options)]
    used = list(dict.fromkeys([*read, *sorted(compared)]))
    empty = {name: _listed(columns[name].null) if name in columns else [] for name in used}

    def can_hold(name: str, null: Any) -> bool:
        if str(null) in map(str, empty[name]):
            return False
        if name in compared or (name in amounts and _is_amount(null)):
            return True
        return name in columns and columns[name].can_hold(null)

    found: list[Any] = []
    for name in used:
        for null in empty[name]:
            other = next((one for one in used if can_hold(one, null)), None)
            if other is not None:
                raise RequestError(
                    f"null: what stands for an empty cell in {name} can be a value of {other}, and "
                    "one request reads all columns by the same rule",
                    "ask about them in two requests",
                )
            found.append(null)
    return list(dict.fromkeys(found))


_AMOUNTS = ("epsilon", "weight")


def _is_amount(null: Any) -> bool:
    """Returns true if a budget or a weight can be written like this."""
    try:
        return float(null) >= 0
    except (TypeError, ValueError):
        return False


def filtered(options: Mapping[str, Any]) -> list[str]:
    """Names of the columns whose conditions choose the records of a question."""
    where = options.get("where")
    return list(filter_columns(where)) if where else []


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
