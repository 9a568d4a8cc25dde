"""Releases charged to a ledger."""

from __future__ import annotations

import json
import math
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
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
    shown = command_line("ledger", "show", ledger.path)
    first, command = shown.rsplit(" mean DATA ", 1)
    asked = str(ledger).removeprefix(first)
    assert asked.startswith('.mean(DATA, value="visits", bounds=(0, 77), privacy="privacy"')
    assert "--" in command and "--" not in asked and 'adapt=False, ledger=LEDGER' in asked
    assert ledger.verify() == {"sound": True, "entries": 4, "findings": []}
    request = json.loads(ledger.export().splitlines()[2])
    job = request["document"]["job"]
    asked = {"statistic": "mean", "spend": "10%", "data": str(RANDHIE)}
    assert asked.items() <= job.items(), "the entry says what was asked for"


def test_a_release_is_found_in_its_ledger(ledger: suum.Ledger, tmp_path: Path) -> None:
    release = suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%")
    file = tmp_path / "release.json"
    file.write_text(release.to_json(), encoding="utf-8")
    for one in (release, release.to_dict(), release.to_json(), file, str(file)):
        found = ledger.verify(release=one)
        assert found["sound"] and found["release"]["entry"] == 3, one
    changed = {**release.to_dict(), "estimate": release.estimate + 1}
    assert ledger.verify(release=changed) == {
        "sound": True, "entries": 4, "findings": [], "release": None
    }  # fmt: skip
    with pytest.raises(suum.ReadError):
        ledger.verify(release=tmp_path / "none.json")


def test_what_was_lost_elsewhere_is_charged(tmp_path: Path, ledger: suum.Ledger) -> None:
    charged = ledger.charge(tier={"strict": 0.004, "standard": 1}, because="the table of 2024")
    strict, standard = charged["tiers"]
    assert (strict["left"], strict["exceeded"]) == (0.006, False)
    assert (standard["left"], standard["exceeded"]) == (0.0, True)
    assert ledger.balance()["releases"][0]["because"] == "the table of 2024"
    diary = suum.Ledger.create(tmp_path / "diary.ledger", dataset="diary", persons=True, allow=2)
    lost = tmp_path / "lost.csv"
    lost.write_text("id,epsilon\n1,0.5\n2,0.25\n", encoding="utf-8")
    of_file = diary.charge(charges=lost, key="id", epsilon="epsilon", because="a lost ledger")
    assert of_file["persons"] == {"charged": 2, "most": 0.5, "exceeded": 0}
    # An identifier is the same as text and as a number.
    diary.charge(id=1, epsilon=0.5, because="a letter")
    assert diary.balance()["persons"]["spent"] == [[0.25, 1], [1.0, 1]]
    for wrong in ({"tier": "strict=1"}, {"id": "secret-7"}, {}):
        with pytest.raises(suum.Error) as refused:
            diary.charge(**wrong, because="a letter")
        assert "secret-7" not in str(refused.value) and "--" not in str(refused.value)


def test_a_person_gets_their_statement(tmp_path: Path) -> None:
    diary = suum.Ledger.create(tmp_path / "diary.ledger", dataset="diary", persons=True, allow=2)
    diary.charge(id="ann-7", epsilon=0.5, because="a letter")
    statement = diary.statement(id="ann-7")
    said = statement.to_dict()
    assert (said["used"], said["left"], said["uses"][0]["because"]) == (0.5, 1.5, "a letter")
    assert "0.5 is used, and 1.5 is left (75 %)" in str(statement)
    page = statement.to_html()
    assert page.startswith("<!DOCTYPE html>") and "ann-7" not in page + str(statement)
    nobody = diary.statement(id="nobody")
    assert nobody.to_dict()["uses"] == [] and nobody.to_dict()["left"] == 2
    with pytest.raises(suum.Error):
        diary.statement(tier="strict")


