"""Rows are chosen by public columns only: what a role may be computed from.

The values are protected, with all columns that they are computed from. Tiers, budgets, persons,
strata and weights are public, and so are groups where it is public who takes part. If one of these
were computed from a protected column, a release would publish that column. So they are columns as
they stand, or computed from columns that are declared public.

Expressions of Polars make each record of its own row alone. What a person loses is accounted for by
record: where a record is made of other rows too, such as their mean, one person changes the records
of others, and no certificate holds.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ._errors import RequestError


class Computed(NamedTuple):
    """Origin of a column that plays a role."""

    #: The columns of the data that it reads.
    roots: frozenset[str]
    #: True of one of them as it stands, by whatever name.
    is_column: bool


def check(options: Mapping[str, Any], computed: Mapping[str, Computed], hides: bool) -> None:
    """Refuses roles that tell of protected columns.

    ``options`` has the names of columns that are given by name, ``computed`` the roles that are
    not; ``hides`` says that nobody may know who takes part.
    """
    public = declared(options.get("public_columns"))
    made = [of for role, of in computed.items() if _is_value(role)]
    values = {_folded(name) for of in made for name in of.roots}
    by_name = [one for role, one in options.items() if _is_value(role) and isinstance(one, str)]
    named = set(map(_folded, by_name))
    for role, of in {**_plain(options), **computed}.items():
        # Two names are the business of whoever reads the columns.
        protected = values | named if role in computed else values
        if _is_value(role) or (hides and role.startswith("group_by")):
            continue
        shown = re.sub(r"_[0-9]+$", "", role)
        for name in sorted(of.roots):
            if _folded(name) in public:
                continue
            if not of.is_column:
                raise RequestError(
                    f"{shown}: it is computed from column {name}, which is not declared public",
                    f"name a column as it stands; if everybody may know {name} of everybody, say "
                    f"public_columns=[{_quoted(name)}]",
                )
            if _folded(name) in protected:
                raise RequestError(
                    f"{shown}: the values are made of column {name}, too, which protects it",
                    f"leave it out of one of both; if everybody may know {name} of everybody, say "
                    f"public_columns=[{_quoted(name)}]",
                )


def declared(columns: Any) -> set[str]:
    """The names of the columns that are declared public, without regard to case.

    >>> sorted(declared("Age, site")), declared(["a,b"]), declared(None)
    (['age', 'site'], {'a,b'}, set())
    """
    if isinstance(columns, str):
        columns = [re.sub(r"\\([,\\])", r"\1", one) for one in re.split(r"(?<!\\),", columns)]
    names: Iterable[Any] = columns or ()
    return {_folded(name) for name in names if isinstance(name, str)}


#: Roles that choose rows, beside groups.
_CHOICES = ("epsilon", "privacy", "person", "strata", "weight")


def _plain(options: Mapping[str, Any]) -> dict[str, Computed]:
    """Origins of the roles that are given by the name of a column."""
    return {
        role: Computed(frozenset([name]), True)
        for role, name in options.items()
        if (role in _CHOICES or role.startswith("group_by")) and isinstance(name, str)
    }


def _is_value(role: str) -> bool:
    return role == "value" or role.startswith("crosstab")


def _folded(name: str) -> str:
    return name.strip().lower()


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


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


def hides_people(options: Mapping[str, Any]) -> bool:
    """Returns true if participation is hidden: by ``neighbors``, or because records without a
    value are left out, and who has one is hidden.

    >>> hides_people({"neighbors": "both"}), hides_people({"missing": "exclude"}), hides_people({})
    (True, True, False)
    """
    missing = options.get("missing")
    leaves_out = isinstance(missing, str) and missing == "exclude"
    return options.get("neighbors") in ("add-remove", "both") or leaves_out


def times_of_rows(options: Mapping[str, Any]) -> list[str]:
    """The name of the column by which the last row of a person counts, if it does."""
    said = options.get("per_person")
    if not isinstance(said, str) or not said.strip().startswith("last:"):
        return []
    return [said.split(":", 1)[1].strip()]
