//! What in a job does not go together, whichever way it was said.

use suum_core::{Error, Result};

use crate::query::{StatisticName, place};
use crate::{Charge, DataSource, Job, Population};

impl Job {
    /// Refuses what would be ignored, or contradicts itself.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_planned()?;
        let target = [
            (self.charge.target_rmse.is_some(), "target-rmse"),
            (self.charge.target_half_width.is_some(), "target-half-width"),
        ];
        match first(&target) {
            Some(option) if self.charge.ledger.is_none() => Err(no_ledger(option)),
            _ => Ok(()),
        }
    }

    /// As [`check`](Self::check), for a plan: without a ledger it says how many people a target
    /// takes.
    pub(crate) fn check_planned(&self) -> Result<()> {
        if !self.answers.is_empty() {
            return self.check_answers();
        }
        self.query.check()?;
        self.check_checked()?;
        self.check_declared()?;
        self.check_source()?;
        self.charge.check()
    }

    /// Refuses what a check of bounds cannot be made with.
    fn check_checked(&self) -> Result<()> {
        self.query.check_checked()?;
        let charge = &self.charge;
        let alone = [
            (self.source.from_levels.is_some(), "from-levels"),
            (charge.target_rmse.is_some(), "target-rmse"),
            (charge.target_half_width.is_some(), "target-half-width"),
        ];
        match first(&alone).filter(|_| self.query.check_bounds.is_some()) {
            Some(option) => Err(Error::request(format!(
                "check-bounds: it is a second answer, and {option} is for one"
            ))
            .with_hint(format!("leave --check-bounds or --{option} out"))),
            None => Ok(()),
        }
    }

    /// Refuses what one of several answers refuses, and what is for one alone.
    fn check_answers(&self) -> Result<()> {
        self.check_each(Self::check_planned)?;
        let (source, charge) = (&self.source, &self.charge);
        let alone = [
            (source.from_levels.is_some(), "from-levels"),
            (charge.target_rmse.is_some(), "target-rmse"),
            (charge.target_half_width.is_some(), "target-half-width"),
        ];
        if let Some(option) = first(&alone) {
            return Err(Error::request(format!(
                "{option}: is for one answer, and not for several"
            ))
            .with_hint(match option {
                "from-levels" => "name the data in place of --from-levels".to_owned(),
                _ => format!("use --spend SHARE in place of --{option}"),
            }));
        }
        for (at, answer) in self.answers.iter().enumerate() {
            let query = &answer.query;
            let is_known = !query.neighbors.hides_participation();
            if is_known && query.statistic == StatisticName::Count && answer.share.is_some() {
                return Err(Error::request("share: a count is exact and costs nothing")
                    .with_hint("leave share out")
                    .within(&place(at)));
            }
        }
        Ok(())
    }

    /// Refuses what `check` refuses of the job of an answer, and says of which.
    pub(crate) fn check_each(&self, check: impl Fn(&Self) -> Result<()>) -> Result<()> {
        let checked = |(at, one)| check(&one).map_err(|refused| refused.within(&place(at)));
        self.each().enumerate().try_for_each(checked)
    }

    /// Refuses what is said of data, where it contradicts itself.
    pub(crate) fn check_source(&self) -> Result<()> {
        let (query, source) = (&self.query, &self.source);
        if query.levels.is_some() && query.epsilon.is_some() {
            return Err(Error::request("levels: budgets are numbers, so there are no tiers")
                .with_hint("leave one of --levels and --epsilon out"));
        }
        if source.from_levels.is_some() {
            self.check_level_table()?;
        } else if query.rows.is_some() && query.person.is_none() {
            return Err(Error::request("rows: is for persons with several rows")
                .with_hint("leave --rows out, or name the column of persons with --person COL"));
        }
        query.groups()?;
        query.strata()?;
        if query.compared()?.is_some() && query.shrink {
            return Err(Error::request("shrink: the difference of shrunk means has no interval")
                .with_hint("leave one of --shrink and --between out"));
        }
        if query.between.is_some() && query.crosstab.is_some() {
            return Err(Error::request("crosstab: its cells and margins are not compared")
                .with_hint("compare the shares of one column: --value COL --categories A,B,C"));
        }
        source.check()
    }

    /// Refuses what is declared to hide who takes part, where that is not hidden.
    fn check_declared(&self) -> Result<()> {
        let query = &self.query;
        let declared =
            [(query.epsilon_range.is_some(), "epsilon-range"), (query.clip.is_some(), "clip")];
        match first(&declared) {
            Some(option) if !query.neighbors.hides_participation() => {
                Err(Error::request(format!("{option}: is for --neighbors add-remove"))
                    .with_hint(format!("leave --{option} out, or add --neighbors add-remove")))
            }
            _ => Ok(()),
        }
    }

    /// What is said of records, whatever is asked of them.
    fn of_records(&self) -> [(bool, &'static str); 8] {
        let (query, source) = (&self.query, &self.source);
        [
            (source.data.is_some(), "data"),
            (source.table.is_some(), "table"),
            (source.query.is_some(), "query"),
            (source.filter.is_some(), "where"),
            (source.consent.is_some(), "consent"),
            (query.privacy.is_some(), "privacy"),
            (query.epsilon.is_some(), "epsilon"),
            (query.person.is_some(), "person"),
        ]
    }

    /// Refuses what is asked of records where a level table stands for them.
    fn check_level_table(&self) -> Result<()> {
        let query = &self.query;
        let asked = [
            (query.missing.is_some(), "missing"),
            (query.missing_consent.is_some(), "missing-consent"),
            (query.null.is_some(), "null"),
            (query.rows.is_some(), "rows"),
        ];
        match first(&self.of_records()).or(first(&asked)) {
            Some(option) => Err(instead_of_records(option, "a level table", "from-levels")),
            None => Ok(()),
        }
    }

    /// Refuses people of data beside people that are assumed.
    pub(crate) fn check_population(&self, population: &Population) -> Result<()> {
        let table = [(self.source.from_levels.is_some(), "from-levels")];
        match first(&self.of_records()).or(first(&table)) {
            // Where it is hidden who takes part, a plan reads no data.
            _ if population.profile.is_some() && self.query.has_strata() => {
                Err(Error::request("profile: it does not say in which stratum people are")
                    .with_hint("name the data in place of --profile, or leave the strata out"))
            }
            Some(option)
                if population.profile.is_some() && !self.query.neighbors.hides_participation() =>
            {
                Err(instead_of_records(option, "a profile", "profile"))
            }
            _ => Ok(()),
        }
    }
}

