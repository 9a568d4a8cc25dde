//! How long it takes to scan what is in memory already.

use criterion::{Criterion, Throughput};
use suum_core::{Bounds, Cells, Grid, Numbers};
use suum_data::{
    PrivacyColumn, Progress, Scan, Slice, Slices, Value, ValueColumn, scan_csv, scan_slices,
};

const ROWS: u32 = 1 << 20;

/// A scan of budgets and values in [0, 100], as numbers or as rows at candidates of a quantile.
fn scan(squares: bool, cells: Option<Cells>) -> Option<Scan> {
    let numbers = Numbers { grid: Grid::new(Bounds::new(0.0, 100.0).ok()?), squares, cells };
    let value = Value::Number(ValueColumn { column: "v".into(), numbers, missing: None });
    Some(Scan::new(PrivacyColumn::Budgets { column: "e".into() }, Some(value)))
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    // Neighbours differ in value and level.
    let mixed = |row: u32| row.wrapping_mul(0x9E37_79B9) >> 8;
    let values: Vec<f64> = (0..ROWS).map(|row| f64::from(mixed(row) % 100_000) / 1000.0).collect();
    let budgets = |levels: u32| -> Vec<f64> {
        (0..ROWS)
            .map(|row| (f64::from(mixed(row + 7) % levels) / f64::from(levels)).exp())
            .collect()
    };
    let Some(means) = scan(false, None) else { return };

    let mut group = criterion.benchmark_group("scan");
    group.throughput(Throughput::Elements(u64::from(ROWS)));
    for levels in [8, 1000, 60_000, ROWS] {
        let epsilons = budgets(levels);
        let slices = Slices::new().with("v", Slice::Numbers(&values));
        let Ok(slices) = slices.and_then(|slices| slices.with("e", Slice::Numbers(&epsilons)))
        else {
            return;
        };
        group.bench_function(format!("slices/mean/{levels} levels"), |bencher| {
            bencher.iter(|| scan_slices(&slices, &means, &Progress::default()));
        });
        if levels == 8 {
            let parts = [
                ("variance", scan(true, None)),
                ("quantile", scan(false, Cells::new(Cells::STEPS).ok())),
            ];
            for (name, scan) in parts {
                let Some(scan) = scan else { return };
                group.bench_function(format!("slices/{name}/{levels} levels"), |bencher| {
                    bencher.iter(|| scan_slices(&slices, &scan, &Progress::default()));
                });
            }
            let lines = values
                .iter()
                .zip(&epsilons)
                .map(|(value, epsilon)| format!("{value},{epsilon:.3}\n"));
            let text: String = std::iter::once("v,e\n".to_owned()).chain(lines).collect();
            group.bench_function(format!("csv/mean/{levels} levels"), |bencher| {
                bencher.iter(|| scan_csv(text.as_bytes(), &means, &Progress::default()));
            });
        }
    }
    group.finish();
    criterion.final_summary();
}
