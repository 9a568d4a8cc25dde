//! What records without a privacy choice count as.

use std::str::FromStr;

use serde::{Serialize, Serializer};
use suum_core::{Epsilon, Error, Phrase, Result, option, say};
use suum_data::Tiers;

use super::Query;

/// The tier of records that may not be used, where none is declared.
const UNUSED: &str = "no consent";

/// What records without a privacy choice count as: a declared tier, or 0 if they are not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingConsent(pub String);

impl MissingConsent {
    fn is_unused(&self) -> bool {
        self.0.trim().parse::<Epsilon>().is_ok_and(Epsilon::is_unused)
    }
}

impl FromStr for MissingConsent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}

/// The number 0, or the label.
impl Serialize for MissingConsent {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 == "0" {
            true => serializer.serialize_u64(0),
            false => serializer.serialize_str(&self.0),
        }
    }
}

impl Query {
    /// What stands in place of a missing choice, as it would be written in the data.
    pub(crate) fn missing_choice(&self) -> Option<String> {
        self.missing_consent.as_ref().map(|MissingConsent(text)| text.trim().to_owned())
    }

    /// The same with the tier that records without a choice have: one of ε = 0 is added if they
    /// are not used and no such tier is declared.
    ///
    /// # Errors
    ///
    /// Refuses a tier that is not declared, and to add one where a ledger has the tiers.
    pub(crate) fn with_missing_consent(mut self, in_ledger: bool) -> Result<Self> {
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
        // Of people who are assumed nothing is read.
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
        let Some(levels) = &self.levels else {
            return Err(refused(
                "the tiers are those of the ledger",
                "name one of its tiers, for example one of ε 0",
            ));
        };
        let unused = levels.iter().find(|(_, epsilon)| epsilon.is_unused());
        let label = match unused {
            Some((label, _)) => label.to_owned(),
            None if in_ledger => {
                return Err(refused(
                    "no tier of ε 0 is declared, and the tiers are those of the ledger",
                    "name one of its tiers",
                ));
            }
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
        let query = query.with_missing_consent(in_ledger)?;
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
    }

    #[test]
    fn what_is_no_tier_is_refused() {
        for (levels, asked, in_ledger) in
            [("a=1", "b", false), ("a=1", "0", true), ("no consent=1", "0", false)]
        {
            let refused = resolved(levels, asked, in_ledger).unwrap_err();
            assert!(refused.to_string().starts_with("missing_consent: "), "{refused}");
        }
        let numbers = |asked: &str| Query {
            epsilon: Some("e".into()),
            missing_consent: Some(MissingConsent(asked.into())),
            ..Query::default()
        };
        assert!(numbers("0").with_missing_consent(true).is_ok());
        assert!(numbers("0.1").with_missing_consent(false).is_err());
    }
}
