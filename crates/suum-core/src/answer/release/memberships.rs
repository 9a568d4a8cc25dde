//! Number of groups of which the releases depend on one record.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use super::{Spending, largest_losses};
use crate::{Epsilon, LevelName, Loss, Neighbors, Rho, Share};

/// Groups in which one record counts.
///
/// A record is a person if a column identifies persons. Who is in several groups counts in each
/// with a part of their budget, so that all releases together cost at most the whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Memberships {
    /// One group for every record.
    #[default]
    One,
    /// Hidden memberships, of which at most this many count.
    AtMost(NonZero<u32>),
    /// Public memberships, all of which count, by kinds of persons.
    Public(Vec<MemberKind>),
}

/// Persons of one level who are in equally many released groups.
#[derive(Debug, Clone, PartialEq)]
pub struct MemberKind {
    /// Name of their level in the releases of the groups.
    pub name: LevelName,
    /// Part of their budget with which they count in each group.
    pub part: Epsilon,
    /// Name of the level of their whole budget.
    pub level: LevelName,
    /// Whole budget of each of them.
    pub epsilon: Epsilon,
    /// Number of groups in which each of them is, also of those that are left out as small ones.
    pub groups: NonZero<u32>,
    /// Number of such persons.
    pub persons: u64,
}

impl Memberships {
    /// Returns the number of groups of which a record can change the releases, of `groups` in all;
    /// where memberships are public 1, since kinds of persons have certificates of their own.
    fn touched(&self, neighbors: Neighbors, groups: usize) -> usize {
        let most = match self {
            Self::One | Self::Public(_) => 1,
            Self::AtMost(most) => most.get() as usize,
        };
        let touched = match neighbors {
            // A record can leave all of its groups, and enter as many others.
            Neighbors::Both => most.saturating_mul(2),
            Neighbors::ReplaceOne | Neighbors::AddRemove => most,
        };
        touched.min(groups.max(1))
    }

    /// Returns the part of every budget that the release of each of `groups` groups may spend: all
    /// for a record that is in one; ε/K for one that is in at most K; and if a record may also
    /// change its groups, ε/min(2K, `groups`).
    ///
    /// # Example
    ///
    /// ```
    /// use std::num::NonZero;
    /// use suum_core::{Memberships, Neighbors};
    ///
    /// let four = Memberships::AtMost(NonZero::new(4).unwrap());
    /// assert_eq!(four.share(Neighbors::Both, 12).get(), 0.125);
    /// assert_eq!(four.share(Neighbors::Both, 2).get(), 0.5);
    /// assert_eq!(four.share(Neighbors::AddRemove, 12).get(), 0.25);
    /// ```
    pub fn share(&self, neighbors: Neighbors, groups: usize) -> Share {
        Share::equal(self.touched(neighbors, groups))
    }

    /// Returns the most that one record of this budget can cost: the total of the largest costs,
    /// among as many of `groups` groups as it can change. `of_groups` returns the cost of a part of
    /// the budget in every group, and `add` the total of two costs.
    ///
    /// # Example
    ///
    /// ```
    /// use std::num::NonZero;
    /// use suum_core::{Epsilon, Memberships, Neighbors};
    ///
    /// let (two, one) = (Memberships::AtMost(NonZero::new(2).unwrap()), Epsilon::new(1.0)?);
    /// let most = |neighbors| two.most(one, neighbors, 4, |_| vec![1, 4, 2, 3], 0, |a, b| a + b);
    /// assert_eq!((most(Neighbors::AddRemove), most(Neighbors::Both)), (7, 10));
    /// # Ok::<(), suum_core::Error>(())
    /// ```
    pub fn most<T: Ord + Clone>(
        &self,
        budget: Epsilon,
        neighbors: Neighbors,
        groups: usize,
        of_groups: impl Fn(Epsilon) -> Vec<T>,
        none: T,
        add: impl Fn(T, T) -> T,
    ) -> T {
        let of_part =
            |part, many| largest(of_groups(part).into_iter(), many).fold(none.clone(), &add);
        match self {
            Self::Public(kinds) => {
                let own = kinds.iter().filter(|kind| kind.epsilon == budget);
                let most = own.map(|kind| of_part(kind.part, kind.groups.get() as usize)).max();
                most.unwrap_or_else(|| none.clone())
            }
            Self::One | Self::AtMost(_) => of_part(budget, self.touched(neighbors, groups)),
        }
    }

