//! Identifiers that are collected, to be hashed together.

use crate::scan::accounts::Accounts;

/// The identifiers of some rows.
#[derive(Default)]
pub(crate) struct Identifiers {
    bytes: Vec<u8>,
    /// End of each identifier in the text.
    ends: Vec<usize>,
}

impl Identifiers {
    #[inline]
    pub(crate) fn push(&mut self, identifier: &[u8]) {
        self.bytes.extend_from_slice(identifier);
        self.ends.push(self.bytes.len());
    }

    /// Drops all but the first `rows` identifiers.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.bytes.truncate(self.ends.last().copied().unwrap_or_default());
    }

    /// Appends the hash of each identifier, and clears them.
    pub(crate) fn hash(&mut self, accounts: &dyn Accounts, persons: &mut Vec<u128>) {
        let begins = std::iter::once(&0).chain(&self.ends);
        let mut all = begins.zip(&self.ends).map(|(begin, end)| &self.bytes[*begin..*end]);
        accounts.persons(&mut all, persons);
        self.truncate(0);
    }
}
