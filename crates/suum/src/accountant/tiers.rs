//! Amounts that tiers may spend on a release, and their charges.

use std::cmp::Ordering;

use suum_core::{Command, Epsilon, Error, Phrase, Result, option};
use suum_data::Tiers;
use suum_ledger::{Allowance, Amount, Cost, Dataset, TierBalance};

use super::Spend;
use super::forecast::ForecastAccount;
use super::line_cost::LineCost;

/// Amount for a requested budget: the largest whose double is not above the budget.
///
/// So the used amount is within both, and a tenth that was written 0.1 is a tenth.
pub(crate) fn requested_amount(epsilon: Epsilon) -> Amount {
    let down = Amount::allowed(epsilon);
    match down {
        Amount::Micro(micros) => {
            let next = Amount::micros(micros.get().saturating_add(1));
            if next.epsilon() <= epsilon { next } else { down }
        }
        Amount::Unlimited => down,
    }
}

/// Amount that a tier may spend on this release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemainingBudget {
    pub(super) balance: TierBalance,
    /// Available amount, at most what is left.
    pub(super) may: Amount,
    /// Instalment, which can be more than what is left.
    pub(super) instalment: Amount,
    allowance: Allowance,
}

impl RemainingBudget {
    /// Amount that is left after a further cost.
    pub(super) fn left_after(&self, cost: Cost) -> Amount {
        self.allowance.left(self.balance.cost().plus(cost))
    }

    /// Account after a release with this reservation and cost; `now` are the balances then, if the
    /// release was made.
    pub(super) fn forecast(
        &self,
        charge: Amount,
        cost: Cost,
        now: Option<&[TierBalance]>,
    ) -> ForecastAccount {
        let label = self.balance.label.clone();
        let now = now.and_then(|now| now.iter().find(|balance| balance.label == label));
        let spent = now.map_or_else(|| self.balance.cost().plus(cost), TierBalance::cost);
        ForecastAccount { label, allowance: self.allowance, spent, charge, cost }
    }
}

/// Returns true if a person with this much left gives all of it, because an instalment is more.
pub(super) fn gives_the_rest(instalment: Amount, left: Amount, charge: Amount) -> bool {
    !left.is_zero() && charge == left && left < instalment
}

/// Tiers of a dataset.
#[derive(Debug, Clone)]
pub(super) struct TierAccounts(pub(super) Vec<RemainingBudget>);

impl TierAccounts {
    pub(super) fn new(dataset: &Dataset, balances: Vec<TierBalance>, spend: Spend) -> Self {
        let remaining = |balance: TierBalance| {
            let allowance = dataset.allowance(balance.allowed);
            RemainingBudget {
                may: spend.apply_to(allowance, balance.left),
                instalment: spend.instalment(allowance, balance.left),
                allowance,
                balance,
            }
        };
        Self(balances.into_iter().map(remaining).collect())
    }

    /// Limits each tier to the requested amount. Tiers without a request are not used.
    pub(super) fn ask(&mut self, tiers: &[(String, Amount)]) -> Result<()> {
        check_known(tiers, self.0.iter().map(|remaining| remaining.balance.label.as_str()))?;
        for remaining in &mut self.0 {
            let asked = tiers.iter().find(|(label, _)| *label == remaining.balance.label);
            remaining.may = remaining.may.min(asked.map_or(Amount::ZERO, |(_, amount)| *amount));
        }
        Ok(())
    }

    /// Returns true if the available amounts of tiers have the order of their allowed amounts, with
    /// equal amounts where those are equal.
    pub(super) fn keep_their_order(&self) -> bool {
        self.0.iter().all(|one| {
            self.0.iter().all(|other| match one.balance.allowed.cmp(&other.balance.allowed) {
                Ordering::Less => one.may <= other.may,
                Ordering::Equal => one.may == other.may,
                Ordering::Greater => true,
            })
        })
    }

    /// Tiers with their available amounts, for a scan.
    pub(super) fn tiers(&self) -> Result<Tiers> {
        Tiers::new(
            self.0
                .iter()
                .map(|remaining| (remaining.balance.label.clone(), remaining.may.epsilon())),
        )
    }

    /// Refuses if nobody has anything left, before any data are read.
    pub(super) fn check(&self) -> Result<()> {
        if self.charged().next().is_some() {
            return Ok(());
        }
        let lines = self.0.iter().map(|remaining| {
            format!(
                "tier {} has {} left of {}",
                remaining.balance.label, remaining.balance.left, remaining.balance.allowed
            )
        });
        Err(Error::budget(
            option::LEDGER,
            format!(
                "nobody has budget left for this release: {}",
                lines.collect::<Vec<_>>().join(", ")
            ),
        )
        .with_fix(
            Phrase::from(Command::ShowLedger).say(
                "lists what was spent on what; only people who allow more in all can change this",
            ),
        ))
    }

    /// Largest charge of each tier: its available amount, `scaled` to the part that is found after
    /// reading.
    pub(super) fn charges(&self, scaled: impl Fn(Amount) -> Amount) -> Vec<(String, Amount)> {
        let charge =
            |remaining: &RemainingBudget| (remaining.balance.label.clone(), scaled(remaining.may));
        self.charged().map(charge).collect()
    }

    fn charged(&self) -> impl Iterator<Item = &RemainingBudget> {
        self.0.iter().filter(|remaining| !remaining.may.is_zero())
    }

    /// Real loss of each tier with these charges; tiers without people lost nothing.
    ///
    /// A person with rows of several tiers (`persons`) counts at the least budget of these, so at a
    /// level that is at or below each of them: each tier is charged the largest loss of any such
    /// level.
    pub(super) fn spent(
        &self,
        charges: &[(String, Amount)],
        losses: &[LineCost<'_>],
        persons: bool,
    ) -> Vec<(String, Cost)> {
        let spent = |(label, charge): &(String, Amount)| {
            let most = charge.epsilon();
            let of_tier = losses.iter().filter(|lost| {
                lost.line.level == **label || (persons && lost.line.epsilon <= most)
            });
            (label.clone(), of_tier.map(|lost| lost.cost).fold(Cost::ZERO, Cost::max))
        };
        charges.iter().map(spent).collect()
    }
}

/// Refuses tiers that have no account.
pub(super) fn check_known<'a>(
    tiers: &[(String, Amount)],
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<()> {
    match tiers.iter().find(|(label, _)| !known.clone().any(|one| one == label)) {
        Some((label, _)) => {
            Err(Error::budget(option::LEVELS, format!("tier {label} has no account in the ledger"))
                .with_fix(format!("its tiers are {}", known.collect::<Vec<_>>().join(", "))))
        }
        None => Ok(()),
    }
}
