//! What `benches/peers.py` measures suum against on this machine: bare decoding and plain sums, and
//! suum in memory.
//!
//! ```text
//! yardstick decode FILE COLUMN…   reads columns of a Parquet file on all cores, for nothing
//! yardstick plain WORK FILE       a plain program for a statistic of columns v, eps and id
//! yardstick memory ROWS           milliseconds of plain sums, of a plain program for a mean, and
//!                                 of scans over slices and batches
//! yardstick weights PEOPLE        milliseconds for the weights of as many different budgets
//! ```

// What it prints is what it is for.
#![allow(clippy::print_stdout)]

mod plain;

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use suum_core::{Bounds, Epsilon, Grid, Target, personal_weights};
use suum_data::{
    PrivacyColumn, Progress, Scan, Slice, Slices, Threads, Value, ValueColumn, scan_batches,
    scan_slices,
};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// How often each thing is timed, one after the other.
const TIMES: usize = 5;

const LEVELS: [f64; 8] = [0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0, f64::INFINITY];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["decode", file, columns @ ..] => decode(file, columns),
        ["plain", "bins", file] => plain::bins(file),
        ["plain", "distinct", file] => plain::distinct(file),
        ["plain", "sorted", file] => plain::sorted(file),
        ["plain", "persons", file] => plain::persons(file),
        ["memory", rows] => memory(rows.parse()?),
        ["weights", people] => weights(people.parse()?),
        // cargo test and cargo bench run it without anything to do.
        _ => Ok(()),
    }
}

fn decode(path: &str, columns: &[&str]) -> Outcome<()> {
    let rows = plain::fold_groups(path, columns, |rows: &mut usize, batch| {
        *rows += black_box(batch).num_rows();
    })?;
    println!("{}", rows.into_iter().sum::<usize>());
    Ok(())
}

fn memory(rows: usize) -> Outcome<()> {
    let mut dice = Dice(7);
    let values: Vec<f64> = (0..rows).map(|_| 100.0 * dice.unit()).collect();
    let few: Vec<f64> = (0..rows).map(|_| LEVELS[(8.0 * dice.unit()) as usize]).collect();
    let many: Vec<f64> = (0..rows).map(|_| (10.0 * dice.unit() - 5.0).exp()).collect();
    let tiers: Vec<u32> = (0..rows).map(|_| (8.0 * dice.unit()) as u32).collect();

    let value = || {
        let numbers = Grid::new(Bounds::new(0.0, 100.0)?).into();
        Ok::<_, suum_core::Error>(Value::Number(ValueColumn {
            column: "v".into(),
            numbers,
            missing: None,
        }))
    };
    let by_number = Scan::new(PrivacyColumn::Budgets { column: "e".into() }, Some(value()?));
    let declared = "a=0,b=0.01,c=0.1,d=0.5,e=1,f=2,g=3,h=inf".parse()?;
    let by_tier =
        Scan::new(PrivacyColumn::Tiers { column: "e".into(), tiers: declared }, Some(value()?));
    let column = |numbers: &[f64]| Arc::new(Float64Array::from(numbers.to_vec())) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("v", column(&values)), ("e", column(&few))])?;
    let slices = |privacy| Slices::new().with("v", Slice::Numbers(&values))?.with("e", privacy);
    let (by_few, by_many) = (slices(Slice::Numbers(&few))?, slices(Slice::Numbers(&many))?);
    let by_position = slices(Slice::Positions(&tiers))?;

    let mut times = [const { Vec::new() }; 6];
    for _ in 0..TIMES {
        times[0].push(time(|| Ok(black_box(sum(&values) + sum(&few))))?);
        times[1].push(time(|| Ok(scan_slices(&by_few, &by_number, &Progress::default())?))?);
        times[2].push(time(|| {
            Ok(scan_batches([Ok(batch.clone())], &by_number, &Progress::default())?)
        })?);
        times[3].push(time(|| Ok(scan_slices(&by_position, &by_tier, &Progress::default())?))?);
        times[4].push(time(|| Ok(scan_slices(&by_many, &by_number, &Progress::default())?))?);
        times[5].push(time(|| Ok(plain::mean(&values, &few)))?);
    }
    for (name, times) in
        ["sum", "slices", "batches", "tiers", "distinct", "plain"].iter().zip(times)
    {
        println!("{name} {:.3}", median(times));
    }
    Ok(())
}

/// A plain sum on all cores, in as many parts as keep the processor busy.
fn sum(numbers: &[f64]) -> f64 {
    let sum = |numbers: &[f64]| {
        let mut sums = [0.0; 16];
        let (chunks, rest) = numbers.as_chunks::<16>();
        for chunk in chunks {
            sums.iter_mut().zip(chunk).for_each(|(sum, number)| *sum += number);
        }
        sums.iter().chain(rest).sum::<f64>()
    };
    numbers.par_chunks(1 << 16).map(sum).sum()
}

fn weights(people: usize) -> Outcome<()> {
    let mut dice = Dice(11);
    let budgets = (0..people).map(|_| Epsilon::new((10.0 * dice.unit() - 5.0).exp()));
    let budgets: Vec<Epsilon> = budgets.collect::<Result<_, _>>()?;
    for target in [Target::Population, Target::Dataset, Target::DatasetCorrelated] {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            times.push(time(|| Ok(personal_weights(&budgets, target, 0.25, &Threads)?))?);
        }
        println!("{} {:.3}", target.name(), median(times));
    }
    Ok(())
}

/// Milliseconds.
fn time<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<f64> {
    let start = Instant::now();
    black_box(work()?);
    Ok(1e3 * start.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Numbers that look random (SplitMix64).
struct Dice(u64);

impl Dice {
    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
