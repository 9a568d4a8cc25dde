//! Short text of a plan: the expected error, the length of the interval, and the loss of every
//! tier.

use suum_core::{Plan, ProtectedUnit, Spending};

use super::{Beside, tiers, write_details, write_notes};
use crate::data_value;
use crate::figures::count;
use crate::how;
use crate::planned_error::PlannedError;
use crate::prose::{self, Text, Tone};
use crate::statistic::planned;
use crate::tiers::Tier;

/// Writes the short text of a plan; `interval` describes the length of the interval.
pub(crate) fn write(
    out: &mut Text,
    plan: &Plan,
    tiers: &[Tier],
    in_range: bool,
    interval: Option<String>,
    beside: &Beside,
) {
    let words = planned(plan);
    out.pieces(&[
        (format!("plan for {}{}", words.name(), how::planned_persons_suffix(plan)), Tone::Plain),
        (PlannedError::brief(&words.errors(in_range)), Tone::Answer),
        (scope(plan, tiers, in_range).join(" · "), Tone::Quiet),
    ]);
    words.notes(in_range).iter().for_each(|note| prose::indented(out, note));
    if let Some(interval) = interval {
        // Written as a part of a sentence.
        let interval = interval.replacen("Half ", "half ", 1);
        prose::indented(out, &format!("The interval: {interval}"));
    }
    write_notes(out, &beside.below);
    out.line();
    let spent = words.spent(tiers);
    let rows: Vec<Spending> = spent.lines.iter().map(|line| line.spending()).collect();
    tiers::write(out, &rows, ProtectedUnit::Record, spent.heading, &beside.tiers);
    write_notes(out, &beside.last);
    if let Some(better) = words.better() {
        prose::paragraph(out, &out.render(&better));
    }
    write_details(out);
}

/// Number of records of the plan, and the bounds.
pub(crate) fn scope(plan: &Plan, tiers: &[Tier], in_range: bool) -> Vec<String> {
    let records = tiers.iter().map(|tier| tier.count).sum::<u64>();
    let records = (records > 0).then(|| format!("{} records", count(records)));
    records.into_iter().chain(bounds(plan, in_range)).collect()
}

/// Bounds in words, if they are declared.
pub(super) fn bounds(plan: &Plan, in_range: bool) -> Option<String> {
    let bounds = planned(plan).bounds().filter(|_| !in_range);
    bounds.map(|bounds| format!("bounds {}", data_value::between(bounds)))
}
