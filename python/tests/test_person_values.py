"""What counts of a person with several rows: shares and modes of categories, and the last row."""

import datetime
import math
from collections.abc import Callable
from typing import Any

import pytest

import suum

ROWS: dict[str, list[Any]] = {
    "id": [1, 1, 2, 2, 3],
    "h": ["a", "b", "b", "a", "b"],
    "v": [4.0, 9.0, 1.0, 5.0, 8.0],
    "day": [datetime.date(2024, 1, day) for day in (31, 2, 3, 4, 5)],
    "t": ["p"] * 5,
}
PUBLIC: dict[str, Any] = {"person": "id", "privacy": "t", "levels": {"p": math.inf}}


def _pandas() -> Any:
    return pytest.importorskip("pandas").DataFrame(ROWS)


def _polars() -> Any:
    return pytest.importorskip("polars").DataFrame(ROWS)


def _lazy() -> Any:
    return pytest.importorskip("polars").LazyFrame(ROWS)


def _arrow() -> Any:
    return pytest.importorskip("pyarrow").table(ROWS)


def _duckdb() -> Any:
    arrow = _arrow()
    return pytest.importorskip("duckdb").from_arrow(arrow)


@pytest.mark.parametrize("made", [lambda: ROWS, _pandas, _polars, _lazy, _arrow, _duckdb])
def test_frames_have_shares_modes_and_last_rows(made: Callable[[], Any]) -> None:
    categories = ["a", "b"]
    shares = suum.frequency(made(), "h", categories=categories, **PUBLIC)
    assert [float(shares[name]) for name in categories] == pytest.approx([1 / 3, 2 / 3], abs=1e-6)
    modes = suum.frequency(made(), "h", categories=categories, per_person="mode", **PUBLIC)
    assert float(modes["a"]) == pytest.approx(2 / 3)
    mean = suum.mean(made(), "v", bounds=(0, 10), per_person="last:day", **PUBLIC)
    assert float(mean) == pytest.approx((4 + 5 + 8) / 3, abs=1e-6)
    assert mean.to_dict()["contribution"] == "last of rows"


def test_answers_of_a_block_and_of_a_study_have_last_rows() -> None:
    columns = {"v": suum.number(0, 10)}
    study = suum.Study(ROWS, consent=suum.tiers("t", p=math.inf), person="id", columns=columns)
    study = study.options(per_person="last:day")
    last = (4 + 5 + 8) / 3
    assert float(study.mean("v")) == pytest.approx(last, abs=1e-6)
    with study.release() as release:
        mean = release.mean("v")
    assert float(mean) == pytest.approx(last, abs=1e-6)


def test_groups_in_a_frame_can_be_found() -> None:
    options: dict[str, Any] = {"bounds": (0, 10), "privacy": "t", "levels": {"p": math.inf}}
    found = suum.mean(ROWS, "v", group_by="h", groups="auto", **options)
    assert list(found) == ["a", "b"]
    assert float(found["a"]) == pytest.approx(4.5, abs=1e-6)
    with pytest.raises(suum.RequestError, match="groups: .*whether anybody is in a group"):
        suum.mean(ROWS, "v", group_by="h", groups="auto", neighbors="both", **options)


@pytest.mark.parametrize("made", [lambda: ROWS, _pandas, _polars, _lazy, _arrow, _duckdb])
def test_persons_of_frames_count_in_all_of_their_groups(made: Callable[[], Any]) -> None:
    options = {**PUBLIC, "bounds": (0, 10), "group_by": "h", "groups": ["a", "b"]}
    with pytest.raises(suum.Error, match="person_groups=.public."):
        suum.mean(made(), "v", **options)
    means = suum.mean(made(), "v", person_groups="public", **options)
    # Two persons in both groups, and one in b alone.
    assert float(means["a"]) == pytest.approx((4 + 5) / 2, abs=1e-6)
    assert float(means["b"]) == pytest.approx((9 + 1 + 8) / 3, abs=1e-6)
    members = means.to_dict()["members"]
    assert [(one["groups"], one["persons"]) for one in members] == [(1, 1), (2, 2)]


def test_a_study_by_groups_has_their_members() -> None:
    columns = {"v": suum.number(0, 10), "h": suum.labels("a", "b")}
    study = suum.Study(ROWS, consent=suum.tiers("t", p=math.inf), person="id", columns=columns)
    means = study.by("h", person_groups="public").mean("v")
    assert means.to_dict()["person_groups"] == "public"
    hidden = study.options(neighbors="both").by("h", max_groups=2)
    assert hidden.mean("v").to_dict()["max_groups"] == 2
