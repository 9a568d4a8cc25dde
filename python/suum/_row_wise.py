"""Expressions of Polars that make each record of its own row alone.

What a person loses is accounted for by record. Where a record is made of other rows too, such as
their mean, one person changes the records of others, and no certificate holds.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

from ._errors import RequestError

#: Functions that are known to look at one row, under the names that Polars serialises.
_FUNCTIONS = {
    "Abs", "AsStruct", "Atan2", "Ceil", "Clip", "Coalesce", "Cut", "Exp", "FillNull", "Floor",
    "Hash", "Log", "Log1p", "MaxHorizontal", "MeanHorizontal", "MinHorizontal", "Negate", "Pow",
    "Replace", "ReplaceStrict", "Round", "RoundSF", "Sign", "SumHorizontal", "TemporalExpr",
    "ToPhysical", "Trigonometry", "ListExpr", "ArrayExpr", "StructExpr",
}  # fmt: skip
#: The same of truth values, and of text: dates without a form are guessed from the first one.
_OF_KIND = {
    "Boolean": {
        "AllHorizontal", "AnyHorizontal", "IsBetween", "IsFinite", "IsIn", "IsInfinite", "IsNan",
        "IsNotNan", "IsNotNull", "IsNull", "Not",
    },
    "StringExpr": {
        "ConcatHorizontal", "Contains", "EndsWith", "Extract", "Find", "Format", "Head", "LenBytes",
        "LenChars", "Lowercase", "PadEnd", "PadStart", "Replace", "Slice", "Split", "StartsWith",
        "StripChars", "StripCharsEnd", "StripCharsStart", "StripPrefix", "StripSuffix", "Strptime",
        "Tail", "Titlecase", "ToInteger", "Uppercase", "ZFill",
    },
}  # fmt: skip


def check(role: str, expression: Any) -> None:
    """Refuses an expression that is not known to be row-wise."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = json.loads(expression.meta.serialize(format="json"))
        known = _is_row_wise(tree)
    except Exception:
        # It calls Python, or another version of Polars writes it down in another way.
        known = False
    if not known:
        raise RequestError(
            f"{role}: this expression is not known to make each record of its own row alone",
            "if it does, make it a column first, as in data.with_columns(x=…); means, ranks and "
            "the like of all rows void the certificate",
        )


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
    parts = {
        "Alias": lambda: [content[0]],
        "RenameAlias": lambda: [content["expr"]],
        "Cast": lambda: [content["expr"]],
        "BinaryExpr": lambda: [content["left"], content["right"]],
        "Ternary": lambda: [content[name] for name in ("predicate", "truthy", "falsy")],
    }.get(kind)
    return parts is not None and all(map(_is_row_wise, parts()))


def _is_known(called: Any) -> bool:
    name, of = _named(called["function"])
    if name not in _OF_KIND:
        return name in _FUNCTIONS
    one, options = _named(of)
    if one == "Strptime":
        return options[1]["format"] is not None
    # A column there is all of its rows.
    is_set = one != "IsIn" or all("Literal" in other for other in called["input"][1:])
    return one in _OF_KIND[name] and is_set


def _named(function: Any) -> tuple[str, Any]:
    """The name of a function, and its options or the function of a kind."""
    if isinstance(function, str):
        return function, None
    ((name, options),) = function.items()
    return str(name), options
