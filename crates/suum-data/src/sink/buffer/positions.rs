//! A position for each level that is met.

use rustc_hash::FxHashMap;
use suum_core::Epsilon;

use crate::cells::level_key::EXACT;

/// Positions of levels, which all workers share: of tiers those declared, of numeric budgets in the
/// order they come.
///
/// Beyond [`EXACT`] distinct budgets new positions are those of coarse ones. Positions handed out
/// before stay what they are; in the end they are joined by [`level`](Self::level). So positions
/// depend on the timing of the threads, and the levels do not.
pub(super) struct Positions {
    coarse: bool,
    // By the bits of exact budgets, or of coarse ones.
    positions: FxHashMap<u64, u32>,
    // By position.
    budgets: Vec<Epsilon>,
}

impl Positions {
    /// The positions of tiers with these budgets, or none yet.
    pub(super) fn new(tiers: Vec<Epsilon>) -> Self {
        Self { coarse: false, positions: FxHashMap::default(), budgets: tiers }
    }

    /// The position of a budget, and whether it stands for all budgets of the same coarse form.
    pub(super) fn of(&mut self, epsilon: Epsilon) -> (u32, bool) {
        let known = self.positions.contains_key(&epsilon.get().to_bits());
        if !self.coarse && !known && self.positions.len() == EXACT {
            self.coarse = true;
            self.positions.clear();
        }
        let level = self.level(epsilon);
        // At most 65 536 exact and some 700 000 coarse ones: 32 bits are plenty.
        let next = self.budgets.len() as u32;
        let position = *self.positions.entry(level.get().to_bits()).or_insert(next);
        if position == next {
            self.budgets.push(level);
        }
        (position, self.coarse)
    }

    /// The budget of the level that a budget counts in, once all have been met.
    pub(super) fn level(&self, epsilon: Epsilon) -> Epsilon {
        if self.coarse { epsilon.coarse() } else { epsilon }
    }

    /// The budgets by position.
    pub(super) fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }
}

/// The positions one worker has met, so that it need not wait for the others.
#[derive(Default)]
pub(super) struct WorkerPositions {
    coarse: bool,
    positions: FxHashMap<u64, u32>,
    // Neighbouring records often share a budget: remember the last one's bits and position.
    last: Option<(u64, u32)>,
}

impl WorkerPositions {
    /// The position of a budget; `ask` is for those not met yet.
    #[inline]
    pub(super) fn position(&mut self, epsilon: Epsilon, ask: impl FnOnce() -> (u32, bool)) -> u32 {
        let bits = epsilon.get().to_bits();
        match self.last {
            Some((last, position)) if last == bits => position,
            _ => {
                let position = self.find(epsilon, ask);
                self.last = Some((bits, position));
                position
            }
        }
    }

    fn find(&mut self, epsilon: Epsilon, ask: impl FnOnce() -> (u32, bool)) -> u32 {
        if let Some(position) = self.positions.get(&self.bits(epsilon)) {
            return *position;
        }
        let (position, coarse) = ask();
        if coarse && !self.coarse {
            self.coarse = true;
            self.positions.clear();
        }
        self.positions.insert(self.bits(epsilon), position);
        position
    }

    fn bits(&self, epsilon: Epsilon) -> u64 {
        let level = if self.coarse { epsilon.coarse() } else { epsilon };
        level.get().to_bits()
    }
}
