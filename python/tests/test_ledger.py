"""Releases charged to a ledger."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
import suum
from conftest import LEVELS, RANDHIE, CommandLine

OPTIONS: dict[str, Any] = {"value": "visits", "bounds": (0, 77), "privacy": "privacy"}


@pytest.fixture
def ledger(tmp_path: Path) -> suum.Ledger:
    return suum.Ledger.create(tmp_path / "visits.ledger", dataset="visits", levels=LEVELS)


def test_releases_are_charged_and_shown(ledger: suum.Ledger, command_line: CommandLine) -> None:
    release = suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%")
    assert release.private and release.ledger is not None and release.ledger["dataset"] == "visits"
    spent = {tier["level"]: tier["spent"] for tier in ledger.balance()["tiers"]}
    assert spent["strict"] == 0.001
    assert (
        json.loads(command_line("ledger", "show", ledger.path, "--format", "json"))[0]["releases"][
            0
        ]["entry"]
        == 3
    )
    assert str(ledger) == command_line("ledger", "show", ledger.path)
    assert ledger.verify() == {"sound": True, "entries": 4, "findings": []}
    request = json.loads(ledger.export().splitlines()[2])
    assert "--spend=10%" in json.dumps(request), "the entry says what was asked for"


def test_a_loss_can_be_accepted(ledger: suum.Ledger) -> None:
    path = Path(ledger.path)
    before = path.read_bytes()
    suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%")
    path.write_bytes(before)
    assert not ledger.verify()["sound"]
    assert ledger.verify(accept_loss=True)["sound"] and ledger.verify()["sound"]


def test_a_plan_costs_nothing(ledger: suum.Ledger) -> None:
    plan = suum.plan(RANDHIE, privacy="privacy", ledger=ledger.path, spend=0.005)
    assert "ledger" in plan.to_dict() and ledger.balance()["releases"] == []


def test_nobody_spends_more_than_is_left(ledger: suum.Ledger) -> None:
    with pytest.raises(suum.RequestError, match="insecure_seed"):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger, insecure_seed=1)
    suum.mean(RANDHIE, **OPTIONS, levels={**LEVELS, "public": 0.05, "relaxed": 0.05}, ledger=ledger)
    with pytest.raises(suum.BudgetError, match="target_rmse"):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger, target_rmse=0.0001)
    tiers = {tier["level"]: tier for tier in ledger.balance("visits")["tiers"]}
    assert tiers["strict"]["left"] == 0 and tiers["public"]["left"] == math.inf


def test_a_loss_is_accepted_only_where_there_is_one(ledger: suum.Ledger) -> None:
    with pytest.raises(suum.LedgerError, match="lost nothing"):
        ledger.verify(accept_loss=True)
    assert ledger.verify() == {"sound": True, "entries": 2, "findings": []}


def test_persons_have_accounts(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(tmp_path / "l", dataset="people", persons=True, allow=2)
    people = {"id": ["ann", "bob", "ann"], "v": [1, 2, 3], "e": [0.5, 1, 0.5]}
    release = suum.mean(people, value="v", epsilon="e", person="id", bounds=(0, 10), ledger=ledger)
    assert release.ledger is not None and release.ledger["persons"]["charged"] == 2
    assert suum.Ledger(tmp_path / "l").datasets()[0]["persons"]["charged"] == 2


def test_a_ledger_that_was_tampered_with_is_told(ledger: suum.Ledger) -> None:
    path = Path(ledger.path)
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"strict")] ^= 1
    path.write_bytes(damaged)
    assert ledger.verify()["sound"] is False
    with pytest.raises(suum.LedgerError):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger)
