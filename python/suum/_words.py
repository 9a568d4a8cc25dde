"""What the command line says, in the words of Python."""

from __future__ import annotations

import re
from typing import get_args

from ._entries import COUNTS, FLAGS
from ._given_names import has_name, hidden
from ._names import AnyEstimator, Dialect, Statistic

_USAGE = re.compile(r"'?--([a-z][a-z-]*)( <[^>]*>)?'?")
_OPTION = re.compile(r"--([a-z][a-z-]*)(?:[ =]([^\s;]*[^\s;,.)]))?")
_BETWEEN = re.compile(r'([A-Z\d"]|--\S+ [^\s;]+,[^\s;]*[^\s;,.)]) (?=--|[a-z]+=\[)')
_NAME_FIRST = re.compile(r"^[a-z]+(-[a-z]+)+(?=:)")
_PAIRS = {"bounds", "epsilon_range"}
_LISTS = {
    "between", "bins", "categories", "classes", "crosstab", "groups", "public_columns", "q",
    "statistic",
}  # fmt: skip
_DICTIONARIES = {"levels", "population_shares", "split"}
_CALL = re.compile(r"suum ([a-z]+) (\S+\.csv)((?: --[a-z-]+ [^-\s]\S*)+)")
_LEVELS = re.compile(r"suum levels DATA, (.*?) …")
_OF_GROUPS = re.compile(r"suum levels DATA … (\w+=.*)$")
_COMMAND = re.compile(r"`suum ([a-z]+(?:-[a-z]+)*)`")
#: Labels of two columns, which the command line says one after the other.
_TWICE = re.compile(r"--(groups|categories) (\S+) --\1 (\S+[^\s;,.)])")
#: What is said otherwise in Python; what is part of another comes after it.
_SENTENCES = {
    "Details: --explain, --report FILE.html": "Details: explain(), to_html()",
    "all their digits, as --format json gives them": "all their digits, as to_json() gives them",
    "in the JSON that --format json gives at the same time": "in what to_json() gives",
    "This command asks the same": "This call asks the same",
    "(in Python explain(), to_html())": "",
    "--person COL (in Python person=)": "person=COL",
    "--no-adapt (in Python adapt=False)": "adapt=False",
    "--no-adapt": "adapt=False",
    "--decimal ,": 'decimal=","',
    "--delimiter ';'": 'delimiter=";"',
    "--explain": "explain()",
    "--report draws": "to_html() draws",
    "leave --report out; --again": "again=True",
    "suum mean … --report FILE": "to_html()",
    "--again makes": "again=True makes",
    "what suum wrote with --format json": "what to_json() wrote",
    "name a CSV or Parquet file, a folder, - for standard input, a database, or --from-levels "
    "FILE": "give a path, a table, a column with epsilon beside it, or Levels",
    "; write --bounds=-5,5 when the lower bound is negative": "",
    "two dates as in 2020-01-01,2024-12-31": 'two dates: bounds=("2020-01-01", "2024-12-31")',
    "two numbers, LO,HI": "two numbers, (LO, HI)",
    "for example 0.01,1, or 0.01,inf where": "for example (0.01, 1), or (0.01, math.inf) where",
    "for example 0.01,1;": "for example (0.01, 1);",
    "of several columns each as 'north\\, f'": 'of several columns each as ("north", "f")',
    "; a comma in the name of a column is written \\,": "",
    "; a comma in a name is written \\,": "",
    "options have the names of the command line": "options have the names of keywords",
    "the help of a command says what": "help(…) of the function says what",
    "hand suum in Python": "hand suum",
    "suum levels-sql --dialect sqlite": 'suum.levels_sql(dialect="sqlite", …)',
    "suum levels DATA … without": "suum.levels(DATA, …) without",
    "suum ledger show FILE": "suum.Ledger(FILE).balance()",
    "(suum plan)": "(suum.plan)",
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
#: The values of options that are lower-case words, as what else stands behind an option is.
_VALUES = {
    "bounds": {"auto"},
    "delimiter": {"tab"},
    "dialect": {*get_args(Dialect)},
    "encoding": {"latin-1"},
    "estimator": {*get_args(AnyEstimator)},
    "statistic": {*get_args(Statistic)},
    "target": {"population", "dataset", "dataset-correlated"},
}
#: What has any word as its value, and the words that are none.
_NAMES = {"key", "public_columns", "table"}
_NO_NAMES = {"and", "or", "out"}
_DATE = re.compile(r"\d{4}-\d\d")
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


def refusal(text: str) -> str:
    """What is refused, or what to change, in the words of Python; an option may stand first."""
    text, back = hidden(text)
    return back(_refusal(text))


def _refusal(text: str) -> str:
    if " <" in text:
        return _USAGE.sub(lambda found: found[1].replace("-", "_"), text)
    return _in_python(_NAME_FIRST.sub(lambda found: found[0].replace("-", "_"), text))


def in_python(text: str) -> str:
    """The words of the command line as those of Python: options as keywords, commands as calls;
    names that people gave stay as they are.

    >>> in_python("rows of one person add up (--person COL)")
    'rows of one person add up (person=COL)'
    """
    text, back = hidden(text)
    return back(_in_python(text))


def _in_python(text: str) -> str:
    for said, instead in _SENTENCES.items():
        text = text.replace(said, instead)
    # What to type for another program stays as it is; it stands at the end.
    text, other, typed = text.partition("suum-experiments ")
    text = _COMMAND.sub(lambda found: f"suum.{found[1].replace('-', '_')}", text)
    text = _CALL.sub(_call, text)
    text = _TWICE.sub(_lists, text)
    text = _OPTION.sub(_keyword, _BETWEEN.sub(r"\1, ", text))
    text = _LEVELS.sub(lambda found: f"suum.levels(DATA, {found[1]}, …)", text)
    text = _OF_GROUPS.sub(lambda found: f"suum.levels(DATA, …, {found[1]})", text)
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


def _lists(found: re.Match[str]) -> str:
    """The labels of two columns as a list of lists."""
    lists = [f"[{', '.join(map(_quoted, labels.split(',')))}]" for labels in found.groups()[1:]]
    return f"{found[1]}=[{', '.join(lists)}]"


def _keyword(found: re.Match[str]) -> str:
    name, value = found[1].replace("-", "_"), found[2]
    if value == "…":
        return f"{name}=True …" if name in FLAGS else f"{name}=…"
    if value is not None and value[0] == value[-1] == '"':
        value = value[1:-1]
    if value is None or not _is_value(name, value):
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
    if name in _LISTS or (name == "group_by" and len(items) > 1):
        return f"{name}=[{', '.join(map(_quoted, items))}]"
    return f"{name}={_quoted(value)}"


def _number(word: str) -> str:
    return "math.inf" if word == "inf" else word


def _is_value(name: str, word: str) -> bool:
    is_name = name in _NAMES and word not in _NO_NAMES
    is_known = is_name or word in _WORDS or word in _VALUES.get(name, ())
    is_number = word[0].isdigit()
    return is_known or is_number or not word.islower() or any(mark in word for mark in ",=%")


def _quoted(word: str) -> str:
    """Words in quotes; numbers, and capitals that stand for something, as they are."""
    try:
        float(word)
    except ValueError:
        is_text = word.islower() or "%" in word or "/" in word or has_name(word)
        is_text = is_text or _DATE.match(word) is not None
        return f'"{word}"' if is_text else word
    return word
