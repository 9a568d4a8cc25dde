"""Statistics that can be asked of a study, as answers and as plans, and their questions, with the
options that descriptions of columns add to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, Union, cast

from ._codebook import Codebook, description
from ._entries import entries
from ._errors import RequestError
from ._kinds import Deviation, Difference, Frequencies, Median, Number, Quantiles, Summary, Variance
from ._names import FrequencyEstimator, MeanEstimator, QuantileEstimator
from ._plan import Plan
from ._public import hides_people
from ._release import R
from ._suum import completed_job, filter_columns
from ._types import Bounds, Edges, Names, PersonValue, Post, Shares


#: Name of a column, or of several, each of which gets an answer of its own.
ColumnName = Union[str, Sequence[str], None]


class Statistics:
    """Statistics that can be asked of a study."""

    def _ask(self, kind: type[R], function: str, of: Question) -> R:
        """Answers one question with a function of the package."""
        raise NotImplementedError

    def mean(
        self,
        column: ColumnName = None,
        *,
        bounds: Bounds | None = None,
        per_person: PersonValue | None = None,
        shrink: bool | None = None,
        estimator: MeanEstimator | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Number:
        """The private mean of a column of numbers, dates or truth values.

        >>> import suum
        >>> people = {"wage": [31.0, 18.5] * 500, "eps": [0.1, 1.0] * 500}
        >>> wages = {"wage": suum.number(0, 200)}
        >>> study = suum.Study(people, consent=suum.budgets("eps"), columns=wages)
        >>> 0 <= study.mean("wage").estimate <= 200
        True

        Parameters
        ----------
        column:
            The column; of a list of columns there is an answer each.
        bounds:
            Range in place of that of its description, for example of totals of persons.
        per_person:
            With which number a person counts who has several rows: "mean", "total", "median",
            "min" or "max".
        shrink:
            Shrink the estimate towards the middle of the range where noise dominates.
        estimator:
            Estimator that weights records.
        check_bounds:
            Also release how many values lie at the ends of the range or beyond.
        confidence:
            Probability with which the interval holds, 0.95 by default.
        spend:
            With a ledger: how much to spend, such as "10%".
        """
        return self._ask(Number, "mean", Question("numbers", column, locals()))

    def sum(
        self,
        column: ColumnName = None,
        *,
        bounds: Bounds | None = None,
        per_person: PersonValue | None = None,
        estimator: MeanEstimator | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Number:
        """The private sum of a column of numbers. A person with several rows counts with their
        total, of which ``bounds`` says the range.
        Arguments are those of ``mean``.
        """
        return self._ask(Number, "sum", Question("numbers", column, locals()))

    def variance(
        self,
        column: ColumnName = None,
        *,
        per_person: PersonValue | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Variance:
        """The private variance of a column of numbers, with the standard deviation and the mean.
        Arguments are those of ``mean``.
        """
        return self._ask(Variance, "variance", Question("numbers", column, locals()))

    def std(
        self,
        column: ColumnName = None,
        *,
        per_person: PersonValue | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Deviation:
        """The private standard deviation of a column of numbers, in their units.
        Arguments are those of ``mean``.
        """
        return self._ask(Deviation, "std", Question("numbers", column, locals()))

    def median(
        self,
        column: ColumnName = None,
        *,
        per_person: PersonValue | None = None,
        estimator: QuantileEstimator | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Median:
        """The private median of a column of numbers or dates.
        Arguments are those of ``mean``.
        """
        return self._ask(Median, "median", Question("numbers", column, locals()))

    def quantile(
        self,
        column: ColumnName = None,
        q: Shares = 0.5,
        *,
        per_person: PersonValue | None = None,
        simultaneous: bool | None = None,
        estimator: QuantileEstimator | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Quantiles:
        """Private quantiles of a column of numbers or dates, by ``q``.

        Parameters
        ----------
        q:
            Shares of records: one, several, or text such as "deciles".
        simultaneous:
            Intervals that hold for all shares at once.
        column, per_person, estimator, confidence, spend:
            As for ``mean``.
        """
        return self._ask(Quantiles, "quantile", Question("numbers", column, locals()))

    def cdf(
        self,
        column: ColumnName = None,
        *,
        simultaneous: bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Quantiles:
        """The private distribution function of a column of numbers or dates, at many quantiles.
        Arguments are those of ``quantile``.
        """
        options = {**locals(), "cdf": True}
        return self._ask(Quantiles, "quantile", Question("numbers", column, options))

    def frequency(
        self,
        column: ColumnName = None,
        *,
        post: Post | None = None,
        simultaneous: bool | None = None,
        estimator: FrequencyEstimator | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Frequencies:
        """The private share of each label of a column, or of each bin of a column of numbers.

        Parameters
        ----------
        post:
            What is done to the noisy shares: "simplex" makes them add up to 1.
        simultaneous:
            Intervals that hold for all shares at once.
        column, estimator, confidence, spend:
            As for ``mean``.
        """
        return self._ask(Frequencies, "frequency", Question("shares", column, locals()))

    def crosstab(
        self,
        row: str,
        column: str,
        *,
        post: Post | None = None,
        simultaneous: bool | None = None,
        estimator: FrequencyEstimator | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Frequencies:
        """The private share of each pair of labels of two columns, with both margins.

        Parameters
        ----------
        row, column:
            The two columns of labels.
        post, simultaneous, estimator, confidence, spend:
            As for ``frequency``.
        """
        options = {**locals(), "row": None}
        return self._ask(Frequencies, "frequency", Question("cells", (row, column), options))

    def histogram(
        self,
        column: ColumnName = None,
        bins: int | Edges | None = None,
        *,
        post: Post | None = None,
        simultaneous: bool | None = None,
        estimator: FrequencyEstimator | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Frequencies:
        """The private share of numbers or dates in each of several bins.

        Parameters
        ----------
        bins:
            The number of bins of equal widths, or their edges; by default those of the description
            of the column, or 20.
        column, post, simultaneous, estimator, confidence, spend:
            As for ``frequency``.
        """
        return self._ask(Frequencies, "frequency", Question("bins", column, locals()))

    def count(self, *, confidence: float | None = None, spend: str | None = None) -> Number:
        """The number of records, or of persons; public unless participation is hidden.
        Arguments are those of ``mean``.
        """
        return self._ask(Number, "count", Question("nothing", None, locals()))

    def summary(
        self,
        column: ColumnName = None,
        statistic: Names | None = None,
        *,
        per_person: PersonValue | None = None,
        check_bounds: float | bool | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Summary:
        """Several private statistics of one column from one budget.

        Parameters
        ----------
        statistic:
            Which ones, such as ["mean", "q50"]; by default mean, variance and quartiles.
        column, per_person, check_bounds, confidence, spend:
            As for ``mean``.
        """
        return self._ask(Summary, "summary", Question("numbers", column, locals()))

    def compare(
        self,
        column: str,
        first: Any,
        second: Any,
        *,
        statistic: str = "mean",
        per_person: PersonValue | None = None,
        confidence: float | None = None,
        spend: str | None = None,
    ) -> Difference:
        """The difference of the first group and the second, of a study by groups.

        >>> import suum
        >>> people = {"wage": [31.0, 18.5] * 500, "site": ["n", "s"] * 500}
        >>> columns = {"wage": suum.number(0, 200), "site": suum.labels("n", "s")}
        >>> study = suum.Study(people, consent=suum.everyone(1.0), columns=columns)
        >>> study.by("site").compare("wage", "n", "s").between
        ('n', 's')

        Parameters
        ----------
        first, second:
            Labels of two groups; of several columns of groups tuples of labels.
        statistic:
            What is compared: "mean", "sum", "median" or "frequency".
        column, per_person, confidence, spend:
            As for ``mean``.
        """
        options = {**locals(), "between": [first, second]}
        for name in ("first", "second", "statistic"):
            options.pop(name)
        if statistic in ("frequency", "shares"):
            return self._ask(Difference, "frequency", Question("shares", column, options))
        return self._ask(Difference, statistic, Question("numbers", column, options))

    shares = frequency
    quantiles = quantile
    describe = summary
    average = mean


class Question:
    """One question about a column, as a method of a study asks it."""

    def __init__(
        self,
        about: Literal["numbers", "shares", "bins", "cells", "nothing"],
        column: Any,
        options: Mapping[str, Any],
    ) -> None:
        self._about = about
        #: Name of the column; of cells those of two, or of several questions a list.
        self.column = column
        #: True if it is about the cells of two columns.
        self.is_table = about == "cells"
        #: Other options that were set.
        self.options = {
            name: value
            for name, value in options.items()
            if name not in ("self", "column") and value is not None
        }

    def about(self, column: str) -> Question:
        """The same question about another column."""
        return Question(self._about, column, self.options)

    def described(self, columns: Codebook) -> dict[str, Any]:
        """Options that the descriptions of its columns have for it."""
        if self.column is None:
            return {}
        if self.is_table:
            found = [description(columns, name) for name in self.column]
            labels = [column.as_groups(name) for column, name in zip(found, self.column)]
            other = next((column.other for column in found if column.other is not None), None)
            return {"crosstab": list(self.column), "categories": labels, "other": other}
        column = description(columns, self.column)
        if self._about == "shares":
            return {"value": self.column, **column.as_shares(self.column)}
        own = column.as_numbers(self.column)
        if self._about == "bins":
            given = [self.options.get("bins"), column.bins, 20]
            own = column.as_bins(next(bins for bins in given if bins is not None))
        return {"value": self.column, **own}


class Asked(Protocol):
    """Study, as far as its plans and its releases of several answers need it."""

    @property
    def data(self) -> Any: ...
    @property
    def columns(self) -> Codebook: ...
    def by(self, *columns: str, **options: Any) -> Any: ...
    def _keywords(self, function: str, of: Question) -> dict[str, Any]: ...
    def _plan(self, function: str, of: Question) -> Plan: ...


P = ParamSpec("P")


def _plan_of(
    method: Callable[Concatenate[Statistics, P], object],
) -> Callable[[Callable[[Plans], None]], Callable[Concatenate[Plans, P], Plan]]:
    """Gives a method the arguments and the documentation of a statistic, of which it is the plan.
    """

    @wraps(method)
    def planned(self: Plans, *arguments: P.args, **options: P.kwargs) -> Plan:
        return method(cast(Statistics, self), *arguments, **options)  # type: ignore[return-value]

    # For tools that complete names.
    planned.__annotations__ = {**planned.__annotations__, "return": Plan}
    planned.__dict__["__signature__"] = signature(method).replace(return_annotation="Plan")
    return lambda _: cast("Callable[Concatenate[Plans, P], Plan]", planned)


class Plans(Statistics if not TYPE_CHECKING else object):  # type: ignore[misc]
    """The statistics of a study as plans, which read no value and cost nothing.

    >>> import suum
    >>> study = suum.Study({"age": [30.0] * 99}, consent=suum.everyone(1),
    ...                    columns={"age": suum.number(0, 120)})
    >>> study.plan.median("age").run().interval.confidence
    0.95
    """

    def __init__(self, study: Asked) -> None:
        self._study = study

    def _ask(self, kind: type[R], function: str, of: Question) -> Any:
        return self._study._plan(function, of)

    def __repr__(self) -> str:
        return f"<plans of {self._study!r}>"

    @_plan_of(Statistics.mean)
    def mean(self) -> None: ...

    @_plan_of(Statistics.sum)
    def sum(self) -> None: ...

    @_plan_of(Statistics.variance)
    def variance(self) -> None: ...

    @_plan_of(Statistics.std)
    def std(self) -> None: ...

    @_plan_of(Statistics.median)
    def median(self) -> None: ...

    @_plan_of(Statistics.quantile)
    def quantile(self) -> None: ...

    @_plan_of(Statistics.cdf)
    def cdf(self) -> None: ...

    @_plan_of(Statistics.frequency)
    def frequency(self) -> None: ...

    @_plan_of(Statistics.crosstab)
    def crosstab(self) -> None: ...

    @_plan_of(Statistics.histogram)
    def histogram(self) -> None: ...

    @_plan_of(Statistics.count)
    def count(self) -> None: ...

    @_plan_of(Statistics.summary)
    def summary(self) -> None: ...

    @_plan_of(Statistics.compare)
    def compare(self) -> None: ...

    @_plan_of(Statistics.mean)
    def average(self) -> None: ...

    @_plan_of(Statistics.frequency)
    def shares(self) -> None: ...

    @_plan_of(Statistics.quantile)
    def quantiles(self) -> None: ...

    @_plan_of(Statistics.summary)
    def describe(self) -> None: ...


#: Columns that are read besides values.
_ROLES = ("group_by", "strata", "privacy", "epsilon", "person", "weight")

#: Statistics of a summary that does not say which.
SUMMARY = ("mean", "variance", "q25", "q50", "q75")


def column_options(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options of a question that a function asks beside these options of its study."""
    names = of.column
    is_one = names is None or isinstance(names, str) or of.is_table
    described = [
        _described(columns, function, of.about(name), options)
        for name in ([names] if is_one else names)
    ]
    asked = {**options, **of.options, "statistic": function}
    about = [{name: own.get(name) for name in ("value", "crosstab")} for own in described]
    known = completed(columns, [{**asked, **own} for own in about])
    # Descriptions have labels and dates as they were given, and the extension says which apply.
    found = [
        {option: one for option, one in own.items() if option not in _OF_NUMBERS or option in it}
        for own, it in zip(described, known["answers"])
    ]
    question = found[0] if is_one else _merged(list(names), found)
    lists = {
        name: list(dict.fromkeys([*known.get(name, []), *_listed(options.get(name))]))
        for name in ("null", "public_columns")
    }
    filled = {name: one for name, one in lists.items() if one}
    _check_where({**options, **filled})
    return {**{name: one for name, one in question.items() if one is not None}, **filled}


