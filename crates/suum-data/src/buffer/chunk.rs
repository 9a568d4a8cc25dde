//! Some thousand records.

use suum_core::Key;

/// How many records a chunk has at most.
pub(super) const CHUNK: usize = 1 << 16;

/// Bytes of a record, in memory and in a file, that stands for so many rows besides its value.
pub(super) const fn bytes(ranked: usize) -> usize {
    12 + 8 * ranked
}

/// Records, column by column, in the order of their values once they are [sorted](Self::sort).
#[derive(Default)]
pub(super) struct Rows {
    /// The number that stands for the choice of each.
    pub(super) slots: Vec<u32>,
    /// The value of each, which is not NaN.
    pub(super) values: Vec<f64>,
    /// Of a person with several rows the values of those that they stand for, as many for each.
    pub(super) ranked: Vec<f64>,
}

/// A chunk of records and where it is kept.
pub(super) struct Chunk {
    pub(super) records: usize,
    pub(super) place: Place,
}

pub(super) enum Place {
    Memory(Rows),
    /// The position in the temporary file.
    File(u64),
}

impl Rows {
    pub(super) fn push(&mut self, slot: u32, value: f64, ranked: &[f64]) {
        self.slots.push(slot);
        self.values.push(value);
        self.ranked.extend(ranked);
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Puts them in the order of their values, so that those between two cuts lie together.
    pub(super) fn sort(&mut self) {
        // A chunk has at most 2^16 records.
        let keys = self.values.iter().map(|value| Key::Value.of(*value));
        let mut order: Vec<(u64, u32)> = keys.zip(0..).collect();
        order.sort_unstable();
        let places = || order.iter().map(|(_, place)| *place as usize);
        if let Some(rows) = self.ranked.len().checked_div(self.len()).filter(|rows| *rows > 0) {
            let ranked = places().flat_map(|place| &self.ranked[place * rows..][..rows]);
            self.ranked = ranked.copied().collect();
        }
        self.slots = places().map(|place| self.slots[place]).collect();
        self.values = places().map(|place| self.values[place]).collect();
    }

    /// How much memory they take.
    pub(super) fn bytes(&self) -> usize {
        bytes(0) * self.len() + size_of_val(self.ranked.as_slice())
    }

    /// All values, those of rows, then all slots.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bytes());
        let values = self.values.iter().chain(&self.ranked);
        values.for_each(|value| bytes.extend(value.to_le_bytes()));
        self.slots.iter().for_each(|slot| bytes.extend(slot.to_le_bytes()));
        bytes
    }

    /// The records that were written as these bytes, each standing for so many rows.
    pub(super) fn from_bytes(all: &[u8], ranked: usize) -> Self {
        let records = all.len() / bytes(ranked);
        let (values, rest) = all.split_at(size_of::<f64>() * records);
        let (ranked, slots) = rest.split_at(size_of::<f64>() * records * ranked);
        let value = |bytes: &[u8]| f64::from_le_bytes(array(bytes));
        let slot = |bytes: &[u8]| u32::from_le_bytes(array(bytes));
        Self {
            slots: slots.chunks_exact(size_of::<u32>()).map(slot).collect(),
            values: values.chunks_exact(size_of::<f64>()).map(value).collect(),
            ranked: ranked.chunks_exact(size_of::<f64>()).map(value).collect(),
        }
    }
}

/// Bytes of a slice that has just as many.
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

    fn bits(values: &[f64]) -> Vec<u64> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    proptest! {
        #[test]
        fn sorted_records_are_the_same(
            records in prop::collection::vec(any::<(u32, i8, [i8; 2])>(), 0..50),
            ranked in 0usize..=2,
        ) {
            let mut rows = Rows::default();
            let records: Vec<_> = records
                .into_iter()
                .map(|(slot, value, rows)| (f64::from(value), slot, rows.map(f64::from)))
                .collect();
            for (value, slot, of_rows) in &records {
                rows.push(*slot, *value, &of_rows[..ranked]);
            }
            rows.sort();
            prop_assert!(rows.values.is_sorted());
            let mut all: Vec<_> = (0..rows.len())
                .map(|at| {
                    let of_rows = &rows.ranked[at * ranked..][..ranked];
                    (bits(&[rows.values[at]]), rows.slots[at], bits(of_rows))
                })
                .collect();
            let mut expected: Vec<_> = records
                .iter()
                .map(|(value, slot, of_rows)| (bits(&[*value]), *slot, bits(&of_rows[..ranked])))
                .collect();
            all.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(all, expected);
        }

        #[test]
        fn records_read_back(
            records in prop::collection::vec(any::<(u32, f64, [f64; 3])>(), 0..50),
            ranked in 0usize..=3,
        ) {
            let mut rows = Rows::default();
            for (slot, value, of_rows) in &records {
                rows.push(*slot, *value, &of_rows[..ranked]);
            }
            let written = rows.to_bytes();
            prop_assert_eq!(written.len(), bytes(ranked) * records.len());
            prop_assert_eq!(written.len(), rows.bytes());
            let read = Rows::from_bytes(&written, ranked);
            prop_assert_eq!(bits(&read.values), bits(&rows.values));
            prop_assert_eq!(bits(&read.ranked), bits(&rows.ranked));
            prop_assert_eq!(read.slots, rows.slots);
        }
    }
}
