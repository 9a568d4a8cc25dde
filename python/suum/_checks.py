"""Checks of what releases promise: certificates computed again, and attempts to disprove them."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Union, cast

from ._report import Document, with_text
from ._entries import entries, text_of_file
from ._errors import ParameterError, ReadError
from ._names import Statistic
from ._process import enter
from ._release import Release
from ._survey import Survey
from ._suum import audit_function as _audit_function, audit_named as _audit_named, verify_release
from ._types import Counts

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
    return text_of_file("release", cast(str, release)) if text is None else text


def _text(release: Verifiable) -> str | None:
    """JSON of a release; ``None`` for a path."""
    if isinstance(release, (Release, Survey)):
        return release.to_json()
    if isinstance(release, Mapping):
        return json.dumps(with_text(dict(release)))
    return release if isinstance(release, str) and release.lstrip().startswith("{") else None


if TYPE_CHECKING:
    # Not at run time, where it would keep jedi from completing the names of an audit.
    Verdict = Literal["nothing-promised", "not-disproved", "nothing-released", "broken"]

_FROM_GOOD_TO_BAD: tuple[Verdict, ...] = (
    "nothing-promised",
    "not-disproved",
    "nothing-released",
    "broken",
)


@dataclass(frozen=True)
class AuditedLevel:
    """Findings about a privacy level of a mechanism."""

    #: The mechanism.
    mechanism: str
    #: The level.
    level: str
    #: Budget ε that the level allows its records.
    allowed: float
    #: Privacy loss that the mechanism certifies for these records: the promise that was tested.
    certified: float
    #: Lower bound on the privacy loss, at the confidence of the audit; ``None`` if nothing was
    #: promised or nothing released.
    at_least: float | None
    #: Exact privacy loss, computed from the distribution; ``None`` where that is not known exactly.
    exactly: float | None
    #: Verdict on the promise.
    verdict: Verdict


class Audit(Document):
    """Findings of an audit. ``print(audit)`` shows the report; in a notebook it shows itself with a
    plot.
    """

    _instead = "audit.levels"

    @property
    def levels(self) -> list[AuditedLevel]:
        """Every level of every mechanism."""
        return [
            AuditedLevel(
                subject["name"],
                level["level"],
                level["allowed"],
                level["certified"],
                level["evidence"]["loss"] if level["evidence"] else None,
                level.get("exact"),
                level["verdict"],
            )
            for subject in self._record["subjects"]
            for level in subject["levels"]
        ]

    @property
    def verdict(self) -> Verdict:
        """Worst verdict of all levels: "broken", "nothing-released", "not-disproved" or
        "nothing-promised".
        """
        return max((level.verdict for level in self.levels), key=_FROM_GOOD_TO_BAD.index)

    @property
    def broken(self) -> bool:
        """True if a promise is broken."""
        return self.verdict == "broken"

    def to_svg(self) -> str:
        """Drawing of promises and findings, with the hockey-stick curves δ(ε), like that of
        ``--plot``.
        """
        return self._answer.drawing() or ""

    def __repr__(self) -> str:
        names = list(dict.fromkeys(level.mechanism for level in self.levels))
        named = ", ".join(names) if len(names) < 4 else f"{len(names)} mechanisms"
        return f"<suum.Audit: {named}: {self.verdict}>"

    def _repr_html_(self) -> str:
        return self._answer.fragment()

    def _repr_markdown_(self) -> str:
        return self._answer.markdown()


def audit(
    mechanism: str,
    *,
    profile: Counts = "0.5:4,1:3,3:2",
    statistic: Statistic | Literal["summary"] | None = None,
    neighbors: Literal["replace", "add-remove", "both"] | None = None,
    runs: int | None = None,
    confidence: float = 0.999,
    seed: int = 1,
    plot: Union[str, os.PathLike[str], None] = None,
) -> Audit:
    """Tries to disprove the promises of a mechanism of suum, one privacy level at a time
    (docs/how-to/audit.md).

    >>> import suum
    >>> suum.audit("affine", statistic="mean", neighbors="replace", runs=1000).broken
    False
    >>> suum.audit("specimen:forgotten-clamp").broken
    True

    Parameters
    ----------
    mechanism:
        An estimator such as "affine", or "all"; a known mistake such as "specimen:float-laplace",
        or "specimens".
    profile:
        For whom: budgets and numbers of people. Few people make a record tell most.
    statistic, neighbors:
        Only releases of this statistic, or with these neighbours.
    runs:
        Releases of either neighbour that are counted, for every level; by default 5000, or what a
        specimen needs.
    confidence:
        The probability with which all bounds of the report hold at once.
    seed:
        The same seed gives the same report.
    plot:
        An SVG file to draw to.

    Raises
    ------
    suum.ParameterError, suum.RequestError
        There is no such mechanism, or it does not serve that. A broken promise is no exception, but
        a verdict.
    """
    enter()
    people = profile if isinstance(profile, str) else _people(profile)
    answer = _audit_named(mechanism, people, statistic, neighbors, runs, confidence, seed)
    audit = Audit(answer)
    if plot is not None:
        try:
            Path(plot).write_text(audit.to_svg(), encoding="utf-8")
        except OSError as raised:
            raise ReadError(f"plot: {plot} cannot be written", "name another file") from raised
    return audit


def _people(profile: object) -> str:
    given = entries({"profile": profile})["profile"]
    return ",".join(f"{epsilon}:{count}" for epsilon, count in given.items())


def audit_function(
    function: Callable[..., object],
    pairs: Iterable[tuple[float, object, object]],
    *,
    batch: bool = False,
    name: str | None = None,
    runs: int = 5000,
    confidence: float = 0.999,
    seed: int = 1,
    ignore_low_bits: bool = False,
) -> Audit:
    """Tries to disprove the promises of a mechanism of your own.

    A coin that tells the truth three times out of four loses ln 3 = 1.0986, and does not keep a
    promise of 1:

    >>> import random, suum
    >>> def coin(truth, seed):
    ...     return truth if random.Random(seed).random() < 0.75 else 1 - truth
    >>> suum.audit_function(coin, [(1.0, 0, 1)], runs=20_000).verdict
    'broken'
    >>> suum.audit_function(coin, [(1.1, 0, 1)], runs=20_000).verdict
    'not-disproved'

    Parameters
    ----------
    function:
        Called with a dataset and a seed; it makes one release with randomness from that seed, and
        returns all that is published: a number, always as many numbers, or ``None`` if nothing is
        released.
    pairs:
        Datasets that differ in one record: what that record was promised, the one, and the other.
        Whatever they are, they are handed to the function. Pairs with the same ε are of one level,
        of which the most telling is counted.
    batch:
        Whether the function is called with a third argument, the number of releases to make at
        once, and returns as many: a NumPy array with a row for each, for example.
    name:
        What it is called in the report; by default the name of the function.
    runs, confidence, seed:
        As for ``audit``.
    ignore_low_bits:
        Whether published numbers are rounded to 24 binary digits first. The low-order bits of a
        sum of doubles tell its terms, and every mechanism that adds such noise is broken by them;
        with this the audit looks past them, for other mistakes. A promise is then tested of the
        rounded numbers alone.

    Raises
    ------
    suum.ParameterError
        A parameter is not usable.
    Exception
        What the function raises ends the audit.
    """
    enter()
    if runs < 1:
        raise ParameterError("runs: there must be at least one", "for example 5000")
    given: list[tuple[float, object, object]] = []
    for at, pair in enumerate(pairs, start=1):
        try:
            epsilon, one, other = pair
            given.append((float(epsilon), one, other))
        except (TypeError, ValueError):
            raise ParameterError(
                f"pairs: number {at} is none", "give [(epsilon, one, other)]"
            ) from None

    def draw(pair: int, second: bool, seeds: list[int]) -> list[list[float] | None]:
        data = given[pair][2 if second else 1]
        released: Sequence[object] = (
            list(_plain(function(data, seeds[0], len(seeds))))
            if batch
            else [function(data, seed) for seed in seeds]
        )
        if len(released) != len(seeds):
            message = (
                f"function: it made {len(released)} releases where {len(seeds)} were asked for"
            )
            raise ParameterError(message, "return as many as the third argument says")
        numbers = [_numbers(one) for one in released]
        if ignore_low_bits:
            numbers = [one and [_rounded(number) for number in one] for one in numbers]
        widths = {len(one) for one in numbers if one is not None} | expected
        if len(widths) > 1:
            message = "function: it must always publish equally many numbers"
            raise ParameterError(message, "return None for a release that is refused")
        expected.update(widths)
        return numbers

    expected: set[int] = set()
    described = [(epsilon, f"pair {at + 1}") for at, (epsilon, _, _) in enumerate(given)]
    name = getattr(function, "__name__", "function") if name is None else name
    return Audit(_audit_function(draw, name, described, runs, confidence, seed))


def _rounded(number: float) -> float:
    """A number in 24 binary digits.

    >>> _rounded(1 + 2**-23) == 1 + 2**-23, _rounded(1 + 2**-40)
    (True, 1.0)
    """
    if not math.isfinite(number):
        return number
    digits, exponent = math.frexp(number)
    return math.ldexp(round(math.ldexp(digits, 24)), exponent - 24)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as those of Python."""
    return value.tolist() if hasattr(value, "tolist") else value


def _numbers(released: object) -> list[float] | None:
    """Published numbers of one release."""
    plain = _plain(released)
    if plain is None:
        return None
    if isinstance(plain, Iterable) and not isinstance(plain, (str, bytes)):
        return [float(_plain(number)) for number in plain]
    if not hasattr(plain, "__float__"):
        raise TypeError(
            f"function: it must return a number, numbers or None, not {type(plain).__name__}"
        )
    return [float(plain)]
