//! Some thousand records.

/// How many records a chunk has at most.
pub(super) const CHUNK: usize = 1 << 16;

/// Bytes of a record, in memory and in a file.
pub(super) const BYTES: usize = 12;

/// Records, column by column.
#[derive(Default)]
pub(super) struct Rows {
    /// The number that stands for the choice of each.
    pub(super) slots: Vec<u32>,
    /// The value of each, which is not NaN.
    pub(super) values: Vec<f64>,
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
    pub(super) fn push(&mut self, slot: u32, value: f64) {
        self.slots.push(slot);
        self.values.push(value);
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Gives back what memory is not used.
    pub(super) fn shrink(&mut self) {
        self.slots.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    /// All values, then all slots.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES * self.len());
        self.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        self.slots.iter().for_each(|slot| bytes.extend(slot.to_le_bytes()));
        bytes
    }

    /// The records that were written as these bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let (values, slots) = bytes.split_at(bytes.len() / BYTES * size_of::<f64>());
        let value = |bytes: &[u8]| f64::from_le_bytes(array(bytes));
        let slot = |bytes: &[u8]| u32::from_le_bytes(array(bytes));
        Self {
            slots: slots.chunks_exact(size_of::<u32>()).map(slot).collect(),
            values: values.chunks_exact(size_of::<f64>()).map(value).collect(),
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

    proptest! {
        #[test]
        fn records_read_back(records in prop::collection::vec(any::<(u32, f64)>(), 0..50)) {
            let mut rows = Rows::default();
            records.iter().for_each(|(slot, value)| rows.push(*slot, *value));
            let bytes = rows.to_bytes();
            prop_assert_eq!(bytes.len(), BYTES * records.len());
            let read = Rows::from_bytes(&bytes);
            let bits =
                |rows: &Rows| rows.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read), bits(&rows));
            prop_assert_eq!(read.slots, rows.slots);
        }
    }
}
