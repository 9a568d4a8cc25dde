//! A number for each choice that is met.

use rustc_hash::FxHashMap;
use suum_core::Epsilon;

use crate::choice::EXACT;

/// Slots of choices, which all workers share: of tiers their positions, of numeric budgets in the
/// order they come.
///
/// Beyond [`EXACT`] distinct budgets new slots are those of coarse ones. Slots handed out before
/// stay what they are; in the end they are joined by [`level`](Self::level). So the numbers depend
/// on the timing of the threads, and the levels do not.
pub(super) struct Slots {
    coarse: bool,
    // By the bits of exact budgets, or of coarse ones.
    slots: FxHashMap<u64, u32>,
    // By slot.
    budgets: Vec<Epsilon>,
}

impl Slots {
    /// The slots of tiers with these budgets, or none yet.
    pub(super) fn new(tiers: Vec<Epsilon>) -> Self {
        Self { coarse: false, slots: FxHashMap::default(), budgets: tiers }
    }

    /// The slot of a budget, and whether it stands for all budgets of the same coarse form.
    pub(super) fn of(&mut self, epsilon: Epsilon) -> (u32, bool) {
        let known = self.slots.contains_key(&epsilon.get().to_bits());
        if !self.coarse && !known && self.slots.len() == EXACT {
            self.coarse = true;
            self.slots.clear();
        }
        let level = self.level(epsilon);
        // At most 65 536 exact and some 700 000 coarse ones: 32 bits are plenty.
        let next = self.budgets.len() as u32;
        let slot = *self.slots.entry(level.get().to_bits()).or_insert(next);
        if slot == next {
            self.budgets.push(level);
        }
        (slot, self.coarse)
    }

    /// The budget of the level that a budget counts in, once all have been met.
    pub(super) fn level(&self, epsilon: Epsilon) -> Epsilon {
        if self.coarse { epsilon.coarse() } else { epsilon }
    }

    /// The budgets by slot.
    pub(super) fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }
}

/// The slots one worker has met, so that it need not wait for the others.
#[derive(Default)]
pub(super) struct WorkerSlots {
    coarse: bool,
    slots: FxHashMap<u64, u32>,
    // Neighbouring records often share a budget: remember the last one's bits and slot.
    last: Option<(u64, u32)>,
}

impl WorkerSlots {
    /// The slot of a budget; `ask` is for those not met yet.
    #[inline]
    pub(super) fn slot(&mut self, epsilon: Epsilon, ask: impl FnOnce() -> (u32, bool)) -> u32 {
        let bits = epsilon.get().to_bits();
        match self.last {
            Some((last, slot)) if last == bits => slot,
            _ => {
                let slot = self.find(epsilon, ask);
                self.last = Some((bits, slot));
                slot
            }
        }
    }

    fn find(&mut self, epsilon: Epsilon, ask: impl FnOnce() -> (u32, bool)) -> u32 {
        if let Some(slot) = self.slots.get(&self.bits(epsilon)) {
            return *slot;
        }
        let (slot, coarse) = ask();
        if coarse && !self.coarse {
            self.coarse = true;
            self.slots.clear();
        }
        self.slots.insert(self.bits(epsilon), slot);
        slot
    }

    fn bits(&self, epsilon: Epsilon) -> u64 {
        let level = if self.coarse { epsilon.coarse() } else { epsilon };
        level.get().to_bits()
    }
}
