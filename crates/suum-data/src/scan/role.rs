//! Role of a column in a scan.

use crate::scan::decisions::DecisionPart;

/// Role of a column; if several columns have a fault, the one with the least role is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Privacy,
    Value,
    /// Column of groups with this index among the label columns.
    Group(u8),
    Person,
    /// Column of the times of a person's rows.
    Time,
    /// Column with this index among those of the filter.
    Filter(u8),
    /// A column of a register of decisions.
    Decision(DecisionPart),
    /// Column of a register with the attribute of this index.
    Attribute(u8),
}
