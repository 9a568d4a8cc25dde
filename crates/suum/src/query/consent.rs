//! Treatment of records without a privacy choice.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Epsilon, Error, Phrase, Result, option, say};
use suum_data::Tiers;

use super::Query;

/// Name of the tier of records that may not be used, if none is declared.
pub(crate) const UNUSED: &str = "no consent";

/// Choice of records without one: a declared tier, or 0 if they are not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingConsent(pub String);

impl MissingConsent {
    /// Returns true if those without a choice are not used.
    pub(crate) fn is_unused(&self) -> bool {
        self.0.trim().parse::<Epsilon>().is_ok_and(Epsilon::is_unused)
    }
}

impl FromStr for MissingConsent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}

/// Serialized as the number 0, or the label.
impl Serialize for MissingConsent {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 == "0" {
            true => serializer.serialize_u64(0),
            false => serializer.serialize_str(&self.0),
        }
    }
}

/// Returns the tiers of a ledger, with an unused one for people whose decision does not hold.
///
/// # Errors
///
/// Refuses tiers of which one has that name and allows something.
pub(crate) fn with_unused(tiers: &Tiers) -> Result<Tiers> {
    let all = || tiers.iter().map(|(label, epsilon)| (label.to_owned(), epsilon));
    match tiers.iter().find(|(label, _)| *label == UNUSED) {
        Some((_, epsilon)) if epsilon.is_unused() => Ok(tiers.clone()),
        Some(_) => Err(no_unused()),
        None => Tiers::new(all().chain([(UNUSED.to_owned(), Epsilon::UNUSED)])),
    }
}

/// Returns the refusal of tiers none of which is unused.
fn no_unused() -> Error {
    let problem = format!("tier {UNUSED} is for people who are not used, and allows something");
    Error::parameter(option::LEVELS, problem).with_fix("give that tier another name")
}

impl Query {
    /// Returns the choice that a decision counts as if it does not hold, as it would be written in
    /// the data; `tiers` are those of the release.
    pub(crate) fn ended_choice(&self, tiers: Option<&Tiers>, in_ledger: bool) -> String {
        let Some(tiers) = tiers.filter(|_| self.epsilon.is_none()) else { return "0".to_owned() };
        let unused = tiers.iter().find(|(_, epsilon)| !in_ledger && epsilon.is_unused());
        unused.map_or(UNUSED, |(label, _)| label).to_owned()
    }

    /// Replacement for a missing choice, as it would be written in the data.
    pub(crate) fn missing_choice(&self) -> Option<String> {
        self.missing_consent.as_ref().map(|MissingConsent(text)| text.trim().to_owned())
    }

    /// Adds the tier of records without a choice: one of ε = 0 if they are not used, or if
    /// decisions can end (`over_time`), and no such tier is declared.
    ///
    /// # Errors
    ///
    /// Refuses a tier that is not declared.
    pub(crate) fn with_missing_consent(mut self, in_ledger: bool, over_time: bool) -> Result<Self> {
        let has_unused = |tiers: &Tiers| tiers.iter().any(|(_, epsilon)| epsilon.is_unused());
        if over_time && !in_ledger && self.epsilon.is_none() {
            self.levels = match self.levels.take() {
                Some(tiers) if has_unused(&tiers) => Some(tiers),
                tiers => tiers.as_ref().map(with_unused).transpose()?,
            };
        }
        let Some(asked) = &self.missing_consent else { return Ok(self) };
        if self.epsilon.is_some() {
            return match asked.is_unused() {
                true => Ok(self),
                false => Err(refused(
                    "budgets are numbers, so records without one are not used or refused",
                    say("say").set(option::MISSING_CONSENT, "0").say(", or leave it out"),
                )),
            };
        }
        // Assumed people have no cells to read.
        if self.privacy.is_none() {
            return Ok(self);
        }
        let declared = |label: &str| self.levels.iter().flat_map(Tiers::iter).any(|t| t.0 == label);
        let is_declared = declared(asked.0.trim());
        if is_declared || (in_ledger && !asked.is_unused()) {
            return Ok(self);
        }
        if !asked.is_unused() {
            return Err(refused(
                "the tier of records without a choice is not declared",
                say("name one of")
                    .option(option::LEVELS)
                    .say(", or 0 for records that are not used"),
            ));
        }
        // Every ledger has that tier, also if it was not declared.
        let is_declared = self.levels.as_ref().is_some_and(has_unused);
        if in_ledger && (over_time || !is_declared) {
            self.missing_consent = Some(MissingConsent(UNUSED.to_owned()));
            return Ok(self);
        }
        // Missing tiers are refused with what else is missing.
        let Some(levels) = &self.levels else { return Ok(self) };
        let unused = levels.iter().find(|(_, epsilon)| epsilon.is_unused());
        let label = match unused {
            Some((label, _)) => label.to_owned(),
            None if declared(UNUSED) => {
                return Err(refused(
                    "no tier of ε 0 is declared",
                    say("declare one with").option(option::LEVELS),
                ));
            }
            None => {
                let all = levels.iter().map(|(label, epsilon)| (label.to_owned(), epsilon));
                let all = all.chain([(UNUSED.to_owned(), Epsilon::UNUSED)]);
                self.levels = Some(Tiers::new(all)?);
                UNUSED.to_owned()
            }
        };
        self.missing_consent = Some(MissingConsent(label));
        Ok(self)
    }
}

