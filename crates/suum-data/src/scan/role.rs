//! What a column is to a scan.

use crate::scan::decisions::DecisionPart;

/// Which of the columns is meant; where several could be reported, the first here is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Privacy,
    Value,
    /// The column of groups, or the one of several that has this place among them.
    Group(u8),
    Person,
    /// The column at this place among those of the filter.
    Filter(u8),
    /// A column of a register of decisions.
    Decision(DecisionPart),
}
