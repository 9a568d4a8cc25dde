//! Rows in three words, which suffice for most data.

use suum_core::Measure;

use super::row::Row;
use crate::cells::indexed::ABSENT;
use crate::cells::level_key::FEW;
use crate::scan::Scan;
use crate::scan::value::Value;

/// Layout of group, index and choice of a row in one word, where choices have codes.
///
/// The group is in the highest bits and the choice in the lowest, so words have the order of rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packing {
    index_bits: u32,
    /// Code of an absent index: one more than the largest.
    absent: u64,
}

/// Number of bits of the code of a choice.
const CODE: u32 = FEW.ilog2();

impl Packing {
    /// Layout for the rows of a scan; `None` if they need more than a word, or have times, or
    /// values without bounds.
    pub(super) fn for_scan(scan: &Scan) -> Option<Self> {
        if scan.person_time.is_some() {
            return None;
        }
        let most = match (&scan.value, scan.measure()) {
            (Some(Value::Unbounded(_)), _) => return None,
            (Some(Value::Number(_)), _) if scan.keeps_plain_rows() => return None,
            (_, Measure::Nothing) => 0,
            (_, Measure::Categories(categories)) => categories.len() as u64,
            (_, Measure::Numbers(numbers)) => numbers.grid.points(),
        };
        let absent = most + 1;
        let bits_of = |largest: u64| u64::BITS - largest.leading_zeros();
        let (index_bits, group_bits) = (bits_of(absent), bits_of(scan.groups() as u64));
        (group_bits + index_bits + CODE <= u64::BITS).then_some(Self { index_bits, absent })
    }

    /// Packs a row into three words.
    #[inline]
    pub(super) fn pack(self, person: u128, group: u32, index: u64, code: u8) -> [u64; 3] {
        debug_assert!(index < self.absent || index == ABSENT, "an index beyond the largest");
        let index = index.min(self.absent);
        let [high, low] = crate::scan::identifier::halves(person);
        [high, low, (u64::from(group) << self.index_bits | index) << CODE | u64::from(code)]
    }

    /// Unpacks a row from three words; `choices` maps each code to the bits of its choice.
    #[inline]
    pub(super) fn unpack(self, [high, low, rest]: [u64; 3], choices: &[u64]) -> Row {
        let both = rest >> CODE;
        let index = both & ((1 << self.index_bits) - 1);
        let code = (rest % FEW as u64) as usize;
        Row {
            person: [high, low],
            group: (both >> self.index_bits) as u32,
            index: if index == self.absent { ABSENT } else { index },
            // Rows have codes that were given.
            choice: choices.get(code).copied().unwrap_or_default(),
            time: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use suum_core::{Bounds, Grid, PersonValue};

    use super::*;
    use crate::scan::PrivacyColumn;
    use crate::scan::value::ValueColumn;
    use crate::{CategoryRule, Grouping};

    fn scan(grid: Grid, groups: usize) -> Scan {
        let privacy = PrivacyColumn::Budgets { column: "e".into() };
        let numbers = grid.into();
        let value = ValueColumn { column: "v".into(), numbers, missing: None };
        let names = (0..groups).map(|group| group.to_string()).collect();
        let classes = CategoryRule::labels(names, None);
        Scan {
            person: Some("p".into()),
            group: (groups > 0).then(|| Grouping::one("g", classes.unwrap())),
            ..Scan::new(privacy, Some(Value::Number(value)))
        }
    }

    fn grid(steps: u64) -> Grid {
        Grid::with_points(Bounds::new(0.0, 8.0).unwrap(), steps).unwrap()
    }

    proptest! {
        #[test]
        fn rows_are_the_same_and_in_the_same_order(
            rows in prop::collection::vec(
                (0u128..3, 0u32..5, prop::option::of(0u64..=12), 0u8..=255),
                1..20,
            ),
        ) {
            let packing = Packing::for_scan(&scan(grid(1 << 20), 5)).unwrap();
            let choices: Vec<u64> = (0..256).map(|code| 1000 + code).collect();
            let both = |(person, group, index, code): (u128, u32, Option<u64>, u8)| {
                let person = person << 60;
                let index = index.unwrap_or(ABSENT);
                let row = Row::new(person, group, index, choices[usize::from(code)]);
                (packing.pack(person, group, index, code), row)
            };
            let mut all: Vec<_> = rows.into_iter().map(both).collect();
            for (words, row) in &all {
                prop_assert_eq!(packing.unpack(*words, &choices), *row);
            }
            all.sort_by_key(|(words, _)| *words);
            prop_assert!(all.is_sorted_by_key(|(_, row)| *row));
        }
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        // 2^50 + 1 takes 51 bits, a code 8: of 64 bits 5 are left for groups.
        assert!(Packing::for_scan(&scan(grid(1 << 50), 31)).is_some());
        assert!(Packing::for_scan(&scan(grid(1 << 50), 32)).is_none());
        let sums = Scan { person_value: PersonValue::Total, ..scan(grid(1 << 20), 0) };
        assert!(Packing::for_scan(&sums).is_none());
    }
}
