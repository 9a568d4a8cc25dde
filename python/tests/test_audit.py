"""The auditor: the cases that Rust runs, too, and mechanisms written in Python."""

from __future__ import annotations

import inspect
import os
import pickle
import random
import re
import signal
import threading
import tomllib
import typing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy
import pytest
import suum
from conftest import ROOT, CommandLine

FEW: dict[str, Any] = {"profile": {1: 3, 3: 2}, "runs": 1000}


def _cases() -> list[dict[str, Any]]:
    files = sorted((ROOT / "crates" / "suum-audit" / "tests" / "cases").glob("*.toml"))
    cases = [
        case for file in files for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    ]
    # Specimens without their mistake can be had in Rust only.
    return [case for case in cases if not case.get("corrected")]


@pytest.mark.parametrize(
    "case",
    _cases(),
    ids=lambda case: f"{case['mechanism']} {case.get('statistic', '')} {case['seed']}",
)
def test_every_case_has_its_verdict(case: dict[str, Any]) -> None:
    case = {**case}
    mechanism, verdict, certified = (
        case.pop("mechanism"),
        case.pop("verdict"),
        case.pop("certified", None),
    )
    audit = suum.audit(mechanism, **case)
    assert audit.verdict == verdict and audit.broken == (verdict == "broken"), audit
    if certified is not None:
        # Integer weights keep 40 binary digits.
        assert [level.certified for level in audit.levels] == pytest.approx(certified, rel=1e-11)


def test_the_cases_are_there() -> None:
    assert len(_cases()) > 18


def test_reports_are_those_of_the_command_line(command_line: CommandLine, tmp_path: Path) -> None:
    words = [
        "audit",
        "affine",
        "--profile",
        "1:3,3:2",
        "--runs",
        "1000",
        "--statistic",
        "mean",
        "--seed",
        "7",
    ]
    drawn = tmp_path / "audit.svg"
    audit = suum.audit("affine", **FEW, statistic="mean", seed=7, plot=drawn)
    assert audit.to_json() == command_line(*words, "--format", "json")
    assert f"{audit}\n" == command_line(*words, "--plot", str(tmp_path / "other.svg"))
    assert (
        drawn.read_text(encoding="utf-8")
        == audit.to_svg()
        == (tmp_path / "other.svg").read_text(encoding="utf-8")
    )
    assert "<svg" in audit._repr_html_()


def test_keywords_are_the_options_of_the_command_line(command_line: CommandLine) -> None:
    keywords = dict(inspect.signature(suum.audit).parameters)
    assert keywords.pop("mechanism").default is inspect.Parameter.empty
    help_text = " ".join(command_line("audit", "--help").split())
    options = set(re.findall(r" --([a-z]+) ", help_text.split("Options:")[1]))
    # Reports are printed, and turned into JSON and pages, as one likes; nothing is shown meanwhile.
    assert set(keywords) == options - {"list", "format", "report", "quiet", "help"}
    for name, parameter in keywords.items():
        if parameter.default is not None:
            assert f"[default: {parameter.default}]" in help_text, name
    for name in ("statistic", "neighbors"):
        allowed = typing.get_args(typing.get_type_hints(suum.audit)[name])
        choices = [choice for one in allowed for choice in typing.get_args(one)]
        assert choices and type(None) in allowed
        listed = f"[possible values: {', '.join(choices)}]" in help_text
        assert listed or all(f" - {choice}: " in help_text for choice in choices), name


def noisy_sum(values: list[float], seed: int) -> float:
    """Values of people who allow 1 from 0 to 1, of others who allow 2 from 0 to 2; noise in steps
    of 1/1024.
    """
    draw = random.Random(seed)
    return sum(values) + round(1024 * (draw.expovariate(1) - draw.expovariate(1))) / 1024


def test_a_mechanism_in_python_is_told_by_its_levels() -> None:
    pairs = [(1.0, [0.0, 2.0], [1.0, 2.0]), (2.0, [1.0, 0.0], [1.0, 2.0])]
    audit = suum.audit_function(noisy_sum, pairs)
    assert audit.verdict == "not-disproved", audit
    assert [(level.allowed, level.certified) for level in audit.levels] == [(1.0, 1.0), (2.0, 2.0)]
    for level in audit.levels:
        assert level.at_least is not None and 0.5 * level.allowed < level.at_least <= level.allowed
    assert "noisy_sum" in str(audit)
    # A stricter promise to the second person is broken, and the first one's is not.
    audit = suum.audit_function(
        noisy_sum, [(1.0, *pairs[0][1:]), (0.8, *pairs[1][1:])], name="stricter"
    )
    assert [level.verdict for level in audit.levels] == ["not-disproved", "broken"], audit
    assert ElementTree.fromstring(audit.to_svg()).tag.endswith("svg")
    # The most telling of several pairs of one level is found.
    found = suum.audit_function(noisy_sum, [(1.0, [0.0], [0.125]), (1.0, [0.0], [3.0])]).to_dict()
    assert found["subjects"][0]["levels"][0]["evidence"]["difference"] == "pair 2"


