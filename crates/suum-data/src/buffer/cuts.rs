//! In which interval between cuts a key lies.

/// How many keys are looked up side by side.
///
/// One look-up waits for memory at each step; many together do not, which makes each some five
/// times as fast.
pub(super) const LANES: usize = 32;

/// Ascending cuts as a search tree: the middle one first, then those in the middle of both halves,
/// and so on.
///
/// A look-up takes one step for each level of the tree, and no branch, wherever the cuts and the
/// keys are.
pub(super) struct Cuts {
    // Level d has 2^d cuts in ascending order, behind those of all levels above. What is left is
    // filled up with a number that no key exceeds.
    tree: Vec<u64>,
    levels: u32,
    number: usize,
}

impl Cuts {
    /// The tree of cuts in ascending order.
    pub(super) fn new(cuts: &[u64]) -> Self {
        let number = cuts.len();
        let levels = usize::BITS - number.leading_zeros();
        let mut tree = Vec::with_capacity(1 << levels);
        for level in 0..levels {
            // The cuts of a level stand a multiple of this step apart.
            let step = 1usize << (levels - level);
            let places = (0..1usize << level).map(|place| place * step + step / 2 - 1);
            tree.extend(places.map(|place| cuts.get(place).copied().unwrap_or(u64::MAX)));
        }
        Self { tree, levels, number }
    }

    /// The number of intervals: one more than there are cuts.
    pub(super) fn intervals(&self) -> usize {
        self.number + 1
    }

    /// For each key, how many cuts are at most as large: the interval it lies in.
    #[inline]
    pub(super) fn find(&self, keys: &[u64; LANES]) -> [usize; LANES] {
        let mut places = [0; LANES];
        for level in 0..self.levels {
            let (first, cuts) = (1 << level, 1 << level);
            let cuts = &self.tree[first - 1..first - 1 + cuts];
            for (place, key) in places.iter_mut().zip(keys) {
                *place = 2 * *place + usize::from(cuts[*place] <= *key);
            }
        }
        // The largest key may count what was filled up.
        places.map(|place| place.min(self.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key() -> impl Strategy<Value = u64> {
        prop_oneof![0u64..20, any::<u64>(), Just(u64::MAX), Just(1 << 63)]
    }

    proptest! {
        #[test]
        fn finds_what_counting_finds(
            cuts in prop::collection::btree_set(key(), 0..40),
            keys in prop::array::uniform32(key()),
        ) {
            let cuts: Vec<u64> = cuts.into_iter().collect();
            let tree = Cuts::new(&cuts);
            let expected = keys.map(|key| cuts.iter().filter(|cut| **cut <= key).count());
            prop_assert_eq!(tree.find(&keys), expected);
            prop_assert!(expected.iter().all(|interval| *interval < tree.intervals()));
        }
    }

    #[test]
    fn finds_cuts_of_every_number() {
        for number in 0..300u64 {
            let cuts: Vec<u64> = (0..number).map(|cut| 2 * cut + 1).collect();
            let tree = Cuts::new(&cuts);
            for first in (0..=2 * number).step_by(LANES) {
                let keys: [u64; LANES] = std::array::from_fn(|lane| first + lane as u64);
                let expected = keys.map(|key| (key.div_ceil(2).min(number)) as usize);
                assert_eq!(tree.find(&keys), expected, "{number} cuts");
            }
        }
    }
}
