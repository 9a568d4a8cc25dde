"""The gallery runs, prints what its pages say, and its notebooks are made of the pages.

INSTA_UPDATE=always writes pages and notebooks anew, to be read before they are committed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import gallery
import pytest

PAGES = [
    pytest.param(name, marks=pytest.mark.spark if name.startswith("spark") else ())
    for name in gallery.names()
]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_prints_what_it_says(name: str) -> None:
    path, notebook = gallery.PAGES / f"{name}.md", gallery.NOTEBOOKS / f"{name}.ipynb"
    said = gallery.read(path.read_text(encoding="utf-8"))
    command = [sys.executable, "-W", "ignore", gallery.__file__, name]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    if name.startswith("spark"):
        from spark_cluster import SHORT_LIVED, java_home

        environment |= {"JAVA_HOME": java_home(), "JDK_JAVA_OPTIONS": SHORT_LIVED}
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    found = gallery.read(ran.stdout.decode())
    assert sum(cell.is_code for cell in found) > 3 and sum(bool(cell.printed) for cell in found) > 2
    if os.environ.get("INSTA_UPDATE") == "always":
        path.write_text(gallery.page(found), encoding="utf-8")
        notebook.write_text(gallery.notebook(found), encoding="utf-8")
        said = found
    for before, after in zip(said, found):
        assert before.printed == after.printed, after.source
    assert path.read_text(encoding="utf-8") == gallery.page(found)
    assert notebook.read_text(encoding="utf-8") == gallery.notebook(found)


def test_the_gallery_has_a_notebook_for_each_page() -> None:
    names = gallery.names()
    assert len(names) == 6
    assert sorted(path.stem for path in gallery.NOTEBOOKS.glob("*.ipynb")) == names
    listed = (gallery.PAGES / "notebooks.md").read_text(encoding="utf-8")
    for name in names:
        assert f"({name}.md)" in listed and f"(../../examples/{name}.ipynb)" in listed
        cells = json.loads((gallery.NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
        assert cells["nbformat"] == 4 and len({cell["id"] for cell in cells["cells"]}) > 6


def test_a_page_is_cells_and_what_they_print() -> None:
    text = "# One\n\n```python\nx = 2\nx + 1\n```\n\n```text\n4\n```\n\nThe end.\n"
    cells = gallery.read(text)
    assert gallery.page(cells) == text
    assert [cell.printed for cell in gallery.run(cells, "one")] == ["", "3", ""]
