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

/// What was read of each group: its level table, or its records.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups<T = LevelTable> {
    /// The name of the column of groups.
    pub column: String,
    /// The groups in the order declared, each with its table or its records; `None` if it has no
    /// records, which with [`Scan::add_remove`](crate::Scan::add_remove) are empty ones.
    ///
    /// Whether a group has records depends on a single record. A list of groups is public because
    /// it was declared, not because it was met.
    pub each: Vec<(String, Option<T>)>,
}

/// What was counted elsewhere, by a level query or for a level-table file: one table, or one for
/// each declared group.
#[derive(Debug, Clone, PartialEq)]
pub enum Counted {
    /// The table of all records.
    One(LevelTable),
    /// A table for each group.
    Groups(Groups),
}
