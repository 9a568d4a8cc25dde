"""Refusals, with one exception class for each kind, and the class of warnings."""

from __future__ import annotations

class Error(Exception):
    """A refusal of suum: what is wrong and, as ``hint``, what to change.

    No message carries a value of the data: it names the parameter, or the column and row.

    >>> import suum
    >>> try:
    ...     suum.mean([1, 2], epsilon=[1, 1], bounds=(10, 0))
    ... except suum.Error as refused:
    ...     print(refused.message)
    bounds: the lower bound must be below the upper bound
    """

    #: The problem, in words.
    message: str
    #: Remedy, in the imperative; ``None`` only for a mistake of suum itself.
    hint: str | None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"


class ParameterError(Error, ValueError):
    """A parameter is not usable."""


class RequestError(Error, ValueError):
    """The combination of parameters does not make sense, although each of them does."""


class DataError(Error):
    """The data do not have the declared form. The message names column and row, never a value."""


class TableError(Error):
    """A level table is inconsistent with itself or with what was asked for."""


class ReadError(Error, OSError):
    """A file or a stream could not be read or written."""


class LedgerError(Error):
    """The ledger cannot be used, or disagrees with itself."""


class BudgetError(Error):
    """A charge does not fit what is left."""


class PrivacyWarning(UserWarning):
    """A warning of suum, for example of budgets that protect practically nothing.

    A release raises it after the data are read, and before it draws noise or charges a ledger:
    whoever turns it into an error has paid nothing. ``release.warnings`` has the same sentences.

    >>> import suum, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", suum.PrivacyWarning)
    ...     release = suum.mean([1, 2], epsilon=1.0, bounds=(0, 10))
    >>> release.warnings
    []
    """


class InternalError(Error):
    """suum itself is wrong, and noticed it before anything was released."""
