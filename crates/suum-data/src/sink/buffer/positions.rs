//! Positions of levels, in the order in which they occur.

use rustc_hash::FxHashMap;
use suum_core::Epsilon;

use crate::cells::level_key::EXACT;

/// Positions of levels, shared by all workers: of tiers the declared ones, of numeric budgets in
/// the order in which they occur.
///
/// Beyond [`EXACT`] distinct budgets new positions are those of coarse ones. Earlier positions stay
/// as they are; in the end [`level`](Self::level) merges them. So positions depend on the timing of
/// the threads, but levels do not.
pub(super) struct Positions {
    coarse: bool,
    // By the bits of exact budgets, or of coarse ones.
    positions: FxHashMap<u64, u32>,
    // By position.
    budgets: Vec<Epsilon>,
}

impl Positions {
    /// Creates the positions of tiers with these budgets; none yet for numeric budgets.
    pub(super) fn new(tiers: Vec<Epsilon>) -> Self {
        Self { coarse: false, positions: FxHashMap::default(), budgets: tiers }
    }

    /// Position of a budget, and true if it stands for all budgets of the same coarse form.
    pub(super) fn find_or_insert(&mut self, epsilon: Epsilon) -> (u32, bool) {
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

    /// Budget of the level in which a budget counts, once all have occurred.
    pub(super) fn level(&self, epsilon: Epsilon) -> Epsilon {
        if self.coarse { epsilon.coarse() } else { epsilon }
    }

    /// The budgets by position.
    pub(super) fn budgets(&self) -> &[Epsilon] {
        &self.budgets
    }
}

/// Positions that one worker has looked up, so that it need not wait for the others.
#[derive(Default)]
pub(super) struct WorkerPositions {
    coarse: bool,
    positions: FxHashMap<u64, u32>,
    // Neighbouring records often share a budget: remember the last one's bits and position.
    last: Option<(u64, u32)>,
}

impl WorkerPositions {
    /// Position of a budget; `ask` looks up new ones.
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
