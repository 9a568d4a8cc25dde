"""Expressions of Polars that make each record of its own row alone.

What a person loses is accounted for by record. Where a record is made of other rows too, such as
their mean, one person changes the records of others, and no certificate holds.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

from ._errors import RequestError
from ._public import Computed

#: Functions that are known to look at one row, under the names that Polars serialises.
_FUNCTIONS = {
    "Abs", "AsStruct", "Atan2", "Ceil", "Clip", "Coalesce", "Cut", "Exp", "FillNull", "Floor",
    "Hash", "Log", "Log1p", "MaxHorizontal", "MeanHorizontal", "MinHorizontal", "Negate", "Pow",
    "Replace", "ReplaceStrict", "Round", "RoundSF", "Sign", "SumHorizontal", "TemporalExpr",
    "Trigonometry",
}  # fmt: skip
#: Such functions by their kinds. Dates without a form are guessed from the first one.
_OF_KIND = {
    "Boolean": {
        "AllHorizontal", "AnyHorizontal", "IsBetween", "IsFinite", "IsIn", "IsInfinite", "IsNan",
        "IsNotNan", "IsNotNull", "IsNull", "Not",
    },
    "ListExpr": {"Concat", "First", "Get", "Last", "Length", "Max", "Mean", "Median", "Min", "Sum"},
    "StructExpr": {"FieldByName"},
    "StringExpr": {
        "ConcatHorizontal", "Contains", "EndsWith", "Extract", "Find", "Format", "Head", "LenBytes",
        "LenChars", "Lowercase", "PadEnd", "PadStart", "Replace", "Slice", "Split", "StartsWith",
        "StripChars", "StripCharsEnd", "StripCharsStart", "StripPrefix", "StripSuffix", "Strptime",
        "Tail", "Titlecase", "ToInteger", "Uppercase", "ZFill",
    },
}  # fmt: skip
#: Functions that compare with one or two sets: a column there is all of its rows.
_OF_SETS = {"IsIn", "Replace", "ReplaceStrict"}


def computed(role: str, expression: Any) -> Computed:
    """Returns the columns that an expression reads; refuses one that is not known to be row-wise.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = json.loads(expression.meta.serialize(format="json"))
        if _is_row_wise(tree):
            return Computed(frozenset(_columns(tree)), _is_column(tree))
    except Exception:
        # It calls Python, or another version of Polars writes it down in another way.
        pass
    raise RequestError(
        f"{role}: this expression is not known to make each record of its own row alone",
        "if it does, make it a column first, as in data.with_columns(x=…); means, ranks and "
        "the like of all rows void the certificate",
    )


def _is_column(node: Any) -> bool:
    """Returns true if a row-wise expression is a column as it stands, by whatever name."""
    ((kind, content),) = node.items()
    if kind == "Alias":
        return _is_column(content[0])
    return kind == "Column" or (kind == "RenameAlias" and _is_column(content["expr"]))


def _columns(node: Any) -> Iterator[str]:
    """The columns that are named anywhere in an expression."""
    if isinstance(node, dict):
        for kind, content in node.items():
            if kind == "Column" and isinstance(content, str):
                yield content
            else:
                yield from _columns(content)
    elif isinstance(node, list):
        for one in node:
            yield from _columns(one)


def _is_row_wise(node: Any) -> bool:
    if not isinstance(node, dict) or len(node) != 1:
        return False
    ((kind, content),) = node.items()
    if kind == "Column":
        return True
    if kind == "Literal":
        return not (isinstance(content, dict) and content.keys() & {"Series", "Range"})
    if kind == "Function":
        return _is_known(content) and all(map(_is_row_wise, content["input"]))
    if kind == "Cast" and "Categorical" in json.dumps(content["dtype"]):
        # Labels are numbered as they come.
        return False
    parts = {
        "Alias": lambda: [content[0]],
        "RenameAlias": lambda: [content["expr"]],
        "Cast": lambda: [content["expr"]],
        "BinaryExpr": lambda: [content["left"], content["right"]],
        "Ternary": lambda: [content[name] for name in ("predicate", "truthy", "falsy")],
    }.get(kind)
    return parts is not None and all(map(_is_row_wise, parts()))


def _is_known(called: Any) -> bool:
    kind, options = _named(called["function"])
    known, name = _FUNCTIONS, kind
    if kind in _OF_KIND:
        known, (name, options) = _OF_KIND[kind], _named(options)
    if name == "Strptime" and options[1]["format"] is None:
        return False
    # Text is replaced in each row by its own.
    is_of_set = name in _OF_SETS and kind != "StringExpr"
    is_set = all("Literal" in other for other in called["input"][1:3])
    return name in known and (is_set or not is_of_set)


def _named(function: Any) -> tuple[str, Any]:
    """The name of a function, and its options or the function of a kind."""
    if isinstance(function, str):
        return function, None
    ((name, options),) = function.items()
    return str(name), options
