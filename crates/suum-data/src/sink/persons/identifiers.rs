//! Identifiers that wait for others, to be hashed together.

use crate::scan::accounts::Accounts;

/// The identifiers of some rows.
#[derive(Default)]
pub(crate) struct Identifiers {
    bytes: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
}

impl Identifiers {
    #[inline]
    pub(crate) fn push(&mut self, identifier: &[u8]) {
        self.bytes.extend_from_slice(identifier);
        self.ends.push(self.bytes.len());
    }

    /// Forgets all but the first ones.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.ends.truncate(rows);
        self.bytes.truncate(self.ends.last().copied().unwrap_or_default());
    }

    /// Adds what stands for each of them, and forgets them.
    pub(crate) fn hash(&mut self, accounts: &dyn Accounts, persons: &mut Vec<u128>) {
        let begins = std::iter::once(&0).chain(&self.ends);
        let mut all = begins.zip(&self.ends).map(|(begin, end)| &self.bytes[*begin..*end]);
        accounts.persons(&mut all, persons);
        self.truncate(0);
    }
}
