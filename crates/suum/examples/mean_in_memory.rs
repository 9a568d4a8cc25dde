//! The mean of ten million numbers in memory, several times, and how long each took.
//!
//! `python/benches/overhead.py` compares the same from Python with it.

#![allow(clippy::print_stdout)]

use std::thread;
use std::time::{Duration, Instant};

use suum::{
    Bounds, Grid, Options, PrivacyColumn, Progress, Request, Result, Scan, Slice, Slices, Value,
    ValueColumn,
};

fn main() -> Result<()> {
    let rows = 10_000_000;
    let values: Vec<f64> = (0..rows).map(|row| (row * 7919 % 77) as f64).collect();
    let budgets: Vec<f64> = (0..rows).map(|row| [0.01, 0.1, 1.0, f64::INFINITY][row % 4]).collect();
    let scan = Scan::new(
        PrivacyColumn::Budgets { column: "epsilon".into() },
        Some(Value::Number(ValueColumn {
            column: "value".into(),
            numbers: Grid::new(Bounds::new(0.0, 77.0)?).into(),
            missing: None,
        })),
    );
    for _ in 0..30 {
        // Calls come one by one: threads that wait for work have gone to sleep.
        thread::sleep(Duration::from_millis(20));
        let start = Instant::now();
        let people = Slices::new()
            .with("value", Slice::Numbers(&values))?
            .with("epsilon", Slice::Numbers(&budgets))?;
        let table = suum::scan_slices(&people, &scan, &Progress::default())?;
        let release = Request::mean(Options::default()).release(table, &mut suum::entropy()?)?;
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        println!("{milliseconds:.2} ms for {:.3}", release.estimate());
    }
    Ok(())
}
