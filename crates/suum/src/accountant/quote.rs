//! Effect of a release on the accounts, real or planned.

use std::collections::BTreeMap;

use suum_core::{Rho, Spending};
use suum_ledger::{Amount, Charges, Cost, FinalCost, TierBalance};

use super::calibration::scaled;
use super::effect::{LedgerEffect, PersonsEffect, TierEffect};
use super::forecast::Forecast;
use super::line_cost::{self, LineCost};
use super::persons::PersonCount;
use super::tiers::{RemainingBudget, gives_the_rest};
use super::{Accountant, OpenAccounts};

impl Accountant {
    /// Effect on the accounts of a planned release with these losses; `rho` bounds the ρ of each.
    pub fn quote(&self, losses: &[Spending], rho: &[Rho]) -> LedgerEffect {
        let charges = self.charges();
        let lost = LineCost::all(losses, rho);
        let spent = spent(&self.accounts, self.whom(), &charges, &lost);
        self.effect(None, &charges, &spent, None, &lost)
    }

    pub(super) fn whom(&self) -> Whom {
        Whom {
            persons: self.persons,
            hidden_participation: self.dataset.neighbors.hides_participation(),
        }
    }

    /// Effect on the accounts of a release with these charges; `now` is the balance after it, if it
    /// was made.
    pub(super) fn effect(
        &self,
        entry: Option<u64>,
        charges: &Charges,
        spent: &FinalCost,
        now: Option<Vec<TierBalance>>,
        lost: &[LineCost<'_>],
    ) -> LedgerEffect {
        let Whom { hidden_participation, .. } = self.whom();
        let scaled = |amount| scaled(amount, self.part);
        let mut effect = LedgerEffect {
            dataset: self.dataset.name.clone(),
            entry,
            tiers: Vec::new(),
            persons: None,
            exhausted: None,
            not_asked: None,
            people: None,
            hidden_participation,
            forecast: self.forecast(charges, spent, now.as_deref(), lost),
            warning: None,
            shown_again: None,
        };
        let mut count = PersonCount::default();
        match &self.accounts {
            OpenAccounts::Tiers(tiers) => {
                let of = |remaining: &RemainingBudget| {
                    let rest = gives_the_rest(
                        remaining.instalment,
                        remaining.balance.left,
                        scaled(remaining.may),
                    );
                    let instalment = rest.then_some(remaining.instalment);
                    TierEffect {
                        instalment,
                        ..tier_effect(remaining, charges, spent, now.as_deref())
                    }
                };
                effect.tiers = tiers.0.iter().map(of).collect();
                for loss in lost.iter().map(|one| one.line) {
                    let people = loss.count.unwrap_or_default();
                    count.all += people;
                    let remaining =
                        tiers.0.iter().find(|remaining| loss.level == *remaining.balance.label);
                    match remaining.map(|remaining| {
                        (remaining.balance.allowed, remaining.balance.left, scaled(remaining.may))
                    }) {
                        Some((allowed, left, _)) if left.is_zero() && !allowed.is_zero() => {
                            count.exhausted += people
                        }
                        Some((_, left, may)) if may.is_zero() && !left.is_zero() => {
                            count.not_asked += people
                        }
                        _ => {}
                    }
                }
            }
            OpenAccounts::Persons(persons) => {
                count = persons.count(scaled);
                let charged = match charges {
                    Charges::Persons(parts) => {
                        parts.iter().map(|part| part.persons.len() as u64).sum()
                    }
                    Charges::Tiers(_) => 0,
                };
                let most = match (spent, charges) {
                    (FinalCost::Parts(parts), _) => parts.iter().map(|cost| cost.epsilon).max(),
                    (_, Charges::Persons(parts)) => parts.iter().map(|part| part.charge).max(),
                    _ => None,
                };
                // The number of charged persons, and the largest charge, depend on the
                // participants.
                effect.persons = (!hidden_participation).then(|| PersonsEffect {
                    charged,
                    most: most.unwrap_or(Amount::ZERO),
                    rest: count.rest,
                });
            }
        }
        if !hidden_participation {
            effect.people = Some(count.all);
            effect.exhausted = Some(count.exhausted);
            effect.not_asked = Some(count.not_asked);
        }
        effect
    }
}

/// Forecasts.
impl Accountant {
    /// Forecast of further releases of the same cost.
    fn forecast(
        &self,
        charges: &Charges,
        spent: &FinalCost,
        now: Option<&[TierBalance]>,
        lost: &[LineCost<'_>],
    ) -> Option<Forecast> {
        let Whom { hidden_participation, .. } = self.whom();
        let scaled = |amount| scaled(amount, self.part);
        match &self.accounts {
            OpenAccounts::Tiers(tiers) => {
                let account = |remaining: &RemainingBudget| {
                    let cost = cost_of_tier(&remaining.balance.label, charges, spent);
                    remaining.forecast(scaled(remaining.may), cost, now)
                };
                // Remaining budgets of tiers are public under every relation.
                Forecast::compute(tiers.0.iter().map(account), false)
            }
            OpenAccounts::Persons(persons) if hidden_participation => {
                let declared = persons.declared_parts(scaled);
                let costs = line_cost::spent_of_declared(&declared, lost);
                Forecast::compute(persons.forecast_of_declared(&declared, &costs), true)
            }
            OpenAccounts::Persons(persons) => {
                let (Charges::Persons(parts), FinalCost::Parts(costs)) = (charges, spent) else {
                    return None;
                };
                let costs: BTreeMap<Amount, Cost> =
                    parts.iter().map(|part| part.charge).zip(costs.iter().copied()).collect();
                Forecast::compute(persons.forecast(scaled, &costs), false)
            }
        }
    }
}

/// Cost of a release for a tier.
fn cost_of_tier(label: &str, charges: &Charges, spent: &FinalCost) -> Cost {
    let cost = match (spent, charges) {
        (FinalCost::Tiers(tiers), _) => {
            tiers.iter().find(|(tier, _)| tier == label).map(|one| one.1)
        }
        (_, Charges::Tiers(tiers)) => {
            tiers.iter().find(|(tier, _)| tier == label).map(|(_, amount)| Cost::from(*amount))
        }
        _ => None,
    };
    cost.unwrap_or(Cost::ZERO)
}

/// Kind of people that the accounts belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whom {
    /// True if a record is a person, perhaps with rows of several tiers.
    pub(super) persons: bool,
    /// True if the accounts are private, because participation is.
    pub(super) hidden_participation: bool,
}

/// Cost of a release with these losses, in the form of its charges.
pub(super) fn spent(
    accounts: &OpenAccounts,
    whom: Whom,
    charges: &Charges,
    losses: &[LineCost<'_>],
) -> FinalCost {
    match (accounts, charges) {
        (OpenAccounts::Tiers(tiers), Charges::Tiers(charges)) => {
            FinalCost::Tiers(tiers.spent(charges, losses, whom.persons))
        }
        (OpenAccounts::Tiers(_), Charges::Persons(_)) => FinalCost::AsReserved,
        (OpenAccounts::Persons(_), Charges::Persons(parts)) => {
            FinalCost::Parts(match whom.hidden_participation {
                true => line_cost::spent_of_declared(parts, losses),
                false => line_cost::spent_of_parts(parts, losses),
            })
        }
        (OpenAccounts::Persons(_), Charges::Tiers(_)) => FinalCost::AsReserved,
    }
}

fn tier_effect(
    remaining: &RemainingBudget,
    charges: &Charges,
    spent: &FinalCost,
    now: Option<&[TierBalance]>,
) -> TierEffect {
    let label = &remaining.balance.label;
    let cost = cost_of_tier(label, charges, spent);
    let spent = cost.epsilon;
    let gone = |balance: &TierBalance| balance.spent.plus(balance.reserved);
    let now = now.and_then(|now| now.iter().find(|balance| balance.label == *label));
    TierEffect {
        level: label.clone(),
        allowed: remaining.balance.allowed,
        // Others may have been at it in between.
        before: now.map_or(gone(&remaining.balance), |now| gone(now).saturating_sub(spent)),
        spent,
        rho: cost.rho,
        left: now.map_or_else(|| remaining.left_after(cost), |now| now.left),
        had: remaining.balance.left,
        instalment: None,
    }
}
