//! Costs of a release or a charge.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use suum_core::{Neighbors, Rho};
use suum_ledger::{Amount, Cost, Dataset, Holder, Record, RecordCharge};

use crate::ledgers::forecast::level;
use crate::ledgers::statement::right_of_100;

/// The most that people of a class lost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct CostRecord {
    pub(super) level: String,
    /// None of a budget that a certificate names.
    #[serde(skip)]
    pub(super) holder: Option<Holder>,
    /// The number of persons; none for tiers, and where participation is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) persons: Option<u64>,
    pub(super) epsilon: Amount,
    /// None where the certificate of a release has the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rho: Option<Rho>,
    /// Of 100 guesses with even chances about what the data of one of them say, how many are right
    /// at most by this alone.
    pub(super) guess: f64,
}

impl CostRecord {
    /// Costs of a release or a charge.
    ///
    /// Where participation is hidden, the accounts of persons tell it, and only what the
    /// certificate of the release says of declared budgets is public.
    pub(super) fn all(dataset: &Dataset, record: &Record) -> Vec<Self> {
        match (hides_persons(dataset), &record.certificate) {
            (true, Some(certificate)) => Self::from_certificate(dataset, certificate),
            (true, None) => Vec::new(),
            (false, _) => Self::from_charges(dataset, &record.charges),
        }
    }

    /// Charges by class, in their order.
    fn from_charges(dataset: &Dataset, charges: &[RecordCharge]) -> Vec<Self> {
        let mut costs: Vec<(&Holder, Cost, Option<u64>)> = Vec::new();
        let mut places: BTreeMap<_, usize> = BTreeMap::new();
        for charge in charges {
            let place = *places.entry(order(&charge.holder)).or_insert_with(|| {
                costs.push((&charge.holder, Cost::ZERO, charge.persons.map(|_| 0)));
                costs.len() - 1
            });
            let (_, cost, persons) = &mut costs[place];
            *cost = cost.max(charge.counted);
            if let (Some(all), Some(more)) = (persons, charge.persons) {
                *all += more;
            }
        }
        let of = |(holder, cost, persons): (&Holder, Cost, Option<u64>)| Self {
            level: level(holder),
            holder: Some(holder.clone()),
            persons,
            epsilon: cost.epsilon,
            rho: Some(cost.rho),
            guess: guess(dataset.neighbors, cost.epsilon),
        };
        costs.into_iter().map(of).collect()
    }

    /// The certificate of a release: what is spent of each declared budget, in any of its parts.
    fn from_certificate(dataset: &Dataset, certificate: &Value) -> Vec<Self> {
        let mut losses: Vec<(String, Amount)> = Vec::new();
        add_losses(certificate, &mut losses);
        let of = |(level, epsilon): (String, Amount)| Self {
            level,
            holder: None,
            persons: None,
            epsilon,
            rho: None,
            guess: guess(dataset.neighbors, epsilon),
        };
        losses.into_iter().map(of).collect()
    }
}

/// Tells holders apart.
fn order(holder: &Holder) -> (u8, &str, Amount) {
    match holder {
        Holder::Tier(label) => (0, label, Amount::ZERO),
        Holder::Everybody => (1, "", Amount::ZERO),
        Holder::Own(allowed) => (2, "", *allowed),
        Holder::NoConsent => (3, "", Amount::ZERO),
        Holder::Unknown => (4, "", Amount::ZERO),
    }
}

/// Returns true if persons hold the accounts and participation is hidden: then the accounts
/// themselves are secret.
pub(super) fn hides_persons(dataset: &Dataset) -> bool {
    dataset.is_of_persons() && dataset.neighbors.hides_participation()
}

/// Returns how many of 100 guesses with even chances about what the data of somebody say are right
/// at most after this loss.
pub(super) fn guess(relation: Neighbors, epsilon: Amount) -> f64 {
    // A change of values is a removal and an addition.
    let times = if relation == Neighbors::AddRemove { 2.0 } else { 1.0 };
    right_of_100(times * epsilon.in_epsilon())
}

/// Adds the losses of a document; of several parts that name a level the largest.
///
/// Whatever has parts has their sum as its own, so that the largest is that of the whole; of groups
/// it is the largest of any.
fn add_losses(document: &Value, losses: &mut Vec<(String, Amount)>) {
    let inner: Vec<&Value> = match document {
        Value::Array(items) => items.iter().collect(),
        Value::Object(fields) => fields.values().collect(),
        _ => return,
    };
    for line in document["privacy"].as_array().into_iter().flatten() {
        let (Some(level), Some(spent)) = (line["level"].as_str(), loss(&line["spent"])) else {
            continue;
        };
        match losses.iter_mut().find(|(known, _)| known == level) {
            Some((_, most)) => *most = spent.max(*most),
            None => losses.push((level.to_owned(), spent)),
        }
    }
    inner.into_iter().for_each(|value| add_losses(value, losses));
}

/// A loss as a release states it, rounded up.
fn loss(stated: &Value) -> Option<Amount> {
    match stated {
        Value::Number(number) => Amount::charged(&number.to_string()).ok(),
        Value::String(text) => Amount::charged(text).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_largest_loss_of_each_level() {
        let line = |level: &str, spent: Value| serde_json::json!({"level": level, "spent": spent});
        let certificate = serde_json::json!({
            "groups": [
                {"privacy": [line("0.1", 0.0499999.into()), line("1", 0.7.into())]},
                {"privacy": [line("0.1", 0.05.into()), line("inf", "inf".into())]},
            ],
            "text": "privacy",
        });
        let mut losses = Vec::new();
        add_losses(&certificate, &mut losses);
        let expected = [
            ("0.1".to_owned(), Amount::micros(50_000)),
            ("1".to_owned(), Amount::micros(700_000)),
            ("inf".to_owned(), Amount::Unlimited),
        ];
        assert_eq!(losses, expected);
    }
}