def test_accounts_follow_decisions(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(
        tmp_path / "diary.ledger", dataset="diary", persons=True, levels={"strict": 0.1, "open": 1}
    )
    register = {
        "id": ["ann", "bob", "ann"],
        "tier": ["open", "strict", ""],
        "signed": ["2026-01-01", "2026-01-01", "2026-03-01"],
        "status": ["active", "active", "withdrawn"],
        "form": ["v1", "v1", "v2"],
    }
    columns = {
        "key": "id",
        "privacy": "tier",
        "consent_from": "signed",
        "consent_status": "status",
        "consent_reference": "form",
    }
    january = ledger.amend(consent=register, as_of="2026-01-31", **columns)
    assert january["persons"]["first"] == 2
    # A table of pandas and a file say the same.
    table = pd.DataFrame(register)
    file = tmp_path / "register.csv"
    table.to_csv(file, index=False)
    assert ledger.amend(consent=table, **columns)["persons"]["lowered"] == 1
    again = ledger.amend(consent=file, **columns)
    assert again["entry"] is None and again["persons"]["known"] == 2
    people = pd.DataFrame({"id": ["ann", "bob"], "tier": ["open", "strict"], "x": [1, 2]})
    released = suum.mean(
        people,
        value="x",
        bounds=(0, 9),
        privacy="tier",
        person="id",
        ledger=ledger,
        spend="10%",
    )
    assert released.to_dict()["ledger"]["exhausted"] == 1
    assert "you allow nothing" in str(ledger.statement(id="ann"))
    assert ledger.verify()["sound"]


def test_register_in_a_database_amends_too(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(
        tmp_path / "diary.ledger", dataset="diary", persons=True, levels={"strict": 0.1, "open": 1}
    )
    database = tmp_path / "study.sqlite"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE decisions (id TEXT, tier TEXT)")
        connection.execute("INSERT INTO decisions VALUES ('ann', 'open'), ('bob', 'strict')")
    columns = {"key": "id", "privacy": "tier"}
    amended = ledger.amend(data=database, consent="decisions", **columns)
    assert amended["persons"]["first"] == 2
    with pytest.raises(suum.Error, match="a database is not a register"):
        ledger.amend(consent=database, **columns)


def test_whoever_moves_to_another_tier_is_noticed(tmp_path: Path) -> None:
    ledger = suum.Ledger.create(
        tmp_path / "visits.ledger",
        dataset="visits",
        levels={"strict": 0.5, "open": 2},
        watch_moves=True,
    )
    people = pd.DataFrame(
        {"id": ["ann", "bob", "cat"], "tier": ["strict", "open", "open"], "x": [1, 2, 3]}
    )
    asked: dict[str, Any] = {
        "value": "x",
        "bounds": (0, 9),
        "privacy": "tier",
        "person": "id",
        "ledger": ledger,
        "spend": "10%",
    }
    suum.mean(people, **asked)
    moved = people.assign(tier=["open", "open", "open"])
    with pytest.raises(suum.Error, match="1 person is in another tier"):
        suum.mean(moved, **asked)
    suum.mean(moved, **asked, allow_moves=True)
    assert ledger.balance()["releases"][1]["moved"] == 1


def test_a_tier_is_lowered_and_never_raised(ledger: suum.Ledger) -> None:
    amended = ledger.amend(levels={"strict": 0.001}, because="a decision of the board")
    assert amended["tiers"] == [{"level": "strict", "before": 0.01, "allowed": 0.001}]
    with pytest.raises(suum.Error, match="only lowered"):
        ledger.amend(levels={"strict": 0.005})
    with pytest.raises(suum.Error, match="because"):
        ledger.amend(levels={"new": 0.005})


def test_a_dossier_is_for_whoever_oversees(tmp_path: Path) -> None:
    diary = suum.Ledger.create(
        tmp_path / "diary.ledger",
        dataset="diary",
        persons=True,
        allow=2,
        purpose="a study of sleep",
    )
    diary.charge(id="ann-7", epsilon=0.5, because="a letter")
    dossier = diary.dossier()
    said = dossier.to_dict()
    assert dossier.sound and said["datasets"][0]["purpose"] == "a study of sleep"
    assert said["changes"][0]["because"] == "a letter"
    assert said["datasets"][0]["accounts"][0]["left"] == 1.5
    page = dossier.to_html()
    assert page.startswith("<!DOCTYPE html>") and "ann-7" not in page + str(dossier)
    assert "a study of sleep" in str(diary.dossier("diary"))
    with pytest.raises(suum.Error):
        diary.dossier("visits")
    with pytest.raises(suum.ParameterError, match="purpose"):
        suum.Ledger.create(tmp_path / "a.ledger", dataset="a", levels={"a": 1}, purpose=" ")
    changed = Path(diary.path)
    changed.write_bytes(changed.read_bytes().replace(b"a letter", b"a lettre"))
    assert not diary.dossier().sound and diary.dossier().to_dict()["datasets"] == []


def test_a_forecast_says_how_many_more_releases_there_can_be(ledger: suum.Ledger) -> None:
    release = suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="25%")
    assert release.ledger is not None
    forecast = release.ledger["forecast"]
    assert forecast["releases"] == 3 and "strict" in forecast["first"]
    assert ledger.balance()["forecast"] == forecast
    assert "3 more releases like this" in str(release)


def test_a_loss_can_be_accepted(ledger: suum.Ledger) -> None:
    path = Path(ledger.path)
    before = path.read_bytes()
    suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%")
    path.write_bytes(before)
    assert not ledger.verify()["sound"]
    assert ledger.verify(accept_loss=True)["sound"] and ledger.verify()["sound"]


def test_a_plan_costs_nothing(ledger: suum.Ledger) -> None:
    plan = suum.plan(RANDHIE, privacy="privacy", ledger=ledger.path, spend="eps=0.005")
    assert "ledger" in plan.to_dict() and ledger.balance()["releases"] == []


def test_nobody_spends_more_than_is_left(ledger: suum.Ledger) -> None:
    with pytest.raises(suum.RequestError, match="insecure_seed"):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%", insecure_seed=1)
    asked = {**LEVELS, "public": 0.05, "relaxed": 0.05}
    suum.mean(RANDHIE, **OPTIONS, levels=asked, ledger=ledger, spend="100%")
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
    persons: dict[str, Any] = {"value": "v", "epsilon": "e", "person": "id", "bounds": (0, 10)}
    release = suum.mean(people, **persons, ledger=ledger, spend="100%")
    assert release.ledger is not None and release.ledger["persons"]["charged"] == 2
    assert suum.Ledger(tmp_path / "l").datasets()[0]["persons"]["charged"] == 2


def test_a_ledger_that_was_tampered_with_is_told(ledger: suum.Ledger) -> None:
    path = Path(ledger.path)
    damaged = bytearray(path.read_bytes())
    damaged[damaged.index(b"strict")] ^= 1
    path.write_bytes(damaged)
    assert ledger.verify()["sound"] is False
    with pytest.raises(suum.LedgerError):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend="10%")