def test_releases_can_be_made_many_at_once() -> None:
    def textbook(value: float, seed: int, releases: int) -> Any:
        return value + numpy.random.default_rng(seed).laplace(size=releases)

    def rounded(value: float, seed: int, releases: int) -> Any:
        noise = numpy.random.default_rng(seed).laplace(size=(releases, 2))
        return numpy.round((numpy.array([value, 5.0]) + noise) * 1024) / 1024

    pairs = [(1.0, 0.0, 1.0)]
    caught = suum.audit_function(textbook, pairs, batch=True)
    assert caught.broken and "multiple of 2^" in str(caught), "low-order bits tell the value"
    assert suum.audit_function(rounded, pairs, batch=True).verdict == "not-disproved"


def test_a_seed_says_all() -> None:
    def report(seed: int) -> str:
        return suum.audit_function(noisy_sum, [(1.0, [0.0], [1.0])], runs=500, seed=seed).to_json()

    assert report(3) == report(3) != report(4)
    seeds: list[int] = []

    def remember(_: object, seed: int) -> float:
        seeds.append(seed)
        return 0.0

    suum.audit_function(remember, [(1.0, 0, 1)], runs=500)
    assert len(set(seeds)) == len(seeds) > 1000 and all(0 <= seed < 2**63 for seed in seeds)


def test_what_is_refused_can_tell() -> None:
    def shy(value: int, seed: int) -> int | None:
        return None if random.Random(seed).random() < value / 2 else 0

    assert suum.audit_function(shy, [(1.0, 0, 1)]).broken
    assert suum.audit_function(lambda *_: None, [(1.0, 0, 1)]).verdict == "nothing-released"


def test_what_a_function_raises_ends_the_audit() -> None:
    def failing(value: float, seed: int) -> float:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        suum.audit_function(failing, [(1.0, 0, 1)])

    def interrupted(value: float, seed: int) -> float:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        suum.audit_function(interrupted, [(1.0, 0, 1)])


def test_an_interrupt_ends_an_audit() -> None:
    """Of all mechanisms, with so many runs that it would take hours."""
    timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        suum.audit("all", runs=1_000_000)
    assert suum.audit("pe", **FEW).verdict == "not-disproved", "the next one works"


@pytest.mark.parametrize(
    ("released", "complaint"),
    [("0.5", TypeError), ([1.0, object()], TypeError), (object(), TypeError)],
)
def test_releases_are_numbers(released: object, complaint: type[Exception]) -> None:
    with pytest.raises(complaint):
        suum.audit_function(lambda *_: released, [(1.0, 0, 1)])


def test_releases_are_alike() -> None:
    with pytest.raises(ValueError, match="equally many"):
        suum.audit_function(lambda _, seed: [0.0] * (1 + seed % 2), [(1.0, 0, 1)])
    with pytest.raises(ValueError, match="asked for"):
        suum.audit_function(lambda *_: [0.0], [(1.0, 0, 1)], batch=True)


def test_parameters_are_checked() -> None:
    for options in [{"runs": 10}, {"confidence": 2.0}]:
        with pytest.raises(suum.ParameterError):
            suum.audit_function(noisy_sum, [(1.0, [0], [1])], **options)
    with pytest.raises(suum.ParameterError, match="pairs"):
        suum.audit_function(noisy_sum, [])
    with pytest.raises(suum.ParameterError):
        suum.audit_function(noisy_sum, [(-1.0, [0], [1])])
    with pytest.raises(suum.ParameterError, match="mechanism"):
        suum.audit("nobody")
    with pytest.raises(suum.RequestError):
        suum.audit("pe", statistic="mean")


def test_audits_can_be_sent_to_other_processes() -> None:
    audit = suum.audit("affine", statistic="mean", neighbors="replace", **FEW)
    kept = pickle.loads(pickle.dumps(audit))
    assert (repr(kept), kept.to_json(), kept.to_svg()) == (
        repr(audit),
        audit.to_json(),
        audit.to_svg(),
    )
    assert kept.levels == audit.levels and kept.to_dict() == audit.to_dict()
