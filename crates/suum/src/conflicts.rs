//! Contradictions between the options of a job, at every front end.

use suum_core::{Error, OptionName, Result, for_example, leave_out, option, say};
use suum_data::DecimalMark;

use crate::options::OptionRow;
use crate::query::{MissingConsent, found, place};
use crate::statistic::StatisticName;
use crate::{Charge, DataSource, Job, Population, check_combinations};

impl Job {
    /// Refuses options that would be ignored, or that contradict each other.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_planned()?;
        let target = [
            (self.charge.target_rmse.is_some(), option::TARGET_RMSE),
            (self.charge.target_half_width.is_some(), option::TARGET_HALF_WIDTH),
        ];
        match first(&target) {
            Some(option) if self.charge.ledger.is_none() => Err(no_ledger(option)),
            _ => Ok(()),
        }
    }

    /// Refuses like [`check`](Self::check), for a plan, which may have a target without a ledger:
    /// it then computes how many people the target takes.
    pub(crate) fn check_planned(&self) -> Result<()> {
        if !self.answers.is_empty() {
            return self.check_answers();
        }
        self.query.check()?;
        self.query.check_found()?;
        self.check_found_categories()?;
        self.check_checked()?;
        self.check_declared()?;
        self.check_source()?;
        self.charge.check()
    }

    /// Refuses to find categories in a level table.
    fn check_found_categories(&self) -> Result<()> {
        if !self.query.finds_categories() {
            return Ok(());
        }
        if self.source.from_levels.is_some() {
            return Err(found::refused(
                option::FROM_LEVELS,
                "a level table has declared categories",
                say("name the data in place of").option(option::FROM_LEVELS),
            ));
        }
        Ok(())
    }

    /// Refuses options that a check of bounds excludes.
    fn check_checked(&self) -> Result<()> {
        self.query.check_checked()?;
        let charge = &self.charge;
        let alone = [
            (self.source.from_levels.is_some(), option::FROM_LEVELS),
            (charge.target_rmse.is_some(), option::TARGET_RMSE),
            (charge.target_half_width.is_some(), option::TARGET_HALF_WIDTH),
        ];
        match first(&alone).filter(|_| self.query.check_bounds.is_some()) {
            Some(option) => Err(Error::request(
                option::CHECK_BOUNDS,
                say("it is a second answer, and").option(option).say("is for one"),
            )
            .with_fix(
                say("leave").option(option::CHECK_BOUNDS).say("or").option(option).say("out"),
            )),
            None => Ok(()),
        }
    }

    /// Refuses each request that one of several answers refuses alone, and options that are for one
    /// answer.
    fn check_answers(&self) -> Result<()> {
        self.check_each(Self::check_planned)?;
        let (source, charge) = (&self.source, &self.charge);
        let alone = [
            (source.from_levels.is_some(), option::FROM_LEVELS),
            (charge.target_rmse.is_some(), option::TARGET_RMSE),
            (charge.target_half_width.is_some(), option::TARGET_HALF_WIDTH),
        ];
        if let Some(option) = first(&alone) {
            return Err(Error::request(option, "is for one answer, and not for several").with_fix(
                match option {
                    option::FROM_LEVELS => say("name the data in place of").option(option),
                    _ => say("use").set(option::SPEND, "SHARE").say("in place of").option(option),
                },
            ));
        }
        for (at, answer) in self.answers.iter().enumerate() {
            let query = &answer.query;
            if query.says_auto() {
                return Err(found::refused(
                    option::CATEGORIES,
                    "they are found by a release of its own, not by one of several answers",
                    say("ask for these shares alone"),
                )
                .within(place(at)));
            }
            let is_known = !query.neighbors.hides_participation();
            if is_known && query.statistic == StatisticName::Count && answer.share.is_some() {
                return Err(Error::request(option::SHARE, "a count is exact and costs nothing")
                    .with_fix("leave share out")
                    .within(place(at)));
            }
        }
        Ok(())
    }

    /// Runs `check` on the job of each answer; a refusal names the answer.
    pub(crate) fn check_each(&self, check: impl Fn(&Self) -> Result<()>) -> Result<()> {
        let checked = |(at, one)| check(&one).map_err(|refused| refused.within(place(at)));
        self.each().enumerate().try_for_each(checked)
    }

    /// Refuses options of data that contradict each other, or lack one that they need.
    pub(crate) fn check_source(&self) -> Result<()> {
        check_combinations(&self.set_rows())?;
        self.query.groups()?;
        self.query.check_strata()?;
        self.query.compared()?;
        self.source.check()
    }

    /// Refuses to count the records of groups with noise beside what is for one answer, or knows
    /// before that both of its groups are there.
    fn check_counted_groups(&self) -> Result<()> {
        let (query, charge) = (&self.query, &self.charge);
        if !query.counts_groups() {
            return Ok(());
        }
        if query.statistic == StatisticName::Count {
            return Err(Error::request(
                option::SUPPRESS_BELOW,
                "how many records a group has is private, and their noisy number is the answer",
            )
            .with_fix(leave_out(option::SUPPRESS_BELOW).say(", and pass over small numbers")));
        }
        let alone = [
            (query.between.is_some(), option::BETWEEN),
            (self.source.from_levels.is_some(), option::FROM_LEVELS),
            (charge.target_rmse.is_some(), option::TARGET_RMSE),
            (charge.target_half_width.is_some(), option::TARGET_HALF_WIDTH),
        ];
        let Some(option) = first(&alone) else { return Ok(()) };
        Err(Error::request(
            option::SUPPRESS_BELOW,
            say("how many records a group has is private, so it is counted with noise in an \
                 answer of its own, beside which there is no")
            .option(option),
        )
        .with_fix(say("leave").option(option::SUPPRESS_BELOW).say("or").option(option).say("out")))
    }

    /// Refuses declarations for hidden participation where participation is public.
    fn check_declared(&self) -> Result<()> {
        let query = &self.query;
        let declared = [
            (query.epsilon_range.is_some(), option::EPSILON_RANGE),
            (query.clip.is_some(), option::CLIP),
        ];
        self.check_counted_groups()?;
        query.check_memberships()?;
        let may_be_unused = self.source.has_decisions()
            || query.missing_consent.as_ref().is_some_and(MissingConsent::is_unused);
        let has_attributes = self.source.consent_attributes.is_some();
        if has_attributes && may_be_unused && query.neighbors.hides_participation() {
            return Err(Error::request(
                option::CONSENT_ATTRIBUTES,
                "whoever the register lacks has no attribute, and a refusal would tell that \
                 somebody without consent is in the data",
            )
            .with_fix(
                say("use columns of the data, or").set(option::NEIGHBORS, "replace").say("alone"),
            ));
        }
        match first(&declared) {
            Some(option) if !query.neighbors.hides_participation() => {
                Err(Error::request(option, say("is for").set(option::NEIGHBORS, "add-remove"))
                    .with_fix(
                        leave_out(option).say(", or add").set(option::NEIGHBORS, "add-remove"),
                    ))
            }
            _ => Ok(()),
        }
    }

    /// Refuses data in addition to an assumed population.
    pub(crate) fn check_population(&self, population: &Population) -> Result<()> {
        let set = self.set_rows();
        let is_of_data = |row: &&&OptionRow| row.is_of_records || row.name == "from_levels";
        match set.iter().find(is_of_data).map(|row| row.option()) {
            // Under hidden participation a plan reads no data.
            _ if population.profile.is_some() && self.query.has_strata() => {
                Err(Error::request(option::PROFILE, "it does not say in which stratum people are")
                    .with_fix(
                        say("name the data in place of")
                            .option(option::PROFILE)
                            .say(", or leave the strata out"),
                    ))
            }
            Some(option)
                if population.profile.is_some() && !self.query.neighbors.hides_participation() =>
            {
                let problem = "there are no records, a profile stands in their place";
                Err(Error::request(option, problem).with_fix(
                    say("leave").option(option).say("or").option(option::PROFILE).say("out"),
                ))
            }
            _ => Ok(()),
        }
    }
}

