"""Statistics, plans and level tables as functions of data and keywords, which are those of the
command line, or of a query.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, TypeVar, Union, Unpack, overload

from . import _groups
from . import keywords as kw
from ._ask import ask, said
from ._codebook import edges
from ._columns import is_one, is_table
from ._entries import entries, text_of_file
from ._errors import ParameterError, RequestError
from ._help import documented, parameters
from ._kinds import Deviation, Difference, Frequencies, Median, Number, Quantiles, Summary, Variance
from ._levels import Levels
from ._names import ALIASES
from ._plan import Plan, names_of_tiers
from ._release import KINDS, OF_GROUPS, R, Release
from ._report import with_text
from ._survey import (
    ByColumn,
    Survey,
    answered,
    asked_of_columns,
    released_by_column,
    several,
    several_columns,
)
from ._suum import plain_job, read_query
from ._types import (
    Bounds,
    Column,
    Data,
    Edges,
    Labels,
    Names,
    Shares,
)
from .spark import of_data


#: Query, in each form that ``run`` accepts.
Query = Union[Mapping[str, Any], Release, Survey, str, os.PathLike[str]]


def is_query(data: object) -> bool:
    """Returns true if something in the place of data is a query. No column is a text, and no file
    of data has such a name.

    >>> is_query({"statistic": "mean", "epsilon": "eps"}), is_query({"statistic": ["a"], "v": [1]})
    (True, False)
    >>> is_query("query.toml"), is_query("people.csv")
    (True, False)
    """
    if isinstance(data, (Release, Survey)):
        return True
    if isinstance(data, Mapping):
        names_one = "statistic" in data and any(isinstance(one, str) for one in data.values())
        return names_one or _is_record(data) or _has_answers(data)
    if isinstance(data, (str, os.PathLike)):
        text = os.fspath(data)
        return text.endswith((".toml", ".json")) or text.lstrip().startswith("{")
    return False


def _is_record(query: Mapping[Any, Any]) -> bool:
    """Returns true if a dictionary is the ``to_dict`` of a release."""
    return isinstance(query.get("query"), Mapping)


def _has_answers(query: Mapping[Any, Any]) -> bool:
    answers = query.get("answers")
    return isinstance(answers, (list, tuple)) and any(isinstance(one, Mapping) for one in answers)


def unshortened(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Options in which a statistic has the name that queries have for it.

    >>> unshortened({"statistic": "median", "value": "v"})
    {'statistic': 'quantile', 'value': 'v', 'q': 0.5}
    """
    said = dict(asked)
    name = said.get("statistic")
    if not isinstance(name, str):
        return said
    name = ALIASES.get(name, name)
    said["statistic"] = name
    if name == "median" and said.get("q") is None:
        said.update(statistic="quantile", q=0.5)
    elif asked["statistic"] == "histogram" and said.get("categories") is None:
        bins = 20 if said.get("bins") is None else said["bins"]
        said.update(statistic="frequency", bins=edges(bins, said.get("bounds")), bounds=None)
    return said


def with_answers(asked: dict[str, Any]) -> dict[str, Any]:
    """Query of several answers, each with unshortened options."""
    return {**asked, "answers": [unshortened(one) for one in asked["answers"]]}


def asked_by(query: Query) -> dict[str, Any]:
    """The options of a query, by the names of kw."""
    asked = _asked_by(query)
    if asked.pop("no_adapt", False):
        asked["adapt"] = False
    return asked


