//! Which columns of a file are read.

use crate::fault::{Fault, Role};
use crate::scan::Scan;

/// The positions of the columns a scan reads; several of them may be one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns {
    pub(crate) privacy: usize,
    pub(crate) value: Option<usize>,
    pub(crate) group: Option<usize>,
    pub(crate) person: Option<usize>,
}

impl Columns {
    /// Finds each column; the first fault is that of the first column in the order of [`Role`].
    pub(crate) fn find(scan: &Scan, position: impl Fn(Role) -> Result<usize, Fault>) -> Result<Self, Fault> {
        let optional = |asked: bool, role| asked.then(|| position(role)).transpose();
        Ok(Self {
            privacy: position(Role::Privacy)?,
            value: optional(scan.value.is_some(), Role::Value)?,
            group: optional(scan.group.is_some(), Role::Group)?,
            person: optional(scan.person.is_some(), Role::Person)?,
        })
    }

    /// All positions in ascending order, each once.
    pub(crate) fn positions(&self) -> Vec<usize> {
        let all = [Some(self.privacy), self.value, self.group, self.person];
        let mut positions: Vec<usize> = all.into_iter().flatten().collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The same columns by their place among [`positions`](Self::positions).
    pub(crate) fn packed(&self) -> Self {
        let positions = self.positions();
        let place = |column: usize| positions.partition_point(|other| *other < column);
        Self {
            privacy: place(self.privacy),
            value: self.value.map(place),
            group: self.group.map(place),
            person: self.person.map(place),
        }
    }
}
