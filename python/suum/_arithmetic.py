"""Objects that work as the number that they hold."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar, Union, overload

T = TypeVar("T")

if TYPE_CHECKING:
    from collections.abc import Callable

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
        return _with(self, other, lambda one, two: one == two)

    def __hash__(self) -> int:
        return hash(float(self))

    def __lt__(self, other: Operand) -> bool:
        return _with(self, other, lambda one, two: one < two)

    def __le__(self, other: Operand) -> bool:
        return _with(self, other, lambda one, two: one <= two)

    def __gt__(self, other: Operand) -> bool:
        return _with(self, other, lambda one, two: one > two)

    def __ge__(self, other: Operand) -> bool:
        return _with(self, other, lambda one, two: one >= two)

    def __add__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one + two)

    def __radd__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two + one)

    def __sub__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one - two)

    def __rsub__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two - one)

    def __mul__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one * two)

    def __rmul__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two * one)

    def __truediv__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one / two)

    def __rtruediv__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two / one)

    def __floordiv__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one // two)

    def __rfloordiv__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two // one)

    def __mod__(self, other: Operand) -> float:
        return _with(self, other, lambda one, two: one % two)

    def __rmod__(self, other: float) -> float:
        return _with(self, other, lambda one, two: two % one)

    def __divmod__(self, other: Operand) -> tuple[float, float]:
        return _with(self, other, divmod)

    def __rdivmod__(self, other: float) -> tuple[float, float]:
        return _with(self, other, lambda one, two: divmod(two, one))

    def __pow__(self, other: Operand) -> float:
        return _with(self, other, _power)

    def __rpow__(self, other: float) -> float:
        return _with(self, other, lambda one, two: _power(two, one))


# Libraries ask for this class to tell numbers from lists.
Real.register(Arithmetic)


def _with(one: Arithmetic, other: object, of: Callable[[float, float], T]) -> T:
    """Computes with two numbers; leaves it to arrays, and to objects that are no numbers, to
    answer.
    """
    if isinstance(other, (Real, Arithmetic)):
        return of(float(one), float(other))
    return NotImplemented  # type: ignore[no-any-return]


def _power(one: float, two: float) -> float:
    power: float = one**two
    return power
