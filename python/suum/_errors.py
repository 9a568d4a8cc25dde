"""What can be refused: one exception class for each kind of refusal."""

from __future__ import annotations

import re

from ._entries import COUNTS, FLAGS


class Error(Exception):
    """A refusal of suum: what is wrong and, as ``hint``, what to change.

    No message carries a value of the data: it names the parameter, or the column and row.

    >>> import suum
    >>> try:
    ...     suum.mean([1, 2], epsilon=[1, 1], bounds=(10, 0))
    ... except suum.Error as refused:
    ...     print(refused.message)
    bounds: the lower bound must be below the upper bound
    """

    #: What is wrong.
    message: str
    #: What to change, in the imperative; ``None`` only for a mistake of suum itself.
    hint: str | None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = _in_python(message)
        self.hint = None if hint is None else _in_python(hint)

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class ParameterError(Error, ValueError):
    """A parameter is not usable."""


class RequestError(Error, ValueError):
    """The combination of parameters does not make sense, although each of them does."""


class DataError(Error):
    """The data do not have the declared form. The message names column and row, never a value."""


class TableError(Error):
    """A level table is inconsistent with itself or with what was asked for."""


class ReadError(Error, OSError):
    """A file or a stream could not be read or written."""


class LedgerError(Error):
    """The ledger cannot be used, or disagrees with itself."""


class BudgetError(Error):
    """A charge does not fit what is left."""


class InternalError(Error):
    """suum itself is wrong, and noticed it before anything was released."""


_USAGE = re.compile(r"'?--([a-z][a-z-]*)( <[^>]*>)?'?")
_OPTION = re.compile(r"--([a-z][a-z-]*)(?:[ =]([^\s;]*[^\s;,.]))?")
_BETWEEN = re.compile(r"(?<=[A-Z]) (?=--)")
_NAME_FIRST = re.compile(r"^[a-z]+(-[a-z]+)+(?=:)")
_PAIRS = {"bounds", "epsilon_range"}
_LISTS = {"between", "bins", "categories", "classes", "groups", "public_columns", "q", "statistic"}
_DICTIONARIES = {"levels", "population_shares", "split"}
_CALL = re.compile(r"suum ([a-z]+) (\S+\.csv)((?: --[a-z-]+ [^-\s]\S*)+)")
_LEVELS = re.compile(r"suum levels DATA, (.*?) …")
#: What is said otherwise in Python.
_SENTENCES = {
    "suum ledger init --persons": "suum.Ledger.create(…, persons=True)",
    "suum ledger init FILE --dataset NAME --levels …": (
        "suum.Ledger.create(FILE, dataset=NAME, levels=…)"
    ),
    "suum ledger verify FILE --accept-move": "suum.Ledger(FILE).verify(accept_move=True)",
    "suum audit --list has them": "docs/how-to/audit.md says what there is",
    "look up the options and their values in the help of the command": (
        "help(…) of the function has the keywords and their values"
    ),
}
_WORDS = {
    "add-remove",
    "both",
    "deciles",
    "exclude",
    "frequency",
    "gaussian",
    "other",
    "own",
    "private",
    "replace",
    "variance",
}


def _in_python(text: str) -> str:
    """The words of the command line as those of Python: ``--group-by COL`` as ``group_by=COL``."""
    if " <" in text:
        return _USAGE.sub(lambda found: found[1].replace("-", "_"), text)
    for said, in_python in _SENTENCES.items():
        text = text.replace(said, in_python)
    # What to type for another program stays as it is; it stands at the end.
    text, other, typed = text.partition("suum-experiments ")
    text = _CALL.sub(_call, text)
    text = _NAME_FIRST.sub(lambda found: found[0].replace("-", "_"), text)
    text = _OPTION.sub(_keyword, _BETWEEN.sub(", ", text))
    text = _LEVELS.sub(lambda found: f"suum.levels(DATA, {found[1]}, …)", text)
    return text + other + typed


def _call(found: re.Match[str]) -> str:
    """A whole command as a call, with every value in it."""
    words = found[3].split()
    said = []
    for option, value in zip(words[::2], words[1::2]):
        keyword = _OPTION.sub(_keyword, f"{option} {value}")
        name, between, _ = keyword.partition(" ")
        said.append(keyword if "=" in name or not between else f'{name}="{value}"')
    return f'suum.{found[1]}("{found[2]}", {", ".join(said)})'


def _keyword(found: re.Match[str]) -> str:
    name, value = found[1].replace("-", "_"), found[2]
    if value == "…":
        return f"{name}=True …" if name in FLAGS else f"{name}=…"
    if value is not None and value[0] == value[-1] == '"':
        value = value[1:-1]
    if value is None or not _is_value(value):
        keyword = f"{name}=True" if name in FLAGS else name
        return keyword if value is None else f"{keyword} {value}"
    items = value.split(",")
    if name in _PAIRS and len(items) == 2:
        return f"{name}=({', '.join(map(_number, items))})"
    if name in _DICTIONARIES:
        pairs = [item.partition("=") for item in items]
        said = [f"{_quoted(key)}: {_number(value)}" if value else key for key, _, value in pairs]
        return f"{name}={{{', '.join(said)}}}"
    if name in COUNTS:
        counts = [item.partition(":") for item in items]
        return f"{name}={{{', '.join(f'{_number(key)}: {count}' for key, _, count in counts)}}}"
    if name in _LISTS:
        return f"{name}=[{', '.join(map(_quoted, items))}]"
    return f"{name}={_quoted(value)}"


def _number(word: str) -> str:
    return "math.inf" if word == "inf" else word


def _is_value(word: str) -> bool:
    return word in _WORDS or not word.islower() or any(mark in word for mark in ",=%")


def _quoted(word: str) -> str:
    """Words in quotes; numbers, and capitals that stand for something, as they are."""
    return f'"{word}"' if word.islower() or any(mark in word for mark in "%/") else word
