"""Keyword arguments as the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from suum._entries import entries


def words(command: str, options: Mapping[str, object]) -> list[str]:
    """The command with these options."""
    said = entries(options)
    return [command, *(_word(name, value) for name, value in said.items())]


def _word(name: str, value: object) -> str:
    option = "--" + name.replace("_", "-")
    if value is True:
        return option
    if isinstance(value, dict):
        return f"{option}={','.join(f'{_escaped(key)}={one}' for key, one in value.items())}"
    if isinstance(value, list):
        return f"{option}={','.join(map(_escaped, value))}"
    return f"{option}={value}"


def _escaped(label: object) -> str:
    return re.sub(r"([,=\\])", r"\\\1", str(label))
