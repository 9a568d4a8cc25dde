"""Keyword arguments as the words of the command line, which give them their meaning."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

#: Options without a value.
FLAGS = {"accept_loss", "accept_move", "persons", "quiet", "shrink", "squares", "trust_query"}

#: What keyword arguments are written with between keys and values; all other dictionaries are of
#: labels.
COUNTS = {"profile": "{}:{}", "what_if": "{}:{:+d}"}

#: What is a dictionary; of a Series its labels are the keys, as ``value_counts()`` gives them.
DICTIONARIES = {"levels", "split", *COUNTS}


def words(command: str, options: Mapping[str, object]) -> list[str]:
    """The command with the options that are given: neither ``None`` nor ``False``.

    >>> tiers = {"strict": 0.1, "public": float("inf")}
    >>> words("mean", {"bounds": (0, 77), "levels": tiers, "shrink": False})
    ['mean', '--bounds=0,77', '--levels=strict=0.1,public=inf']
    >>> people = {"profile": {0.1: 3400}, "what_if": {0.1: 20}}
    >>> words("plan", {**people, "shrink": True, "group_by": "a b"})
    ['plan', '--profile=0.1:3400', '--what-if=0.1:+20', '--shrink', '--group-by=a b']
    """
    given = [
        (name, value) for name, value in options.items() if value is not None and value is not False
    ]
    return [command, *(_word(name, value) for name, value in given)]


def _word(name: str, value: object) -> str:
    option = "--" + name.replace("_", "-")
    if value is True:
        # What is no flag refuses it by name.
        return option if name in FLAGS else f"{option}=true"
    try:
        return f"{option}={_text(name, value)}"
    except TypeError as wrong:
        raise TypeError(f"{name}: {wrong}") from None


def _text(name: str, value: object) -> str:
    if isinstance(value, (int, float, str)):
        return number(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if name in DICTIONARIES and hasattr(value, "index") and hasattr(value, "to_dict"):
        if not value.index.is_unique:
            raise TypeError("expected every label of the index once, as value_counts() gives them")
        value = value.to_dict()
    if isinstance(value, Mapping):
        form = COUNTS.get(name)
        if form is not None:
            return ",".join(form.format(number(key), _count(count)) for key, count in value.items())
        return ",".join(f"{_label(key)}={number(amount)}" for key, amount in value.items())
    if isinstance(value, Iterable):
        return ",".join(_label(item) if isinstance(item, str) else number(item) for item in value)
    return number(value)


def number(value: object) -> str:
    """A number in the fewest digits that read back as it.

    >>> number(0.1), number(7), number(float("inf")), number("50%")
    ('0.1', '7', 'inf', '50%')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise TypeError(f"expected a number, not {type(value).__name__}")
    return str(value.__index__()) if hasattr(value, "__index__") else repr(float(value))


def _count(value: Any) -> int:
    if hasattr(value, "__float__") and not isinstance(value, bool) and float(value).is_integer():
        return int(value)
    raise TypeError(f"expected a whole number of people, not {type(value).__name__}")


def _label(label: object) -> str:
    return re.sub(r"([,=\\])", r"\\\1", str(label))
