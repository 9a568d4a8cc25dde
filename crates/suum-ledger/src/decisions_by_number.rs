//! Decisions of persons that are on record, by the numbers of the persons.

use rustc_hash::FxHashMap;

use crate::{Allowance, Holder};

/// Decisions on record by the numbers of the persons.
#[derive(Default)]
pub(crate) struct DecisionsByNumber {
    /// What is allowed, by kind of holder.
    kinds: Vec<(Holder, Allowance)>,
    positions: FxHashMap<Holder, u32>,
    /// One more than the position of the kind of each person; 0 of those who decided nothing.
    kind_of: Vec<u32>,
    from: Vec<i64>,
}

impl DecisionsByNumber {
    /// Nothing of so many persons.
    pub(crate) fn new(persons: usize) -> Self {
        Self { kind_of: vec![0; persons], from: vec![0; persons], ..Self::default() }
    }

    /// Enters what a person decided, in place of what they decided before.
    pub(crate) fn set(&mut self, number: u32, kind: u32, from: i64) {
        if let Some(of) = self.kind_of.get_mut(number as usize) {
            *of = kind + 1;
            self.from[number as usize] = from;
        }
    }

    /// Returns the position of a kind of holder, which is added if it is new.
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

    /// Returns the kind of what a person decided; `None` of one who decided nothing.
    pub(crate) fn kind_of(&self, number: u32) -> Option<u32> {
        self.kind_of.get(number as usize)?.checked_sub(1)
    }

    /// Returns what a person decided, and from when on.
    pub(crate) fn of(&self, number: u32) -> Option<(&Holder, Allowance, i64)> {
        let (holder, allowance) = self.kinds.get(self.kind_of(number)? as usize)?;
        Some((holder, *allowance, *self.from.get(number as usize)?))
    }

    /// Lowers what each kind of holder allows to what it allows now.
    pub(crate) fn lower(&mut self, now: impl Fn(&Holder) -> Option<Allowance>) {
        for (holder, allowance) in &mut self.kinds {
            *allowance = now(holder).map_or(*allowance, |now| now.min(*allowance));
        }
    }

    /// Returns the kinds of holders, by position.
    pub(crate) fn kinds(&self) -> &[(Holder, Allowance)] {
        &self.kinds
    }
}
