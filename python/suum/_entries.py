"""Keyword arguments as the entries of a query; the extension gives them their meaning."""

from __future__ import annotations

import decimal
import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from . import _times
from ._errors import ParameterError, ReadError

#: Dictionaries of numbers of people by budget; all others are of labels.
COUNTS = {"profile", "what_if"}

#: Lists of names.
LABELS = {
    "between",
    "categories",
    "classes",
    "consent_active",
    "consent_attributes",
    "consent_expired",
    "consent_withdrawn",
    "groups",
    "null",
    "public_columns",
}

#: Options that declare the value of a missing cell.
_CELLS = ("missing", "missing_consent")

#: Options that are dictionaries. The labels of a Series are its keys, as in ``value_counts()``.
DICTIONARIES = {"levels", "population_shares", "split", *COUNTS}


def entries(options: Mapping[str, object]) -> dict[str, Any]:
    """The options that are given, neither ``None`` nor ``False``, as plain values.

    Only ``adapt`` can be ``False``, which is not the same as ``None``.

    >>> tiers = {"strict": 0.1, "public": float("inf")}
    >>> entries({"bounds": (0, 77), "levels": tiers, "shrink": False})
    {'bounds': [0, 77], 'levels': {'strict': 0.1, 'public': 'inf'}}
    >>> entries({"profile": {0.1: 3400}, "what_if": {0.1: -20}, "group_by": "a b"})
    {'profile': {'0.1': 3400}, 'what_if': {'0.1': -20}, 'group_by': 'a b'}
    """
    given = {
        name: value
        for name, value in options.items()
        if value is not None and (value is not False or name in _CELLS)
    }
    # In place of a missing label a truth value can stand. Beside numbers it is refused: it may mean
    # that cells are missing.
    is_label = {"missing": options.get("categories") is not None, "missing_consent": True}
    for name in _CELLS:
        if _is_truth(given.get(name)):
            given[name] = (label if is_label[name] else bool)(given[name])
    if options.get("adapt") is False:
        given["no_adapt"] = True
    return {name: _entry(name, value) for name, value in given.items()}


def _entry(name: str, value: object) -> object:
    try:
        return _plain(name, value)
    except TypeError as wrong:
        instead = _INSTEAD.get(name, "see help(suum.mean)")
        raise ParameterError(f"{name}: {wrong}", instead) from None


#: Remedies for values of a wrong type, by option.
_INSTEAD = {
    "bounds": "give both ends from public knowledge, as in bounds=(0, 100), or bounds=\"auto\"",
    "levels": "give a dictionary, as in levels={\"strict\": 0.1, \"open\": 1}",
    "population_shares": "give a dictionary, as in {\"young\": 0.4, \"old\": 0.6}",
    "profile": "give a dictionary of numbers of people, as in profile={0.1: 3400, 0.5: 4300}",
    "what_if": "give a dictionary of numbers of people, as in what_if={0.1: -20}",
}


def _plain(name: str, value: Any) -> object:
    if name == "group_by" and isinstance(value, str) and ("," in value or "\\" in value):
        # One name, which the command line would take for several.
        return [value]
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if type(value).__module__.startswith("sqlalchemy."):
        return sql_text(value)
    if name in DICTIONARIES and hasattr(value, "columns"):
        raise TypeError(f"expected a dictionary or a Series, not a {type(value).__name__}")
    if name in DICTIONARIES and hasattr(value, "index") and hasattr(value, "to_dict"):
        if not value.index.is_unique:
            raise TypeError("expected every label of the index once, as value_counts() gives them")
        value = value.to_dict()
    if isinstance(value, Mapping):
        if name in COUNTS:
            return _table((label(key), _count(count)) for key, count in value.items())
        return _table((label(key), number(amount)) for key, amount in value.items())
    if isinstance(value, Iterable) and getattr(value, "ndim", None) != 0:
        item = _OF_GROUPS.get(name, label) if name in LABELS else share if name == "q" else _end
        return [one if isinstance(one, str) else item(one) for one in value]
    if name in (*_CELLS, "as_of") and _times.is_time(value):
        return _times.label(value)
    return share(value) if name == "q" else number(value)


