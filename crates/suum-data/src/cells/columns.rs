//! Columns that a scan reads, and their positions in the data.

use crate::cells::fault::Fault;
use crate::scan::Scan;
use crate::scan::attributes::MOST_ATTRIBUTES;
use crate::scan::decisions::DecisionPart;
use crate::scan::filter::Filter;
use crate::scan::groups::Grouping;
use crate::scan::role::Role;

/// One item for each column a scan reads, such as its position; two roles may share a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Columns<T = usize> {
    pub(crate) privacy: T,
    pub(crate) value: Option<T>,
    /// Columns that group the records, filled from the front; the second column of a cross table
    /// comes last.
    pub(crate) groups: [Option<T>; Grouping::MOST_COLUMNS],
    pub(crate) person: Option<T>,
    /// Column of the times of a person's rows.
    pub(crate) time: Option<T>,
    /// Columns that the filter compares, filled from the front.
    pub(crate) filter: [Option<T>; Filter::MOST_COLUMNS],
    /// Columns of decisions, in the order of their parts.
    pub(crate) decisions: [Option<T>; DecisionPart::ALL.len()],
    /// Columns of attributes, filled from the front.
    pub(crate) attributes: [Option<T>; MOST_ATTRIBUTES],
}

impl<T> Columns<T> {
    /// Finds each column; the first fault is that of the first column in the order of [`Role`].
    pub(crate) fn find(
        scan: &Scan,
        find: impl Fn(Role) -> Result<T, Fault>,
    ) -> Result<Self, Fault> {
        let optional = |asked: bool, role| asked.then(|| find(role)).transpose();
        let (privacy, value) = (find(Role::Privacy)?, optional(scan.value.is_some(), Role::Value)?);
        let mut groups = [const { None }; Grouping::MOST_COLUMNS];
        for ((at, place), _) in (0..).zip(&mut groups).zip(scan.label_columns()) {
            *place = Some(find(Role::Group(at))?);
        }
        let person = optional(scan.person.is_some(), Role::Person)?;
        let time = optional(scan.person_time.is_some(), Role::Time)?;
        let mut filter = [const { None }; Filter::MOST_COLUMNS];
        for ((at, place), _) in (0..).zip(&mut filter).zip(scan.filter_columns()) {
            *place = Some(find(Role::Filter(at))?);
        }
        let mut decisions = [const { None }; DecisionPart::ALL.len()];
        for part in scan.decision_parts() {
            decisions[part as usize] = Some(find(Role::Decision(part))?);
        }
        let mut attributes = [const { None }; MOST_ATTRIBUTES];
        for ((at, place), _) in (0..).zip(&mut attributes).zip(&scan.attributes) {
            *place = Some(find(Role::Attribute(at))?);
        }
        Ok(Self { privacy, value, groups, person, time, filter, decisions, attributes })
    }

    /// Applies `of` to the item of each column.
    pub(crate) fn map<'a, U>(&'a self, of: impl Fn(&'a T) -> U) -> Columns<U> {
        Columns {
            privacy: of(&self.privacy),
            value: self.value.as_ref().map(&of),
            groups: self.groups.each_ref().map(|group| group.as_ref().map(&of)),
            person: self.person.as_ref().map(&of),
            time: self.time.as_ref().map(&of),
            filter: self.filter.each_ref().map(|column| column.as_ref().map(&of)),
            decisions: self.decisions.each_ref().map(|column| column.as_ref().map(&of)),
            attributes: self.attributes.each_ref().map(|column| column.as_ref().map(&of)),
        }
    }
}

impl Columns {
    /// All positions in ascending order, each once.
    pub(crate) fn positions(&self) -> Vec<usize> {
        let all = [Some(self.privacy), self.value, self.person, self.time];
        let all = all.into_iter().chain(self.groups).chain(self.filter).chain(self.decisions);
        let all = all.chain(self.attributes);
        let mut positions: Vec<usize> = all.flatten().collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// Replaces each position by its index among the ascending `positions`.
    fn packed(&self, positions: &[usize]) -> Self {
        self.map(|column| positions.partition_point(|other| other < column))
    }
}

/// Positions of the columns of several scans that are read in one pass; for a scan that lacks a
/// column, the fault.
#[derive(Debug, Clone)]
pub(crate) struct Union {
    /// The positions of all columns, in ascending order, each once.
    pub(crate) positions: Vec<usize>,
    pub(crate) each: Vec<Result<Columns, Fault>>,
    /// Columns of each scan, as indices into `positions`.
    pub(crate) packed: Vec<Result<Columns, Fault>>,
}

impl Union {
    /// Finds the columns of each scan.
    pub(crate) fn find<'a>(
        scans: impl Iterator<Item = &'a Scan>,
        find: impl Fn(&Scan, Role) -> Result<usize, Fault>,
    ) -> Self {
        let each = scans.map(|scan| Columns::find(scan, |role| find(scan, role)));
        let each: Vec<Result<Columns, Fault>> = each.collect();
        let mut positions: Vec<usize> =
            each.iter().flatten().flat_map(Columns::positions).collect();
        positions.sort_unstable();
        positions.dedup();
        let packed = |columns: &Result<Columns, Fault>| {
            columns.as_ref().map(|at| at.packed(&positions)).map_err(Fault::clone)
        };
        let packed = each.iter().map(packed).collect();
        Self { positions, each, packed }
    }
}
