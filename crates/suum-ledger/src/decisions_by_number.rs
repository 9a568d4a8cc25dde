//! Decisions on record, by the numbers of the persons.

use rustc_hash::FxHashMap;

use crate::{Allowance, Holder};

/// Decisions on record by the numbers of the persons.
#[derive(Default)]
pub(crate) struct DecisionsByNumber {
    /// Kinds of holders, each with its allowance.
    kinds: Vec<(Holder, Allowance)>,
    positions: FxHashMap<Holder, u32>,
    /// Position of the kind of each person, plus one; 0 without a decision.
    kind_of: Vec<u32>,
    from: Vec<i64>,
}

impl DecisionsByNumber {
    /// Creates an empty map for that many persons.
    pub(crate) fn new(persons: usize) -> Self {
        Self { kind_of: vec![0; persons], from: vec![0; persons], ..Self::default() }
    }

    /// Enters the decision of a person, in place of an earlier one.
    pub(crate) fn set(&mut self, number: u32, kind: u32, from: i64) {
        if let Some(of) = self.kind_of.get_mut(number as usize) {
            *of = kind + 1;
            self.from[number as usize] = from;
        }
    }

    /// Returns the position of a kind of holder: adds the kind if it is new, else sets its
    /// allowance.
    pub(crate) fn kind(&mut self, holder: &Holder, allowance: Allowance) -> u32 {
        if let Some(known) = self.positions.get(holder) {
            // A tier may have been lowered since.
            self.kinds[*known as usize].1 = allowance;
            return *known;
        }
        let position = self.kinds.len() as u32;
        self.kinds.push((holder.clone(), allowance));
        self.positions.insert(holder.clone(), position);
        position
    }

    /// Returns the kind of a person's decision; `None` without one.
    pub(crate) fn kind_of(&self, number: u32) -> Option<u32> {
        self.kind_of.get(number as usize)?.checked_sub(1)
    }

    /// Returns the decision of a person: holder, allowance, and start in microseconds.
    pub(crate) fn get(&self, number: u32) -> Option<(&Holder, Allowance, i64)> {
        let (holder, allowance) = self.kinds.get(self.kind_of(number)? as usize)?;
        Some((holder, *allowance, *self.from.get(number as usize)?))
    }

    /// Lowers the allowance of each kind to the present one.
    pub(crate) fn lower(&mut self, now: impl Fn(&Holder) -> Option<Allowance>) {
        for (holder, allowance) in &mut self.kinds {
            *allowance = now(holder).map_or(*allowance, |now| now.min(*allowance));
        }
    }

    /// Returns the kinds of holders with their allowances, by position.
    pub(crate) fn kinds(&self) -> &[(Holder, Allowance)] {
        &self.kinds
    }
}
