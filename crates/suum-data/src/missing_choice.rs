//! What stands in place of a missing privacy choice.

use crate::fault::Fault;
use crate::role::Role;
use crate::scan::Scan;

impl Scan {
    /// What was read of a choice; of a missing one what stands in its place, which `read` reads.
    #[inline]
    pub(crate) fn or_missing_choice<T>(
        &self,
        choice: std::result::Result<T, Fault>,
        read: impl Fn(&[u8]) -> std::result::Result<T, Fault>,
    ) -> std::result::Result<T, Fault> {
        match (choice, &self.missing_choice) {
            (Err(Fault::Missing(Role::Privacy)), Some(text)) => read(text.trim_ascii().as_bytes()),
            (choice, _) => choice,
        }
    }
}
