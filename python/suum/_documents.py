"""Answers as documents, and without their extension objects, for other processes and later days."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import RequestError
from ._suum import Answer


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


@dataclass(frozen=True)
class StoredAnswer:
    """Texts and record of an answer, as it was made."""

    words: str
    all_words: str
    page: str | None
    part: str
    marked: str
    picture: str | None
    values: Any
    values_as_text: str

    @classmethod
    def of(cls, answer: Answer | StoredAnswer) -> StoredAnswer:
        """Copies an answer. An audit has a picture and no page, a verification neither."""
        picture, page = answer.drawing(), None
        if picture is None:
            with suppress(RequestError):
                page = answer.html()
        words, shown = (answer.text(), answer.explained()), (answer.fragment(), answer.markdown())
        return cls(*words, page, *shown, picture, answer.record(), answer.json())

    def text(self) -> str:
        return self.words

    def explained(self) -> str:
        return self.all_words

    def json(self) -> str:
        return self.values_as_text

    def record(self) -> Any:
        return self.values

    def drawing(self) -> str | None:
        return self.picture

    def html(self) -> str:
        return self.page or ""

    def fragment(self) -> str:
        return self.part

    def markdown(self) -> str:
        return self.marked


class Document(NoSequence):
    """An answer to print, to read, or to keep."""

    def __init__(self, answer: Answer | StoredAnswer) -> None:
        self._answer = answer
        self._record: dict[str, Any] = answer.record()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (StoredAnswer.of(self._answer),)

    def to_dict(self) -> dict[str, Any]:
        """All there is to know: the keys of docs/reference/json.md; infinity is ``math.inf``."""
        return self._record

    def to_json(self) -> str:
        """Text that ``--format json`` of the command line prints."""
        return self._answer.json()

    def __str__(self) -> str:
        return self._answer.text().rstrip("\n")


class Page(Document):
    """A document that is also a page of HTML."""

    def to_html(self) -> str:
        """The page, one file that needs nothing else."""
        return self._answer.html()
