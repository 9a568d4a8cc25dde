//! Table of allowed, spent and kept budget of tiers, with bars.

use suum_core::{Epsilon, ProtectedUnit, Spending};

use crate::figures::{budget, count, is_named_by, percent_at_least, spent_in, tier};
use crate::prose::Text;
use crate::table::Table;
use crate::tiers::{Band, Line};

/// Number of digits of a loss, which is rounded up.
const DIGITS: i32 = 3;

/// Least and largest length of a bar.
const BAR: [usize; 2] = [5, 20];

/// Writes the table; `declared` are the tiers in the order declared, if they are known.
pub(super) fn write(
    out: &mut Text,
    privacy: &[Spending],
    whom: ProtectedUnit,
    heading: &str,
    declared: &[String],
) {
    let lines = ordered(privacy, declared);
    let bands = Band::from_lines(&lines);
    // Budgets that are numbers say themselves what is allowed.
    let named = lines.iter().any(|line| !is_named_by(&line.tier.level, line.tier.epsilon));
    let counted = lines.iter().any(|line| line.is_counted);
    let table = |length: Option<usize>| -> Table {
        Table::from_rows("", &bands)
            .words(if named { "tier" } else { "allowed ε" }, |band| name(band, named))
            .when(counted, |table| table.number(whom.many(), |band| count(band.people())))
            .when(named, |table| {
                table.number("allowed ε", |band| match band.lines.as_slice() {
                    [line] if is_named_by(&line.tier.level, line.tier.epsilon) => String::new(),
                    _ => band.ends(|line| allowed(line.tier.epsilon)),
                })
            })
            .number(heading, losses)
            .words("", |band| {
                let most = band.used().reduce(f64::max);
                let bar = match (length, most) {
                    (Some(length), Some(most)) => format!("{}  ", bar(most, length)),
                    (Some(length), None) => " ".repeat(length + 2),
                    (None, _) => String::new(),
                };
                bar + &kept_part(band)
            })
            .into()
    };
    let left = out.width().saturating_sub(table(None).width() + 2).min(BAR[1]);
    out.table(&table((left >= BAR[0]).then_some(left)));
}

/// Lines in the order declared, if all of their tiers are declared; otherwise in their own order.
fn ordered(privacy: &[Spending], declared: &[String]) -> Vec<Line> {
    let place = |row: &Line| declared.iter().position(|tier| row.tier.level == **tier);
    let mut lines: Vec<Line> = privacy.iter().map(Line::from_spending).collect();
    if lines.iter().all(|row| place(row).is_some()) {
        lines.sort_by_key(place);
    }
    lines
}

/// Budget in a table, where ∞ needs no explanation.
fn allowed(epsilon: Epsilon) -> String {
    if epsilon.is_public() { "∞".to_owned() } else { budget(epsilon) }
}

/// Name of a line: a tier or its budget; for several tiers their number or the range of budgets.
fn name(band: &Band<'_>, named: bool) -> String {
    match band.lines.as_slice() {
        [line] if !is_named_by(&line.tier.level, line.tier.epsilon) => {
            tier(&line.tier.level, line.tier.epsilon)
        }
        [_, _, ..] if named => format!("{} tiers", count(band.lines.len() as u64)),
        _ => band.ends(|line| allowed(line.tier.epsilon)),
    }
}

/// Spent loss; for several tiers the largest.
fn losses(band: &Band<'_>) -> String {
    let most = band
        .most()
        .map_or_else(String::new, |line| spent_in(&line.loss, line.tier.epsilon, DIGITS));
    if band.lines.len() > 1 { format!("up to {most}") } else { most }
}

/// Part of a budget that is kept, rounded down; for several tiers the least part.
fn kept_part(band: &Band<'_>) -> String {
    let one = band.lines.len() == 1;
    let Some(most) = band.used().reduce(f64::max) else {
        let public = band.lines.iter().any(|line| line.tier.epsilon.is_public());
        return if public { "public" } else { "not used" }.to_owned();
    };
    match 1.0 - most {
        1.0 => if one { "keeps all" } else { "keep all" }.to_owned(),
        share if share >= 0.01 && one => format!("keeps {}", percent_at_least(share)),
        share if share >= 0.01 => format!("keep {} or more", percent_at_least(share)),
        _ => String::new(),
    }
}

/// Bar of the spent part, rounded up: full only if all is spent, to three digits.
fn bar(share: f64, length: usize) -> String {
    let full = match share {
        0.0 => 0,
        // The kept part is too small to be shown in words, too.
        share if share > 0.9995 => length,
        share => ((share * length as f64).ceil() as usize).min(length - 1),
    };
    format!("{}{}", "█".repeat(full), "░".repeat(length - full))
}

#[cfg(test)]
mod tests {
    use suum_core::{LevelName, Loss};

    use super::*;
    use crate::view::View;

    fn spending(level: &str, epsilon: f64, count: u64, spent: (u64, u64)) -> Spending {
        Spending {
            level: LevelName::Label(level.to_owned()),
            epsilon: Epsilon::new(epsilon).unwrap(),
            count: Some(count),
            spent: Loss::ratio(spent.0, spent.1),
            weight: None,
            delta: None,
        }
    }

    fn table(rows: &[Spending], declared: &[&str], columns: usize) -> String {
        let mut out = Text::new(&View::default().wide(columns));
        let declared: Vec<String> = declared.iter().map(|tier| (*tier).to_owned()).collect();
        write(&mut out, rows, ProtectedUnit::Record, "spent ε", &declared);
        out.finish()
    }

    #[test]
    fn bars_are_full_only_where_nothing_is_kept() {
        assert_eq!(bar(0.0, 10), "░░░░░░░░░░");
        assert_eq!(bar(0.001, 10), "█░░░░░░░░░");
        assert_eq!(bar(0.999, 10), "█████████░");
        assert_eq!(bar(1.0, 10), "██████████");
    }

    #[test]
    fn tiers_stand_in_the_order_declared_and_fit() {
        let strict = spending("strict", 0.01, 6835, (1, 100));
        let rows = [strict, spending("relaxed", 1.0, 4028, (7099, 10_000))];
        for columns in [60, 80, 120] {
            let text = table(&rows, &["relaxed", "strict"], columns);
            assert!(text.lines().all(|line| line.chars().count() <= columns), "{text}");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            assert!(lines[1].starts_with("relaxed    4,028          1     0.71  ██"), "{text}");
            assert!(lines[1].ends_with("░  keeps 29 %"), "{text}");
            assert!(lines[2].starts_with("strict     6,835"), "{text}");
        }
        let unknown = table(&rows, &["strict"], 80);
        assert!(unknown.lines().nth(1).unwrap().contains("strict"), "{unknown}");
    }

    #[test]
    fn many_numbers_are_shown_in_tenths() {
        let rows: Vec<Spending> = (1..=400)
            .map(|at| {
                let epsilon = at as f64 / 4.0;
                spending(&epsilon.to_string(), epsilon, 10, (at.min(200), 4))
            })
            .collect();
        let text = table(&rows, &[], 80);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 11, "{text}");
        assert!(lines[1].starts_with("0.25 to 10        400  up to 10  █████"), "{text}");
        assert!(lines[10].starts_with("90.25 to 100      400  up to 50"), "{text}");
        assert!(lines[10].ends_with("keep 44 % or more"), "{text}");
    }
}