impl DataSource {
    /// Refuses a register that cannot be read twice, words of a status with two meanings, and a
    /// comma as both delimiter and decimal mark.
    fn check(&self) -> Result<()> {
        self.status_words()?;
        if self.decimal == Some(DecimalMark::Comma) && self.csv_form().delimiter.is_comma() {
            return Err(Error::request(
                option::DECIMAL,
                "commas separate the cells of the file already",
            )
            .with_fix(
                say("say what does: files with decimal commas usually have")
                    .set(option::DELIMITER, ";")
                    .say("; or leave")
                    .option(option::DECIMAL)
                    .say("out if numbers have points"),
            ));
        }
        match &self.consent {
            Some(file) if file == "-" => {
                Err(Error::request(option::CONSENT, "it cannot be standard input")
                    .with_fix("write it to a file, and name that"))
            }
            _ => Ok(()),
        }
    }
}

impl Charge {
    /// Refuses targets that are not positive numbers, and an edition with an empty label.
    fn check(&self) -> Result<()> {
        let targets = [
            (option::TARGET_RMSE, self.target_rmse),
            (option::TARGET_HALF_WIDTH, self.target_half_width),
        ];
        for (option, target) in targets {
            let amount = target.map(|length| length.amount);
            if amount.is_some_and(|amount| !(amount > 0.0 && amount.is_finite())) {
                return Err(Error::parameter(option, "must be a positive number")
                    .with_fix(for_example(option, "0.5")));
            }
        }
        if self.edition.as_ref().is_some_and(|label| label.trim().is_empty()) {
            return Err(Error::parameter(option::EDITION, "the label is empty").with_fix(
                say("name the state of the data, for example").set(option::EDITION, "2026-03"),
            ));
        }
        Ok(())
    }
}

