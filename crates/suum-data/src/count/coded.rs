//! Records with codes of one byte, added up code by code.

/// Number of records counted at a time: few enough for the processor's nearest cache, and for sums
/// of indices of at most 2^50 to fit 64 bits.
pub(crate) const ROWS: usize = 2048;

/// Position of the level of each code of one byte; by default the code itself.
pub(crate) struct LevelOfCode([u32; 256]);

impl Default for LevelOfCode {
    fn default() -> Self {
        Self(std::array::from_fn(|code| code as u32))
    }
}

impl LevelOfCode {
    pub(crate) fn set(&mut self, code: u8, position: usize) {
        // There are at most some 700 000 levels.
        self.0[usize::from(code)] = position as u32;
    }

    #[inline]
    pub(crate) fn get(&self, code: u8) -> usize {
        self.0[usize::from(code)] as usize
    }
}

/// Bits of a sum that has a count above it.
pub(crate) const LOW: u32 = 48;

/// One record in such a sum.
pub(crate) const ONE: u64 = 1 << LOW;

/// Sums of [`ROWS`] indices of a grid of fewer steps fit [`LOW`] bits.
pub(crate) const FEW_STEPS: u64 = 1 << (LOW - ROWS.ilog2());

/// Calls `each` for every code in `met` with the number of records that have it, and the sum of
/// their indices, which must fit [`LOW`] bits; at most [`ROWS`] records.
pub(crate) fn for_each_small(
    codes: &[u8],
    met: &[u8],
    indices: &[u64],
    mut each: impl FnMut(u8, u64, u64),
) {
    // Neighbours often have the same code, and the second would wait for the first: separate sums
    // avoid that.
    const BANKS: usize = 4;
    let mut banks = [[0u64; 256]; BANKS];
    let (codes, last_codes) = codes.as_chunks::<BANKS>();
    let (indices, last_indices) = indices.as_chunks::<BANKS>();
    for (codes, indices) in codes.iter().zip(indices) {
        for bank in 0..BANKS {
            banks[bank][usize::from(codes[bank])] += indices[bank] + ONE;
        }
    }
    for (code, index) in last_codes.iter().zip(last_indices) {
        banks[0][usize::from(*code)] += index + ONE;
    }
    for code in met {
        // One sum of all records would fit, so these do.
        let sum: u64 = banks.iter().map(|bank| bank[usize::from(*code)]).sum();
        if sum >= ONE {
            each(*code, sum >> LOW, sum % ONE);
        }
    }
}

/// Calls `each` for every code that occurs with its number of records and the sum of their indices;
/// at most [`ROWS`] records.
pub(crate) fn for_each_code(codes: &[u8], indices: &[u64], mut each: impl FnMut(u8, u64, u64)) {
    let mut sums = [(0, 0); 256];
    for (code, index) in codes.iter().zip(indices) {
        let (count, sum) = &mut sums[usize::from(*code)];
        *count += 1;
        *sum += index;
    }
    for (code, (count, sum)) in (0..=u8::MAX).zip(sums) {
        if count > 0 {
            each(code, count, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn codes_are_added_up_as_one_by_one(
            records in prop::collection::vec(
                (prop_oneof![Just(7u8), any::<u8>()], 0u64..=1 << 36),
                0..=ROWS,
            ),
            largest: bool,
        ) {
            let codes: Vec<u8> = records.iter().map(|(code, _)| *code).collect();
            let index = |index: &u64| if largest { (1 << 37) - 1 } else { *index };
            let indices: Vec<u64> = records.iter().map(|(_, i)| index(i)).collect();
            let mut expected = std::collections::BTreeMap::new();
            for (code, index) in codes.iter().zip(&indices) {
                let (count, sum) = expected.entry(*code).or_insert((0, 0));
                *count += 1;
                *sum += index;
            }
            let expected: Vec<(u8, u64, u64)> =
                expected.into_iter().map(|(code, (count, sum))| (code, count, sum)).collect();
            let all: Vec<u8> = (0..=u8::MAX).collect();
            let (mut small, mut any) = (Vec::new(), Vec::new());
            for_each_small(&codes, &all, &indices, |code, count, sum| {
                small.push((code, count, sum))
            });
            for_each_code(&codes, &indices, |code, count, sum| any.push((code, count, sum)));
            prop_assert_eq!(&small, &expected);
            prop_assert_eq!(&any, &expected);
        }
    }
}
