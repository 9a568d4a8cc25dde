//! The short text of a release: the answer first, what it takes for granted, what every tier
//! spent, and where the rest is said.

mod answer;
mod assumed;
mod better;
mod group_plans;
mod groups;
mod plan;
mod survey;
mod tiers;

use std::fmt::Write;

use suum_core::{GroupReleases, Procedure, Release};

use crate::answer::Answer;
use crate::prose::{self, Text, Tone};
use crate::view::Sort;
use crate::{how, strata};

/// How many records a release is of, as far as that is public, and which bounds values have.
pub(crate) fn scope(release: &Release) -> Vec<String> {
    answer::scope(release)
}

/// As [`scope`], of all groups.
pub(crate) fn scope_of_groups(groups: &GroupReleases) -> Vec<String> {
    answer::scope_of_groups(groups)
}

pub(crate) use group_plans::{scope as scope_of_group_plans, write as write_group_plans};
pub(crate) use groups::write as write_groups;
pub(crate) use plan::{scope as scope_of_plan, write as write_plan};
pub(crate) use survey::write as write_survey;

/// What a short text is told besides the release itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Beside {
    /// The tiers in the order declared.
    pub tiers: Vec<String>,
    /// In which order shares are listed.
    pub sort: Option<Sort>,
    /// The same of each of several answers.
    pub sorts: Vec<Option<Sort>>,
    /// What must be said below the answer: of the accounts of a ledger.
    pub below: Vec<String>,
    /// What is said at the end.
    pub last: Vec<String>,
}

/// Where the rest is said.
const DETAILS: [&str; 2] =
    ["Details: --explain, --report FILE.html", "(in Python explain(), to_html())"];

/// The short text of a release.
pub(crate) fn write(out: &mut Text, release: &Release, beside: &Beside) -> std::fmt::Result {
    how::write_warning(out, release.private)?;
    for sentence in write_answer(out, release, beside.sort) {
        prose::indented(out, &sentence);
    }
    write_notes(out, &beside.below);
    writeln!(out)?;
    tiers::write(out, &release.privacy, release.protects(), "spent ε", &beside.tiers);
    write_notes(out, &beside.last);
    if let Some(better) = better::of(release) {
        prose::paragraph(out, &better);
    }
    write_details(out);
    Ok(())
}

/// The answer alone, and what it takes for granted, which is left to be said.
fn write_answer(out: &mut Text, release: &Release, sort: Option<Sort>) -> Vec<String> {
    if release.procedure == Procedure::Exact {
        answer::exact(out, release);
        return Vec::new();
    }
    let answer = Answer::of(release);
    answer::write(out, &answer, sort);
    strata::shares_kept(release).into_iter().chain(assumed::sentences(&answer)).collect()
}

/// Sentences that other parts of an answer have to say.
fn write_notes(out: &mut Text, notes: &[String]) {
    notes.iter().for_each(|note| prose::indented(out, note));
}

fn write_details(out: &mut Text) {
    out.pieces(&DETAILS.map(|words| (words.to_owned(), Tone::Quiet)));
}
