//! Vectorised sums of numbers in memory whose budgets are few: the most common scan.

use fearless_simd::{Level, Select, Simd, SimdBase, dispatch};
use suum_core::Epsilon;

use crate::count::coded::{LOW, ONE};

/// Totals of the records of one budget.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Total {
    pub(crate) count: u64,
    /// Sum of the grid indices.
    pub(crate) indices: u64,
    /// Sum of the squares of their distances from the middle of the grid, if requested.
    pub(crate) squares: u128,
}

/// Largest number of budgets that each number is compared with.
pub(crate) const MOST: usize = 8;

/// Largest grid whose squares are added up here.
pub(crate) const MOST_POINTS: u64 = 1 << 30;

/// Number of squares that fit a 64-bit sum: a distance from the middle is at most 2^29.
const SQUARES: usize = 32;

/// Largest number of lanes that a processor works on at a time.
const LANES: usize = 8;

/// Block of records: the number of each budget, and its grid index.
#[derive(Clone, Copy)]
pub(crate) struct Records<'a> {
    pub(crate) numbers: &'a [f64],
    pub(crate) indices: &'a [u64],
    pub(crate) points: u64,
    pub(crate) squares: bool,
}

/// Adds up the records of each budget; `None` if some have none of these budgets, or there are too
/// many budgets to compare all numbers with each.
pub(crate) fn totals(
    budgets: &[(f64, Epsilon)],
    records: Records,
) -> Option<impl Iterator<Item = (Epsilon, Total)>> {
    let mut all = [Total::default(); MOST];
    // Uses the widest vector instructions of this processor.
    match budgets.len() {
        0..=4 => all[..4].copy_from_slice(&some::<4>(budgets, records)),
        5..=MOST => all.copy_from_slice(&some::<MOST>(budgets, records)),
        _ => return None,
    }
    // A number that equals two budgets, as zero does that is written in two ways, is counted twice.
    let counted: u64 = all.iter().map(|total| total.count).sum();
    let found = all.into_iter().zip(budgets).map(|(total, (_, epsilon))| (*epsilon, total));
    (counted == records.numbers.len() as u64).then_some(found)
}

fn some<const N: usize>(budgets: &[(f64, Epsilon)], records: Records) -> [Total; N] {
    // Nothing equals NaN.
    let mut keys = [f64::NAN; N];
    keys.iter_mut().zip(budgets).for_each(|(key, (number, _))| *key = *number);
    dispatch!(Level::new(), simd => added_up(simd, &keys, records))
}

#[inline(always)]
fn added_up<S: Simd, const N: usize>(simd: S, keys: &[f64; N], records: Records) -> [Total; N] {
    let lanes = S::u64s::LEN;
    let mut totals = [Total::default(); N];
    let splat = |key| S::f64s::splat(simd, key);
    let (equal_to, one, zero) =
        (keys.map(splat), S::u64s::splat(simd, ONE), S::u64s::splat(simd, 0));
    let whole = records.numbers.len() / lanes * lanes;
    let (numbers, last_numbers) = records.numbers.split_at(whole);
    let (indices, last_indices) = records.indices.split_at(whole);
    let middle = records.points as i64 / 2;
    let square = |index: &u64| {
        // An index of so small a grid fits 32 bits, and processors multiply several of these.
        let distance = i64::from((*index as i64 - middle) as i32);
        (distance * distance) as u64
    };

    let mut sums = [zero; N];
    let mut squares = [0; SQUARES * LANES];
    let block = SQUARES * lanes;
    for (numbers, indices) in numbers.chunks(block).zip(indices.chunks(block)) {
        if records.squares {
            squares.iter_mut().zip(indices).for_each(|(place, index)| *place = square(index));
        }
        let mut squared = [zero; N];
        let rows = numbers.chunks_exact(lanes).zip(indices.chunks_exact(lanes));
        for ((numbers, indices), squares) in rows.zip(squares.chunks_exact(lanes)) {
            let numbers = S::f64s::from_slice(simd, numbers);
            let counted = S::u64s::from_slice(simd, indices) + one;
            let squares = S::u64s::from_slice(simd, squares);
            for at in 0..N {
                let mine = numbers.simd_eq(equal_to[at]);
                sums[at] += mine.select(counted, zero);
                if records.squares {
                    squared[at] += mine.select(squares, zero);
                }
            }
        }
        for (total, squared) in totals.iter_mut().zip(squared) {
            total.squares += lanes_of(squared).iter().map(|sum| u128::from(*sum)).sum::<u128>();
        }
    }
    for (total, sums) in totals.iter_mut().zip(sums) {
        let sum: u64 = lanes_of(sums).iter().sum();
        (total.count, total.indices) = (sum >> LOW, sum % ONE);
    }
    for (number, index) in last_numbers.iter().zip(last_indices) {
        for (_, total) in keys.iter().zip(&mut totals).filter(|(key, _)| *key == number) {
            total.count += 1;
            total.indices += index;
            total.squares += if records.squares { u128::from(square(index)) } else { 0 };
        }
    }
    totals
}

/// Lanes of a vector, followed by zeros.
#[inline(always)]
fn lanes_of<S: Simd, V: SimdBase<S, Element = u64>>(vector: V) -> [u64; LANES] {
    let mut lanes = [0; LANES];
    vector.store_slice(&mut lanes[..V::LEN]);
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NUMBERS: [f64; 9] = [0.0, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, f64::INFINITY, 7.0];

    proptest! {
        #[test]
        fn totals_are_those_of_one_by_one(
            known in 0usize..9,
            bits in 1u32..=30,
            squares: bool,
            rows in prop::collection::vec(
                (0usize..9, prop_oneof![Just(0u64), Just(1 << 30), 0..=1u64 << 30]),
                0..600,
            ),
        ) {
            let points = 1 << bits;
            let of = |number: f64| (number, Epsilon::new(number).unwrap());
            let budgets: Vec<(f64, Epsilon)> = NUMBERS[..known].iter().map(|n| of(*n)).collect();
            let numbers: Vec<f64> = rows.iter().map(|(at, _)| NUMBERS[*at]).collect();
            let indices: Vec<u64> = rows.iter().map(|(_, index)| *index.min(&points)).collect();
            let records = Records { numbers: &numbers, indices: &indices, points, squares };
            let found: Option<Vec<_>> = totals(&budgets, records).map(Iterator::collect);
            if rows.iter().any(|(at, _)| *at >= known) {
                prop_assert_eq!(found, None);
                return Ok(());
            }
            for (number, total) in budgets.iter().zip(found.unwrap()) {
                let mine = numbers.iter().zip(&indices).filter(|(other, _)| **other == number.0);
                let mut expected = Total::default();
                for (_, index) in mine {
                    let distance = i128::from(*index) - i128::from(points / 2);
                    expected.count += 1;
                    expected.indices += index;
                    expected.squares += if squares { (distance * distance) as u128 } else { 0 };
                }
                prop_assert_eq!(total, (number.1, expected));
            }
        }
    }

    #[test]
    fn what_equals_two_budgets_or_none_is_not_added_up() {
        let records =
            |numbers| Records { numbers, indices: &[5; 20], points: 1 << 20, squares: true };
        let of = |number: f64| (number, Epsilon::new(number).unwrap());
        assert!(totals(&[of(0.0), of(-0.0)], records(&[0.0; 20])).is_none());
        assert!(totals(&[of(-0.0)], records(&[0.0; 20])).is_some());
        assert!(totals(&[of(1.0)], records(&[f64::NAN; 20])).is_none());
        assert!(totals(&NUMBERS.map(of), records(&[1.0; 20])).is_none());
    }
}