fn refused(what: &'static str, fix: impl Into<Phrase>) -> Error {
    Error::parameter(option::MISSING_CONSENT, what).with_fix(fix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(levels: &str, asked: &str, in_ledger: bool) -> Result<(String, String)> {
        let query = Query {
            privacy: Some("consent".into()),
            levels: Some(levels.parse()?),
            missing_consent: Some(asked.parse()?),
            ..Query::default()
        };
        let query = query.with_missing_consent(in_ledger, false)?;
        let levels = query.levels.as_ref().map(Tiers::to_string).unwrap_or_default();
        Ok((levels, query.missing_choice().unwrap_or_default()))
    }

    #[test]
    fn zero_is_a_tier_of_zero() {
        let is = |levels: &str, asked: &str, all: &str, choice: &str| {
            assert_eq!(resolved(levels, asked, false).unwrap(), (all.into(), choice.into()));
        };
        is("a=1,b=inf", "a", "a=1,b=inf", "a");
        is("a=1,b=0,c=0", "0", "a=1,b=0,c=0", "b");
        is("a=1", "0", "a=1,no consent=0", "no consent");
        is("0=1", "0", "0=1", "0");
        let in_ledger = |levels: &str| resolved(levels, "0", true).unwrap();
        assert_eq!(in_ledger("a=1"), ("a=1".into(), "no consent".into()));
        assert_eq!(in_ledger("a=1,b=0"), ("a=1,b=0".into(), "b".into()));
    }

    #[test]
    fn decisions_over_time_have_a_tier_of_zero() {
        let query = |levels: &str, asked: Option<&str>| Query {
            privacy: Some("consent".into()),
            levels: Some(levels.parse().unwrap()),
            missing_consent: asked.map(|asked| asked.parse().unwrap()),
            ..Query::default()
        };
        for (levels, all, ended) in [
            ("a=1", "a=1,no consent=0", "no consent"),
            ("a=1,b=0", "a=1,b=0", "b"),
            ("a=1,no consent=0", "a=1,no consent=0", "no consent"),
        ] {
            let query = query(levels, None).with_missing_consent(false, true).unwrap();
            assert_eq!(query.levels.as_ref().map(Tiers::to_string).as_deref(), Some(all));
            assert_eq!(query.ended_choice(query.levels.as_ref(), false), ended);
        }
        assert!(query("no consent=1", None).with_missing_consent(false, true).is_err());
        let in_ledger = query("a=1", Some("0")).with_missing_consent(true, true).unwrap();
        assert_eq!(in_ledger.missing_choice().as_deref(), Some("no consent"));
        let left = "a=0,b=0.5".parse().unwrap();
        assert_eq!(in_ledger.ended_choice(Some(&left), true), "no consent");
        let budgets = Query { epsilon: Some("e".into()), ..Query::default() };
        assert_eq!(budgets.ended_choice(None, true), "0");
    }

    #[test]
    fn what_is_no_tier_is_refused() {
        for (levels, asked, in_ledger) in
            [("a=1", "b", false), ("a=1", "1", false), ("no consent=1", "0", false)]
        {
            let refused = resolved(levels, asked, in_ledger).unwrap_err();
            assert!(refused.to_string().starts_with("missing_consent: "), "{refused}");
        }
        let numbers = |asked: &str| Query {
            epsilon: Some("e".into()),
            missing_consent: Some(MissingConsent(asked.into())),
            ..Query::default()
        };
        assert!(numbers("0").with_missing_consent(true, false).is_ok());
        assert!(numbers("0.1").with_missing_consent(false, false).is_err());
    }
}
