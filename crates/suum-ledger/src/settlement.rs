//! Final costs of a reservation.

use suum_core::{Error, Result};

use crate::account::{Item, Outcome, Reserve};
use crate::state::State;
use crate::{Cost, FinalCost, Holder};

/// Returns a reservation that has not ended.
pub(crate) fn open_reserve(state: &State, seq: u64) -> Result<&Reserve> {
    match state.reserves.get(&seq) {
        Some(reserve) if matches!(reserve.outcome, Outcome::Open) => Ok(reserve),
        _ => Err(Error::internal("a reservation ended twice")),
    }
}

/// Returns the final costs, in the order of the reserved items.
pub(crate) fn amounts(reserve: &Reserve, spent: &FinalCost) -> Result<Vec<Cost>> {
    let refuse = |what| Error::internal(format!("{what}; what was reserved counts in full"));
    let amounts = match spent {
        FinalCost::AsReserved => reserve.items.iter().map(|item| item.cost).collect(),
        FinalCost::Parts(amounts) if reserve.is_of_persons => amounts.clone(),
        FinalCost::Tiers(tiers) if !reserve.is_of_persons => {
            let known = |label: &String| {
                reserve.items.iter().any(|item| item.holder == Holder::Tier(label.clone()))
            };
            if !tiers.iter().all(|(label, spent)| spent.epsilon.is_zero() || known(label)) {
                return Err(refuse("a tier spent what was not reserved"));
            }
            let of_item = |item: &Item| {
                // Said twice, it counts as often.
                tiers
                    .iter()
                    .filter(|(label, _)| item.holder == Holder::Tier(label.clone()))
                    .map(|(_, spent)| *spent)
                    .reduce(Cost::plus)
                    .ok_or_else(|| refuse("a tier for which budget was reserved is not settled"))
            };
            reserve.items.iter().map(of_item).collect::<Result<_>>()?
        }
        _ => return Err(refuse("a release is settled in another way than it was reserved")),
    };
    if amounts.len() != reserve.items.len() {
        return Err(refuse("a release is settled for another number of parts than were reserved"));
    }
    if amounts.iter().zip(&reserve.items).any(|(spent, item)| spent.epsilon > item.cost.epsilon) {
        return Err(refuse("a release cost more than was reserved"));
    }
    // Whatever loses ε has a bound on its ρ.
    let bounded = |cost: Cost| Cost { rho: cost.rho.min(Cost::from(cost.epsilon).rho), ..cost };
    Ok(amounts.into_iter().map(bounded).collect())
}
