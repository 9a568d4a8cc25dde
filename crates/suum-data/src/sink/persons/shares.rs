//! Shares of a person's rows in categories, as integers that add up exactly.

use suum_core::Categories;

/// Divides one count among the categories of a person's rows, which ascend: `shares` becomes each
/// of them with its steps, of which there are [`Categories::STEPS`] in all.
///
/// Each category has the steps of its share, rounded down. What is left goes to the largest
/// remainders, one step each; of equal ones to the category declared first.
pub(super) fn divide(categories: &[u64], shares: &mut Vec<(u64, u64)>) {
    let rows = categories.len() as u128;
    // Rows of a category times 2^20; of as many rows as fit memory it is below 2^128.
    let scaled = |same: &[u64]| same.len() as u128 * u128::from(Categories::STEPS);
    shares.clear();
    let of_each = categories.chunk_by(|one, next| one == next);
    shares.extend(of_each.clone().map(|same| (same[0], (scaled(same) / rows) as u64)));
    let given: u64 = shares.iter().map(|(_, steps)| steps).sum();
    let left = (Categories::STEPS - given) as usize;
    if left == 0 {
        return;
    }
    // Fewer steps are left than there are categories.
    let mut by_remainder: Vec<(u128, usize)> =
        of_each.enumerate().map(|(at, same)| (rows - scaled(same) % rows, at)).collect();
    by_remainder.sort_unstable();
    for (_, at) in by_remainder.iter().take(left) {
        shares[*at].1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn divided(categories: &[u64]) -> Vec<(u64, u64)> {
        let mut shares = vec![(9, 9)];
        divide(categories, &mut shares);
        shares
    }

    #[test]
    fn what_is_left_goes_to_the_largest_remainders() {
        const ALL: u64 = Categories::STEPS;
        assert_eq!(divided(&[4]), [(4, ALL)]);
        assert_eq!(divided(&[0, 0, 3, 3]), [(0, ALL / 2), (3, ALL / 2)]);
        // 2^20 is 1 more than a multiple of 3: of equal remainders the first.
        assert_eq!(divided(&[0, 1, 2]), [(0, ALL / 3 + 1), (1, ALL / 3), (2, ALL / 3)]);
        // Thirds of one have a remainder of 1/3, of two of 2/3.
        assert_eq!(divided(&[1, 5, 5]), [(1, ALL / 3), (5, 2 * ALL / 3 + 1)]);
    }

    proptest! {
        /// Each is less than one step from its share, all add up, and larger shares have no less.
        #[test]
        fn steps_add_up_and_are_as_near_as_they_can_be(
            mut categories in prop::collection::vec(0u64..12, 1..200),
        ) {
            categories.sort_unstable();
            let shares = divided(&categories);
            prop_assert_eq!(shares.iter().map(|(_, steps)| steps).sum::<u64>(), Categories::STEPS);
            prop_assert!(shares.is_sorted_by(|one, next| one.0 < next.0));
            let rows = categories.len() as u64;
            let of = |category: u64| categories.iter().filter(|one| **one == category).count();
            for (category, steps) in &shares {
                let exact = of(*category) as u64 * Categories::STEPS;
                prop_assert!((steps * rows).abs_diff(exact) < rows);
                for (other, fewer) in &shares {
                    prop_assert!(of(*category) <= of(*other) || steps >= fewer);
                }
            }
        }
    }
}
