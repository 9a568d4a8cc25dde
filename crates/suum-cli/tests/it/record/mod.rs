//! Answers on record: what commands say with the noise at zero, and how they would be protected.
//!
//! A redesign may change how an answer comes about, and which random numbers it takes. It must not
//! change tables, plans, weights, scales, what is spent, or the answer but for the noise, unless
//! that is its purpose: then the record shows what changed. `INSTA_UPDATE=always cargo test -p
//! suum-cli record` writes it anew, to be read before it is committed.

pub(crate) mod commands;
pub(crate) mod data;
mod ledgers;
mod projection;

use std::collections::BTreeSet;
use std::fmt::Write;

use suum::{Answer, JobInputs, Result};
use suum_cli::{answer, parse};

use super::release_schema::{self, Schema};
use data::Data;

/// Least number of commands on record, so that none gets lost.
const AT_LEAST: usize = 400;

fn run(words: &[String]) -> Result<Answer> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    parse(words).and_then(|asked| answer(asked, JobInputs::default()))
}

/// Output of a command on one line; a refusal is an answer too.
fn recorded(data: &Data, schema: &Schema, command: &str) -> String {
    if command.contains("--spend") {
        return ledgers::after(data, schema, command);
    }
    match run(&data.words(command)) {
        Ok(answer) => {
            schema.look_at(&answer);
            projection::project(&answer.json().unwrap())
        }
        Err(refused) => format!("refused: {refused}"),
    }
}

#[test]
fn answers_are_those_on_record() {
    let data = Data::new();
    let schema = Schema::for_releases();
    let mut count = 0;
    for (family, commands) in commands::families() {
        let mut text = String::new();
        for command in &commands {
            let said = data.without_paths(&recorded(&data, &schema, command));
            writeln!(text, "$ {command}\n{said}\n").unwrap();
        }
        count += commands.len();
        insta::assert_snapshot!(family, text);
    }
    assert!(count >= AT_LEAST, "{count} commands on record");
    release_schema::look_at(&schema, run);
    assert_eq!(schema.wrong(), BTreeSet::new(), "this does not follow the schema of releases");
    // Shares are compared several at a time, a share is no date, a charge is hardly ever lost, and
    // labels of the command line are text; only Python names functions, and conditions on records
    // have tests of their own, as have tiers with too little left, decisions over time, groups that
    // are too small, persons in several groups, and categories that are found.
    let never = [
        ".consent",
        ".function",
        ".groups_from",
        ".label_types",
        ".where",
        "Consent.as_of",
        "Consent.not_used",
        "Forecast.without",
        "FoundCategories.counts",
        "FoundCategories.delta",
        "FoundCategories.shown_by_half",
        "FoundCategories.threshold",
        "FoundCountText.noisy",
        "FoundCountText.public",
        "Group.found_categories",
        "Group.others",
        "GroupReleases.category",
        "GroupReleases.max_groups",
        "GroupReleases.members",
        "GroupReleases.person_groups",
        "GroupReleases.suppressed",
        "LabelTypes.categories",
        "LabelTypes.groups",
        "Ledger.warning",
        "MeasurementEntry.down",
        "MeasurementEntry.threshold",
        "Members.counts_as",
        "Members.epsilon",
        "Members.groups",
        "Members.level",
        "Members.part",
        "Members.persons",
        "Release.found_categories",
        "Release.others",
        "ShareOfCategory.iso8601",
        "SmallGroups.below",
        "SmallGroups.groups",
        "Spending.delta",
        "SurveyAnswer.counts_groups",
    ];
    assert_eq!(schema.never_used(), never);
}
