"""Answers without their extension objects, for other processes and later days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
        """Copies an answer; an audit has a picture and no page, all others have a page."""
        picture = answer.drawing()
        page = answer.html() if picture is None else None
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
