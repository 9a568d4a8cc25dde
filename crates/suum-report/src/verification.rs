//! Result of checking a certificate, as text.

use std::fmt::Write;

use suum_core::{LevelName, Verification, VerifiedCertificate};

use crate::figures::{budget, count, significant, tier, trimmed};
use crate::table::Table;
use crate::tiers::LINES;

/// Largest number of certificates that are shown line by line; beyond it, only those that do not
/// agree.
const CERTIFICATES: usize = 6;

/// Text of a certificate's claims beside the recomputed cost of its measurements.
///
/// # Example
///
/// ```
/// use suum_core::{Release, ReleaseRecord, LevelTable, Measure, Options, Verification};
///
/// let nobody = LevelTable::possibly_empty(None, Measure::Nothing, vec![])?;
/// let release = Release::count(&nobody, &Options::default())?;
/// let record: ReleaseRecord = serde_json::from_str(&suum_report::json(&release)?).unwrap();
/// let text = suum_report::verification_text(&Verification::compute(&record)?);
/// assert!(text.contains("It agrees"));
/// # Ok::<(), suum_core::Error>(())
/// ```
pub fn verification_text(verification: &Verification) -> String {
    let mut out = String::new();
    let certificates = &verification.certificates;
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "Certificate of a {}, computed again from what it lists",
        visible(verification.statistic.as_deref().unwrap_or("release")),
    );
    let few = certificates.len() <= CERTIFICATES;
    for one in certificates.iter().filter(|one| few || !one.faults.is_empty()) {
        write_certificate(&mut out, one);
    }
    let wrong = certificates.iter().filter(|one| !one.faults.is_empty()).count();
    out += "\n";
    if wrong == 0 {
        out += "It agrees: the spent ε of every level is what the listed measurements cost, in\n\
                exact arithmetic, and no more than was allowed. Estimates lie in their intervals\n\
                and bounds, and numbers that follow from each other agree. That estimates are\n\
                what was drawn, with noise as listed, cannot be seen from a release.\n";
    } else {
        let what = number(wrong, "list", "lists");
        let _ = writeln!(out, "IT DOES NOT AGREE: {what} of {}.", certificates.len());
    }
    out
}

fn write_certificate(out: &mut String, one: &VerifiedCertificate) {
    let of = visible(&one.of.join(", "));
    let listed = number(one.measurements, "measurement", "measurements");
    // The total of groups or answers has no measurements of its own.
    let _ = match (one.of.is_empty(), one.measurements) {
        (true, _) => writeln!(out, "\n{listed}"),
        (false, 0) => writeln!(out, "\n{of}"),
        (false, _) => writeln!(out, "\n{of}: {listed}"),
    };
    let table: Table = Table::at_most(LINES, "", &one.levels)
        .words("tier", |row| visible(&tier(&LevelName::Label(row.level.clone()), row.epsilon)))
        .number("allowed ε", |row| budget(row.epsilon))
        .number("spent ε", |row| digits(row.spent))
        .number("computed again", |row| digits(row.recomputed.rounded_up()))
        .into();
    table.lines().iter().for_each(|line| *out += &format!("{line}\n"));
    for fault in one.faults.iter().take(LINES) {
        let _ = writeln!(out, "  WRONG  {}", visible(fault));
    }
}

/// Text of the checked file, without characters that move a cursor or end a line.
fn visible(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn digits(number: f64) -> String {
    if number.is_infinite() { "∞".to_owned() } else { trimmed(&significant(number, 8)) }
}

fn number(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n as u64), if n == 1 { one } else { many })
}