impl DataSource {
    /// Refuses two sources at once, and trust in a query that there is not.
    fn check(&self) -> Result<()> {
        if self.table.is_some() && self.query.is_some() {
            return Err(Error::request("query: records are those of a table or of a query")
                .with_hint("leave one of --table and --query out"));
        }
        match (&self.consent, &self.key) {
            (Some(_), None) => {
                return Err(Error::parameter("key: it is not said what a choice is found by")
                    .with_hint(
                        "name the column of keys, in the data and in the consent file: --key id, \
                         or --key respondent=id",
                    ));
            }
            (None, Some(_)) => {
                return Err(Error::request("key: there is no consent file")
                    .with_hint("name it with --consent FILE, or leave --key out"));
            }
            (Some(file), _) if file == "-" => {
                return Err(Error::request("consent: it cannot be standard input")
                    .with_hint("write it to a file, and name that"));
            }
            (Some(_), _) if self.table.is_some() || self.query.is_some() => {
                return Err(Error::request("consent: a database has no file beside it").with_hint(
                    "join the table of choices, which has every key once, in a query, and look at \
                     it yourself: --query \"SELECT d.*, c.tier FROM data d LEFT JOIN consent c ON \
                     c.id = d.id\" --trust-query",
                ));
            }
            _ => {}
        }
        if let Some(option) = self.said_of_csv().filter(|_| self.data.is_none()) {
            return Err(Self::no_csv(option));
        }
        if self.trust_query && self.query.is_none() {
            return Err(Error::request("trust-query: there is no query to trust")
                .with_hint("leave --trust-query out, or give --query SQL"));
        }
        Ok(())
    }
}

