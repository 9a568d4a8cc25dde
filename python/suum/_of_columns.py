"""One statistic of several columns, from one split of every budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast, get_args

from ._ask import said
from ._errors import ParameterError
from ._library import is_one
from ._names import Statistic
from ._release import R
from ._survey import ByColumn, by_column
from ._unknown import names_of

#: Options that can be dictionaries by column.
_OF_EACH = ("bounds", "categories", "bins")

#: The most answers that there can be.
_MOST = 1000

#: Statistics that can be asked for of several columns.
_ASKED = {*get_args(Statistic), "summary"} - {"count"}


def names(what: str, options: Mapping[str, Any]) -> list[str] | None:
    """The names of several columns, if they are asked about."""
    value, data = options.get("value"), options.get("data")
    is_list = isinstance(value, (list, tuple)) or any(
        is_one(value, *kind) for kind in (("pandas", "Index"), ("numpy", "ndarray"))
    )
    places = (data, *(options.get(name) for name in ("table", "query", "from_levels", "profile")))
    if what not in _ASKED or all(place is None for place in places):
        return None
    by_name = [name for name in _OF_EACH if isinstance(options.get(name), Mapping)]
    if not is_list:
        if by_name and isinstance(value, str):
            raise ParameterError(
                f"{by_name[0]}: a dictionary is for several columns",
                f'say it of the column alone, or name columns in a list: value=["{value}"]',
            )
        return None
    if getattr(value, "ndim", 1) != 1 or not 0 < len(cast(Any, value)) <= _MOST:
        return None
    found = [str(one) for one in cast(Any, value) if isinstance(one, str)]
    # A tuple can be one name.
    is_one_name = isinstance(value, tuple) and value in names_of(data)
    if len(found) < len(cast(Any, value)) or is_one_name:
        return None
    # A list of text can be a column of labels.
    is_labels = what == "frequency" and not set(found) <= set(map(str, names_of(data)))
    return None if is_labels and not by_name else found


def released(
    kind: type[R], what: str, names: list[str], options: Mapping[str, Any]
) -> ByColumn[R]:
    """Releases of several columns: the answers of ``suum.run`` to one query for each."""
    common, answers = asked_of(what, names, options)
    return by_column(kind, common, answers, options.get("data"))


def asked_of(
    what: str, names: list[str], options: Mapping[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Options that all columns share, and the options of each."""
    common = said(options)
    common["progress"] = options.get("progress")
    asked: Any = common.pop("statistic", None)
    if what == "summary":
        asked = asked or "mean,variance,q25,q50,q75"
        statistic: Any = asked.split(",") if isinstance(asked, str) else list(asked)
    else:
        statistic = what
    own = {name: common.pop(name) for name in ("value", *_OF_EACH) if name in common}
    answers = []
    for name in names:
        each = {option: _of(option, said, name, names) for option, said in own.items()}
        answers.append({"statistic": statistic, **each, "value": name})
    return common, answers


def _of(option: str, said: Any, name: str, names: list[str]) -> Any:
    """Value of an option for one of the columns; an option that is given once applies to each."""
    if not isinstance(said, Mapping):
        return said
    unknown = [one for one in said if one not in names]
    if unknown:
        raise ParameterError(
            f"{option}: value names no column {unknown[0]}",
            f"name the columns of {option} as value does",
        )
    if name not in said:
        raise ParameterError(
            f"{option}: nothing is said of column {name}",
            f"name every column of value in {option}, or say it once for all of them",
        )
    return said[name]