fn no_ledger(option: OptionName) -> Error {
    Error::request(option, "there is no ledger")
        .with_fix(leave_out(option).say(", or name one with").set(option::LEDGER, "FILE"))
}

/// First option that is set.
fn first(options: &[(bool, OptionName)]) -> Option<OptionName> {
    options.iter().find(|(given, _)| *given).map(|(_, option)| *option)
}

#[cfg(test)]
mod tests {
    use crate::{Entries, Job};

    #[test]
    fn what_does_not_go_together_is_refused_by_name() {
        for (json, option) in [
            (r#""from_levels": "t.json", "data": "d.csv""#, "data"),
            (r#""from_levels": "t.json", "missing": 0, "value": "v""#, "missing"),
            (r#""from_levels": "t.json", "groups": "a,b""#, "groups"),
            (r#""from_levels": "t.json", "epsilon": "e""#, "epsilon"),
            (r#""table": "t", "query": "SELECT 1""#, "query"),
            (r#""from_levels": "t.json", "where": "a = 1""#, "where"),
            (r#""data": "d.csv", "where": "lower(a) = 1""#, "where"),
            (r#""table": "t", "trust_query": true"#, "trust_query"),
            (r#""epsilon": "e", "levels": {"a": 1}"#, "levels"),
            (r#""spend": "10%""#, "spend"),
            (r#""edition": "2026""#, "edition"),
            (r#""edition": " ", "ledger": "l""#, "edition"),
            (r#""again": true, "ledger": "l""#, "again"),
            (r#""allow_moves": true"#, "allow_moves"),
            (r#""ledger": "l", "target_rmse": 0"#, "target_rmse"),
            (r#""ledger": "l", "target_half_width": -1"#, "target_half_width"),
            (r#""groups": ["a", "b"]"#, "groups"),
            (r#""group_by": "g""#, "group_by"),
            (r#""other_group": "rest""#, "other_group"),
            (r#""between": ["a", "b"]"#, "between"),
            (r#""consent": "c.csv""#, "consent"),
            (r#""consent": "c.csv", "key": "id", "from_levels": "t""#, "consent"),
            (r#""consent_from": "f""#, "consent_from"),
            (r#""consent_reference": "f""#, "consent_reference"),
            (r#""consent_attributes": "a""#, "consent_attributes"),
            (r#""consent": "c.csv", "key": "id", "as_of": "2026-01-01""#, "as_of"),
            (r#""consent": "c.csv", "key": "id", "consent_from": "f", "as_of": "now""#, "as_of"),
            (
                r#""consent": "c.csv", "key": "id", "consent_withdrawn": ["gone"]"#,
                "consent_withdrawn",
            ),
            (
                r#""consent": "c", "key": "k", "consent_status": "s", "consent_expired": "ACTIVE""#,
                "consent_expired",
            ),
            (r#""key": "id""#, "key"),
            (r#""adapt": true, "no_adapt": true"#, "adapt"),
            (r#""privacy": "p""#, "privacy"),
            (r#""privacy": "p", "levels": "a=1", "epsilon": "e""#, "privacy"),
            (r#""neighbors": ["add-remove"]"#, "neighbors"),
            (r#""confidence": "nan""#, "confidence"),
            (r#""cells": 77.5"#, "cells"),
            (r#""variance": "inf""#, "variance"),
        ] {
            let json = format!("{{\"statistic\": \"mean\", {json}}}");
            let refused = Entries::from_json(&json).and_then(Job::new).unwrap_err();
            assert!(refused.to_string().starts_with(&format!("{option}: ")), "{json}: {refused}");
            assert!(refused.fix().is_some());
        }
        let json = r#"{"statistic": "quantile", "rows": 3, "epsilon": "e"}"#;
        let refused = Entries::from_json(json).and_then(Job::new).unwrap_err();
        assert!(refused.to_string().starts_with("rows: "), "{refused}");
        let json = r#"{"statistic": "mean", "profile": {"0.1": 5}, "data": "d.csv"}"#;
        let (job, people) = Job::with_population(Entries::from_json(json).unwrap()).unwrap();
        let refused = job.check_population(&people).unwrap_err();
        assert!(refused.to_string().starts_with("data: "), "{refused}");
    }
}
