//! Groups in which a person counts who has rows in several.

use std::num::NonZero;

use suum_core::{Error, Result, leave_out, option, say};

use super::Scan;
use super::identifier;

/// Groups in which a person counts who has rows in several groups.
///
/// Without it such persons are refused if participation is public; if it is hidden, they count in
/// the first declared of their groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonGroups {
    /// Number of groups in which a person counts.
    pub counted: CountedGroups,
    /// True for each group that is released, in the order declared; `None` if all are. Persons
    /// count in these alone.
    pub released: Option<Vec<bool>>,
}

/// Number of groups in which a person counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountedGroups {
    /// All: memberships are public.
    ///
    /// The table of a group is one [of members](suum_core::LevelTable::from_members): persons have
    /// their whole budgets, in strata by the number of their groups.
    All,
    /// At most this many: memberships are hidden.
    ///
    /// Which of them count is fixed by a digest of the person and the name of the group, so that no
    /// group is favoured.
    AtMost(NonZero<u32>),
}

impl PersonGroups {
    /// Returns true if the group at this index is released.
    pub(crate) fn is_released(&self, group: u32) -> bool {
        let of_group = |all: &Vec<bool>| all.get(group as usize).copied().unwrap_or_default();
        self.released.as_ref().is_none_or(of_group)
    }
}

/// Largest number of groups in which persons can be publicly.
const MOST_GROUPS: usize = 1024;

impl Scan {
    /// Returns true if everybody may know who is in which of several groups.
    pub fn has_public_members(&self) -> bool {
        let counted = self.person_groups.as_ref().map(|groups| groups.counted);
        counted == Some(CountedGroups::All)
    }

    /// Number of tables that records can be in: one for each group, and with public memberships one
    /// for each number of groups of a person.
    pub(crate) fn tables_of_groups(&self) -> usize {
        let groups = self.groups();
        if self.has_public_members() { groups * groups } else { groups }
    }

    /// Index of the table of persons in this group who are in `groups` groups.
    pub(crate) fn member_table(&self, group: u32, groups: NonZero<u32>) -> u32 {
        // At most 2^20 tables.
        group * self.groups() as u32 + (groups.get() - 1)
    }

    /// Number of pairs of a group and a number of groups for which there is room for counters.
    pub(crate) fn parts_of_counters(&self) -> usize {
        const OFTEN: usize = 12;
        let groups = self.groups().max(1);
        if self.has_public_members() { groups * groups.min(OFTEN) } else { groups }
    }

    /// Refuses persons in several groups where there are no persons or no groups, and where
    /// participation is not as the memberships.
    pub(crate) fn check_person_groups(&self) -> Result<()> {
        let Some(PersonGroups { counted, .. }) = &self.person_groups else { return Ok(()) };
        let (at, needs_hidden) = match counted {
            CountedGroups::All => (option::PERSON_GROUPS, false),
            CountedGroups::AtMost(_) => (option::MAX_GROUPS, true),
        };
        let refuse = |problem, fix| Err(Error::request(at, problem).with_fix(fix));
        if self.person.is_none() || self.group.is_none() {
            return refuse(
                "it is for persons who have rows in several groups",
                say("name both columns:")
                    .set(option::PERSON, "COL")
                    .set(option::GROUP_BY, "COL")
                    .say(", or")
                    .then(leave_out(at)),
            );
        }
        if needs_hidden != self.add_remove.is_some() {
            return match needs_hidden {
                true => refuse(
                    "who is in which group is public with replace-one neighbours",
                    say("say so with").set(option::PERSON_GROUPS, "public").say(
                        ", and everybody counts in all of their groups; or hide who takes part:",
                    )
                    .set(option::NEIGHBORS, "both"),
                ),
                false => refuse(
                    "memberships are hidden like everything else of a person",
                    say("say in how many groups a person counts:").set(option::MAX_GROUPS, "K"),
                ),
            };
        }
        if self.has_public_members() && self.groups() > MOST_GROUPS {
            return refuse(
                "persons can be in up to 1024 groups, and there are more",
                say("declare fewer groups"),
            );
        }
        Ok(())
    }
}

/// Order of the groups of a person, of which the first ones count.
pub(crate) struct GroupOrder {
    names: Vec<Vec<u8>>,
}

impl GroupOrder {
    pub(crate) fn new(scan: &Scan) -> Self {
        let counted = scan.person_groups.as_ref().map(|groups| groups.counted);
        let is_needed = matches!(counted, Some(CountedGroups::AtMost(_)));
        let grouping = scan.group.as_ref().filter(|_| is_needed);
        let names = grouping.iter().flat_map(|group| group.names());
        // Labels are separated by a byte that no text has.
        let bytes = names.map(|name| {
            let labels = name.labels().iter().map(|label| label.as_bytes());
            labels.collect::<Vec<_>>().join(&0xFF)
        });
        Self { names: bytes.collect() }
    }

    /// Place of a group among those of a person.
    pub(crate) fn place(&self, person: u128, group: u32) -> u128 {
        let name = self.names.get(group as usize).map_or(&[][..], Vec::as_slice);
        let purpose = b"suum: order of the groups of a person";
        let bytes = [purpose.as_slice(), &person.to_be_bytes(), name].concat();
        identifier::hash(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::PrivacyColumn;
    use crate::{CategoryRule, Grouping};

    #[test]
    fn order_favours_no_group() {
        let names: Vec<String> = (0..6).map(|group| format!("g{group}")).collect();
        let scan = Scan {
            group: Some(Grouping::one("g", CategoryRule::labels(names, None).unwrap())),
            person_groups: Some(PersonGroups {
                counted: CountedGroups::AtMost(NonZero::<u32>::MIN),
                released: None,
            }),
            ..Scan::new(PrivacyColumn::Budgets { column: "e".into() }, None)
        };
        let order = GroupOrder::new(&scan);
        let mut first = [0u32; 6];
        for person in 0..6000u128 {
            let identifier = identifier::hash(&person.to_be_bytes());
            let least = (0..6).min_by_key(|group| order.place(identifier, *group)).unwrap();
            first[least as usize] += 1;
        }
        // Each is first for 1000 persons; six standard deviations are 173.
        assert!(first.iter().all(|count| count.abs_diff(1000) < 173), "{first:?}");
    }
}
