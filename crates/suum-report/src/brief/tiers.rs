//! What tiers allowed, spent and keep, in a table with bars.

use suum_core::{Epsilon, Protected, Spending};

use crate::figures::{budget, count, percent_at_least, spent_in, tier};
use crate::prose::Text;
use crate::table::{Table, selection};

/// How many tiers there are lines for.
const LINES: usize = 16;

/// More budgets than that, if they are numbers, are shown in so many groups of about as many
/// records.
const GROUPS: usize = 10;

/// How many digits of a loss are shown, rounded up.
const DIGITS: i32 = 3;

/// How long a bar is, at least and at most.
const BAR: [usize; 2] = [5, 20];

/// A line of the table.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    /// The tier, or which budgets.
    name: String,
    /// What is allowed; nothing where the name says it.
    allowed: Option<String>,
    count: Option<u64>,
    spent: String,
    /// The part of what is allowed that is spent; none of what is public or not used.
    share: Option<f64>,
    /// What is kept, in words.
    kept: String,
}

/// The table; `declared` are the tiers in the order declared, if they are known.
pub(super) fn write(
    out: &mut Text,
    privacy: &[Spending],
    whom: Protected,
    heading: &str,
    declared: &[String],
) {
    let rows = ordered(privacy, declared);
    // Budgets that are numbers say themselves what is allowed.
    let named = !rows.iter().all(|row| is_number(row));
    let lines = if rows.len() > LINES && !named {
        grouped(&rows)
    } else {
        let gap = Line {
            name: "…".to_owned(),
            allowed: None,
            count: None,
            spent: String::new(),
            share: None,
            kept: String::new(),
        };
        let shown = selection(rows.len(), LINES).into_iter();
        shown
            .map(|at| at.and_then(|at| rows.get(at)).map_or(gap.clone(), |row| line(row)))
            .collect()
    };
    let counted = rows.iter().any(|row| row.count.is_some());
    let mut headings = vec![if named { "tier" } else { "allowed ε" }];
    headings.extend(counted.then_some(whom.many()));
    headings.extend(named.then_some("allowed ε"));
    headings.push(heading);
    headings.push("");
    let cells = |line: &Line| {
        let mut cells = vec![line.name.clone()];
        cells.extend(counted.then(|| line.count.map_or_else(String::new, count)));
        cells.extend(named.then(|| line.allowed.clone().unwrap_or_default()));
        cells.push(line.spent.clone());
        cells
    };
    let table = |length: Option<usize>| {
        let mut table = Table::of(1, &headings);
        for line in &lines {
            let bar = match (length, line.share) {
                (Some(length), Some(share)) => format!("{}  ", bar(share, length)),
                (Some(length), None) => " ".repeat(length + 2),
                (None, _) => String::new(),
            };
            table.row_of(cells(line), Some(bar + &line.kept));
        }
        table
    };
    let left = out.width().saturating_sub(table(None).width() + 2).min(BAR[1]);
    out.table(&table((left >= BAR[0]).then_some(left)));
}

/// The rows in the order declared, if that is known of all of them.
fn ordered<'a>(privacy: &'a [Spending], declared: &[String]) -> Vec<&'a Spending> {
    let place = |row: &Spending| declared.iter().position(|tier| *tier == row.level);
    let mut rows: Vec<&Spending> = privacy.iter().collect();
    if rows.iter().all(|row| place(row).is_some()) {
        rows.sort_by_key(|row| place(row));
    }
    rows
}

/// Whether a budget serves as the name of the tier.
fn is_number(row: &Spending) -> bool {
    row.level == row.epsilon.to_string() || row.level == row.epsilon.written().to_string()
}

/// A budget in a table, where ∞ needs no more words.
fn allowed(epsilon: Epsilon) -> String {
    if epsilon.is_public() { "∞".to_owned() } else { budget(epsilon) }
}

fn line(row: &Spending) -> Line {
    let is_number = is_number(row);
    let limited = !row.epsilon.is_public() && !row.epsilon.is_unused();
    Line {
        name: if is_number { allowed(row.epsilon) } else { tier(&row.level, row.epsilon) },
        allowed: (!is_number).then(|| allowed(row.epsilon)),
        count: row.count,
        spent: spent_in(&row.spent, row.epsilon, DIGITS),
        share: limited.then(|| row.spent.rounded_up() / row.epsilon.get()),
        kept: kept(row),
    }
}

