//! Sorting of rows, so that those of a person are adjacent.

use super::store::PARTITIONS;

/// Expected number of rows in a bucket.
const IN_BUCKET: usize = 8;

/// Sorts all rows of a partition in ascending order into `sorted`.
///
/// The first word of a row is part of a hash, and so predicts the row's position: each row goes
/// into a bucket by the first bits of that word, after those that all rows of the partition share,
/// and the buckets are sorted.
pub(super) fn sort<const W: usize>(chunks: &[Vec<[u64; W]>], sorted: &mut Vec<[u64; W]>) {
    let rows: usize = chunks.iter().map(Vec::len).sum();
    let buckets = (rows / IN_BUCKET).next_power_of_two().max(2);
    let shift = u64::BITS - buckets.ilog2();
    let bucket = |row: &[u64; W]| (row[0] << PARTITIONS.ilog2() >> shift) as usize;
    // The place of the next row of each bucket; before, how many rows it has.
    let mut places = vec![0usize; buckets];
    chunks.iter().flatten().for_each(|row| places[bucket(row)] += 1);
    let mut begin = 0;
    for place in &mut places {
        begin += std::mem::replace(place, begin);
    }
    sorted.clear();
    sorted.resize(rows, [0; W]);
    for row in chunks.iter().flatten() {
        let place = &mut places[bucket(row)];
        sorted[*place] = *row;
        *place += 1;
    }
    // Now each place is where its bucket ends.
    let mut rest = &mut sorted[..];
    let mut begin = 0;
    for end in places {
        let (mine, later) = rest.split_at_mut(end - begin);
        mine.sort_unstable();
        (rest, begin) = (later, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_rows_are_in_order(
            partition in 0..PARTITIONS as u64,
            chunks in prop::collection::vec(
                prop::collection::vec(
                    (prop_oneof![0u64..4, any::<u64>()], 0u64..3, 0u64..9),
                    0..90,
                ),
                0..4,
            ),
        ) {
            let bits = PARTITIONS.ilog2();
            let row = |(high, low, rest): &(u64, u64, u64)| {
                [partition << (u64::BITS - bits) | high >> bits, *low, *rest]
            };
            let chunks: Vec<Vec<_>> =
                chunks.iter().map(|chunk| chunk.iter().map(row).collect()).collect();
            // Earlier contents are dropped.
            let mut found = vec![[7; 3]];
            sort(&chunks, &mut found);
            let mut expected = chunks.concat();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}