    /// Returns true if one person can be in two of the groups.
    pub fn are_several(&self) -> bool {
        match self {
            Self::One => false,
            Self::AtMost(most) => most.get() > 1,
            Self::Public(kinds) => kinds.iter().any(|kind| kind.groups.get() > 1),
        }
    }

    /// Returns the loss of every level, given the certificates of the groups: the total of those
    /// groups, among as many as a record is in, in which its level lost most.
    pub(super) fn certificate(
        &self,
        neighbors: Neighbors,
        groups: &[&[Spending]],
    ) -> Vec<Spending> {
        let costs = || {
            groups
                .iter()
                .map(|rows| rows.iter().map(|row| (&row.level, row.epsilon, row.spent.clone())))
        };
        let add = |sum: Loss, loss: Loss| sum.plus(&loss);
        if let Self::Public(kinds) = self {
            let groups: Vec<GroupCosts<'_, Loss>> = costs().map(GroupCosts::new).collect();
            let row = |kind: &MemberKind| Spending {
                level: kind.level.clone(),
                epsilon: kind.epsilon,
                count: Some(kind.persons),
                spent: kind.total(&groups).fold(Loss::ZERO, add),
                delta: None,
                weight: None,
            };
            return largest_losses(kinds.iter().map(row));
        }
        let mut all = largest_losses(groups.iter().copied().flatten().cloned());
        let touched = self.touched(neighbors, groups.len());
        if touched > 1 {
            let groups: Vec<GroupCosts<'_, Loss>> = costs().map(GroupCosts::new).collect();
            for total in &mut all {
                let own = groups.iter().filter_map(|group| group.at(&total.level, total.epsilon));
                total.spent = largest(own, touched).fold(Loss::ZERO, add);
            }
        }
        all
    }

    /// Returns the costs of the rows of a [certificate](Self::certificate) as ρ, given those of the
    /// rows of each group.
    pub(super) fn rho(
        &self,
        neighbors: Neighbors,
        certificate: &[Spending],
        groups: &[Vec<(&LevelName, Epsilon, Rho)>],
    ) -> Vec<Rho> {
        let touched = self.touched(neighbors, groups.len());
        let groups: Vec<GroupCosts<'_, Rho>> =
            groups.iter().map(|group| GroupCosts::new(group.iter().copied())).collect();
        let Self::Public(kinds) = self else {
            let total = |row: &Spending| {
                let own = groups.iter().filter_map(|group| group.at(&row.level, row.epsilon));
                largest(own, touched).fold(Rho::ZERO, Rho::plus)
            };
            return certificate.iter().map(total).collect();
        };
        let mut totals: BTreeMap<(&LevelName, u64), Rho> = BTreeMap::new();
        for kind in kinds {
            let total = kind.total(&groups).fold(Rho::ZERO, Rho::plus);
            let most = totals.entry(key(&kind.level, kind.epsilon)).or_insert(Rho::ZERO);
            *most = (*most).max(total);
        }
        let total = |row: &Spending| totals.get(&key(&row.level, row.epsilon)).copied();
        certificate.iter().map(|row| total(row).unwrap_or(Rho::ZERO)).collect()
    }

