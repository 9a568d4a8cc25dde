"""Registers of decisions over time, in files and in memory."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
import suum

DOCS = Path(__file__).parents[2] / "docs"

PEOPLE = {"who": ["a", "b", "c", "d"] * 5, "x": [0.0, 1.0, 2.0, 3.0] * 5}
REGISTER = {
    "id": ["a", "a", "b", "b", "c", "d"],
    "tier": ["open", "strict", "open", None, "open", "open"],
    "signed": [
        datetime.date(2026, 1, 1),
        datetime.date(2026, 2, 1),
        datetime.date(2026, 1, 1),
        datetime.date(2026, 2, 15),
        datetime.date(2026, 1, 1),
        datetime.date(2026, 1, 1),
    ],
    "until": [None, None, None, None, datetime.date(2026, 3, 1), None],
    "status": ["active", None, "active", "withdrawn", "active", "active"],
}
ASKED: dict[str, Any] = {
    "value": "x",
    "bounds": (0, 3),
    "privacy": "tier",
    "levels": {"strict": 0.5, "open": 2},
    "person": "who",
    "key": "who=id",
    "consent_from": "signed",
    "consent_until": "until",
    "consent_status": "status",
    "insecure_seed": 3,
}


def _released(data: object, consent: object, **more: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {**ASKED, "as_of": datetime.date(2026, 3, 1), **more}
    release: dict[str, Any] = json.loads(suum.mean(data, consent=consent, **asked).to_json())
    release.pop("query")
    return release


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    people, register = tmp_path / "people.csv", tmp_path / "register.csv"
    pandas.DataFrame(PEOPLE).to_csv(people, index=False)
    pandas.DataFrame(REGISTER).to_csv(register, index=False)
    return str(people), str(register)


def test_registers_in_memory_are_read_as_files_are(files: tuple[str, str]) -> None:
    people, register = files
    expected = _released(people, register)
    assert expected["consent"] == {"as_of": "2026-03-01", "not_used": 2}
    tables = [make(PEOPLE) for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table, dict)]
    registers = [
        make(REGISTER) for make in (pandas.DataFrame, polars.DataFrame, pyarrow.table, dict)
    ]
    for table in tables:
        assert _released(table, register) == expected
    for one in registers:
        assert _released(people, one) == expected
        assert _released(tables[0], one) == expected
    times = pandas.DataFrame(REGISTER)
    times["signed"] = pandas.to_datetime(times["signed"])
    assert _released(people, times) == expected


def test_several_answers_read_one_register(files: tuple[str, str]) -> None:
    asked = {**ASKED, "as_of": "2026-02-20"}
    answers = [{"statistic": "mean", "value": "x", "bounds": (0, 3)}, {"statistic": "count"}]
    for option in ("value", "bounds"):
        asked.pop(option)
    table = pandas.DataFrame(REGISTER)
    survey = suum.run({"answers": answers, **asked, "consent": table}, pandas.DataFrame(PEOPLE))
    assert json.loads(survey.to_json())["consent"] == {"as_of": "2026-02-20", "not_used": 1}


def test_what_is_no_register_is_refused() -> None:
    with pytest.raises(suum.RequestError, match="consent: it is not said what"):
        suum.mean(PEOPLE, consent=REGISTER, **{**ASKED, "key": None})
    with pytest.raises(suum.RequestError, match="consent: expected a path, or a table"):
        suum.mean(PEOPLE, consent=3, **ASKED)
    wrong = {**REGISTER, "signed": [None, *REGISTER["signed"][1:]]}
    with pytest.raises(suum.DataError, match="column signed, row 1: missing date") as refused:
        suum.mean(PEOPLE, consent=wrong, **ASKED)
    assert "leave consent_from out" in str(refused.value)


def test_recipe_for_fhir_makes_a_register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "how-to" / "consent-over-time.md").read_text(encoding="utf-8")
    found = re.search(r"```sql\n(.*?)```", page, re.DOTALL)
    assert found

    def consent(person: str, status: str, **more: object) -> dict[str, object]:
        return {
            "resourceType": "Consent",
            "meta": {"versionId": "1", "lastUpdated": "2025-09-15T10:30:00+02:00"},
            "status": status,
            "patient": {"reference": f"Patient/{person}"},
            "dateTime": "2025-01-03",
            "policyRule": {"coding": [{"system": "https://example.org/tiers", "code": "open"}]},
            "policy": [{"uri": "https://example.org/forms/v1"}],
            **more,
        }

    period = {"provision": {"period": {"start": "2025-01-27", "end": "2026-01-01"}}}
    resources = [
        consent("a", "active"),
        consent("b", "inactive"),
        consent("c", "active", **period),
        consent("d", "entered-in-error"),
        consent("d", "active"),
    ]
    monkeypatch.chdir(tmp_path)
    Path("Consent.ndjson").write_text("\n".join(map(json.dumps, resources)), encoding="utf-8")
    duckdb.connect().execute(found[1])
    release = _released(PEOPLE, "register.csv", consent_reference="form")
    assert release["consent"] == {"as_of": "2026-03-01", "not_used": 2}
    before = _released(PEOPLE, "register.csv", as_of="2025-12-31", missing_consent=0)
    assert before["consent"]["not_used"] == 1


def test_attributes_of_a_register_stand_in_for_columns(tmp_path: Path) -> None:
    regions = {"a": "n", "b": "s", "c": "n", "d": "s"}
    register = {**REGISTER, "region": [regions[key] for key in REGISTER["id"] if key]}
    beside = {**PEOPLE, "region": [regions[str(who)] for who in PEOPLE["who"]]}
    asked: dict[str, Any] = {"group_by": "region", "groups": ["n", "s"]}
    expected = _released(beside, REGISTER, **asked)
    people, file = tmp_path / "people.csv", tmp_path / "register.csv"
    pandas.DataFrame(PEOPLE).to_csv(people, index=False)
    pandas.DataFrame(register).to_csv(file, index=False)
    for data, consent in [
        (PEOPLE, register),
        (pandas.DataFrame(PEOPLE), polars.DataFrame(register)),
        (pyarrow.table(PEOPLE), str(file)),
        (str(people), pandas.DataFrame(register)),
    ]:
        assert _released(data, consent, **asked, consent_attributes=["region"]) == expected
