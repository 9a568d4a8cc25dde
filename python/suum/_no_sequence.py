"""Objects that are no sequences, and say what to use when they are taken for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any


class NoSequence:
    """Refuses to be an array, to have a length or members, and to be gone through.

    Without this NumPy makes an array of nothing, or of one object, where numbers are wanted.

    >>> class Reading(NoSequence):
    ...     _instead = "reading.value"
    >>> len(Reading())
    Traceback (most recent call last):
    TypeError: a Reading is no sequence: use reading.value
    >>> bool(Reading())
    True
    """

    #: Expression to use instead, as the error names it.
    _instead: str

    def _refused(self) -> TypeError:
        return TypeError(f"a {type(self).__name__} is no sequence: use {self._instead}")

    def __bool__(self) -> bool:
        return True

    # Type checkers do not see these: for them there is no such method, and they refuse its use.
    if not TYPE_CHECKING:

        def __array__(self, dtype: object = None, copy: object = None) -> Any:
            raise self._refused()

        def __len__(self) -> int:
            raise self._refused()

        def __iter__(self) -> Iterator[Any]:
            raise self._refused()

        def __contains__(self, item: object) -> bool:
            raise self._refused()
