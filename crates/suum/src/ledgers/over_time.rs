//! Amounts left to each tier after each entry.

use std::collections::BTreeMap;

use suum_core::TimeScale;
use suum_ledger::{
    Accounts, AmendmentRecord, Amount, Cost, Dataset, Holder, Lifetime, Record, RecordCharge,
    RecordState,
};

/// Amounts left to each tier over time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OverTime {
    /// Tiers and their present allowances; a single `everybody` where all persons allow the same.
    pub(super) tiers: Vec<(String, Amount)>,
    /// Entry, time, and the amount left to each tier.
    pub(super) left: Vec<(u64, String, Vec<Amount>)>,
    /// Time of each entry that made a cost known, and the amount left to each tier, and its
    /// allowance, after it. Reservations count here from their end on, and open ones from their
    /// beginning.
    settled: Vec<(String, Vec<(Amount, Amount)>)>,
}

impl OverTime {
    /// Computes the amounts from the charges to a dataset, oldest first.
    ///
    /// For persons, an amount is the least that somebody of the tier had left: as much as the
    /// largest charge of every release leaves. Empty where persons declare their own allowance.
    pub(super) fn compute(
        dataset: &Dataset,
        records: &[Record],
        amendments: &[AmendmentRecord],
    ) -> Self {
        let tiers = match &dataset.accounts {
            Accounts::Tiers(tiers) | Accounts::Persons(Lifetime::Tiers(tiers)) => tiers.clone(),
            Accounts::Persons(Lifetime::Same(allowed)) => vec![("everybody".to_owned(), *allowed)],
            Accounts::Persons(Lifetime::Own) => Vec::new(),
        };
        // What changed when: the position of the record, and whether it had ended.
        let mut events: BTreeMap<u64, (usize, bool, &str)> = BTreeMap::new();
        for (at, record) in records.iter().enumerate() {
            events.insert(record.entry, (at, false, &record.at));
            if let RecordState::Settled { entry, at: when }
            | RecordState::Cancelled { entry, at: when } = &record.state
            {
                events.insert(*entry, (at, true, when));
            }
        }
        let allowed_at = |label: &str, now: Amount, entry| {
            AmendmentRecord::allowed_at(amendments, label, now, entry)
        };
        let nothing = vec![vec![Cost::ZERO; tiers.len()]; records.len()];
        let (mut charged, mut known): (Vec<Vec<Cost>>, Vec<Vec<Cost>>) = (nothing.clone(), nothing);
        let left_after = |charged: &[Vec<Cost>], entry: u64| -> Vec<Amount> {
            let of_tier = |(tier, (label, now)): (usize, &(String, Amount))| {
                let spent = charged.iter().map(|all| all[tier]).fold(Cost::ZERO, Cost::plus);
                dataset.allowance(allowed_at(label, *now, entry)).left(spent)
            };
            tiers.iter().enumerate().map(of_tier).collect()
        };
        let (mut left, mut settled) = (Vec::with_capacity(events.len()), Vec::new());
        for (entry, (at, ended, when)) in events {
            charged[at] = tiers.iter().map(|(tier, _)| most(&records[at], tier, ended)).collect();
            left.push((entry, when.to_owned(), left_after(&charged, entry)));
            let is_known =
                matches!(records[at].state, RecordState::Open | RecordState::Elsewhere { .. });
            if ended || is_known {
                known[at].clone_from(&charged[at]);
                let allowed = tiers.iter().map(|(label, now)| allowed_at(label, *now, entry));
                let left = left_after(&known, entry).into_iter().zip(allowed).collect();
                settled.push((when.to_owned(), left));
            }
        }
        if tiers.is_empty() {
            left.clear();
        }
        Self { tiers, left, settled }
    }

    /// Returns the shares of its allowance that were left to a tier, after each entry that made a
    /// cost known; `None` if the allowance is unlimited or zero.
    pub(super) fn shares(&self, tier: usize) -> Option<Vec<f64>> {
        let Amount::Micro(now) = self.tiers.get(tier)?.1 else { return None };
        let share = |(left, allowed): &(Amount, Amount)| match allowed.is_zero() {
            true => 0.0,
            false => left.in_epsilon() / allowed.in_epsilon(),
        };
        (now.get() > 0).then(|| self.settled.iter().map(|(_, of)| share(&of[tier])).collect())
    }

    /// Returns the times of these entries, in seconds since the beginning of 1970.
    pub(super) fn times(&self) -> Vec<f64> {
        let seconds = |(at, _): &(String, _)| TimeScale::Seconds.number(at.as_bytes());
        self.settled.iter().map(seconds).collect::<Option<_>>().unwrap_or_default()
    }
}

/// Returns the largest cost of a release to somebody of a tier: the cost that counts if it `ended`,
/// else the reserved cost.
fn most(record: &Record, tier: &str, ended: bool) -> Cost {
    let is_of = |holder: &Holder| match holder {
        Holder::Tier(label) => label == tier,
        Holder::Everybody | Holder::Own(_) | Holder::Unknown => true,
        Holder::NoConsent => false,
    };
    let charges = record.charges.iter().filter(|charge| is_of(&charge.holder));
    let of = |charge: &RecordCharge| match ended {
        true => charge.counted,
        false => Cost::from(charge.reserved),
    };
    charges.map(of).fold(Cost::ZERO, Cost::max)
}
