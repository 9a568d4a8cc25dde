//! Plain programs for some statistics: they read the same columns and count, without checks,
//! exactness, noise or text. They are no lower bound: suum can be faster.

use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::hint::black_box;

use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{RecordBatch, cast::AsArray};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use crate::{LEVELS, Outcome};

/// Result for each row group of a file, computed on all cores.
pub(crate) fn fold_groups<T: Default + Send>(
    path: &str,
    columns: &[&str],
    add: impl Fn(&mut T, &RecordBatch) + Sync,
) -> Outcome<Vec<T>> {
    let metadata = ArrowReaderMetadata::load(&File::open(path)?, ArrowReaderOptions::new())?;
    let projection = ProjectionMask::columns(metadata.parquet_schema(), columns.iter().copied());
    (0..metadata.metadata().num_row_groups())
        .into_par_iter()
        .with_max_len(1)
        .map(|group| {
            let batches = ParquetRecordBatchReaderBuilder::new_with_metadata(
                File::open(path)?,
                metadata.clone(),
            )
            .with_row_groups(vec![group])
            .with_projection(projection.clone())
            .with_batch_size(8192)
            .build()?;
            let mut all = T::default();
            for batch in batches {
                add(&mut all, &batch?);
            }
            Ok(all)
        })
        .collect()
}

fn doubles<'a>(batch: &'a RecordBatch, column: &str) -> &'a [f64] {
    batch.column_by_name(column).map_or(&[], |column| column.as_primitive::<Float64Type>().values())
}

/// Counts and sums of clamped values by budget, of columns in memory on all cores.
pub(crate) fn mean(values: &[f64], budgets: &[f64]) -> [(u64, f64); 8] {
    const ROWS: usize = 1 << 16;
    let sums = values.par_chunks(ROWS).zip(budgets.par_chunks(ROWS)).map(|(values, budgets)| {
        let mut sums = [(0, 0.0); 8];
        for (value, budget) in values.iter().zip(budgets) {
            let (count, sum) = &mut sums[LEVELS.iter().filter(|level| budget > level).count()];
            *count += 1;
            *sum += value.clamp(0.0, 100.0);
        }
        sums
    });
    sums.reduce(Default::default, |mut all, part| {
        for ((count, sum), (more, theirs)) in all.iter_mut().zip(part) {
            *count += more;
            *sum += theirs;
        }
        all
    })
}

/// Counts of ten bins by budget.
pub(crate) fn bins(path: &str) -> Outcome<()> {
    let counted = fold_groups(path, &["v", "eps"], |counts: &mut [[u64; 10]; 8], batch| {
        for (value, budget) in doubles(batch, "v").iter().zip(doubles(batch, "eps")) {
            let level = LEVELS.iter().filter(|level| budget > level).count();
            counts[level][((value * 0.1) as usize).min(9)] += 1;
        }
    })?;
    black_box(counted);
    Ok(())
}

/// Counts, sums and sums of squares by ten binary digits of the budget and five of its exponent.
pub(crate) fn distinct(path: &str) -> Outcome<()> {
    #[derive(Default)]
    struct Sums(Vec<(u64, f64, f64)>);
    const DIGITS: usize = 1 << 15;
    let counted = fold_groups(path, &["v", "eps"], |sums: &mut Sums, batch| {
        sums.0.resize(DIGITS, (0, 0.0, 0.0));
        for (value, budget) in doubles(batch, "v").iter().zip(doubles(batch, "eps")) {
            let (count, sum, squares) = &mut sums.0[(budget.to_bits() >> 42) as usize % DIGITS];
            *count += 1;
            *sum += value;
            *squares += value * value;
        }
    })?;
    black_box(counted);
    Ok(())
}

/// Values of each budget in ascending order, some thousand at a time.
pub(crate) fn sorted(path: &str) -> Outcome<()> {
    let counted = fold_groups(path, &["v", "eps"], |levels: &mut [Vec<f64>; 8], batch| {
        for (value, budget) in doubles(batch, "v").iter().zip(doubles(batch, "eps")) {
            levels[LEVELS.iter().filter(|level| budget > level).count()].push(*value);
        }
    })?;
    counted.into_par_iter().for_each(|mut levels| {
        for chunk in levels.iter_mut().flat_map(|level| level.chunks_mut(8192)) {
            chunk.sort_unstable_by(f64::total_cmp);
        }
        black_box(levels);
    });
    Ok(())
}

/// The least budget, the number and the sum of the rows of each person.
pub(crate) fn persons(path: &str) -> Outcome<()> {
    type Rows = Vec<(u64, f64, f64)>;
    const PARTS: usize = 64;
    #[derive(Default)]
    struct Parts(Vec<Rows>);
    let counted = fold_groups(path, &["id", "v", "eps"], |parts: &mut Parts, batch| {
        parts.0.resize(PARTS, Vec::new());
        let ids = batch.column_by_name("id").map(|ids| ids.as_primitive::<Int64Type>().values());
        let numbers = doubles(batch, "v").iter().zip(doubles(batch, "eps"));
        for (id, (value, budget)) in ids.into_iter().flatten().zip(numbers) {
            let hash = (*id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            parts.0[(hash >> 58) as usize].push((hash, *value, *budget));
        }
    })?;
    (0..PARTS).into_par_iter().for_each(|part| {
        let mut persons: HashMap<u64, (f64, u64, f64), BuildHasherDefault<HashOfHash>> =
            HashMap::default();
        for (hash, value, budget) in counted.iter().flat_map(|parts| &parts.0[part]) {
            let (least, rows, sum) = persons.entry(*hash).or_insert((f64::INFINITY, 0, 0.0));
            *least = least.min(*budget);
            *rows += 1;
            *sum += value;
        }
        black_box(persons);
    });
    Ok(())
}

/// For keys that are hashes.
#[derive(Default)]
struct HashOfHash(u64);

impl Hasher for HashOfHash {
    fn finish(&self) -> u64 {
        // The first bits are the same in a part.
        self.0.rotate_left(20)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