def text_of_file(what: str, path: str | os.PathLike[str]) -> str:
    """Text of a file, which a refusal calls ``what``."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as raised:
        raise ReadError(f"{what}: the file cannot be read", "check the path") from raised


def sql_text(statement: Any) -> str:
    """Text of a table, a query or a condition of SQLAlchemy; text itself stays as it is."""
    if isinstance(statement, str):
        return statement
    if hasattr(statement, "fullname"):
        return str(statement.fullname)
    try:
        return str(statement.compile(compile_kwargs={"literal_binds": True}))
    except Exception:
        kind = type(statement).__name__
        raise TypeError(f"expected text, or a query of SQLAlchemy, not {kind}") from None


def _is_truth(value: object) -> bool:
    """Returns true for a truth value, of Python or NumPy."""
    return type(value).__name__ in ("bool", "bool_")


def _end(value: object) -> int | float | str:
    """Converts an end of bounds or bins: a number, a truth value, or a date or time, which becomes
    text.
    """
    if _is_truth(value):
        return int(cast(bool, value))
    return _times.text(value) if _times.is_time(value) else number(value)


def _table(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise TypeError(f"expected every key once, and {key} is there twice")
        table[key] = value
    return table


def number(value: object) -> int | float | str:
    """Converts a number to a plain one, or to text if JSON has no such number or it takes more than
    64 bits.

    >>> number(0.1), number(7), number(float("inf")), number("50%")
    (0.1, 7, 'inf', '50%')
    """
    if isinstance(value, str):
        return value
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        value = cast(Any, value).item()
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"expected a number, not {type(value).__name__}")
    if hasattr(value, "__index__"):
        whole = int(value.__index__())
        return whole if whole.bit_length() < 64 else str(whole)
    plain = float(value)
    return plain if math.isfinite(plain) else repr(plain)


def share(value: object) -> int | float | str:
    """Rounds a share of records to the nine digits that a rank has: those of ``numpy.linspace``
    have errors of rounding.

    >>> share(0.1 + 0.2), share("90%")
    (0.3, '90%')
    """
    plain = number(value)
    return round(plain, 9) if isinstance(plain, float) else plain


def label(value: object) -> str:
    """Text of a label, as CSV has it: 1.0 is not the label 1.

    >>> label("a"), label(1), label(1.0), label(True)
    ('a', '1', '1.0', 'true')
    """
    if _is_truth(value):
        return "true" if value else "false"
    if _times.is_time(value):
        return _times.label(value)
    try:
        plain = number(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(
            f"expected text, a number, a date or a truth value as a label, not {kind}"
        ) from None
    return plain if isinstance(plain, str) else repr(plain)


def _labels(value: Any) -> str | list[str]:
    """Text of the label of a group; a list of texts if it has labels of several columns."""
    return [label(one) for one in value] if _is_many(value) else label(value)


def _combined(value: Any) -> str:
    """Text of the label of a group, with commas between labels of several columns."""
    return ", ".join(map(label, value)) if _is_many(value) else label(value)


#: Options whose labels can be combinations of labels of several columns.
_OF_GROUPS: dict[str, Callable[[Any], str | list[str]]] = {
    "categories": _labels, "groups": _labels, "between": _combined,
}


def _is_many(value: object) -> bool:
    return isinstance(value, Iterable)


def without_point(value: Any) -> Any:
    """Writes a number as columns of numbers write it as a label: without zeros behind the point. A
    list or tuple is converted item by item.

    >>> without_point(1.0), without_point(1e-5), without_point(decimal.Decimal("2.50"))
    (1, '0.00001', '2.5')
    """
    if isinstance(value, (list, tuple)):
        return [without_point(one) for one in value]
    if not isinstance(value, (float, decimal.Decimal)) or not math.isfinite(value):
        return value
    if value == int(value) and -1e15 < value < 1e15:
        return int(value)
    # Without an exponent, and in no more digits than Python shows.
    digits = decimal.Decimal(float.__repr__(value)) if isinstance(value, float) else value
    text = f"{digits:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _count(value: Any) -> int:
    if hasattr(value, "__float__") and not isinstance(value, bool) and float(value).is_integer():
        return int(value)
    raise TypeError(f"expected a whole number of people, not {type(value).__name__}")


#: Remedies for an empty dictionary, by option.
_SAY = {
    "levels": "say what each tier allows",
    "population_shares": "say the share of each stratum",
    "split": "say the part of each statistic",
    "profile": "say how many people have each budget, for example {0.1: 3400, 0.5: 4300}",
    "what_if": "say how many people come or go, for example {0.1: -20}",
}


def check_filled(options: Mapping[str, Any]) -> None:
    """Refuses a dictionary in which nothing is, or a Series of nothing."""
    for name, what in _SAY.items():
        said = options.get(name)
        is_table = isinstance(said, Mapping) or hasattr(said, "to_dict")
        if is_table and len(said) == 0:  # type: ignore[arg-type]
            raise ParameterError(f"{name}: it is empty", f"{what}, or leave {name} out")
