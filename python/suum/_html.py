"""Fragments of HTML with plots in SVG. They need no script and no other files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from html import escape
from typing import Any

from ._values import Estimate, Tier, figure

_STYLE = """<style>
.suum{--ink:#1f2933;--soft:#5f6b76;--line:#d3d9df;--mark:#0b6bcb;--warn:#b42318;color:var(--ink);
font:14px/1.45 system-ui,sans-serif;max-width:46em}
@media (prefers-color-scheme:dark){.suum{--ink:#e4e7eb;--soft:#9aa5b1;--line:#3e4c59;
--mark:#6cb6ff;--warn:#ff8a80}}
[data-jp-theme-light="true"] .suum{--ink:#1f2933;--soft:#5f6b76;--line:#d3d9df;
--mark:#0b6bcb;--warn:#b42318}
[data-jp-theme-light="false"] .suum{--ink:#e4e7eb;--soft:#9aa5b1;--line:#3e4c59;
--mark:#6cb6ff;--warn:#ff8a80}
.suum h3{margin:0 0 .4em;font-size:1.1em}.suum .warning{color:var(--warn);font-weight:600}
.suum table{border-collapse:collapse;margin:.6em 0;color:inherit;background:none}
.suum caption{text-align:left;color:var(--soft);padding-bottom:.2em}
.suum th,.suum td{padding:.2em .8em;border-bottom:1px solid var(--line);text-align:right;
background:none}
.suum th:first-child,.suum td:first-child{text-align:left;padding-left:0}
.suum th{font-weight:600;color:inherit}
.suum svg{display:block;max-width:100%;height:auto}.suum svg text{fill:var(--ink);font-size:12px}
.suum svg .soft{fill:var(--soft)}.suum svg .axis{stroke:var(--line)}
.suum svg .mark{stroke:var(--mark);stroke-width:2}.suum svg .dot{fill:var(--mark)}
.suum pre{white-space:pre-wrap;font-size:12px;color:inherit;background:none}
</style>"""


def fragment(title: str, parts: Iterable[str], private: bool = True, text: str = "") -> str:
    """Section with a title, these parts, and the whole text, which readers unfold."""
    heading = f"<h3>{escape(title)}</h3>" if title else ""
    warning = (
        "" if private else '<p class="warning">NOT PRIVATE: the noise comes from a known seed.</p>'
    )
    details = (
        f"<details><summary>Full report</summary><pre>{escape(text)}</pre></details>"
        if text
        else ""
    )
    label = f' aria-label="{escape(title)}"' if title else ""
    return (
        f'{_STYLE}<section class="suum"{label}>{heading}{warning}'
        f"{''.join(parts)}{details}</section>"
    )


def answers(named: Sequence[tuple[str, Estimate]]) -> str:
    """Estimates as a table, and as a plot on one axis without a variance among others: its units
    are squared.
    """
    rows = []
    heading = "interval"
    for name, one in named:
        if one.interval is not None:
            heading = f"{one.interval.confidence * 100:g} % confidence interval"
        between = _signed(one._interval_text()) or "none"
        rows.append(
            f'<tr><th scope="row">{escape(name)}</th><td>{_signed(one._text())}</td>'
            f"<td>{between}</td></tr>"
        )
    table = (
        '<table><thead><tr><th scope="col"></th><th scope="col">estimate</th>'
        f'<th scope="col">{heading}</th></tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table>"
    )
    units = {answer.unit for _, answer in named}
    in_units = [(name, answer) for name, answer in named if name != "variance"]
    # Dates and lengths of time have no common axis.
    return table + (_plot(in_units or named) if len(units) == 1 else "")


def notes(sentences: Iterable[str]) -> str:
    """Sentences that belong to the estimates above them."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def tiers(rows: Iterable[Tier], counted: str = "records") -> str:
    """Allowed and spent budget of each tier; ``counted`` names the units of a tier."""
    lines = [
        f'<tr><th scope="row">{escape(tier.level)}</th>'
        f"<td>{'–' if tier.count is None else f'{tier.count:,}'}</td>"
        f"<td>{_budget(tier.epsilon)}</td><td>{_budget(tier.spent)}</td><td>{_kept(tier)}</td></tr>"
        for tier in rows
    ]
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("tier", counted, "allowed ε", "spent ε", "kept")
    )
    return (
        "<table><caption>What each tier allowed and what was spent</caption>"
        f"<thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def accounts(dataset: Mapping[str, Any]) -> str:
    """Spent and remaining budget of each tier of a dataset of a ledger."""
    persons = dataset.get("persons")
    heads = ["tier", "allowed ε", "spent ε", "reserved ε", "left ε"]
    keys = ["allowed", "spent", "reserved", "left"]
    if persons is not None:
        heads, keys = ["tier", "persons", "spent ε", "left ε"], ["persons", "spent", "left"]
    rows = dataset["tiers"] if persons is None else persons["groups"]
    lines = [
        f'<tr><th scope="row">{escape(row["level"])}</th>'
        + "".join(f"<td>{_amount(key, row.get(key))}</td>" for key in keys)
        + "</tr>"
        for row in rows
    ]
    releases = len(dataset["releases"])
    caption = f"{dataset['dataset']}: {releases} release{'' if releases == 1 else 's'}"
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{cells}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _amount(key: str, amount: float | None) -> str:
    if amount is None:
        return "–"
    if key == "persons":
        return f"{amount:,}"
    if math.isinf(amount):
        return "∞"
    # Budgets left are rounded down, and all others up, so that none looks better than it is.
    return _rounded(amount, ROUND_FLOOR if key == "left" else ROUND_CEILING)


def bars(named: Sequence[tuple[str, float]], caption: str) -> str:
    """Amounts as bars, in the order given. Those above three times the least end at the edge, and
    say so.
    """
    most = min(max(amount for _, amount in named), 3 * min(amount for _, amount in named)) or 1.0
    lines = []
    for at, (name, amount) in enumerate(named):
        y = 18 * at
        width = 300 * min(amount / most, 1.0)
        said = _signed(figure(amount)) + (" (longer)" if amount > most else "")
        lines.append(
            f'<text x="150" y="{y + 13}" text-anchor="end">{escape(name)}</text>'
            f'<rect class="dot" x="158" y="{y + 4}" width="{width:.1f}" height="10"/>'
            f'<text class="soft" x="{166 + width:.1f}" y="{y + 13}">{said}</text>'
        )
    return _svg(580, 18 * len(named) + 4, caption, "".join(lines))


def _plot(named: Sequence[tuple[str, Estimate]]) -> str:
    """Each estimate as a dot on the line of its interval."""
    places = [one.estimate for _, one in named]
    places += [end for _, one in named for end in one.interval or ()]
    places = [place for place in places if math.isfinite(place)]
    if not places or max(places) == min(places):
        return ""
    low, high = min(places), max(places)
    left, width = 150, 360

    def at(place: float) -> float:
        return left + width * (min(max(place, low), high) - low) / (high - low)

    unit = named[0][1].unit
    lines = []
    for row, (name, one) in enumerate(named):
        y = 12 + 20 * row
        lines.append(
            f'<text x="{left - 14}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
            f'<circle class="dot" cx="{at(one.estimate):.1f}" cy="{y}" r="4.5"/>'
        )
        if one.interval is not None:
            first, last = map(at, one.interval)
            lines.append(f'<line class="mark" x1="{first:.1f}" x2="{last:.1f}" y1="{y}" y2="{y}"/>')
    y = 20 * len(named) + 6
    lines.append(f'<line class="axis" x1="{left}" x2="{left + width}" y1="{y}" y2="{y}"/>')
    lines.append(f'<text class="soft" x="{left}" y="{y + 16}">{_signed(figure(low, unit))}</text>')
    lines.append(
        f'<text class="soft" x="{left + width}" y="{y + 16}" text-anchor="end">'
        f"{_signed(figure(high, unit))}</text>"
    )
    return _svg(560, y + 22, "Estimates with their confidence intervals", "".join(lines))


def _svg(width: int, height: int, title: str, content: str) -> str:
    return (
        f'<svg role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{content}</svg>'
    )


def _signed(number: str) -> str:
    """Numbers with the sign of mathematics, where they are negative."""
    return re.sub(r"(?<![0-9])-(?=[0-9∞])", "−", number)


def rounded_up(amount: float) -> str:
    """An ε in at most four digits, rounded up.

    >>> rounded_up(0.1), rounded_up(0.100001), rounded_up(0.009999999999999998)
    ('0.1', '0.1001', '0.01')
    """
    return _rounded(amount, ROUND_CEILING)


def _rounded(amount: float, way: str) -> str:
    if not math.isfinite(amount):
        return f"{amount:g}"
    near = Context(prec=4, rounding=way).create_decimal(repr(amount))
    return f"{float(near):.4g}"


def _budget(epsilon: float) -> str:
    return "∞ (public)" if math.isinf(epsilon) else rounded_up(epsilon)


def _kept(tier: Tier) -> str:
    if tier.epsilon == 0:
        return "–"
    if math.isinf(tier.epsilon):
        return "none" if math.isinf(tier.spent) else "the rest"
    # Losses are rounded up from a grid: a part below a billionth is none.
    kept = 100 * round(1 - tier.spent / tier.epsilon, 9)
    return f"{kept:.2g} %" if kept < 99.5 else f"{kept:.3g} %"
