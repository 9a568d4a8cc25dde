"""The small values that releases and plans are made of, some of which work as numbers."""

from __future__ import annotations

import datetime
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Union, overload

from ._errors import RequestError
from ._times import Unit, moment

T = TypeVar("T")

#: Operand on the other side of a sign.
Operand = Union[float, "Arithmetic"]


class Arithmetic:
    """Calculates, compares, rounds and formats as its ``float``, which is what comes out.

    >>> class Reading(Arithmetic):
    ...     def __float__(self):
    ...         return 2.5
    >>> 2 * Reading() + 1, Reading() < 3, round(Reading(), 0), f"{Reading():.2f}"
    (6.0, True, 2.0, '2.50')
    """

    def __float__(self) -> float:
        raise NotImplementedError

    if not TYPE_CHECKING:
        # Without this pandas takes it for a list.
        __iter__ = None

        def __array__(self, dtype: object = None, copy: object = None) -> Any:
            from numpy import asarray

            return asarray(float(self), dtype)

    def __int__(self) -> int:
        number = float(self)
        if not number.is_integer():
            # Polars asks for it beside columns of integers, and would calculate from what is left.
            raise TypeError("digits would be lost: use float(…), round(…) or math.floor(…)")
        return int(number)

    def __trunc__(self) -> int:
        return math.trunc(float(self))

    def __floor__(self) -> int:
        return math.floor(float(self))

    def __ceil__(self) -> int:
        return math.ceil(float(self))

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> float: ...
    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, form: str) -> str:
        return format(float(self), form)

    def __abs__(self) -> float:
        return abs(float(self))

    def __neg__(self) -> float:
        return -float(self)

    def __pos__(self) -> float:
        return float(self)

    def __eq__(self, other: object) -> bool:
        return _with(self, other, lambda one, two: bool(one == two))

    def __hash__(self) -> int:
        return hash(float(self))

    if TYPE_CHECKING:

        def __lt__(self, other: Operand) -> bool: ...
        def __le__(self, other: Operand) -> bool: ...
        def __gt__(self, other: Operand) -> bool: ...
        def __ge__(self, other: Operand) -> bool: ...
        def __add__(self, other: Operand) -> float: ...
        def __radd__(self, other: float) -> float: ...
        def __sub__(self, other: Operand) -> float: ...
        def __rsub__(self, other: float) -> float: ...
        def __mul__(self, other: Operand) -> float: ...
        def __rmul__(self, other: float) -> float: ...
        def __truediv__(self, other: Operand) -> float: ...
        def __rtruediv__(self, other: float) -> float: ...
        def __floordiv__(self, other: Operand) -> float: ...
        def __rfloordiv__(self, other: float) -> float: ...
        def __mod__(self, other: Operand) -> float: ...
        def __rmod__(self, other: float) -> float: ...
        def __divmod__(self, other: Operand) -> tuple[float, float]: ...
        def __rdivmod__(self, other: float) -> tuple[float, float]: ...
        def __pow__(self, other: Operand) -> float: ...
        def __rpow__(self, other: float) -> float: ...


# Libraries ask for this class to tell numbers from lists.
Real.register(Arithmetic)


def _with(one: Arithmetic, other: object, of: Callable[[Any, Any], T]) -> T:
    """Computes with two numbers; leaves it to arrays, and to objects that are no numbers, to
    answer.
    """
    if isinstance(other, (Real, Arithmetic)):
        return of(float(one), float(other))
    return NotImplemented  # type: ignore[no-any-return]


def _method(of: Callable[[Any, Any], Any], is_behind: bool = False) -> Any:
    """Method of an operator; ``is_behind`` says that the other number stands in front."""
    if is_behind:
        return lambda self, other: _with(self, other, lambda one, two: of(two, one))
    return lambda self, other: _with(self, other, of)


