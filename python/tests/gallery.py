"""The gallery: pages of the book that are notebooks, too.

A page (docs/gallery) has text, cells of code, and after each cell what it prints. The notebook of
the same name (examples) is made of the page.
"""

from __future__ import annotations

import ast
import io
import json
import os
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

from conftest import ROOT

PAGES = ROOT / "docs" / "gallery"
NOTEBOOKS = ROOT / "examples"

_CODE, _PRINTED, _END = "```python", "```text", "```"


@dataclass(frozen=True)
class Cell:
    """Text, or code with what it prints."""

    source: str
    is_code: bool = False
    printed: str = ""


def read(page: str) -> list[Cell]:
    """The cells of a page."""
    cells: list[Cell] = []
    text: list[str] = []
    lines = iter(page.splitlines())
    for line in lines:
        if line not in (_CODE, _PRINTED):
            text.append(line)
            continue
        between = "\n".join(text).strip()
        if between:
            cells.append(Cell(between))
        text = []
        block = "\n".join(iter(lambda: next(lines), _END))
        if line == _CODE:
            cells.append(Cell(block, is_code=True))
        else:
            assert cells[-1].is_code and not cells[-1].printed, "no code printed this"
            cells[-1] = replace(cells[-1], printed=block)
    end = "\n".join(text).strip()
    return [*cells, Cell(end)] if end else cells


def run(cells: list[Cell], name: str) -> list[Cell]:
    """The cells after their code was run in one go, beside the example data."""
    names: dict[str, Any] = {"__name__": name}
    folder = os.getcwd()
    os.chdir(NOTEBOOKS)
    try:
        return [
            replace(cell, printed=_printed(cell.source, name, names)) if cell.is_code else cell
            for cell in cells
        ]
    finally:
        os.chdir(folder)


def _printed(source: str, name: str, names: dict[str, Any]) -> str:
    """What a cell prints, and what its last expression is, as notebooks show it."""
    body = ast.parse(source, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), name, "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), name, "eval"), names)
            if shown is not None:
                print(repr(shown))
    return "\n".join(line.rstrip() for line in printed.getvalue().rstrip().splitlines())


def page(cells: list[Cell]) -> str:
    """The page with these cells."""
    parts = []
    for cell in cells:
        parts.append(f"{_CODE}\n{cell.source}\n{_END}" if cell.is_code else cell.source)
        if cell.printed:
            parts.append(f"{_PRINTED}\n{cell.printed}\n{_END}")
    return "\n\n".join(parts) + "\n"


def notebook(cells: list[Cell]) -> str:
    """The notebook with these cells, as Jupyter writes it."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": [_of_notebook(cell, number) for number, cell in enumerate(cells)],
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _of_notebook(cell: Cell, number: int) -> dict[str, Any]:
    common = {"id": f"cell-{number}", "metadata": {}}
    if not cell.is_code:
        # Links of the page start in another folder.
        text = cell.source.replace("](../", "](../docs/")
        return {"cell_type": "markdown", **common, "source": text.splitlines(keepends=True)}
    printed = {"name": "stdout", "output_type": "stream"}
    return {
        "cell_type": "code",
        "execution_count": None,
        **common,
        "outputs": [{**printed, "text": _lines(cell.printed)}] if cell.printed else [],
        "source": cell.source.splitlines(keepends=True),
    }


def _lines(printed: str) -> list[str]:
    return (printed + "\n").splitlines(keepends=True)


def names() -> list[str]:
    """The pages of the gallery but the one that lists them."""
    return sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "notebooks")


if __name__ == "__main__":
    # In a process of its own, so that what a page starts and sets ends with it.
    name = sys.argv[1]
    print(page(run(read((PAGES / f"{name}.md").read_text(encoding="utf-8")), name)), end="")
