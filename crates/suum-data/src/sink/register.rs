//! Where choices are put under their keys while a file of them is read.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::cells::fault::{Fault, RowFault};
use crate::cells::level_key::LevelKeys;
use crate::scan::identifier::halves;
use crate::sink::room::lock;

/// The choices that have been read so far.
#[derive(Default)]
pub(crate) struct Register(Mutex<FxHashMap<[u64; 2], u64>>);

impl Register {
    /// Adds the choices of these keys, up to the first that is there already.
    pub(crate) fn add(&self, choices: &LevelKeys, keys: &[u128]) -> RowFault {
        let mut known = lock(&self.0);
        let twice = choices
            .iter()
            .zip(keys)
            .position(|(choice, key)| known.insert(halves(*key), choice.to_bits()).is_some());
        twice.map(|row| (row, Fault::KeyTwice))
    }

    pub(crate) fn into_choices(self) -> FxHashMap<[u64; 2], u64> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
