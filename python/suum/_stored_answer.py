"""Answers that are documents, and answers without their extension objects, for other processes and
later days.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ._errors import RequestError
from ._no_sequence import NoSequence
from ._suum import Answer


@dataclass(frozen=True)
class StoredAnswer:
    """Texts and record of an answer, as it was made."""

    words: str
    all_words: str
    page: str | None
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
        return cls(answer.text(), answer.explained(), page, picture, answer.record(), answer.json())

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
