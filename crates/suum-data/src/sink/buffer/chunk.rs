//! Chunks of records.

/// Largest number of records in a chunk.
pub(super) const CHUNK: usize = 1 << 16;

/// Records, column by column, in any order.
#[derive(Default)]
pub(super) struct Rows {
    /// Position of the choice of each record.
    pub(super) positions: Vec<u32>,
    /// Value of each record, which is not NaN.
    pub(super) values: Vec<f64>,
    /// Values of the rows that each person contributes, the same number for each; empty if rows are
    /// persons.
    pub(super) ranked: Vec<f64>,
}

/// Sorts in the order of [`f64::total_cmp`], by way of integers, which is twice as fast.
fn sort(values: &mut [f64]) {
    // The bits of negative numbers descend but for that of the sign.
    let turned = |bits: i64| bits ^ ((bits >> 63) as u64 >> 1) as i64;
    let mut keys: Vec<i64> = values.iter().map(|value| turned(value.to_bits() as i64)).collect();
    keys.sort_unstable();
    let sorted = keys.into_iter().map(|key| f64::from_bits(turned(key) as u64));
    values.iter_mut().zip(sorted).for_each(|(location, value)| *location = value);
}

/// Number of records with the same choice.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    position: u32,
    records: u32,
}

/// Records sorted by choice, and by value within a choice, so that all records between two cuts are
/// adjacent.
pub(super) struct SortedRecords {
    runs: Vec<Run>,
    values: Vec<f64>,
    ranked: Vec<f64>,
}

/// Chunk of records, and its location.
pub(super) struct Chunk {
    pub(super) records: usize,
    pub(super) location: Location,
}

pub(super) enum Location {
    Memory(SortedRecords),
    /// Position in the temporary file, and the number of bytes there.
    File(u64, usize),
}

impl Rows {
    pub(super) fn push(&mut self, position: u32, value: f64, ranked: &[f64]) {
        self.positions.push(position);
        self.values.push(value);
        self.ranked.extend(ranked);
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Sorts the records.
    pub(super) fn sorted(self) -> SortedRecords {
        // A chunk has at most 2^16 records.
        let last = self.positions.iter().max().map_or(0, |position| *position as usize);
        let mut records = vec![0u32; last + 1];
        self.positions.iter().for_each(|position| records[*position as usize] += 1);
        let mut runs = Vec::new();
        // First the number of records of each choice, then the position of the next one.
        let (mut location, mut places) = (0, records);
        for (position, records) in (0..).zip(&mut places) {
            if *records > 0 {
                runs.push(Run { position, records: *records });
            }
            location += std::mem::replace(records, location);
        }
        let mut order = vec![0u32; self.len()];
        let mut values = vec![0.0; self.len()];
        for (at, (position, value)) in (0..).zip(self.positions.iter().zip(&self.values)) {
            let location = &mut places[*position as usize];
            order[*location as usize] = at;
            values[*location as usize] = *value;
            *location += 1;
        }
        let of_each = self.ranked.len().checked_div(self.len()).unwrap_or_default();
        let mut ranked = Vec::with_capacity(self.ranked.len());
        let (mut later_values, mut later) = (&mut values[..], &mut order[..]);
        for run in &runs {
            let (mine, order);
            (mine, later_values) = later_values.split_at_mut(run.records as usize);
            (order, later) = later.split_at_mut(run.records as usize);
            sort(mine);
            if of_each > 0 {
                let value = |at: &u32| self.values[*at as usize];
                order.sort_unstable_by(|one, other| value(one).total_cmp(&value(other)));
                let rows = |at: &u32| &self.ranked[*at as usize * of_each..][..of_each];
                ranked.extend(order.iter().flat_map(rows));
            }
        }
        SortedRecords { runs, values, ranked }
    }
}

impl SortedRecords {
    /// Records of each choice: its position, their values, and those of their rows.
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, &[f64], &[f64])> {
        let of_each = self.ranked.len().checked_div(self.values.len()).unwrap_or_default();
        let (mut values, mut ranked) = (&self.values[..], &self.ranked[..]);
        self.runs.iter().map(move |run| {
            let (mine, rows);
            (mine, values) = values.split_at(run.records as usize);
            (rows, ranked) = ranked.split_at(run.records as usize * of_each);
            (run.position as usize, mine, rows)
        })
    }

