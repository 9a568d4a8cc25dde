"""Dates and times as labels, and as numbers of days or seconds since the beginning of 1970."""

from __future__ import annotations

import datetime
from typing import Any, Literal

Unit = Literal["days", "seconds"]

_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = 86_400


def is_moment(thing: object) -> bool:
    """Whether something is a date or a time.

    >>> is_moment(datetime.date(2020, 1, 31)), is_moment(18292)
    (True, False)
    """
    return isinstance(thing, datetime.date) or _is_of_numpy(thing)


def _is_of_numpy(thing: object) -> bool:
    return type(thing).__name__ == "datetime64" and type(thing).__module__ == "numpy"


def in_utc(moment: Any) -> Any:
    """A moment as the module ``datetime`` has it, in UTC."""
    if _is_of_numpy(moment):
        whole = moment.astype("M8[us]").item()
        return whole.date() if str(moment.dtype).endswith("[D]") else whole
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return moment


def label(moment: Any) -> str:
    """A moment as a label; of midnight only the date.

    >>> label(datetime.datetime(2020, 1, 31)), label(datetime.datetime(2020, 1, 31, 7, 30))
    ('2020-01-31', '2020-01-31 07:30:00')
    """
    plain = in_utc(moment)
    if not isinstance(plain, datetime.datetime):
        return str(plain)
    nanoseconds = plain.microsecond * 1000 + int(getattr(plain, "nanosecond", 0))
    text = plain.strftime("%Y-%m-%d %H:%M:%S")
    if nanoseconds:
        digits = f"{nanoseconds:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        return f"{text}.{digits}"
    return text.removesuffix(" 00:00:00")


def number(moment: Any, unit: Unit) -> float:
    """How many of a unit lie between 1970 and a moment.

    >>> number(datetime.date(1970, 1, 3), "days"), number(datetime.date(1970, 1, 3), "seconds")
    (2, 172800)
    """
    plain: Any = parsed(moment) if isinstance(moment, str) else in_utc(moment)
    if not isinstance(plain, datetime.datetime):
        days: int = plain.toordinal() - _EPOCH.toordinal()
        return days if unit == "days" else days * _DAY
    seconds = (plain - _EPOCH) / datetime.timedelta(seconds=1)
    return seconds / _DAY if unit == "days" else seconds


def moment(number: float, unit: Unit) -> datetime.datetime:
    """The moment that a number stands for, without a time zone: it is UTC.

    >>> moment(2.5, "days")
    datetime.datetime(1970, 1, 3, 12, 0)
    """
    return _EPOCH + datetime.timedelta(**{unit: number})


def parsed(text: str) -> datetime.date | None:
    """The date or time that a text says, as ISO 8601 writes them."""
    for read in (datetime.date.fromisoformat, datetime.datetime.fromisoformat):
        try:
            found: datetime.date = in_utc(read(text))
        except ValueError:
            continue
        return found
    return None
