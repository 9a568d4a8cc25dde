"""Plans of the statistics of a study, by the same names."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

from ._plan import Plan
from ._question import Asked, Question, Statistics
from ._release import R

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
