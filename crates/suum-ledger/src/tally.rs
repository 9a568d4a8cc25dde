//! Running sums from which charges can be taken back.

use crate::{Amount, MicroEpsilon};

/// A sum of charges: unlimited ones are counted, so that one can be cancelled again.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    micros: u128,
    unlimited: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, amount: Amount) {
        match amount {
            Amount::Micro(micros) => self.micros = self.micros.saturating_add(micros.get().into()),
            Amount::Unlimited => self.unlimited = self.unlimited.saturating_add(1),
        }
    }

    /// Takes back what was added before.
    pub(crate) fn take_back(&mut self, amount: Amount) {
        match amount {
            Amount::Micro(micros) => self.micros = self.micros.saturating_sub(micros.get().into()),
            Amount::Unlimited => self.unlimited = self.unlimited.saturating_sub(1),
        }
    }

    pub(crate) fn amount(self) -> Amount {
        match u64::try_from(self.micros) {
            Ok(micros) if self.unlimited == 0 && micros <= MicroEpsilon::MAX.get() => {
                Amount::micros(micros)
            }
            _ => Amount::Unlimited,
        }
    }
}
