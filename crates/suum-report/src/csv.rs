//! Releases as CSV: a row for each estimate, for dashboards and spreadsheets.

use suum_core::{Estimate, GroupName, Quantity, Release, Releases};

use crate::figure::ALL;
use crate::figures::candidate;

/// Cells of a row.
type Row = [String; 9];

/// Names of the columns.
const HEADER: [&str; 9] =
    ["group", "statistic", "estimate", "lower", "upper", "epsilon", "label", "column", "private"];

/// Returns releases as CSV with a header: a row for each estimate, margin and difference.
///
/// `lower` and `upper` are the ends of the interval, empty if there is none. `epsilon` is the most
/// that any record spent on all rows together; `label` the category of a share, or the rank of a
/// quantile. A group without records has a row without numbers. Numbers have all their digits,
/// dates and times are written as in JSON, and `private` is false for noise from a seed. A label
/// that a spreadsheet would take for a formula stands behind an apostrophe.
///
/// # Example
///
/// ```
/// use suum_core::{LevelTable, Measure, Options, Release};
///
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let count = Release::count(&nobody, &Options::default())?;
/// let csv = suum_report::releases_csv(&count.into());
/// assert!(csv.starts_with("group,statistic,estimate,lower,upper,epsilon,"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn releases_csv(releases: &Releases) -> String {
    let certificate = releases.certificate();
    let most = certificate.iter().map(|row| row.spent.rounded_up()).fold(0.0, f64::max);
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let rows = rows(releases, most).into_iter().map(|row| row.map(|cell| harmless(&cell)));
    // Writing to memory never fails.
    std::iter::once(HEADER.map(str::to_owned))
        .chain(rows)
        .for_each(|row| drop(writer.write_record(row)));
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn rows(releases: &Releases, most: f64) -> Vec<Row> {
    match releases {
        Releases::One(release) => rows_of_release(release, "", most),
        Releases::Survey(survey) => {
            survey.answers().iter().flat_map(|answer| rows(&answer.releases, most)).collect()
        }
        Releases::Groups(groups) => {
            let first = groups.iter().next();
            let of_group = |(name, release): &(GroupName, Option<Release>)| match release {
                Some(release) => rows_of_release(release, name.as_str(), most),
                None => vec![empty(name.as_str(), first)],
            };
            let mut rows: Vec<_> = groups.groups().iter().flat_map(of_group).collect();
            if let (Some(difference), Some(first)) = (groups.difference(), first) {
                let [one, other] = &difference.between;
                let between = format!("{one} − {other}");
                rows.extend(difference.estimates.iter().map(|estimate| {
                    let (_, label) = named(&estimate.of);
                    // The difference of two dates is a number.
                    row(estimate, false, label, first, (&between, most))
                }));
            }
            rows
        }
    }
}

/// Rows of a release: its estimates, and the margins of a cross table.
fn rows_of_release(release: &Release, group: &str, most: f64) -> Vec<Row> {
    let of_estimate = |estimate: &Estimate| {
        let (_, label) = named(&estimate.of);
        row(estimate, true, label, release, (group, most))
    };
    let mut rows: Vec<Row> = release.estimates.iter().map(of_estimate).collect();
    for (at, margin) in release.margins.iter().enumerate() {
        rows.extend(margin.shares.iter().map(|estimate| {
            let (_, label) = named(&estimate.of);
            let label = if at == 0 { format!("{label}, {ALL}") } else { format!("{ALL}, {label}") };
            row(estimate, true, label, release, (group, most))
        }));
    }
    rows
}

fn row(
    estimate: &Estimate,
    is_value: bool,
    label: String,
    release: &Release,
    (group, most): (&str, f64),
) -> Row {
    let scale = release.scale().filter(|_| is_value && estimate.of.is_value());
    let written = |number: f64| match scale {
        Some(scale) => scale.text(number),
        None => number.to_string(),
    };
    let ends = estimate.interval.map(|interval| [interval.lower, interval.upper].map(written));
    let [lower, upper] = ends.unwrap_or_default();
    let (statistic, _) = named(&estimate.of);
    [
        group.to_owned(),
        statistic,
        written(estimate.estimate),
        lower,
        upper,
        most.to_string(),
        label,
        column(release),
        release.private.to_string(),
    ]
}

/// Row of a group without records.
fn empty(group: &str, other: Option<&Release>) -> Row {
    let (statistic, _) =
        other.and_then(|one| one.estimates.first()).map(|one| named(&one.of)).unwrap_or_default();
    let (column, is_private) =
        other.map_or((String::new(), true), |one| (column(one), one.private));
    let mut row = Row::default();
    row[0] = group.to_owned();
    row[1] = statistic;
    row[7] = column;
    row[8] = is_private.to_string();
    row
}

/// Name of a quantity, and the category or the rank that it is of.
fn named(quantity: &Quantity) -> (String, String) {
    match quantity {
        Quantity::Share(category) => ("share".to_owned(), category.clone()),
        Quantity::OtherShares => ("others".to_owned(), String::new()),
        Quantity::Quantile(rank) => ("quantile".to_owned(), candidate(rank.get())),
        other => (other.to_string(), String::new()),
    }
}

fn column(release: &Release) -> String {
    match release.crosstab() {
        Some(crosstab) => crosstab.columns().join(", "),
        None => release.column.clone().unwrap_or_default(),
    }
}

/// Returns a cell that no spreadsheet takes for a formula, and no terminal for a command.
fn harmless(cell: &str) -> String {
    let printed: String =
        cell.chars().map(|one| if one.is_control() { ' ' } else { one }).collect();
    let mut characters = printed.chars();
    let is_formula = match (characters.next(), characters.next()) {
        (Some('=' | '@'), _) => true,
        // But not a number, or a bin that begins with one.
        (Some('+' | '-'), next) => !next.is_some_and(|next| next.is_ascii_digit()),
        _ => false,
    };
    if is_formula && printed != "-inf" { format!("'{printed}") } else { printed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_no_formulas() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("-x", "'-x"),
            ("-5 to 0", "-5 to 0"),
            ("-inf", "-inf"),
            ("a\u{1b}b\n", "a b "),
        ] {
            assert_eq!(harmless(cell), written);
        }
    }
}
