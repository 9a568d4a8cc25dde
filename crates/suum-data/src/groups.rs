//! A level table for each declared group.

use suum_core::LevelTable;

use crate::classes::Classes;

/// A column of declared groups.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupColumn {
    /// The name of the column.
    pub column: String,
    /// The groups that may occur, and the one for all others if there is one. They are labels.
    pub groups: Classes,
}

/// The level table of each group.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The name of the column of groups.
    pub column: String,
    /// The groups in the order declared, and the table of each; `None` if it has no records, which
    /// with [`Scan::add_remove`](crate::Scan::add_remove) is an empty table.
    ///
    /// Whether a group has records depends on a single record. A list of groups is public because
    /// it was declared, not because it was met.
    pub tables: Vec<(String, Option<LevelTable>)>,
}