for _name in ("lt", "le", "gt", "ge"):
    setattr(Arithmetic, f"__{_name}__", _method(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "divmod"):
    _computed = divmod if _name == "divmod" else getattr(operator, _name)
    setattr(Arithmetic, f"__{_name}__", _method(_computed))
    setattr(Arithmetic, f"__r{_name}__", _method(_computed, is_behind=True))


def figure(value: float, unit: Unit | None = None) -> str:
    """Number in four significant digits, and at least all digits before the point; a date or time,
    if it counts such units since 1970.

    >>> figure(20190.0), figure(0.25), figure(18292.4, "days"), figure(float("inf"))
    ('20,190', '0.25', '2020-01-31', '∞')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if unit is not None:
        shown = moment(value, unit)
        return str(shown.date() if unit == "days" else shown.replace(microsecond=0))
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"


def rounded_up(amount: float) -> str:
    """An ε in at most four digits, rounded up.

    >>> rounded_up(0.1), rounded_up(0.100001), rounded_up(0.009999999999999998)
    ('0.1', '0.1001', '0.01')
    """
    if not math.isfinite(amount):
        return f"{amount:g}"
    up = Context(prec=4, rounding=ROUND_CEILING).create_decimal(repr(amount))
    return f"{float(up):.4g}"


class Interval(tuple[float, float]):
    """A confidence interval in the units of the estimate, from ``lower`` to ``upper``; an end can
    be infinite.

    >>> low, high = interval = Interval(1.5, 2.5, 0.95)
    >>> 2 in interval, interval.excludes(0), interval.confidence
    (True, True, 0.95)
    """

    #: With at least this probability such an interval contains the truth, if what
    #: ``release.assumes`` says is true.
    confidence: float

    def __new__(cls, lower: float, upper: float, confidence: float) -> Interval:
        interval = super().__new__(cls, (lower, upper))
        interval.confidence = confidence
        return interval

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (*self, self.confidence)

    @property
    def lower(self) -> float:
        """Lower end."""
        return self[0]

    @property
    def upper(self) -> float:
        """Upper end."""
        return self[1]

    def __contains__(self, value: Any) -> bool:
        return bool(self.lower <= value <= self.upper)

    def excludes(self, value: float = 0.0) -> bool:
        """Returns true if a value is outside, as 0 is of the interval of a clear difference."""
        return value not in self

    def __repr__(self) -> str:
        return f"Interval({self.lower!r}, {self.upper!r}, confidence={self.confidence!r})"

    def _text(self, unit: Unit | None = None) -> str:
        """Words for both ends."""
        return f"{figure(self.lower, unit)} to {figure(self.upper, unit)}"


class Estimate(Arithmetic):
    """A number with its confidence interval. It calculates, compares, rounds and formats as its
    ``estimate``.

    >>> import suum
    >>> shares = suum.frequency(["a", "b", "a"] * 99, epsilon=1.0, categories=["a", "b"])
    >>> 0 <= shares["a"] <= 1, f"{shares['a']:.0%}" in ("66%", "67%", "68%"), 1 - shares["a"] < 1
    (True, True, True)
    """

    def __init__(
        self, estimate: float, interval: Interval | None = None, unit: Unit | None = None
    ) -> None:
        #: The estimate.
        self.estimate: float = float(estimate)
        #: Its interval; ``None`` where none can be given.
        self.interval: Interval | None = interval
        #: Unit that dates and times count since 1970; ``None`` of other numbers.
        self.unit: Unit | None = unit

    def __float__(self) -> float:
        return self.estimate

    def as_datetime(self) -> Moment:
        """The estimate as a date or time, without a time zone: it is UTC."""
        if self.unit is None:
            raise RequestError(
                "as_datetime: bounds were no dates", "give bounds as dates to a column of dates"
            )
        ends = self.interval
        return Moment(
            moment(self.estimate, self.unit),
            None if ends is None else moment(ends.lower, self.unit),
            None if ends is None else moment(ends.upper, self.unit),
        )

    def _text(self) -> str:
        """Words for the estimate."""
        return figure(self.estimate, self.unit)

    def _interval_text(self) -> str:
        """Words for the interval; none if there is none."""
        return "" if self.interval is None else self.interval._text(self.unit)

    def _confidence_text(self) -> str:
        """Words for the interval and its confidence, in brackets; none if there is none."""
        if self.interval is None:
            return ""
        return f" ({self.interval.confidence * 100:g} %: {self._interval_text()})"

    def __repr__(self) -> str:
        return f"<suum.Estimate: {self._text()}{self._confidence_text()}>"


class Moment(NamedTuple):
    """An estimate of dates or times, without a time zone: it is UTC."""

    estimate: datetime.datetime
    #: The ends of the confidence interval; ``None`` where none can be given.
    lower: datetime.datetime | None
    upper: datetime.datetime | None


class ExpectedError(NamedTuple):
    """Standard deviations in the units of the statistic (for quantiles of the rank): of a mean for
    the spread that was measured beside it, else in the worst case that the bounds allow, which is
    known before data are seen and is no finding.
    """

    #: Standard deviation of the noise that hides each record.
    noise_sd: float
    #: Standard deviation from drawing the records out of a population.
    sampling_sd: float
    #: Root mean square of both errors together.
    rmse: float


@dataclass(frozen=True)
class Tier:
    """Allowed and spent budget of the records of a tier.

    With ``person=`` a record is a person with all their rows. Without it each row is a record, and
    a person with several rows spends the sum of what their rows spend.
    """

    #: The label; or the text of the ε where budgets are numbers, so that this is text in every
    #: release: the number is ``epsilon``.
    level: str
    #: Budget of each record; infinite if public.
    epsilon: float
    #: Number of records; ``None`` where that is private.
    count: int | None
    #: The exact loss of each record, rounded up.
    spent: float
    #: One record's share of the estimate; ``None`` where there is not one.
    weight: float | None