def _asked_by(query: Query) -> dict[str, Any]:
    """Options of a query by their own names."""
    if isinstance(query, (Release, Survey)):
        if "query" not in query._whole:
            raise RequestError(
                "query: this is one part of a release, which does not say what was asked",
                "give the whole release, or a dictionary of options",
            )
        query = query.to_json()
    elif isinstance(query, Mapping) and _is_record(query):
        query = json.dumps(with_text(query))
    if isinstance(query, Mapping):
        return {str(name).replace("-", "_"): value for name, value in query.items()}
    if not isinstance(query, (str, os.PathLike)):
        raise ParameterError(
            f"query: {type(query).__name__} is no query",
            'give a dictionary or a file; for several answers {"answers": [{…}, {…}]}',
        )
    text = os.fspath(query)
    if not text.lstrip().startswith("{"):
        text = text_of_file("query", text)
    is_toml = not text.lstrip().startswith("{")
    asked = read_query(text)
    for one in [asked, *(asked.get("answers") or [])]:
        by = one.get("group_by")
        if isinstance(by, list) and len(by) == 1:
            # One name, which is not a column of one row.
            one["group_by"] = by[0]
    return asked if is_toml else _groups.retyped(asked, json.loads(text).get("label_types") or [])


F = TypeVar("F", bound=Callable[..., object])

#: Data, where a function has overloads: of no other type does pyright accept
#: ``df.pipe(suum.mean, …)``.
Given = TypeVar("Given", bound=Data)
#: One column, by its name or itself.
Value = Union[str, Column, None]
#: The names of several columns.
Several = Union[list[str], tuple[str, ...]]

KINDS |= {
    "mean": Number, "sum": Number, "count": Number, "variance": Variance, "std": Deviation,
    "median": Median, "frequency": Frequencies, "quantile": Quantiles, "summary": Summary,
    "difference": Difference,
}  # fmt: skip

#: Each function, with the statistic that it asks for and the class of its answer.
_FUNCTIONS: dict[str, tuple[Callable[..., Any], str, type[Release]]] = {}
#: The keywords of each function.
KEYWORDS: dict[str, frozenset[str]] = {}


#: Keywords that stand in the signature of every function that has them, for help and for tools.
_SHOWN = ("categories", "bins", "bounds", "epsilon", "privacy", "levels", "group_by", "groups")


def _function(
    statistic: str, result: type[Release], kind: type[Any], *more: str
) -> Callable[[F], F]:
    """Registers a function with keywords of a type, and ``more`` that only overloads have, and
    completes its signature and its documentation.
    """

    def registered(function: F) -> F:
        *first, last = signature(function).parameters.values()
        named = [parameter.name for parameter in first]
        types = {**kind.__annotations__, **dict.fromkeys(more, "Labels | None")}
        shown = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=_written(types[name]))
            for name in (*_SHOWN, *more)
            if name in types and name not in named
        ]
        completed: Any = function
        completed.__signature__ = signature(function).replace(parameters=[*first, *shown, last])
        completed.__annotations__ |= {one.name: types[one.name] for one in shown}
        _FUNCTIONS[function.__name__] = (function, statistic, result)
        KEYWORDS[function.__name__] = kw.names(kind, *named, *more) - {"data"}
        own = parameters(function)
        returned = "With ``group_by`` a mapping of one for each group"
        returned += "; with ``between`` a ``Difference``" * ("between" in own)
        returned += "; of several columns a ``ByColumn``" * ("value" in own) + ".\n"
        returned = "With the releases of both groups.\n" if result is Difference else returned
        return documented(kind, f"suum.{result.__name__}", returned)(function)

    return registered


def _written(annotation: Any) -> str:
    """Type as it is written in the source."""
    return str(getattr(annotation, "__forward_arg__", annotation))


def released(kind: type[R], what: str, options: Mapping[str, Any]) -> R:
    """Makes the release that keyword arguments ask for, ``data`` among them; of several columns a
    release of each.
    """
    names = several_columns(what, options)
    if names is not None:
        of_columns: Any = released_by_column(kind, what, names, options)
        return of_columns  # type: ignore[no-any-return]
    options = _groups.listed(options)
    # Nothing can be refused once the release is made.
    labels = _groups.Labels.of(options)
    of_groups = options.get("group_by") is not None
    if of_groups and options.get("between") is not None:
        kind = Difference  # type: ignore[assignment]
    made: Any = OF_GROUPS[kind] if of_groups else kind
    answer = ask(what, options["data"], options, kind._function)
    return made(answer, labels)  # type: ignore[no-any-return]


