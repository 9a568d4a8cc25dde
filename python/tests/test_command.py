"""The command that comes with the wheel is that of Rust; licences come with it, too."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from conftest import RANDHIE, ROOT, TIERS, CommandLine

SCRIPT = str(Path(sysconfig.get_path("scripts")) / "suum")
MODULE = [sys.executable, "-m", "suum"]
MEAN = ["mean", RANDHIE, "--value", "visits", "--bounds", "0,77", *TIERS, "--insecure-seed", "7"]


def done(*words: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, input=given, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.parametrize("program", [[SCRIPT], MODULE], ids=["script", "module"])
def test_it_says_what_the_program_of_rust_says(
    program: list[str], command_line: CommandLine
) -> None:
    for words in [MEAN, ["--help"], ["mean", "-h"], ["--version"], ["plan", "--profile", "1:9"]]:
        said = done(*program, *words)
        assert (said.returncode, said.stdout) == (0, command_line(*words)), said.stderr
    # A last line without an end is written, too; standard input is read.
    rows = "visits,eps\n" + "3,1\n" * 99
    count = done(*program, "count", "-", "--epsilon", "eps", given=rows)
    assert count.returncode == 0 and "99" in count.stdout
    wrong = ["count", "nowhere.csv", "--epsilon", "e"]
    refused = done(*program, *wrong)
    assert refused.returncode == 1 and refused.stderr.startswith("error: ")
    assert done(*program, "mode").returncode == 2
    alone = done(*program)
    assert alone.returncode == 2 and alone.stderr == done(os.environ.get("SUUM", SCRIPT)).stderr


def test_an_interrupt_ends_it_at_once() -> None:
    words = ["audit", "all", "--runs", "100000000"]
    program = subprocess.Popen([*MODULE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    assert program.poll() is None, "it is still at work"
    program.send_signal(signal.SIGINT)
    assert program.wait(timeout=10) != 0
    program.communicate()


def test_licences_are_in_the_wheel() -> None:
    files = {Path(str(file)).name: file for file in importlib.metadata.files("suum") or []}
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        assert "licenses" in str(files[name])
        text = Path(str(files[name].locate())).read_text(encoding="utf-8")
        assert text == (ROOT / name).read_text(encoding="utf-8")
    metadata = importlib.metadata.metadata("suum")
    assert metadata["License-Expression"] == "MIT OR Apache-2.0"