/// What is kept of a budget: never more than that, however it is rounded.
fn kept(row: &Spending) -> String {
    if row.epsilon.is_public() {
        return "public".to_owned();
    }
    if row.epsilon.is_unused() {
        return "not used".to_owned();
    }
    match 1.0 - row.spent.rounded_up() / row.epsilon.get() {
        1.0 => "keeps all".to_owned(),
        share if share >= 0.01 => format!("keeps {}", percent_at_least(share)),
        _ => String::new(),
    }
}

/// A bar of what is spent, rounded up: full only where all is, to three digits.
fn bar(share: f64, length: usize) -> String {
    let full = match share {
        0.0 => 0,
        // What is kept of it is not shown in words either.
        share if share > 0.9995 => length,
        share => ((share * length as f64).ceil() as usize).min(length - 1),
    };
    format!("{}{}", "█".repeat(full), "░".repeat(length - full))
}

/// Budgets that are numbers in tenths of the records, or of the budgets where it is hidden how many
/// records they have; public ones and unused ones by themselves.
fn grouped(rows: &[&Spending]) -> Vec<Line> {
    let alone = |row: &&&Spending| row.epsilon.is_public() || row.epsilon.is_unused();
    let mut numbers: Vec<&Spending> = rows.iter().filter(|row| !alone(row)).copied().collect();
    numbers.sort_by(|one, other| one.epsilon.get().total_cmp(&other.epsilon.get()));
    let size = |row: &Spending| row.count.unwrap_or(1) as f64;
    let all: f64 = numbers.iter().map(|row| size(row)).sum();
    let mut groups: Vec<Vec<&Spending>> = vec![Vec::new(); GROUPS];
    let mut before = 0.0;
    for row in numbers {
        let middle = (before + size(row) / 2.0) / all;
        groups[((middle * GROUPS as f64) as usize).min(GROUPS - 1)].push(row);
        before += size(row);
    }
    let unused = rows.iter().filter(|row| row.epsilon.is_unused());
    let public = rows.iter().filter(|row| row.epsilon.is_public());
    let groups = groups.iter().filter(|group| !group.is_empty()).map(|group| merged(group));
    unused.map(|row| line(row)).chain(groups).chain(public.map(|row| line(row))).collect()
}

/// Several budgets in one line, from the least to the largest.
fn merged(rows: &[&Spending]) -> Line {
    let ends = |text: &dyn Fn(&Spending) -> String| {
        let (first, last) = (rows.first().map(|row| text(row)), rows.last().map(|row| text(row)));
        match (first, last) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (first, _) => first.unwrap_or_default(),
        }
    };
    let spent: Vec<f64> = rows.iter().map(|row| row.spent.rounded_up()).collect();
    let spent = || rows.iter().zip(&spent);
    let most = spent().map(|(row, spent)| spent / row.epsilon.get()).fold(0.0, f64::max);
    let largest = spent().max_by(|(_, one), (_, other)| one.total_cmp(other));
    let share = 1.0 - most;
    Line {
        name: ends(&|row| budget(row.epsilon)),
        allowed: None,
        count: rows.iter().map(|row| row.count).sum(),
        spent: largest.map_or_else(String::new, |(row, _)| {
            format!("up to {}", spent_in(&row.spent, row.epsilon, DIGITS))
        }),
        share: Some(most),
        kept: match share {
            1.0 => "keep all".to_owned(),
            share if share >= 0.01 => format!("keep {} or more", percent_at_least(share)),
            _ => String::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use suum_core::Loss;

    use super::*;
    use crate::view::View;

    fn spending(level: &str, epsilon: f64, count: u64, spent: (u64, u64)) -> Spending {
        Spending {
            level: level.to_owned(),
            epsilon: Epsilon::new(epsilon).unwrap(),
            count: Some(count),
            spent: Loss::ratio(spent.0, spent.1),
            weight: None,
        }
    }

    fn table(rows: &[Spending], declared: &[&str], columns: usize) -> String {
        let mut out = Text::new(&View::default().wide(columns));
        let declared: Vec<String> = declared.iter().map(|tier| (*tier).to_owned()).collect();
        write(&mut out, rows, Protected::Record, "spent ε", &declared);
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
