"""Certificates checked: the loss of every level, recomputed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Union, cast

from ._errors import ReadError
from ._process import enter
from ._release import Release
from ._report import with_text
from ._stored_answer import Document
from ._survey import Survey
from ._suum import verify_release

#: A release, what its ``to_dict`` or ``to_json`` gives, or a file with its JSON.
Verifiable = Union[Release, Survey, Mapping[str, Any], str, os.PathLike[str]]


class Verification(Document):
    """Result of checking a certificate. Print it for the figures."""

    _instead = "verification.faults or verification.to_dict()"

    @property
    def agrees(self) -> bool:
        """True if the spent ε of every level is the cost of the listed measurements, and no more
        than was allowed. Estimates and intervals are not checked.
        """
        return bool(self._record["agrees"])

    @property
    def faults(self) -> list[str]:
        """Disagreements, in words; empty if there are none."""
        return [fault for one in self._record["certificates"] for fault in one["faults"]]

    def __repr__(self) -> str:
        said = "agrees" if self.agrees else f"does not agree, {len(self.faults)} faults"
        return f"<suum.Verification: {said}>"


def verify(release: Verifiable) -> Verification:
    """Computes again, in exact arithmetic, what every level spent, from the measurements that a
    release lists.

    It tells whether the certificate follows from them. That the noise was drawn as listed cannot be
    seen from a release.

    >>> import suum
    >>> release = suum.mean([3, 9, 0], epsilon=[0.5, 1, 1], bounds=(0, 10))
    >>> suum.verify(release).agrees
    True
    >>> changed = release.to_dict()
    >>> changed["privacy"][0]["spent"] = 0.1
    >>> suum.verify(changed).agrees
    False

    Parameters
    ----------
    release:
        A release, what its ``to_dict`` or ``to_json`` gives, or a file with its JSON.

    Raises
    ------
    suum.ParameterError
        It is no release, or one that lists no measurements. A certificate that does not agree is no
        exception.
    suum.ReadError
        The file cannot be read.
    """
    enter()
    text = _text(release)
    if text is None:
        return Verification(verify_release(None, os.fspath(cast(str, release))))
    return Verification(verify_release(text, None))


def json_of(release: Verifiable) -> str:
    """JSON of a release, read from a file if the release is a path."""
    text = _text(release)
    if text is not None:
        return text
    try:
        return Path(cast(str, release)).read_text(encoding="utf-8")
    except (OSError, ValueError) as raised:
        raise ReadError("release: the file cannot be read", "check the path") from raised


def _text(release: Verifiable) -> str | None:
    """JSON of a release; ``None`` for a path."""
    if isinstance(release, (Release, Survey)):
        return release.to_json()
    if isinstance(release, Mapping):
        return json.dumps(with_text(dict(release)))
    return release if isinstance(release, str) and release.lstrip().startswith("{") else None
