"""One statistic of several columns, from one split of every budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, Protocol, TypeVar, Union, cast, get_args, overload

from ._ask import said
from ._errors import ParameterError
from ._forms import Data
from ._library import is_one
from ._names import Statistic
from ._release import R, Release
from ._survey import ByColumn, by_column
from ._unknown import names_of

P = ParamSpec("P")
S = TypeVar("S", bound=Release)

#: The names of several columns.
Several = Union[list[str], tuple[str, ...]]


class OfNumbers(Protocol[P, S]):
    """A function of one column of numbers, or of several."""

    __kwdefaults__: dict[str, Any]

    # First, because a list of names also has the type of a column of text.
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, data: Data | None = None, *, value: Several, **options: Any
    ) -> ByColumn[S]: ...
    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> S: ...


class OfLabels(Protocol[P, S]):
    """A function of one column of labels, which a list can be, too; or of several, if it is told
    what is in each.
    """

    __kwdefaults__: dict[str, Any]

    @overload
    def __call__(  # type: ignore[overload-overlap]
        self,
        data: Data | None = None,
        *,
        value: Several,
        categories: Mapping[str, Any],
        **options: Any,
    ) -> ByColumn[S]: ...
    @overload
    def __call__(  # type: ignore[overload-overlap]
        self, data: Data | None = None, *, value: Several, bins: Mapping[str, Any], **options: Any
    ) -> ByColumn[S]: ...
    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> S: ...


def of_numbers(function: Callable[P, S]) -> OfNumbers[P, S]:
    """The function, of which types know that it takes several columns."""
    return cast("OfNumbers[P, S]", function)


def of_labels(function: Callable[P, S]) -> OfLabels[P, S]:
    """Function whose type says that it accepts several columns, of labels."""
    return cast("OfLabels[P, S]", function)


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
    kind: type[R],
    what: str,
    names: list[str],
    options: Mapping[str, Any],
    defaults: Mapping[str, Any] | None,
) -> ByColumn[R]:
    """Releases of several columns: the answers of ``suum.run`` to one query for each."""
    common, answers = asked_of(what, names, options, defaults)
    return by_column(kind, common, answers, options.get("data"))


def asked_of(
    what: str,
    names: list[str],
    options: Mapping[str, Any],
    defaults: Mapping[str, Any] | None,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Options that all columns share, and the options of each."""
    common = said(options, defaults)
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
