//! Effect of a release on the accounts.

use serde::Serialize;
use suum_core::Rho;
use suum_ledger::{Amount, Dataset};

use super::Forecast;

/// What a release did, or would do, to the accounts of a dataset.
///
/// Amounts are in ε. Nothing in it depends on data but what is public with replace-one neighbours:
/// how many people there are.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Ledger"))]
pub struct LedgerEffect {
    /// The dataset.
    pub dataset: String,
    /// The number of the entry that reserved the charges; none if nothing was released.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    /// Each tier, where tiers have the accounts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierEffect>,
    /// The persons, where they have the accounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<PersonsEffect>,
    /// How many people allow something in all, and had nothing left: they do not count. None where
    /// that is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhausted: Option<u64>,
    /// How many have something left, and are asked for nothing. None where that is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_asked: Option<u64>,
    /// Of how many people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
    /// Whether the accounts are private, because participation is.
    #[serde(rename = "sealed")]
    pub hidden_participation: bool,
    /// How many more releases like this the accounts can pay for. None where there is no limit, or
    /// where it depends on who takes part and that is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forecast: Option<Forecast>,
    /// Why the real cost could not be written down; then all that was reserved counts as spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// When it was released, if it is shown again: then nobody paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown_again: Option<ShownAgain>,
}

/// A release that is shown again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShownAgain {
    /// The edition that it is of.
    pub edition: String,
    /// When it was released, as `2026-03-01T12:00:00Z`.
    pub at: String,
    /// The version of suum that released it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suum: Option<String>,
}

/// The account of a tier.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TierEffect {
    /// The tier.
    pub level: String,
    /// What each of its people allows in all.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub allowed: Amount,
    /// What was gone before.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub before: Amount,
    /// What this release cost each.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub spent: Amount,
    /// The same as the ρ of the second account; of a plan, at most.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub rho: Rho,
    /// What is left.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub left: Amount,
    /// Amount that was left before.
    #[serde(skip)]
    pub(crate) had: Amount,
    /// What was asked for, where less was left: then the rest was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<suum_core::Epsilon>"))]
    pub instalment: Option<Amount>,
}

/// The accounts of persons, together.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonsEffect {
    /// How many were charged.
    pub charged: u64,
    /// The most that this release cost one of them.
    #[cfg_attr(feature = "schema", schemars(with = "suum_core::Epsilon"))]
    pub most: Amount,
    /// How many had less left than was asked for, so that the rest was taken.
    #[serde(skip_serializing_if = "is_nobody")]
    pub rest: u64,
}

fn is_nobody(count: &u64) -> bool {
    *count == 0
}

impl LedgerEffect {
    /// Returns the effect of a release that is shown again, which changes no account.
    pub(crate) fn shown_again(dataset: &Dataset, entry: u64, again: ShownAgain) -> Self {
        Self {
            dataset: dataset.name.clone(),
            entry: Some(entry),
            tiers: Vec::new(),
            persons: None,
            exhausted: None,
            not_asked: None,
            people: None,
            hidden_participation: dataset.neighbors.hides_participation(),
            forecast: None,
            warning: None,
            shown_again: Some(again),
        }
    }

    /// Sentences under the headline: the number of people with nothing left, and a note if a
    /// release is shown again.
    pub(crate) fn first_sentences(&self) -> Option<String> {
        let again = self.shown_again.as_ref().map(|ShownAgain { edition, at, .. }| {
            format!("Released at {at} as edition {edition}; shown again, nobody pays.")
        });
        again.or_else(|| self.exhaustion())
    }

    /// Sentence on the number of people with nothing left; `None` if there are none, or it is
    /// private.
    ///
    /// # Example
    ///
    /// ```
    /// let effect = suum::LedgerEffect {
    ///     dataset: "visits".to_owned(),
    ///     entry: Some(7),
    ///     tiers: Vec::new(),
    ///     persons: None,
    ///     exhausted: Some(505),
    ///     not_asked: Some(0),
    ///     people: Some(526),
    ///     hidden_participation: false,
    ///     forecast: None,
    ///     warning: None,
    ///     shown_again: None,
    /// };
    /// let said = effect.exhaustion().unwrap_or_default();
    /// assert_eq!(said, "505 of 526 records have nothing left and do not count.");
    /// ```
    pub fn exhaustion(&self) -> Option<String> {
        let (exhausted, people) = (self.exhausted.filter(|count| *count > 0)?, self.people?);
        let many = self.many();
        let (have, do_not) = if exhausted == 1 { ("has", "does not") } else { ("have", "do not") };
        Some(format!("{exhausted} of {people} {many} {have} nothing left and {do_not} count."))
    }

    /// Noun for the counted units: accounts of tiers do not know whose rows they are.
    pub(crate) fn many(&self) -> &'static str {
        if self.persons.is_some() { "people" } else { "records" }
    }
}
