"""Names that people gave, in sentences of ours: data and columns can be called like options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_NAMES: ContextVar[tuple[str, ...]] = ContextVar("names", default=())

#: Characters that no text has, but for those of whoever uses them privately.
_FIRST, _LAST = 0xF0000, 0xFFFFD

#: What sentences of ours have where they are said otherwise in Python.
_OURS = (
    "--", "suum", "command", "in Python", "LO,HI", "two dates as in ", "for example 0.01,1",
    "; a comma in ", "of several columns each as ",
)  # fmt: skip


@contextmanager
def given(*said: Any) -> Iterator[None]:
    """While this lasts, all names in these dictionaries, lists and texts stand in sentences as they
    are.

    >>> with given({"groups": ["--bounds"]}):
    ...     text, back = hidden("--bounds 0,1 of --bounds")
    >>> "--" in text, back(text)
    (False, '--bounds 0,1 of --bounds')
    """
    names = {name for one in said for name in _names(one) if looks_like_words(name)}
    # A name can be a part of another.
    token = _NAMES.set(tuple(sorted(names, key=len, reverse=True)))
    try:
        yield
    finally:
        _NAMES.reset(token)


def looks_like_words(text: str) -> bool:
    """Whether there is something in a text that sentences of ours have, and say otherwise."""
    return any(ours in text for ours in _OURS)


def hidden(text: str) -> tuple[str, Callable[[str], str]]:
    """A text with a character in place of each name, and the way back."""
    free = (chr(one) for one in range(_FIRST, _LAST) if chr(one) not in text)
    places = {}
    for name in _NAMES.get():
        if name in text:
            places[place := next(free)] = name
            text = text.replace(name, place)

    def back(reworded: str) -> str:
        for place, name in places.items():
            reworded = reworded.replace(place, name)
        return reworded

    return text, back


def has_name(word: str) -> bool:
    """Whether a word of a text has the place of a name in it."""
    return any(_FIRST <= ord(one) <= _LAST for one in word)


def _names(said: Any) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for name, one in said.items():
            if name == "command":
                # It is of ours.
                continue
            yield from _names(name)
            yield from _names(one)
    elif isinstance(said, (list, tuple)):
        for one in said:
            yield from _names(one)
