//! Records of a block without quotes: cells end at delimiters and line ends only.

use super::records::NextRecord;

/// A parser that looks only for the ends of cells, eight bytes at a time.
///
/// It finds what `csv-core` finds in text without quotes.
pub(super) struct Plain {
    delimiter: u8,
    // Ranges of the cells that are read in the block.
    cells: Vec<(usize, usize)>,
    count: usize,
}

impl Plain {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, cells: Vec::new(), count: 0 }
    }

    /// Parses the record at `at`, and moves `at` past its line end. Only the cells of the columns
    /// `read`, which ascend, are remembered.
    pub(super) fn next(&mut self, block: &[u8], at: &mut usize, read: &[usize]) -> NextRecord {
        while matches!(block.get(*at), Some(b'\r' | b'\n')) {
            *at += 1;
        }
        self.cells.clear();
        self.count = 0;
        if *at >= block.len() {
            return NextRecord::End;
        }
        let (mut start, delimiter) = (*at, self.delimiter);
        loop {
            let end = cell_end(block, start, delimiter);
            if read.get(self.cells.len()) == Some(&self.count) {
                self.cells.push((start, end));
            }
            self.count += 1;
            if block.get(end) != Some(&delimiter) {
                // A line feed behind a carriage return is passed over with the next record.
                *at = block.len().min(end + 1);
                return NextRecord::Record;
            }
            start = end + 1;
        }
    }

    /// The number of cells of the record.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Cell by the index of its column in `read`, without the spaces around it.
    #[inline]
    pub(super) fn cell<'a>(&self, block: &'a [u8], place: usize) -> &'a [u8] {
        let (start, end) = self.cells[place];
        block[start..end].trim_ascii()
    }
}

/// Position of the first delimiter or line end from `start` on; the end of the block if there is
/// none.
#[inline]
fn cell_end(block: &[u8], start: usize, delimiter: u8) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The top bit of each byte that is zero; above the first such byte there may be others.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & (ONES << 7);
    let mut at = start;
    while let Some(bytes) = block.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*bytes);
        let is = |byte: u8| zeros(word ^ (ONES * u64::from(byte)));
        let ends = is(delimiter) | is(b'\n') | is(b'\r');
        if ends != 0 {
            return at + ends.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = block.get(at..).unwrap_or_default();
    let is_end = |byte: &u8| *byte == delimiter || matches!(byte, b'\n' | b'\r');
    at + rest.iter().position(is_end).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::super::records::Records;
    use super::*;
    use proptest::prelude::*;
    use suum_testing::Extent;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(Extent::get().cases(2000)))]

        #[test]
        fn finds_what_csv_core_finds(
            text in "[a,;\t\r\n \\.0-9é]{0,80}",
            delimiter in prop::sample::select(b",;\t".to_vec()),
        ) {
            let block = text.as_bytes();
            let (mut plain, mut records) = (Plain::new(delimiter), Records::new(delimiter));
            records.start(90);
            let all: Vec<usize> = (0..90).collect();
            let (mut at, mut expected_at) = (0, 0);
            loop {
                let found = plain.next(block, &mut at, &all);
                prop_assert_eq!(&found, &records.next(block, &mut expected_at));
                if found == NextRecord::End {
                    break;
                }
                prop_assert_eq!(plain.len(), records.len());
                for cell in 0..plain.len() {
                    prop_assert_eq!(plain.cell(block, cell), records.cell(cell));
                }
            }
        }

        #[test]
        fn the_end_of_a_cell_is_the_first(
            block in prop::collection::vec(
                prop_oneof![
                    4 => any::<u8>(),
                    1 => prop::sample::select(b",\n\r-+\x0b\x0c\xac".to_vec()),
                ],
                0..40,
            ),
            start in 0usize..50,
        ) {
            let start = start.min(block.len());
            let is_end = |byte: &u8| [b',', b'\n', b'\r'].contains(byte);
            let expected = block[start..]
                .iter()
                .position(is_end)
                .map_or(block.len(), |distance| start + distance);
            prop_assert_eq!(cell_end(&block, start, b','), expected);
        }
    }
}
