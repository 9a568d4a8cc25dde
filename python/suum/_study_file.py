"""Study files: TOML with what all requests about the same data have in common."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from ._codebook import Column
from ._consent import Consent
from ._errors import ParameterError, ReadError


def read_entries(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Entries of a study file."""
    name = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as raised:
        raise ReadError(f"study: {name} cannot be read", "check the path") from raised
    toml = _toml()
    try:
        entries: dict[str, Any] = toml.loads(text)
    except ValueError as wrong:
        raise ParameterError(f"study: {name} is no TOML: {wrong}", "mend the line") from None
    return {key.replace("-", "_"): value for key, value in entries.items()}


def _toml() -> Any:
    try:
        return import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    except ImportError:
        raise ReadError(
            "study: Python 3.10 has nothing that reads TOML", "pip install tomli"
        ) from None


def consent_of(entries: dict[str, Any]) -> Consent | None:
    """Takes the consent out of the entries of a study."""
    names = [name for name in entries if name in _CONSENT or name.startswith("consent_")]
    options = {name: entries.pop(name) for name in names}
    if not options:
        return None
    kind = "register" if "consent" in options else "tiers" if "privacy" in options else "budgets"
    column = options.get("privacy", options.get("epsilon"))
    kind = kind if isinstance(column, str) else "everyone"
    return Consent(kind, options, repr(column))


_CONSENT = ("privacy", "levels", "epsilon", "missing_consent", "epsilon_range", "consent", "key",
            "as_of")  # fmt: skip


def columns_of(entries: dict[str, Any]) -> dict[str, Column]:
    """Takes the descriptions of columns out of the entries of a study."""
    tables = entries.pop("columns", {})
    are_tables = isinstance(tables, Mapping) and all(
        isinstance(one, Mapping) for one in tables.values()
    )
    if not are_tables:
        raise ParameterError("columns: expected tables", "write [columns.NAME]")
    return {name: _column(name, own) for name, own in tables.items()}


def _column(name: str, own: Mapping[str, Any]) -> Column:
    own = {key.replace("-", "_"): value for key, value in own.items()}
    unknown = sorted(own.keys() - _OF_COLUMN)
    if unknown:
        raise ParameterError(
            f"columns.{name}: {unknown[0]} is no option of a column",
            f"a column has {', '.join(sorted(_OF_COLUMN))}",
        )
    labels = [own[key] for key in ("categories", "groups", "classes") if key in own]
    bounds = own.get("bounds")
    return Column(
        "labels" if labels else "number",
        tuple(bounds) if isinstance(bounds, list) else bounds,
        own.get("step"),
        own.get("bins"),
        tuple(labels[0]) if labels else (),
        own.get("other", own.get("other_group")),
        own.get("null"),
        own.get("missing"),
        own.get("public", False),
        groups=tuple(own.get("groups", ())),
        classes=tuple(own.get("classes", ())),
        shares=own.get("population_shares"),
    )


_OF_COLUMN = {
    "bounds", "step", "null", "missing", "categories", "bins", "other", "groups", "other_group",
    "classes", "population_shares", "public",
}  # fmt: skip
