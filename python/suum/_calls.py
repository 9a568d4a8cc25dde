"""Whole commands of the command line as calls."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from typing import Any

from ._entries import COUNTS, DICTIONARIES, FLAGS
from ._suum import schema

#: Options of which the value is a place that a call has a name for, too.
_PLACES = {
    "consent", "decimal", "delimiter", "encoding", "from_levels", "ledger", "profile", "query",
    "table",
}  # fmt: skip
_PAIRS = {"bounds", "epsilon_range"}
_LISTS = {"between", "bins", "classes", "crosstab", "null", "public_columns", "q", "statistic"}
#: Lists that are said once for each of several columns.
_OF_COLUMNS = {"categories", "groups"}


def call(command: str) -> str:
    """The call that does what a command does; the command, if none does.

    >>> call("suum mean DATA --value v --bounds 0,10 --epsilon 'my eps' --no-adapt")
    'suum.mean(DATA, value="v", bounds=(0, 10), epsilon="my eps", adapt=False)'
    >>> call("suum plan --profile 0.1:5,inf:2 --statistic quantile --q 0.1,0.5 --format json")
    'suum.plan(profile={0.1: 5, math.inf: 2}, statistic="quantile", q=[0.1, 0.5])'
    """
    words = shlex.split(command)
    if words == ["suum", "ledger", "verify", "FILE"]:
        return "suum.Ledger(FILE).verify()"
    if words[:2] == ["suum", "run"]:
        return "suum.run(QUERY, DATA)"
    arguments = [word for word in words[2:3] if not word.startswith("--")]
    if words[:1] != ["suum"] or not words[1:] or not words[1].isalpha() or (
        arguments == ["QUERY.toml"]
    ):
        return command
    given: dict[str, list[str]] = {}
    at = 2 + len(arguments)
    while at < len(words):
        option, has_value, value = words[at].removeprefix("--").partition("=")
        name = option.replace("-", "_")
        if not has_value and name not in FLAGS:
            at += 1
            value = words[at] if at < len(words) else ""
        given.setdefault(name, []).append(value)
        at += 1
    arguments += [_argument(name, values) for name, values in given.items() if name != "format"]
    return f"suum.{words[1]}({', '.join(arguments)})"


def _argument(name: str, values: list[str]) -> str:
    if name in FLAGS:
        return "adapt=False" if name == "no_adapt" else f"{name}=True"
    if name in _OF_COLUMNS:
        lists = [_list(items(value)) for value in values]
        return f"{name}={lists[0] if len(lists) == 1 else _list(lists)}"
    return f"{name}={_value(name, values[0])}"


def _value(name: str, value: str) -> str:
    if value.isupper() and name in _PLACES:
        return value
    if name in COUNTS:
        counts = [item.rpartition(":") for item in value.split(",")]
        return f"{{{', '.join(f'{_number(key)}: {_number(count)}' for key, _, count in counts)}}}"
    if name in DICTIONARIES:
        pairs = [re.split(r"(?<!\\)=", item, maxsplit=1) for item in items(value, False)]
        return f"{{{', '.join(f'{_text(plain(key))}: {_number(one)}' for key, one in pairs)}}}"
    if name in _PAIRS and "," in value:
        return f"({', '.join(map(_end, value.split(',')))})"
    if name in ("q", "bins"):
        return _list(_end(one) for one in value.split(",")) if "," in value else _end(value)
    if name in _LISTS:
        found = items(value)
        return found[0] if name == "statistic" and len(found) == 1 else _list(found)
    if name == "group_by":
        names = [plain(one) for one in items(value, False)]
        return _text(names[0]) if len(names) == 1 else _list(map(_text, names))
    if name == "value":
        return _text(plain(value))
    return _end(value) if name in _numbers() else _text(value)


def items(value: str, quoted: bool = True) -> list[str]:
    """The items of a list in which a comma of a label stands behind a backslash."""
    found = re.split(r"(?<!\\),", value)
    return [_text(plain(one)) for one in found] if quoted else found


def plain(label: str) -> str:
    """A label without the backslashes before its commas and equals signs."""
    return re.sub(r"\\([,=\\])", r"\1", label)


@cache
def _numbers() -> set[str]:
    """The options that take a number, or a number in place of text."""
    options: dict[str, Any] = json.loads(schema())["properties"]
    return {name for name, option in options.items() if '"number"' in json.dumps(option)
            or '"integer"' in json.dumps(option)}  # fmt: skip


def _list(found: Any) -> str:
    return f"[{', '.join(found)}]"


def _end(word: str) -> str:
    """A number as it is, all else in quotes."""
    try:
        float(word)
    except ValueError:
        return _text(word)
    return _number(word)


def _number(word: str) -> str:
    return "math.inf" if word == "inf" else word


def _text(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)
