//! Number of groups of which the releases depend on one record.

use std::cmp::Reverse;
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
    /// Number of released groups in which each of them is.
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

    /// Returns the parts of a budget with which its records can count, each with the number of
    /// groups of which they can change the releases, of `groups` in all.
    pub fn parts_of(
        &self,
        budget: Epsilon,
        neighbors: Neighbors,
        groups: usize,
    ) -> Vec<(Epsilon, usize)> {
        match self {
            Self::Public(kinds) => {
                let own = kinds.iter().filter(|kind| kind.epsilon == budget);
                own.map(|kind| (kind.part, kind.groups.get() as usize)).collect()
            }
            Self::One | Self::AtMost(_) => vec![(budget, self.touched(neighbors, groups))],
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
        let rows = || groups.iter().copied().flatten();
        if let Self::Public(kinds) = self {
            let row = |kind: &MemberKind| {
                let own = rows().filter(|row| is_of(row, &kind.name, kind.part));
                Spending {
                    level: kind.level.clone(),
                    epsilon: kind.epsilon,
                    count: Some(kind.persons),
                    spent: largest(own.map(|row| &row.spent), kind.groups.get() as usize),
                    delta: None,
                    weight: None,
                }
            };
            return largest_losses(kinds.iter().map(row));
        }
        let touched = self.touched(neighbors, groups.len());
        let mut all = largest_losses(rows().cloned());
        if touched > 1 {
            for total in &mut all {
                let own = rows().filter(|row| is_of(row, &total.level, total.epsilon));
                total.spent = largest(own.map(|row| &row.spent), touched);
            }
        }
        all
    }

    /// Returns the cost of a row of the certificate as ρ, where `of_groups` returns the costs of a
    /// level in all groups.
    pub(super) fn rho(
        &self,
        neighbors: Neighbors,
        groups: usize,
        total: &Spending,
        of_groups: impl Fn(&LevelName, Epsilon) -> Vec<Rho>,
    ) -> Rho {
        let largest = |name: &LevelName, part: Epsilon, many: usize| {
            let mut all = of_groups(name, part);
            all.sort_by_key(|rho| Reverse(*rho));
            all.into_iter().take(many).fold(Rho::ZERO, Rho::plus)
        };
        match self {
            Self::Public(kinds) => {
                let own = kinds.iter().filter(|kind| is_of(total, &kind.level, kind.epsilon));
                let rho =
                    |kind: &MemberKind| largest(&kind.name, kind.part, kind.groups.get() as usize);
                own.map(rho).max().unwrap_or(Rho::ZERO)
            }
            Self::One | Self::AtMost(_) => {
                largest(&total.level, total.epsilon, self.touched(neighbors, groups))
            }
        }
    }
}

/// Returns true if a row is of the level of this name and budget.
fn is_of(row: &Spending, level: &LevelName, epsilon: Epsilon) -> bool {
    row.epsilon == epsilon && row.level == *level
}

/// Returns the total of this many of the largest losses.
fn largest<'a>(losses: impl Iterator<Item = &'a Loss>, many: usize) -> Loss {
    let mut losses: Vec<&Loss> = losses.collect();
    losses.sort_by_key(|loss| Reverse(*loss));
    losses.into_iter().take(many).fold(Loss::ZERO, |sum, loss| sum.plus(loss))
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
}