    /// Memory use in bytes: 8 for each record, 8 for each row and 8 for each run.
    pub(super) fn bytes(&self) -> usize {
        let numbers = size_of_val(self.values.as_slice()) + size_of_val(self.ranked.as_slice());
        numbers + size_of_val(self.runs.as_slice())
    }

    /// Serializes all values, those of rows, then all runs.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        let values = self.values.iter().chain(&self.ranked);
        values.for_each(|value| bytes.extend(value.to_le_bytes()));
        let runs = self.runs.iter().flat_map(|run| [run.position, run.records]);
        runs.for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote of `records` records, each with `ranked` rows.
    pub(super) fn from_bytes(all: &[u8], records: usize, ranked: usize) -> Self {
        let (values, rest) = all.split_at(size_of::<f64>() * records);
        let (ranked, runs) = rest.split_at(size_of::<f64>() * records * ranked);
        let value = |bytes: &[u8]| f64::from_le_bytes(array(bytes));
        let run = |bytes: &[u8]| {
            let (position, records) = bytes.split_at(size_of::<u32>());
            let [position, records] =
                [position, records].map(|number| u32::from_le_bytes(array(number)));
            Run { position, records }
        };
        Self {
            runs: runs.chunks_exact(size_of::<Run>()).map(run).collect(),
            values: values.chunks_exact(size_of::<f64>()).map(value).collect(),
            ranked: ranked.chunks_exact(size_of::<f64>()).map(value).collect(),
        }
    }
}

#[inline]
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(bytes);
    array
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Records of any order as position, bits of the value, and bits of rows.
    fn bits<'a>(
        records: impl Iterator<Item = (u32, &'a f64, &'a [f64])>,
    ) -> Vec<(u32, u64, Vec<u64>)> {
        let bits = |rows: &[f64]| rows.iter().map(|row| row.to_bits()).collect();
        let mut all: Vec<_> = records
            .map(|(position, value, rows)| (position, value.to_bits(), bits(rows)))
            .collect();
        all.sort_unstable();
        all
    }

    fn all(sorted: &SortedRecords, ranked: usize) -> Vec<(u32, u64, Vec<u64>)> {
        bits(sorted.runs().flat_map(|(position, values, rows)| {
            let rows = (0..values.len()).map(move |at| &rows[at * ranked..][..ranked]);
            values.iter().zip(rows).map(move |(value, rows)| (position as u32, value, rows))
        }))
    }

    proptest! {
        #[test]
        fn values_are_in_the_order_of_doubles(bits in prop::collection::vec(any::<u64>(), 0..50)) {
            let mut values: Vec<f64> = bits.iter().map(|bits| f64::from_bits(*bits)).collect();
            let mut expected = values.clone();
            expected.sort_by(f64::total_cmp);
            sort(&mut values);
            let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&values), bits(&expected));
        }

        #[test]
        fn sorted_records_are_the_same_and_read_back(
            records in prop::collection::vec(
                (0u32..5, -9i8..9, any::<[f64; 2]>())
                    .prop_map(|(at, value, rows)| (at * at, f64::from(value), rows)),
                0..80,
            ),
            ranked in 0usize..=2,
        ) {
            let mut rows = Rows::default();
            for (position, value, of_rows) in &records {
                rows.push(*position, *value, &of_rows[..ranked]);
            }
            let expected =
                bits(records.iter().map(|(at, value, rows)| (*at, value, &rows[..ranked])));
            let sorted = rows.sorted();
            prop_assert_eq!(all(&sorted, ranked), &*expected);
            prop_assert!(sorted.runs.is_sorted_by(|one, next| one.position < next.position));
            prop_assert!(sorted.runs().all(|(_, values, _)| values.is_sorted()));
            let written = sorted.to_bytes();
            prop_assert_eq!(written.len(), sorted.bytes());
            let read = SortedRecords::from_bytes(&written, records.len(), ranked);
            prop_assert_eq!(&read.runs, &sorted.runs);
            prop_assert_eq!(all(&read, ranked), expected);
        }
    }
}
