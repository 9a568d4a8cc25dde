"""Dates and times as text, which the extension reads, and numbers of it as dates and times."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable
from typing import Any, Literal

Unit = Literal["days", "seconds"]

#: Units of the numbers of a release, as the release words them.
UNITS: dict[str, Unit] = {
    "days since 1970-01-01": "days",
    "seconds since 1970-01-01": "seconds",
}

_EPOCH = datetime.datetime(1970, 1, 1)
_DAY = 86_400
_OF_DAY = re.compile(r"(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?")


def is_time(thing: object) -> bool:
    """Returns true for a date, a time, or a time of day.

    >>> is_time(datetime.date(2020, 1, 31)), is_time(datetime.time(7, 30)), is_time(18292)
    (True, True, False)
    """
    return isinstance(thing, (datetime.date, datetime.time)) or _is_of_numpy(thing)


def _is_of_numpy(thing: object) -> bool:
    return type(thing).__name__ == "datetime64" and type(thing).__module__ == "numpy"


def in_utc(moment: Any) -> Any:
    """Converts a moment to UTC, and to a type of the module ``datetime``."""
    if _is_of_numpy(moment):
        whole = moment.astype("M8[us]").item()
        return whole.date() if str(moment.dtype).endswith("[D]") else whole
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return moment


def label(moment: Any) -> str:
    """Text of a moment as a label; at midnight only the date.

    >>> label(datetime.datetime(2020, 1, 31)), label(datetime.datetime(2020, 1, 31, 7, 30))
    ('2020-01-31', '2020-01-31 07:30:00')
    >>> label(datetime.time(7, 30, 0, 500_000))
    '07:30:00.500'
    """
    plain = in_utc(moment)
    is_of_day = isinstance(plain, datetime.time)
    if is_of_day and plain.tzinfo is not None or not hasattr(plain, "microsecond"):
        return str(plain)
    nanoseconds = plain.microsecond * 1000 + _beyond_microseconds(moment)
    text: str = plain.strftime("%H:%M:%S" if is_of_day else "%Y-%m-%d %H:%M:%S")
    if nanoseconds:
        digits = f"{nanoseconds:09}"
        while digits.endswith("000"):
            digits = digits[:-3]
        return f"{text}.{digits}"
    return text.removesuffix(" 00:00:00")


def _beyond_microseconds(moment: Any) -> int:
    """Nanoseconds of a moment below its last whole microsecond, for which the types of Python have
    no place.
    """
    if _is_of_numpy(moment):
        return int((moment - moment.astype("M8[us]")).astype("m8[ns]").astype(int))
    return int(getattr(moment, "nanosecond", 0))


def text(moment: Any) -> str:
    """Text of a moment in ISO 8601, as bounds and bins have it; a time at midnight stays a time.

    >>> text(datetime.date(2020, 1, 31)), text(datetime.datetime(2020, 1, 31))
    ('2020-01-31', '2020-01-31T00:00:00')
    """
    said: str = in_utc(moment).isoformat()
    return said


def unit_of(moments: Iterable[Any]) -> Unit | None:
    """Unit of these moments: days if all are dates, seconds if at least one is a time; ``None`` if
    one is neither, or there is none.
    """
    found = [parsed(one) if isinstance(one, str) else in_utc(one) for one in moments]
    if not found or not all(isinstance(one, datetime.date) for one in found):
        return None
    return "seconds" if any(isinstance(one, datetime.datetime) for one in found) else "days"


def number(moment: Any, unit: Unit) -> float:
    """Number of units between 1970 and a moment.

    >>> number(datetime.date(1970, 1, 3), "days"), number(datetime.date(1970, 1, 3), "seconds")
    (2, 172800)
    """
    plain: Any = parsed(moment) if isinstance(moment, str) else in_utc(moment)
    if not isinstance(plain, datetime.datetime):
        days: int = plain.toordinal() - _EPOCH.toordinal()
        return days if unit == "days" else days * _DAY
    seconds = (plain - _EPOCH) / datetime.timedelta(seconds=1)
    return seconds / _DAY if unit == "days" else seconds


def moment_of(moment: Any) -> datetime.datetime:
    """The moment that a date or time stands for, also as text, without a time zone: it is UTC.

    >>> moment_of("2020-01-31")
    datetime.datetime(2020, 1, 31, 0, 0)
    """
    plain: Any = parsed(moment) if isinstance(moment, str) else in_utc(moment)
    day = (plain.year, plain.month, plain.day)
    if not isinstance(plain, datetime.datetime):
        return datetime.datetime(*day)
    # Also of pandas, whose own moments have another arithmetic.
    return datetime.datetime(*day, plain.hour, plain.minute, plain.second, plain.microsecond)


def of_day(time: Any) -> float | None:
    """The seconds since midnight of a time of day, also as text; ``None`` of all else.

    >>> of_day(datetime.time(0, 1)), of_day("24:00"), of_day("2020-01-31")
    (60.0, 86400.0, None)
    """
    if isinstance(time, datetime.time) and time.tzinfo is None:
        time = time.isoformat()
    found = _OF_DAY.fullmatch(time) if isinstance(time, str) else None
    if found is None:
        return None
    return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3] or 0)


def time_of_day(seconds: float) -> datetime.time | str:
    """The time of day that is so many seconds after midnight; the end of the day is text.

    >>> time_of_day(90), time_of_day(86400)
    (datetime.time(0, 1, 30), '24:00')
    """
    if seconds >= _DAY:
        return "24:00"
    return moment(seconds, "seconds").time()


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