def test_how_much_may_be_used_has_to_be_said(ledger: suum.Ledger) -> None:
    with pytest.raises(suum.ParameterError, match="^spend: ") as refused:
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger)
    assert 'spend="10%"' in (refused.value.hint or "")
    assert ledger.balance()["releases"] == []
    # A count costs nothing.
    assert suum.count(RANDHIE, privacy="privacy", ledger=ledger).estimate == 20190


def test_a_number_alone_is_neither_a_share_nor_an_epsilon(ledger: suum.Ledger) -> None:
    for bare in ("0.05", 0.05):
        with pytest.raises((suum.ParameterError, TypeError), match="^spend: ") as refused:
            suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend=bare)  # type: ignore[arg-type]
        hint = getattr(refused.value, "hint", None) or ""
        assert all(form in hint for form in ("10%", "1/12", "10%-of-left", "eps=0.05")), hint
    for form in ("1/12", "10%-of-left", "eps=0.001"):
        suum.mean(RANDHIE, **OPTIONS, ledger=ledger, spend=form)


def test_a_column_is_protected_or_published(ledger: suum.Ledger) -> None:
    health = ["excellent", "good", "fair", "poor"]
    charged: dict[str, Any] = {"privacy": "privacy", "ledger": ledger, "spend": "10%"}
    suum.frequency(RANDHIE, value="health", categories=health, **charged)
    groups: dict[str, Any] = {"group_by": "health", "groups": health}
    for exposing in [
        lambda: suum.mean(RANDHIE, **OPTIONS, **groups, ledger=ledger, spend="10%"),
        lambda: suum.count(RANDHIE, privacy="privacy", **groups, ledger=ledger),
    ]:
        with pytest.raises(suum.RequestError, match="column health: its values") as refused:
            exposing()
        assert "public_columns" in (refused.value.hint or "")
    suum.count(RANDHIE, privacy="privacy", **groups, ledger=ledger, public_columns=["health"])
    suum.mean(RANDHIE, **OPTIONS, **groups, ledger=ledger, spend="10%")
    assert ledger.balance()["columns"] == {
        "values": ["health", "visits"],
        "published": ["health", "privacy"],
        "declared": ["health"],
    }


def test_a_copy_is_not_charged(ledger: suum.Ledger, tmp_path: Path) -> None:
    copy = suum.Ledger(tmp_path / "copy.ledger")
    for suffix in ["", ".key", ".head"]:
        Path(copy.path + suffix).write_bytes(Path(ledger.path + suffix).read_bytes())
    with pytest.raises(suum.LedgerError, match="made elsewhere") as refused:
        suum.mean(RANDHIE, **OPTIONS, ledger=copy, spend="10%")
    assert "verify(accept_move=True)" in (refused.value.hint or "")
    assert copy.verify(accept_move=True)["sound"]
    suum.mean(RANDHIE, **OPTIONS, ledger=copy, spend="10%")


def test_names_that_read_as_numbers_are_names(tmp_path: Path) -> None:
    path = tmp_path / "l"
    ledger = suum.Ledger.create(path, dataset="inf", levels={"inf": 0.5, "-inf": math.inf})
    assert ledger.datasets()[0]["dataset"] == "inf"
    people = {"inf": [1, 2, 3] * 50, "tier": ["inf", "-inf", "inf"] * 50}
    asked: dict[str, Any] = {"value": "inf", "privacy": "tier", "bounds": (0, 10)}
    release = suum.mean(people, **asked, ledger=ledger, spend="10%")
    assert release.ledger is not None and release.ledger["dataset"] == "inf"
    shown = ledger.balance("inf")
    assert [tier["level"] for tier in shown["tiers"]] == ["inf", "-inf"]
    assert shown["tiers"][1]["left"] == math.inf
    assert shown["columns"]["values"] == ["inf"]