impl Charge {
    /// Refuses targets that are no lengths, and what is said of accounts where there is no ledger.
    fn check(&self) -> Result<()> {
        if self.target_rmse.is_some() && self.target_half_width.is_some() {
            return Err(Error::request("target-rmse: there is a target for the interval, too")
                .with_hint("leave one of --target-rmse and --target-half-width out"));
        }
        let targets =
            [("target-rmse", self.target_rmse), ("target-half-width", self.target_half_width)];
        for (option, target) in targets {
            if target.is_some_and(|target| !(target > 0.0 && target.is_finite())) {
                return Err(Error::parameter(format!("{option}: must be a positive number"))
                    .with_hint(format!("for example --{option} 0.5")));
            }
        }
        if self.again && self.edition.is_none() {
            return Err(Error::request("again: it is for a release of an edition")
                .with_hint("leave --again out; without --edition every release is a new one"));
        }
        if self.edition.as_ref().is_some_and(|label| label.trim().is_empty()) {
            return Err(Error::parameter("edition: the label is empty")
                .with_hint("name the state of the data, for example --edition 2026-03"));
        }
        if self.ledger.is_some() {
            return Ok(());
        }
        let given = [
            (self.dataset.is_some(), "dataset"),
            (self.spend.is_some(), "spend"),
            (self.edition.is_some(), "edition"),
        ];
        match first(&given) {
            Some(option) => Err(no_ledger(option)),
            None => Ok(()),
        }
    }
}

fn no_ledger(option: &str) -> Error {
    Error::request(format!("{option}: there is no ledger"))
        .with_hint(format!("leave --{option} out, or name one with --ledger FILE"))
}

/// The first option that is given.
fn first(options: &[(bool, &'static str)]) -> Option<&'static str> {
    options.iter().find(|(given, _)| *given).map(|(_, option)| *option)
}

/// The refusal of an option where something stands for the records that it is said of.
fn instead_of_records(option: &str, what: &str, beside: &str) -> Error {
    Error::request(format!("{option}: there are no records, {what} stands in their place"))
        .with_hint(format!("leave {option} or --{beside} out"))
}

#[cfg(test)]
mod tests {
    use crate::{Entries, Job};

    #[test]
    fn what_does_not_go_together_is_refused_by_name() {
        for (json, option) in [
            (r#""from_levels": "t.json", "data": "d.csv""#, "data"),
            (r#""from_levels": "t.json", "missing": 0, "value": "v""#, "missing"),
            (r#""from_levels": "t.json", "groups": "a,b""#, "group-by"),
            (r#""from_levels": "t.json", "epsilon": "e""#, "epsilon"),
            (r#""table": "t", "query": "SELECT 1""#, "query"),
            (r#""from_levels": "t.json", "where": "a = 1""#, "where"),
            (r#""data": "d.csv", "where": "lower(a) = 1""#, "where"),
            (r#""table": "t", "trust_query": true"#, "trust-query"),
            (r#""epsilon": "e", "levels": {"a": 1}"#, "levels"),
            (r#""spend": "10%""#, "spend"),
            (r#""edition": "2026""#, "edition"),
            (r#""edition": " ", "ledger": "l""#, "edition"),
            (r#""again": true, "ledger": "l""#, "again"),
            (r#""ledger": "l", "target_rmse": 0"#, "target-rmse"),
            (r#""ledger": "l", "target_half_width": -1"#, "target-half-width"),
            (r#""groups": ["a", "b"]"#, "group-by"),
            (r#""neighbors": ["add-remove"]"#, "neighbors"),
            (r#""confidence": "nan""#, "confidence"),
            (r#""cells": 77.5"#, "cells"),
            (r#""variance": "inf""#, "variance"),
        ] {
            let json = format!("{{\"statistic\": \"mean\", {json}}}");
            let refused = Entries::from_json(&json).and_then(Job::new).unwrap_err();
            assert!(refused.to_string().starts_with(&format!("{option}: ")), "{json}: {refused}");
            assert!(refused.hint().is_some());
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
