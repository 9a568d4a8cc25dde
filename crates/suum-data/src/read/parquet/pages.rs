//! Fast reader for columns of numbers of which none is missing, straight from their pages; most
//! number columns are such.
//!
//! The parquet crate's reader of arrays serves every type, so it copies each number several times.
//! Decompressed pages hold numbers as they are, or as positions in a dictionary. Pages of other
//! forms are left to that reader.

use std::fs::File;
use std::sync::Arc;

use arrow_schema::Schema;
use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use zerocopy::FromBytes;

use super::footer::first_leaf;
use super::kind::Kind;
use super::runs::Runs;
use super::unpack::Unpack;

/// Unread part of a column of a row group.
pub(super) struct Pages {
    pages: SerializedPageReader<File>,
    unpack: Unpack,
    kind: Kind,
    is_optional: bool,
    dictionary: Vec<f64>,
    page: PageRest,
    numbers: Vec<f64>,
}

/// Unread part of a page.
enum PageRest {
    /// Bytes of a page, and the offset of the next number.
    Plain(Vec<u8>, usize),
    /// Positions in the dictionary, and the number of them that are left.
    Coded(Runs, usize),
}

impl Pages {
    /// Opens the column at this position of the schema, if it is one of numbers.
    pub(super) fn open(
        file: &Arc<File>,
        group: &RowGroupMetaData,
        schema: &Schema,
        column: usize,
    ) -> Option<Self> {
        let kind = Kind::from_type(schema.fields().get(column)?.data_type())?;
        let columns = group.schema_descr();
        let leaf = first_leaf(columns, column)?;
        let description = columns.column(leaf);
        if description.max_rep_level() > 0 || description.max_def_level() > 1 {
            return None;
        }
        let rows = usize::try_from(group.num_rows()).ok()?;
        let chunk = group.column(leaf);
        let (unpack, chunk) = Unpack::for_chunk(chunk)?;
        let pages = SerializedPageReader::new(Arc::clone(file), &chunk, rows, None).ok()?;
        Some(Self {
            pages,
            unpack,
            kind,
            is_optional: description.max_def_level() == 1,
            dictionary: Vec::new(),
            page: PageRest::Plain(Vec::new(), 0),
            numbers: Vec::new(),
        })
    }

    /// Returns the next `rows` numbers; `None` if this reader cannot read as many.
    pub(super) fn next(&mut self, rows: usize) -> Option<&[f64]> {
        if rows > 0 {
            self.left()?;
        }
        if self.as_they_are(rows).is_some() {
            let PageRest::Plain(_, read) = &mut self.page else { return None };
            let from = *read;
            *read += rows * self.kind.bytes();
            return self.doubles(from, rows);
        }
        self.numbers.resize(rows, 0.0);
        let mut read = 0;
        while read < rows {
            let some = self.left()?.min(rows - read);
            let out = &mut self.numbers[read..read + some];
            match &mut self.page {
                PageRest::Plain(bytes, from) => {
                    self.kind.read(&bytes[*from..], out);
                    *from += some * self.kind.bytes();
                }
                PageRest::Coded(runs, left) => {
                    runs.read(out, &self.dictionary)?;
                    *left -= some;
                }
            }
            read += some;
        }
        Some(&self.numbers)
    }

    /// Skips numbers, without reading pages that are skipped whole.
    pub(super) fn skip(&mut self, rows: u64) -> Option<()> {
        let mut rows = usize::try_from(rows).ok()?;
        while rows > 0 {
            let left = self.left_of_page();
            if left == 0 {
                let next = self.pages.peek_next_page().ok()??;
                match next.num_rows.or(next.num_levels) {
                    Some(more) if !next.is_dict && more <= rows => {
                        self.pages.skip_next_page().ok()?;
                        rows -= more;
                    }
                    _ => self.next_page()?,
                }
                continue;
            }
            let some = left.min(rows);
            match &mut self.page {
                PageRest::Plain(_, from) => *from += some * self.kind.bytes(),
                PageRest::Coded(runs, left) => {
                    runs.skip(some)?;
                    *left -= some;
                }
            }
            rows -= some;
        }
        Some(())
    }

