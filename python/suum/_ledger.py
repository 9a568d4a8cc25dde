"""Ledger: durable accounts of privacy budgets."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Literal

from . import _consent
from ._ask import warned
from ._data import without_points
from ._entries import entries
from ._report import NoSequence, Page
from ._types import ByLabel, Names, Register
from ._process import enter
from ._checks import Verifiable, json_of
from ._suum import (
    Answer,
    amend_ledger,
    charge_ledger,
    export_ledger,
    init_ledger,
    ledger_dossier,
    ledger_statement,
    show_ledger,
    verify_ledger,
)


class Ledger(NoSequence):
    """A file that keeps account of what releases cost. Nobody spends more than they have left
    (docs/how-to/ledger.md).

    Give it to a statistic as ``ledger=``; the amounts are in ε.

    >>> import math, os, suum, tempfile
    >>> file = os.path.join(tempfile.mkdtemp(), "visits.ledger")
    >>> levels = {"strict": 0.1, "public": math.inf}
    >>> ledger = suum.Ledger.create(file, dataset="visits", levels=levels)
    >>> tiers = ["strict", "strict", "public"] * 99
    >>> release = suum.mean(
    ...     [3, 9, 0] * 99, privacy=tiers, bounds=(0, 10), ledger=ledger, spend="10%"
    ... )
    >>> [tier["spent"] for tier in ledger.balance()["tiers"] if tier["level"] == "strict"]
    [0.01]
    >>> ledger.verify()["sound"]
    True
    """

    _instead = "ledger.datasets() or ledger.balance()"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        #: Path of the ledger.
        self.path: str = os.fspath(path)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        dataset: str,
        levels: ByLabel | None = None,
        persons: bool = False,
        allow: float | Literal["own"] | str | None = None,
        neighbors: Literal["replace", "add-remove", "both"] = "replace",
        delta: float | str | None = None,
        raise_up_to: float | str | None = None,
        purpose: str | None = None,
        watch_moves: bool = False,
    ) -> Ledger:
        """Makes a ledger, or opens accounts for another dataset in one that is there.

        ``levels`` says what people of each tier allow in all releases together. With ``persons``
        each person has an account of their own; ``allow`` says what each of them allows where tiers
        do not: an ε, or "own" for the number in their column of budgets. With ``delta`` people
        allow (ε, δ) in place of ε, and many small releases cost far less together; ``raise_up_to``
        is then the most to which persons can raise their ε by later decisions. ``purpose`` says
        what the data are used for, which a dossier shows; do not name a person in it. With
        ``watch_moves`` the ledger keeps who was in which tier, and refuses a release in which
        people moved. What changes later is entered with :meth:`amend`.
        """
        options = _options(locals())
        _said(init_ledger, path, entries(without_points(options)))
        return cls(path)

    def datasets(self) -> list[dict[str, Any]]:
        """The accounts of every dataset, with its releases (docs/reference/json.md)."""
        shown: list[dict[str, Any]] = _said(show_ledger, self.path).record()
        return shown

    def balance(self, dataset: str | None = None) -> dict[str, Any]:
        """The accounts of one dataset; without a name of the only one."""
        shown: list[dict[str, Any]] = _said(show_ledger, self.path, dataset).record()
        if len(shown) != 1:
            raise KeyError(f"the ledger has several datasets: {[one['dataset'] for one in shown]}")
        return shown[0]

    def charge(
        self,
        *,
        because: str,
        tier: ByLabel | str | None = None,
        charges: str | os.PathLike[str] | None = None,
        key: str | None = None,
        id: str | int | None = None,
        epsilon: float | str | None = None,
        dataset: str | None = None,
    ) -> dict[str, Any]:
        """Charges what was lost elsewhere: by a lost ledger, another tool, or a publication before
        suum. ``because`` is the reason, which stays on record.

        Of tiers, ``tier`` has what each of their people has lost. Of persons, ``charges`` is a file
        with their identifiers in the column ``key`` and what each has lost in the column
        ``epsilon``; or ``id`` is one person, who has lost ``epsilon``. If more was lost than people
        allow, nothing is left.

        >>> import os, suum, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "visits.ledger")
        >>> ledger = suum.Ledger.create(file, dataset="visits", levels={"strict": 0.1, "free": 2})
        >>> ledger.charge(tier={"strict": 0.02}, because="the table of 2024")["tiers"][0]["left"]
        0.08
        """
        options = {**_options(locals()), "id": None if id is None else str(id)}
        charged: dict[str, Any] = _said(charge_ledger, self.path, entries(options)).record()
        return charged

    def amend(
        self,
        *,
        levels: ByLabel | None = None,
        consent: Register | None = None,
        data: str | os.PathLike[str] | None = None,
        key: str | None = None,
        privacy: str | None = None,
        epsilon: str | None = None,
        consent_from: str | None = None,
        consent_until: str | None = None,
        consent_status: str | None = None,
        consent_active: Names | None = None,
        consent_withdrawn: Names | None = None,
        consent_expired: Names | None = None,
        consent_reference: str | None = None,
        as_of: str | None = None,
        because: str | None = None,
        dataset: str | None = None,
    ) -> dict[str, Any]:
        """Enters what people decided, or changes what tiers allow.

        ``consent`` is a register with a row for each decision: a file, a table in memory, or the
        name of a table of the database ``data``, with the persons in the column ``key`` and their
        choice in the column ``privacy`` or ``epsilon``. Whoever allows less does so at once;
        whoever allows more needs a decision that is newer than the last one known, with a
        reference. Or ``levels`` has tiers that allow less from now on; a new name is a new tier,
        and ``because`` says what it is for. What was used stays used.

        >>> import os, suum, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "diary.ledger")
        >>> levels = {"strict": 0.1, "open": 1}
        >>> ledger = suum.Ledger.create(file, dataset="diary", persons=True, levels=levels)
        >>> register = {"id": ["a", "b"], "tier": ["open", "strict"], "status": ["", "withdrawn"]}
        >>> amended = ledger.amend(
        ...     consent=register, key="id", privacy="tier", consent_status="status"
        ... )
        >>> amended["persons"]["first"]
        2
        """
        options = _options(locals())
        table = None
        if isinstance(consent, (str, os.PathLike)):
            options["consent"] = os.fspath(consent)
        elif consent is not None:
            table = _consent.of_table(consent, options)
            options["consent"] = "the register"
        amended: dict[str, Any] = _said(
            amend_ledger, self.path, entries(without_points(options)), table
        ).record()
        return amended

    def statement(
        self,
        *,
        id: str | int | None = None,
        tier: str | None = None,
        dataset: str | None = None,
    ) -> PersonStatement:
        """For one person: what they allowed and since when, what used it, and what is left, in
        plain words. It is for that person, and not for publication.

        Where tiers hold the accounts, ``tier`` has the same for the people of one. An identifier
        that the ledger does not know gets the answer of a person whom nothing has cost anything.

        >>> import os, suum, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "diary.ledger")
        >>> ledger = suum.Ledger.create(file, dataset="diary", persons=True, allow=2)
        >>> statement = ledger.statement(id="4711")
        >>> statement.to_dict()["left"], statement.to_dict()["uses"]
        (2.0, [])
        >>> str(statement).splitlines()[0]
        'What was done with your data'
        """
        options = {"id": None if id is None else str(id), "tier": tier, "dataset": dataset}
        return PersonStatement(_said(ledger_statement, self.path, entries(options)))

    def dossier(self, dataset: str | None = None) -> Dossier:
        """For a data protection officer: the purpose as it was declared, every release with what
        it could have cost anybody, losses elsewhere, what is left, whether the record is sound, and
        what is promised. Of one dataset, or of all.

        It has no identifier of a person, and where participation is hidden, no number of people.

        >>> import os, suum, tempfile
        >>> file = os.path.join(tempfile.mkdtemp(), "diary.ledger")
        >>> ledger = suum.Ledger.create(
        ...     file, dataset="diary", persons=True, allow=2, purpose="a study of sleep"
        ... )
        >>> dossier = ledger.dossier()
        >>> dossier.to_dict()["datasets"][0]["purpose"], dossier.sound
        ('a study of sleep', True)
        >>> str(dossier).splitlines()[0]
        'What was published from “diary”, and what it could have cost anybody'
        """
        return Dossier(_said(ledger_dossier, self.path, dataset))

    def verify(
        self,
        accept_loss: bool = False,
        accept_move: bool = False,
        release: Verifiable | None = None,
    ) -> dict[str, Any]:
        """Checks that no entry was changed or lost: ``sound``, the number of ``entries``, and
        ``findings``.

        Of a ``release``, or a file with its JSON, also which entry holds this very one: ``release``
        has the number of the ``entry``, its ``dataset`` and when it was made (``at``), and is
        ``None`` if none does.

        With ``accept_loss`` a ledger that has lost its newest entries is used all the same, as when
        only an old copy is left. What they charged is forgotten: only if nothing was released that
        they would have charged.

        With ``accept_move`` a ledger is used that was moved, or restored elsewhere: only if it is
        used nowhere else, because what one copy is charged, the other does not know.
        """
        text = None if release is None else json_of(release)
        answer = _said(verify_ledger, self.path, bool(accept_loss), bool(accept_move), text)
        verified: dict[str, Any] = answer.record()
        return verified

    def export(self) -> str:
        """All entries, one JSON object a line."""
        return _said(export_ledger, self.path).text()

    def __fspath__(self) -> str:
        return self.path

    def __repr__(self) -> str:
        return f"suum.Ledger({self.path!r})"

    def __str__(self) -> str:
        """Remaining budgets in words."""
        return _said(show_ledger, self.path).text()

    def _repr_html_(self) -> str:
        return _said(show_ledger, self.path).fragment()

    def _repr_markdown_(self) -> str:
        return _said(show_ledger, self.path).markdown()


class PersonStatement(Page):
    """Statement of a ledger to one person (``Ledger.statement``): ``print`` it, or ``to_html``."""

    _instead = "statement.to_dict()"

    def __repr__(self) -> str:
        return "<suum statement to one person>"


class Dossier(Page):
    """What a ledger says to a data protection officer (``Ledger.dossier``): ``print`` it, or
    ``to_html``."""

    _instead = "dossier.to_dict()"

    @property
    def sound(self) -> bool:
        """Whether no entry of the ledger was changed or lost; else nothing of it is shown."""
        return bool(self._record["verification"]["sound"])

    def __repr__(self) -> str:
        return "<suum dossier of a ledger>"


def _options(arguments: dict[str, Any]) -> dict[str, Any]:
    """Options of a command, from the arguments of a method."""
    return {name: arguments[name] for name in arguments if name not in ("cls", "self", "path")}


def _said(ask: Callable[..., Answer], path: str | os.PathLike[str], *more: object) -> Answer:
    enter()
    return warned(ask(os.fspath(path), *more))