def _answer(name: str, arguments: dict[str, Any]) -> Any:
    """Answer to the arguments of a function."""
    options = arguments.pop("options")
    kw.check(name, options, KEYWORDS[name])
    _, statistic, kind = _FUNCTIONS[name]
    return released(kind, statistic, {**arguments, **options})


@overload
def mean(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Mean]
) -> ByColumn[Number]: ...
@overload
def mean(
    data: Given | None = None, value: Value = None, *, between: Labels, **options: Unpack[kw.Mean]
) -> Difference: ...
@overload
def mean(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlyMean],
) -> Number: ...
@_function("mean", Number, kw.Mean, "between")
def mean(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private mean of a column of numbers, in the units of the data.

    A part of the budgets learns first where the values lie, unless ``adapt=False``. Each record
    counts with a weight min(ε, τ), plus discrete Laplace noise on exact integer sums (Chaudhuri
    and Courtade 2023, *Some privacy can be free*; Canonne, Kamath and Steinke 2020).

    >>> import math, suum
    >>> people = {"visits": [3, 0, 9, 1] * 500, "eps": [0.1, 1, math.inf, 1] * 500}
    >>> release = suum.mean(people, "visits", epsilon="eps", bounds=(0, 77))
    >>> 0 <= release.estimate <= 77
    True
    """
    return _answer("mean", locals())


@overload
def sum(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Sum]
) -> ByColumn[Number]: ...
@overload
def sum(
    data: Given | None = None, value: Value = None, *, between: Labels, **options: Unpack[kw.Sum]
) -> Difference: ...
@overload
def sum(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlySum],
) -> Number: ...
@_function("sum", Number, kw.Sum, "between")
def sum(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private sum of a column of numbers: the number of records, which is public, times their
    mean; with ``neighbors="add-remove"`` the sum is measured itself.

    With ``person`` the rows of each person are added up, and that total is clamped to ``bounds``,
    which are then those of a person's total; no row is clamped before.

    >>> import suum
    >>> person = ["ann", "bob"] * 1000
    >>> release = suum.sum(None, [3, 0] * 1000, epsilon=1.0, person=person, bounds=(0, 5000))
    >>> 0 <= release.estimate <= 10000
    True
    """
    return _answer("sum", locals())


@overload
def variance(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Variance]
) -> ByColumn[Variance]: ...
@overload
def variance(
    data: Given | None = None, value: Value = None, **options: Unpack[kw.OnlyVariance]
) -> Variance: ...
@_function("variance", Variance, kw.Variance)
def variance(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private variance of a column of numbers, in squared units, and the mean that is measured
    with it. Source: docs/mechanisms (the variance from two sums with the noise of one).

    >>> import suum
    >>> release = suum.variance([3, 0, 9, 1] * 500, epsilon=[1.0] * 2000, bounds=(0, 10))
    >>> 0 <= release.estimate <= 25 and 0 <= release.mean.estimate <= 10
    True

    Parameters
    ----------
    bounds:
        The range that values can take; with "auto" there are no intervals.
    """
    return _answer("variance", locals())


@overload
def std(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Deviation]
) -> ByColumn[Deviation]: ...
@overload
def std(
    data: Given | None = None, value: Value = None, **options: Unpack[kw.OnlyDeviation]
) -> Deviation: ...
@_function("variance", Deviation, kw.Deviation)
def std(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private standard deviation of a column of numbers, in their units, with the variance and
    the mean that are measured with it. Source: as for ``variance``.

    >>> import suum
    >>> release = suum.std([3, 0, 9, 1] * 500, epsilon=1.0, bounds=(0, 10))
    >>> 0 <= float(release) <= 5 and release.variance.estimate >= 0
    True
    """
    return _answer("std", locals())


@_function("mean", Difference, kw.Difference)
def difference(
    data: Data | None = None, value: Value = None, *,
    between: Labels,
    **options: Unpack[kw.Difference],
) -> Difference:
    """The difference of the private means of two groups, with an interval: ``mean`` with
    ``between``, the first mean less the second.

    Nobody is in two groups, so each has its whole budget; where a record that changes its group
    must be hidden (``neighbors="both"``) each group spends half. The interval is made for the noise
    and the sampling errors of both together.

    >>> import suum
    >>> people = {"site": ["a", "b"] * 500, "visits": [4.0, 1.0] * 500, "eps": [1.0] * 1000}
    >>> sites = {"group_by": "site", "groups": ["a", "b"], "between": ["a", "b"]}
    >>> more = suum.difference(people, "visits", epsilon="eps", bounds=(0, 10), **sites)
    >>> more.interval.lower <= more.estimate <= more.interval.upper
    True

    Parameters
    ----------
    between:
        The two groups.
    """
    answer: Difference = _answer("difference", locals())
    return answer


@overload
def frequency(  # type: ignore[overload-overlap]
    data: Given, value: Several, *, categories: Mapping[str, Any],
    **options: Unpack[kw.CountedShares],
) -> ByColumn[Frequencies]: ...
@overload
def frequency(
    data: Given, value: Several, *, bins: Mapping[str, Any], **options: Unpack[kw.CountedShares]
) -> ByColumn[Frequencies]: ...
@overload
def frequency(
    data: Given | None = None, value: Value = None, *, between: Labels,
    **options: Unpack[kw.Frequency],
) -> Difference: ...
@overload
def frequency(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlyFrequency],
) -> Frequencies: ...
@_function("frequency", Frequencies, kw.Frequency, "between")
def frequency(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private share of every category of a column, from 0 to 1; its error is that of the
    largest. Source: Chaudhuri, Miagkov and Courtade, *Mean and frequency estimation under
    heterogeneous privacy*.

    >>> import suum
    >>> health = ["good", "good", "poor", "fair"] * 500
    >>> release = suum.frequency(health, epsilon=[1.0] * 2000, categories=["good", "fair", "poor"])
    >>> list(release.estimate)
    ['good', 'fair', 'poor']
    >>> list(suum.frequency([3, 14, 7], epsilon=[1, 1, 1], bins=[0, 10, 20]).estimate)
    ['[0, 10)', '[10, 20]']

    Parameters
    ----------
    categories, bins:
        All categories, from public knowledge; or edges of numeric bins. ``categories="auto"`` with
        ``delta=1e-8`` finds those that many records have; ``others`` are all others.
    """
    return _answer("frequency", locals())


@overload
def histogram(
    data: Given | None = None, value: Value = None, *, between: Labels,
    **options: Unpack[kw.Histogram],
) -> Difference: ...
@overload
def histogram(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlyHistogram],
) -> Frequencies: ...
@_function("frequency", Frequencies, kw.Histogram, "between")
def histogram(
    data: Data | None = None, value: Value = None, *,
    bins: int | Edges = 20,
    bounds: Bounds | None = None,
    **options: Any,
) -> Any:
    """The private share of values in each of several bins: ``frequency`` with numeric bins, of
    equal widths if you say how many. ``plot()`` draws the histogram, ``edges`` are where bins end.

    >>> import suum
    >>> release = suum.histogram([3, 14, 7] * 99, epsilon=1.0, bins=4, bounds=(0, 20))
    >>> release.edges
    [0.0, 5.0, 10.0, 15.0, 20.0]
    >>> list(suum.histogram([3, 14, 7], epsilon=1.0, bins=[0, 10, 20]).estimate)
    ['[0, 10)', '[10, 20]']

    Parameters
    ----------
    bins, bounds:
        How many bins of equal widths lie within ``bounds``, or the edges of bins in place of both.
        They are public, so data do not choose them. Values beyond are refused without ``other``.
    """
    edged = {**locals(), "bins": edges(bins, bounds), "bounds": None}
    return _answer("histogram", edged)


@overload
def quantile(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Quantile]
) -> ByColumn[Quantiles]: ...
@overload
def quantile(
    data: Given | None = None, value: Value = None, *, between: Labels,
    **options: Unpack[kw.Quantile],
) -> Difference: ...
@overload
def quantile(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlyQuantile],
) -> Quantiles: ...
@_function("quantile", Quantiles, kw.Quantile, "between")
def quantile(
    data: Data | None = None, value: Value = None, *,
    q: Shares | None = None,
    **options: Any,
) -> Any:
    """Private quantiles of a column of numbers, in the units of the data; their error is that of
    the rank.

    Weighted ranks are read off a histogram that is made finer where the records are, or by
    permute-and-flip over candidates, where that is better. Sources: McKenna and Sheldon 2020;
    Kaplan, Schnapp and Stemmer 2022.

    >>> import suum
    >>> visits, budgets = list(range(78)) * 50, [1.0] * 3900
    >>> release = suum.quantile(visits, epsilon=budgets, bounds=(0, 77), q=[0.25, 0.5], step=1)
    >>> release.estimate[0.5] == round(release.estimate[0.5])
    True

    Parameters
    ----------
    q:
        The shares of records below the quantiles; or "deciles", or "percentiles".
    """
    return _answer("quantile", locals())


@overload
def median(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Median]
) -> ByColumn[Median]: ...
@overload
def median(
    data: Given | None = None, value: Value = None, *, between: Labels, **options: Unpack[kw.Median]
) -> Difference: ...
@overload
def median(
    data: Given | None = None, value: Value = None, *, between: None = None,
    **options: Unpack[kw.OnlyMedian],
) -> Median: ...
@_function("quantile", Median, kw.Median, "between")
def median(data: Data | None = None, value: Value = None, **options: Any) -> Any:
    """The private median of a column of numbers, in the units of the data: ``quantile`` at 0.5, as
    a number.

    >>> import suum
    >>> release = suum.median(list(range(78)) * 50, epsilon=1.0, bounds=(0, 77), step=1)
    >>> 0 <= float(release) <= 77
    True
    """
    return _answer("median", {**locals(), "q": 0.5})


@overload
def summary(  # type: ignore[overload-overlap]
    data: Given, value: Several, **options: Unpack[kw.Summary]
) -> ByColumn[Summary]: ...
@overload
def summary(
    data: Given | None = None, value: Value = None, **options: Unpack[kw.OnlySummary]
) -> Summary: ...
@_function("summary", Summary, kw.Summary)
def summary(
    data: Data | None = None, value: Value = None, *,
    statistic: Names | None = None,
    **options: Any,
) -> Any:
    """Several statistics of a column in one pass, from one budget.

    >>> import suum
    >>> visits, budgets = [3, 0, 9, 1] * 500, [1.0] * 2000
    >>> release = suum.summary(visits, epsilon=budgets, bounds=(0, 10), statistic="mean,q50,q90")
    >>> release.mean is not None, list(release.quantiles)
    (True, [0.5, 0.9])

    Parameters
    ----------
    statistic:
        "mean", "variance", and quantiles such as "q50" or "q99.9"; by default mean, variance and
        quartiles.
    """
    return _answer("summary", locals())


@_function("count", Number, kw.Count)
def count(
    data: Data | None = None,
    **options: Unpack[kw.Count],
) -> Number:
    """The number of records; with ``neighbors="replace"`` it is public, exact and free, else one
    private number.

    >>> import suum
    >>> suum.count(epsilon=[0.1, 1, 1]).estimate
    3.0
    """
    answer: Number = _answer("count", locals())
    return answer


def function(statistic: str) -> Callable[..., Any]:
    """Returns the function that answers a statistic, by any of its names."""
    return _FUNCTIONS[statistic if statistic in _FUNCTIONS else ALIASES[statistic]][0]


def run(
    query: Query,
    data: Data | None = None,
    **options: Any,
) -> Release | Survey:
    """The release that a query asks for (docs/how-to/query.md), or several answers from one split
    of every budget (docs/how-to/survey.md).

    >>> import suum
    >>> query = {"statistic": "mean", "value": "visits", "bounds": [0, 77], "epsilon": "eps"}
    >>> release = suum.run(query, {"visits": [3, 0, 9], "eps": [1.0, 1.0, 2.0]})
    >>> again = suum.run(release, {"visits": [3, 0, 9], "eps": [1.0, 1.0, 2.0]}, confidence=0.9)
    >>> again.interval.confidence
    0.9

    Parameters
    ----------
    query:
        A dictionary of options, a file of TOML or JSON with them, or a release or a file of one,
        which asks the same again. The file can name its data. ``answers`` is a list of
        dictionaries, one for each of several answers, under the options that all of them have.
    data:
        Other data than those of the query, as for every statistic.
    options:
        Options that take the place of those of the query, or are added to them.

    Raises
    ------
    suum.ParameterError, suum.RequestError
        There is no such option, or it makes no sense.
    suum.ReadError
        The file cannot be read. All others as for the statistics.
    """
    asked = {**asked_by(query), **options}
    if data is None:
        data = asked.get("data")
    asked.pop("data", None)
    if asked.get("answers") is not None:
        return several(with_answers(asked), data)
    statistic = asked.pop("statistic", None)
    names = statistic.split(",") if isinstance(statistic, str) else list(statistic or [])
    if len(names) == 1 and ALIASES.get(names[0], names[0]) == "summary":
        # Those that a summary is of unless it says which.
        names = ["mean", "variance", "q25", "q50", "q75"]
    is_one = len(names) == 1 and {names[0], ALIASES.get(names[0])} & _FUNCTIONS.keys()
    called = function(names[0]) if is_one else None
    if isinstance(query, Median) and names == ["quantile"] and "q" not in options:
        called = median
        asked.pop("q", None)
    elif isinstance(query, Deviation) and names == ["variance"]:
        called = std
    if called is None:
        called, asked["statistic"] = summary, names
    unknown = asked.keys() - KEYWORDS[called.__name__]
    if unknown or not names:
        # The extension says what is wrong, and which name is the nearest.
        said = {"statistic": ",".join(names) or None, **{name: "1" for name in sorted(unknown)}}
        plain_job(entries(said))
    release: Release = called(data, **asked)
    return release


@documented(kw.Plan, "suum.Plan")
def plan(
    data: Data | Query | None = None,
    of: Data | None = None,
    **options: Unpack[kw.Plan],
) -> Plan:
    """Plans a release: its cost and its expected error, before any value is read.

    Exact risks of every estimator, and what none can go below: Chaudhuri and Courtade 2023; *Limits
    of personalizing differential privacy budgets*, 2026.

    >>> import math, suum
    >>> plan = suum.plan(profile={0.1: 3400, 0.5: 4300, math.inf: 23}, bounds=(0, 77))
    >>> plan.gap >= 1
    True
    >>> suum.plan(epsilon=[0.1] * 3400 + [math.inf] * 23).chosen
    'typical'

    >>> query = {"statistic": "mean", "value": "visits", "bounds": (0, 77), "epsilon": "eps"}
    >>> suum.plan(query, profile={0.1: 3400, math.inf: 23}).chosen
    'typical'

    Parameters
    ----------
    data:
        As for ``mean``; or a query as ``run`` takes it, which can have ``answers`` and name its
        data. Keywords then replace what it says.
    of:
        The column, of which no value is read; of several names there is a plan for each in
        ``plan.answers``. Beside a query its data.
    epsilon, privacy, levels, profile:
        Who allows what, as for ``mean``; or how many records have each budget, in place of data.
    statistic:
        Which one, such as "median", or several such as "mean,variance,q50"; else the mean.
    what_if, assume:
        Other people to compare with; the shape of data of which releases are simulated.
    bounds:
        Without them errors are shares of the range.
    between, check_bounds:
        ``plan.difference`` has the error of a difference; ``plan.answers`` also the check.
    """
    kw.check("plan", options, PLANNED)
    given: dict[str, Any] = {**options}
    if is_query(data):
        return _of_query(data, of, given)
    if of is not None:
        if is_table(of):
            raise ParameterError(
                "of: these are the data of a query, and data is none", "leave it out"
            )
        given["value"] = of
    given = {"statistic": "mean", **_groups.listed(unshortened({**given, "data": data}))}
    asked = given["statistic"]
    statistic = asked if isinstance(asked, str) else ",".join(asked)
    what = "summary" if "," in statistic else statistic
    names = several_columns(what, given)
    if names is not None:
        common, answers = asked_of_columns(what, names, given)
        return _of_answers({**common, "answers": answers}, data)
    answer = ask("plan", data, given)
    labels = _groups.Labels.of(given)
    # With a check of bounds it is one of two answers.
    return Plan(answer, names_of_tiers(data, given), labels, [labels])


#: Keywords of a plan.
PLANNED = kw.names(kw.Plan)


def _of_query(query: Any, data: Any, given: dict[str, Any]) -> Plan:
    """Plan of a query, whose options the keywords replace."""
    asked = {**asked_by(query), **said(given)}
    own = asked.pop("data", None)
    if data is None and asked.get("profile") is None:
        data = own
    # A plan has no noise.
    asked.pop("insecure_seed", None)
    if asked.get("profile") is not None:
        # It stands for the people whose columns the query names.
        of_people = ("epsilon", "privacy", "levels", "person", "missing_consent")
        left = asked.keys() - {name for name in of_people if not given.get(name)}
        asked = {name: one for name, one in asked.items() if name in left}
    if asked.get("answers") is not None:
        return _of_answers({**with_answers(asked), "progress": given.get("progress")}, data)
    unknown = sorted(asked.keys() - PLANNED)
    if unknown:
        # The extension says what is wrong, and which name is the nearest.
        plain_job(entries({"statistic": "mean", **dict.fromkeys(unknown, "1")}))
        raise ParameterError(f"{unknown[0]}: a plan does not have it", "leave it out")
    planned: Plan = plan(data, **asked)
    return planned


def _of_answers(asked: dict[str, Any], data: Any) -> Plan:
    answer, labels = answered(asked, data, "plan")
    return Plan(answer, names_of_tiers(data, asked), of_answers=labels)


@documented(kw.LevelTable, "suum.Levels")
def levels(
    data: Data | None = None,
    value: str | Column | None = None,
    **options: Unpack[kw.LevelTable],
) -> Levels:
    """The raw level table of the data. NOT private: keep it as safe as the data.

    >>> import suum
    >>> table = suum.levels([3, 0, 9], epsilon=[1, 1, 1], bounds=(0, 10))
    >>> 0 <= suum.mean(table).estimate <= 10
    True

    >>> sites = {"group_by": "site", "groups": ["north", "south"]}
    >>> people = {"site": ["north", "south"] * 50, "visits": [3.0, 4.0] * 50, "eps": [1.0] * 100}
    >>> table = suum.levels(people, value="visits", epsilon="eps", bounds=(0, 10), **sites)
    >>> list(suum.mean(table, **sites))
    ['north', 'south']

    Parameters
    ----------
    bounds, categories, bins, crosstab:
        What is added up or counted, as for ``mean`` and ``frequency``; none for counts alone.
    step, cells, rows:
        Count rows at candidates too, for quantiles.
    group_by, groups, strata:
        There is a table for each group and stratum, and statistics need the same kw.
    """
    kw.check("levels", options, kw.names(kw.LevelTable))
    given: dict[str, Any] = {**options, "value": value}
    if is_one(data, "pyspark", "DataFrame"):
        given = said(given)
        totals = given.pop("totals", False)
        if totals:
            # No query adds them up exactly, and this one says so.
            given["per_person"] = "total"
        return of_data(data, "sum" if totals else "levels", given)[0]
    return Levels(ask("levels", data, given).text().encode())