    /// Returns true if every level of a group that lost anything is one of a kind of persons.
    pub(super) fn cover<'a>(&self, mut rows: impl Iterator<Item = &'a Spending>) -> bool {
        let Self::Public(kinds) = self else { return true };
        let named: BTreeSet<(&LevelName, u64)> =
            kinds.iter().map(|kind| key(&kind.name, kind.part)).collect();
        let numbers = kinds.iter().filter(|kind| matches!(kind.level, LevelName::Budget(_)));
        let most = numbers.map(|kind| kind.part).max();
        rows.all(|row| {
            row.spent == Loss::ZERO
                || named.contains(&key(&row.level, row.epsilon))
                // Of very many budgets those of one group can be rounded down, and not in another.
                || most.is_some_and(|most| row.epsilon <= most)
        })
    }
}

impl MemberKind {
    /// Returns the costs of those groups, among as many as such a person is in, that cost most.
    fn total<T: Ord + Clone>(&self, groups: &[GroupCosts<'_, T>]) -> impl Iterator<Item = T> {
        largest(
            groups.iter().filter_map(|group| group.largest_for(self)),
            self.groups.get() as usize,
        )
    }
}

/// Identity of a level.
fn key(level: &LevelName, epsilon: Epsilon) -> (&LevelName, u64) {
    (level, epsilon.get().to_bits())
}

/// Costs of the levels of one group.
struct GroupCosts<'a, T> {
    by_level: BTreeMap<(&'a LevelName, u64), T>,
    /// Largest cost of a level of a number at or below each budget, in ascending order.
    numbers: Vec<(Epsilon, T)>,
    /// Largest cost of any level at or below each budget, in ascending order.
    all: Vec<(Epsilon, T)>,
}

impl<'a, T: Ord + Clone> GroupCosts<'a, T> {
    fn new(rows: impl Iterator<Item = (&'a LevelName, Epsilon, T)>) -> Self {
        let (mut by_level, mut numbers, mut all) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (level, epsilon, cost) in rows {
            if matches!(level, LevelName::Budget(_)) {
                numbers.push((epsilon, cost.clone()));
            }
            all.push((epsilon, cost.clone()));
            let most = by_level.entry(key(level, epsilon)).or_insert_with(|| cost.clone());
            if cost > *most {
                *most = cost;
            }
        }
        Self { by_level, numbers: ascending(numbers), all: ascending(all) }
    }

    /// Cost of a level; `None` if the group lacks it.
    fn at(&self, level: &LevelName, epsilon: Epsilon) -> Option<T> {
        self.by_level.get(&key(level, epsilon)).cloned()
    }

    /// Largest cost of a person of this kind in the group; `None` if none is there.
    ///
    /// Of very many budgets those of one group are rounded down, and perhaps not those of another.
    /// So a budget that is no level of the group counts at any lower level.
    fn largest_for(&self, kind: &MemberKind) -> Option<T> {
        let at_most = |costs: &[(Epsilon, T)]| {
            let below = costs.partition_point(|(epsilon, _)| *epsilon <= kind.part);
            costs.get(below.checked_sub(1)?).map(|(_, cost)| cost.clone())
        };
        match (&kind.name, &kind.level) {
            (LevelName::Budget(_), _) => at_most(&self.numbers),
            (name, LevelName::Budget(_)) => self.at(name, kind.part).or_else(|| at_most(&self.all)),
            (name, LevelName::Label(_)) => self.at(name, kind.part),
        }
    }
}

/// Sorts costs by budget, each with the largest of those at or below it.
fn ascending<T: Ord + Clone>(mut costs: Vec<(Epsilon, T)>) -> Vec<(Epsilon, T)> {
    costs.sort_by_key(|(epsilon, _)| *epsilon);
    for at in 1..costs.len() {
        if costs[at - 1].1 > costs[at].1 {
            costs[at].1 = costs[at - 1].1.clone();
        }
    }
    costs
}

/// This many of the largest costs.
fn largest<T: Ord>(costs: impl Iterator<Item = T>, many: usize) -> impl Iterator<Item = T> {
    let mut costs: Vec<T> = costs.collect();
    costs.sort_by(|one, other| other.cmp(one));
    costs.into_iter().take(many)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(level: &str, epsilon: f64, spent: Loss) -> Spending {
        let epsilon = Epsilon::new(epsilon).unwrap();
        let level = LevelName::Label(level.to_owned());
        Spending { level, epsilon, count: Some(3), spent, delta: None, weight: None }
    }

    #[test]
    fn adds_the_groups_in_which_a_level_lost_most() {
        let group = |eighths: u64| vec![row("strict", 1.0, Loss::ratio(eighths, 8))];
        let groups = [group(1), group(4), group(2)];
        let groups: Vec<&[Spending]> = groups.iter().map(Vec::as_slice).collect();
        let spent = |memberships: &Memberships, neighbors| {
            memberships.certificate(neighbors, &groups).pop().unwrap().spent
        };
        let two = Memberships::AtMost(NonZero::new(2).unwrap());
        assert_eq!(spent(&Memberships::One, Neighbors::ReplaceOne), Loss::ratio(4, 8));
        assert_eq!(spent(&Memberships::One, Neighbors::Both), Loss::ratio(6, 8));
        assert_eq!(spent(&two, Neighbors::AddRemove), Loss::ratio(6, 8));
        assert_eq!(spent(&two, Neighbors::Both), Loss::ratio(7, 8));
    }

    #[test]
    fn adds_the_parts_of_every_kind_of_person() {
        let kind = |name: &str, part: f64, groups: u32| MemberKind {
            name: LevelName::Label(name.to_owned()),
            part: Epsilon::new(part).unwrap(),
            level: LevelName::Label("strict".to_owned()),
            epsilon: Epsilon::new(1.0).unwrap(),
            groups: NonZero::new(groups).unwrap(),
            persons: 3,
        };
        let kinds = vec![kind("strict", 1.0, 1), kind("strict in 2 groups", 0.5, 2)];
        let memberships = Memberships::Public(kinds);
        let groups = [
            vec![
                row("strict", 1.0, Loss::ratio(5, 8)),
                row("strict in 2 groups", 0.5, Loss::ratio(3, 8)),
            ],
            vec![row("strict in 2 groups", 0.5, Loss::ratio(4, 8))],
        ];
        let groups: Vec<&[Spending]> = groups.iter().map(Vec::as_slice).collect();
        let all = memberships.certificate(Neighbors::ReplaceOne, &groups);
        let expected = Spending { count: Some(6), ..row("strict", 1.0, Loss::ratio(7, 8)) };
        assert_eq!(all, [expected]);
    }

    #[test]
    fn numbers_are_levels_of_their_parts_or_of_lower_ones() {
        let budget = |epsilon: f64| Epsilon::new(epsilon).unwrap();
        let row = |part: f64, spent: Loss| Spending {
            level: LevelName::Budget(budget(part)),
            epsilon: budget(part),
            count: Some(1),
            spent,
            delta: None,
            weight: None,
        };
        let kind = MemberKind {
            name: LevelName::Budget(budget(0.5)),
            part: budget(0.5),
            level: LevelName::Budget(budget(1.0)),
            epsilon: budget(1.0),
            groups: NonZero::new(2).unwrap(),
            persons: 1,
        };
        let memberships = Memberships::Public(vec![kind]);
        // The second group has rounded budgets down.
        let exact = vec![row(0.25, Loss::ratio(1, 8)), row(0.5, Loss::ratio(1, 2))];
        let coarse = vec![row(0.4375, Loss::ratio(3, 8)), row(0.75, Loss::ratio(5, 8))];
        let groups: [&[Spending]; 2] = [&exact, &coarse];
        let all = memberships.certificate(Neighbors::ReplaceOne, &groups);
        assert_eq!(all.len(), 1);
        assert_eq!((&all[0].spent, all[0].epsilon), (&Loss::ratio(7, 8), budget(1.0)));
        assert!(memberships.cover(exact.iter()));
        assert!(!memberships.cover(coarse.iter()), "nobody allows so much");
    }
}