#: Options of a description of which the extension knows where they apply.
_OF_NUMBERS = ("bounds", "step")


def completed(columns: Codebook, questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns one request of these questions with all that its columns say, as the extension
    completes a request by a study file: ``null`` and ``public_columns``, and its ``answers``.
    """
    of_all = {name: one for each in questions for name, one in each.items() if one is not None}
    shared = {name: of_all[name] for name in (*_SHARED, *_ROLES[2:]) if name in of_all}
    answers = [
        {
            "statistic": list(SUMMARY) if each["statistic"] == "summary" else each["statistic"],
            **entries({name: each.get(name) for name in (*_OF_ANSWER, *_ROLES[:2])}),
        }
        for each in questions
    ]
    named = {name: one for name, one in shared.items() if isinstance(one, str)}
    described = {name: entries(column.entries()) for name, column in columns.items()}
    return completed_job({**named, "columns": described, "answers": answers})


_SHARED = ("where", "from_levels")
_OF_ANSWER = ("value", "crosstab", "per_person", "cells", "bounds", "step")


def _described(
    columns: Codebook, function: str, of: Question, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Options that the description of one column has for a question."""
    name, given = of.column, of.options.get("bounds")
    # What the study says itself takes the place of what the column says.
    found = {
        option: one
        for option, one in of.described(columns).items()
        if options.get(option) is None
    }
    usual = {"sum": "total", "mean": "mean"}.get(function)
    number = {**options, **of.options}.get("per_person", usual)
    counts_totals = options.get("person") is not None and number == "total"
    if "bounds" in found and counts_totals and given is None:
        raise RequestError(
            f"column {name}: its range is that of a row, and here a total of a person counts",
            f'say which totals there can be: {function}("{name}", bounds=(LO, HI))',
        )
    return {**found, "bounds": given} if given is not None and "bounds" in found else found


def _merged(names: list[str], found: list[dict[str, Any]]) -> dict[str, Any]:
    """Options of several columns, those of which each has its own by their names."""
    merged: dict[str, Any] = {"value": names}
    for name, own in zip(names, found):
        for option, value in own.items():
            if option in ("bounds", "categories", "bins"):
                merged.setdefault(option, {})[name] = value
            elif option != "value" and value is not None:
                if merged.setdefault(option, value) != value:
                    raise RequestError(
                        f"column {name}: its {option} is another than that of the others",
                        "ask about each column on its own in: with study.release() as release",
                    )
    return merged


def _check_where(options: Mapping[str, Any]) -> None:
    """Refuses conditions on columns that are not public, in the words of a study."""
    where = options.get("where")
    public = [name for role in ("public_columns", *_ROLES) for name in _listed(options.get(role))]
    for name in filter_columns(where) if where else ():
        if name not in public and not hides_people(options):
            raise RequestError(
                f"where: column {name} is not public, and which records are chosen by it would "
                "tell what stands in it",
                "if everybody may know it of everybody, describe it with public=True; or hide who "
                'takes part: study.options(neighbors="both")',
            )


def _listed(values: Any) -> list[Any]:
    """Values as a list: one is alone in it."""
    if values is None:
        return []
    return list(values) if isinstance(values, (list, tuple, set, frozenset)) else [values]
