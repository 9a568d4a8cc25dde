//! Classes of persons by the number of groups in which they are.

use std::num::NonZero;

use crate::{Epsilon, LevelName, Share};

/// Classes of persons by the number of groups in which they are.
///
/// Persons of a class divide their budgets by the same number: the most groups in which one of them
/// can be. Whoever is in more groups than another person can have other values, so an estimate
/// keeps the share of every class, as it keeps those of strata.
///
/// # Example
///
/// ```
/// use std::num::NonZero;
/// use suum_core::{Epsilon, MemberClasses};
///
/// let numbers: Vec<_> = [1, 2, 3, 6].into_iter().filter_map(NonZero::new).collect();
/// let classes = MemberClasses::new(&numbers, 2);
/// let three = numbers[2];
/// assert_eq!(classes.name(classes.class(three)), "3 to 6 groups");
/// assert!(classes.part(three, Epsilon::new(0.6)?) <= Epsilon::new(0.1)?);
/// # Ok::<(), suum_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberClasses {
    // The least and the most groups of each class, in ascending order; not empty.
    ranges: Vec<(NonZero<u32>, NonZero<u32>)>,
}

impl MemberClasses {
    /// Returns the classes of persons who are in these numbers of groups, in ascending order: each
    /// of the first `apart` is a class of its own, and all others are one.
    ///
    /// Persons in other numbers of groups belong to the class of the next larger number, or to the
    /// last one. Without numbers there is one class of one group.
    pub fn new(numbers: &[NonZero<u32>], apart: usize) -> Self {
        let (own, others) = numbers.split_at(apart.min(numbers.len()));
        let of_others = others.first().copied().zip(others.last().copied());
        let own = own.iter().map(|number| (*number, *number));
        let mut ranges: Vec<_> = own.chain(of_others).collect();
        if ranges.is_empty() {
            ranges.push((NonZero::<u32>::MIN, NonZero::<u32>::MIN));
        }
        Self { ranges }
    }

    /// Returns the index of the class of persons who are in this many groups.
    pub fn class(&self, groups: NonZero<u32>) -> usize {
        let before = self.ranges.partition_point(|(_, most)| *most < groups);
        before.min(self.ranges.len() - 1)
    }

    /// Returns the part of its budget with which a person in this many groups counts in each of
    /// them, rounded down: all parts together are at most the budget.
    pub fn part(&self, groups: NonZero<u32>, budget: Epsilon) -> Epsilon {
        let most = self.ranges[self.class(groups)].1.max(groups);
        Share::equal(most.get() as usize).apply_to(budget)
    }

    /// Returns the name of a class: `1 group`, `3 groups`, `2 to 4 groups`.
    pub fn name(&self, class: usize) -> String {
        match self.ranges.get(class).map(|(least, most)| (least.get(), most.get())) {
            None | Some((1, 1)) => "1 group".to_owned(),
            Some((least, most)) if least == most => format!("{most} groups"),
            Some((least, most)) => format!("{least} to {most} groups"),
        }
    }

    /// Returns the name of a level among persons in this many groups, who count with this part of
    /// their budget in each: its own if there is one class or they are in one group, otherwise with
    /// the name of their class. A level that is a budget is named by the part.
    pub fn level_name(&self, groups: NonZero<u32>, level: LevelName, part: Epsilon) -> LevelName {
        let class = self.class(groups);
        let is_alone = self.ranges.len() == 1 || self.ranges[class].1.get() == 1;
        match level {
            LevelName::Budget(_) if is_alone => LevelName::Budget(part),
            level if is_alone => level,
            level => LevelName::Label(format!("{level} in {}", self.name(class))),
        }
    }
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;
    use proptest::prelude::*;

    use super::*;

    fn groups(groups: u32) -> NonZero<u32> {
        NonZero::new(groups).unwrap()
    }

    fn classes(numbers: &[u32], apart: usize) -> MemberClasses {
        let numbers: Vec<NonZero<u32>> = numbers.iter().map(|number| groups(*number)).collect();
        MemberClasses::new(&numbers, apart)
    }

    #[test]
    fn classes_have_names() {
        let three = classes(&[1, 2, 4, 6], 2);
        let names: Vec<String> = (0..3).map(|class| three.name(class)).collect();
        assert_eq!(names, ["1 group", "2 groups", "4 to 6 groups"]);
        assert_eq!(classes(&[1, 12], 0).name(0), "1 to 12 groups");
        assert_eq!(classes(&[12], 1).name(0), "12 groups");
        assert_eq!(classes(&[], 3).name(0), "1 group");
        let strict = || LevelName::Label("strict".into());
        let name = |of: &MemberClasses, many| {
            of.level_name(groups(many), strict(), Epsilon::UNUSED).to_string()
        };
        assert_eq!(name(&three, 1), "strict");
        assert_eq!(name(&three, 4), "strict in 4 to 6 groups");
        assert_eq!(name(&classes(&[1, 12], 0), 4), "strict");
    }

    proptest! {
        #[test]
        fn parts_of_all_groups_never_exceed_the_budget(
            many in 1u32..400,
            numbers in prop::collection::btree_set(1u32..400, 0..6),
            apart in 0usize..6,
            exponent in -90.0..90.0_f64,
        ) {
            let classes = classes(&numbers.into_iter().collect::<Vec<_>>(), apart);
            let budget = Epsilon::new(10f64.powf(exponent)).unwrap();
            let part = classes.part(groups(many), budget).exact().unwrap();
            prop_assert!(part * RBig::from(many) <= budget.exact().unwrap());
        }
    }
}
