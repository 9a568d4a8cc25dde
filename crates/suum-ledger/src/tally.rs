//! Running sums from which charges can be taken back.

use suum_core::Rho;

use crate::{Amount, Cost, MicroEpsilon};

/// Sum of charges: unlimited ones are counted, so that one can be cancelled again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    micros: u128,
    rho: u128,
    unlimited: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, cost: Cost) {
        match (cost.epsilon, cost.rho) {
            (Amount::Micro(micros), Rho::Finite(rho)) => {
                self.micros = self.micros.saturating_add(micros.get().into());
                self.rho = self.rho.saturating_add(rho.into());
            }
            _ => self.unlimited = self.unlimited.saturating_add(1),
        }
    }

    /// Takes back a cost that was added before.
    pub(crate) fn take_back(&mut self, cost: Cost) {
        match (cost.epsilon, cost.rho) {
            (Amount::Micro(micros), Rho::Finite(rho)) => {
                self.micros = self.micros.saturating_sub(micros.get().into());
                self.rho = self.rho.saturating_sub(rho.into());
            }
            _ => self.unlimited = self.unlimited.saturating_sub(1),
        }
    }

    pub(crate) fn cost(self) -> Cost {
        let epsilon = match u64::try_from(self.micros) {
            Ok(micros) if self.unlimited == 0 && micros <= MicroEpsilon::MAX.get() => {
                Amount::micros(micros)
            }
            _ => Amount::Unlimited,
        };
        let rho = if self.unlimited == 0 { Rho::units(self.rho) } else { Rho::Unlimited };
        Cost { epsilon, rho }
    }
}