    /// Returns true if nothing is left.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.left_of_page() == 0 && matches!(self.pages.peek_next_page(), Ok(None))
    }

    fn left_of_page(&self) -> usize {
        match &self.page {
            PageRest::Plain(bytes, from) => (bytes.len() - from) / self.kind.bytes(),
            PageRest::Coded(_, left) => *left,
        }
    }

    /// Number of numbers left in the current page, which is advanced while it has none; `None` at
    /// the end.
    fn left(&mut self) -> Option<usize> {
        loop {
            match self.left_of_page() {
                0 => self.next_page()?,
                left => return Some(left),
            }
        }
    }

    /// Next numbers without a copy, if their layout in memory is the one in the file.
    fn as_they_are(&self, rows: usize) -> Option<&[f64]> {
        match &self.page {
            PageRest::Plain(_, from) => self.doubles(*from, rows),
            PageRest::Coded(..) => None,
        }
    }

    fn doubles(&self, from: usize, rows: usize) -> Option<&[f64]> {
        match (&self.page, self.kind) {
            (PageRest::Plain(bytes, _), Kind::Double) if cfg!(target_endian = "little") => {
                let bytes = bytes.get(from..from + rows * size_of::<f64>())?;
                <[f64]>::ref_from_bytes(bytes).ok()
            }
            _ => None,
        }
    }

    /// Moves to the next page; `None` if it is not one of numbers of which none is missing.
    fn next_page(&mut self) -> Option<()> {
        if let PageRest::Plain(bytes, _) = &mut self.page {
            self.unpack.give_back(std::mem::take(bytes));
        }
        self.page = PageRest::Plain(Vec::new(), 0);
        match self.pages.get_next_page().ok()?? {
            Page::DictionaryPage { buf, num_values, encoding, .. } => {
                let is_plain = matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY);
                let numbers = num_values as usize;
                let bytes = self.unpack.page(buf)?;
                if !is_plain || Some(bytes.len()) != numbers.checked_mul(self.kind.bytes()) {
                    return None;
                }
                self.dictionary.resize(numbers, 0.0);
                self.kind.read(&bytes, &mut self.dictionary);
            }
            Page::DataPage { buf, num_values, encoding, def_level_encoding, .. } => {
                let bytes = self.unpack.page(buf)?;
                let levels = match self.is_optional {
                    true if def_level_encoding != Encoding::RLE => return None,
                    true => {
                        let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
                        size_of::<u32>()..length.checked_add(size_of::<u32>())?
                    }
                    false => 0..0,
                };
                self.check_levels(bytes.get(levels.clone())?, num_values)?;
                self.page = self.page_of(bytes, levels.end, encoding, num_values)?;
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls: 0,
                num_rows,
                def_levels_byte_len: levels,
                rep_levels_byte_len: 0,
                is_compressed,
                ..
            } if num_rows == num_values => {
                let levels = levels as usize;
                self.check_levels(buf.get(..levels)?, num_values)?;
                let values = buf.slice(levels..);
                drop(buf);
                let bytes = if is_compressed { self.unpack.page(values)? } else { values.into() };
                self.page = self.page_of(bytes, 0, encoding, num_values)?;
            }
            Page::DataPageV2 { .. } => return None,
        }
        Some(())
    }

    /// Returns `Some` if the definition levels of a page say that none of its numbers is missing.
    fn check_levels(&self, levels: &[u8], numbers: u32) -> Option<()> {
        let are_there = !self.is_optional
            || Runs::new(Bytes::copy_from_slice(levels), 1)?.are_ones(numbers as usize);
        are_there.then_some(())
    }

    /// Page of this number of numbers, whose values begin at byte `from`.
    fn page_of(
        &self,
        bytes: Vec<u8>,
        from: usize,
        encoding: Encoding,
        numbers: u32,
    ) -> Option<PageRest> {
        let numbers = numbers as usize;
        match encoding {
            Encoding::PLAIN => {
                let length = numbers.checked_mul(self.kind.bytes())?;
                (bytes.len() - from == length).then_some(PageRest::Plain(bytes, from))
            }
            Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY => {
                let bits = *bytes.get(from)?;
                let runs = Runs::new(Bytes::from(bytes).slice(from + 1..), bits)?;
                Some(PageRest::Coded(runs, numbers))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, Float32Array, Float64Array, Int32Array, Int64Array, RecordBatch};
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
    use parquet::basic::Compression;
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use proptest::prelude::*;

    use super::*;

    /// A column of these numbers.
    fn column(kind: Kind, numbers: &[Option<i32>]) -> ArrayRef {
        let each = numbers.iter();
        match kind {
            Kind::Double => {
                Arc::new(Float64Array::from_iter(each.map(|number| number.map(f64::from))))
            }
            Kind::Float => {
                let half = |number: i32| number as f32 / 2.0;
                Arc::new(Float32Array::from_iter(each.map(|number| number.map(half))))
            }
            Kind::Long => {
                let long = |number| i64::from(number) << 31;
                Arc::new(Int64Array::from_iter(each.map(|number| number.map(long))))
            }
            Kind::Int => Arc::new(Int32Array::from_iter(each.copied())),
        }
    }

    fn expected(kind: Kind, number: i32) -> f64 {
        match kind {
            Kind::Double | Kind::Int => f64::from(number),
            Kind::Float => f64::from(number as f32 / 2.0),
            Kind::Long => (i64::from(number) << 31) as f64,
        }
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_written_until_one_is_missing(
            kind in prop::sample::select(vec![Kind::Double, Kind::Float, Kind::Long, Kind::Int]),
            numbers in prop::collection::vec(prop_oneof![0..5, any::<i32>()], 1..300),
            missing in prop::option::of(any::<prop::sample::Index>()),
            is_optional: bool,
            (has_dictionary, is_small, is_second, is_packed) in any::<(bool, bool, bool, bool)>(),
            page in 1usize..90,
            skipped in 0usize..100,
            steps in prop::collection::vec(1usize..80, 40),
        ) {
            let missing = missing.filter(|_| is_optional).map(|at| at.index(numbers.len()));
            let mut cells: Vec<Option<i32>> = numbers.iter().copied().map(Some).collect();
            if let Some(missing) = missing {
                cells[missing] = None;
            }
            let array = column(kind, &cells);
            let batch = [("x", array, is_optional)];
            let batch = RecordBatch::try_from_iter_with_nullable(batch).unwrap();
            let version =
                if is_second { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 };
            let compression =
                if is_packed { Compression::SNAPPY } else { Compression::UNCOMPRESSED };
            let properties = WriterProperties::builder()
                .set_writer_version(version)
                .set_compression(compression)
                .set_dictionary_enabled(has_dictionary)
                .set_dictionary_page_size_limit(if is_small { 64 } else { 1 << 20 })
                .set_data_page_row_count_limit(page)
                .set_write_batch_size(page)
                .build();
            let file = tempfile::tempfile().unwrap();
            let mut writer =
                ArrowWriter::try_new(file.try_clone().unwrap(), batch.schema(), Some(properties))
                    .unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();

            let options = ArrowReaderOptions::new();
            let metadata = ArrowReaderMetadata::load(&file, options).unwrap();
            let group = metadata.metadata().row_group(0);
            let mut pages = Pages::open(&Arc::new(file), group, metadata.schema(), 0).unwrap();

            let skipped = skipped.min(numbers.len());
            // The writer's own packing of integers, which is left to the library.
            let is_left = is_second && matches!(kind, Kind::Long | Kind::Int);
            let mut at = skipped;
            let mut is_whole = pages.skip(skipped as u64).is_some();
            for step in steps {
                let rows = step.min(numbers.len() - at);
                if !is_whole || rows == 0 {
                    break;
                }
                match pages.next(rows) {
                    Some(read) => {
                        let known = numbers[at..at + rows].iter().map(|n| expected(kind, *n));
                        prop_assert!(read.iter().copied().eq(known));
                        at += rows;
                        prop_assert!(missing.is_none_or(|row| row < skipped || row >= at));
                    }
                    None => is_whole = false,
                }
            }
            prop_assert!(is_whole || missing.is_some() || is_left);
            if is_whole {
                prop_assert_eq!(pages.is_at_end(), at == numbers.len());
            }
            if is_whole && at == numbers.len() {
                prop_assert!(pages.next(1).is_none());
            }
        }
    }

    #[test]
    fn other_columns_are_not_read_here() {
        let text: ArrayRef = Arc::new(arrow_array::StringArray::from(vec!["1"]));
        let batch = RecordBatch::try_from_iter([("x", text)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let mut writer =
            ArrowWriter::try_new(file.try_clone().unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let metadata = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).unwrap();
        let group = metadata.metadata().row_group(0);
        assert!(Pages::open(&Arc::new(file), group, metadata.schema(), 0).is_none());
    }
}
