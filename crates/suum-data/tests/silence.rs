//! A damaged Parquet file makes its decoder panic, and the process hears nothing of it.
//!
//! The hook for panics belongs to the process, so this test has one of its own.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::panic::set_hook;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use suum_core::ErrorKind;
use suum_data::{PrivacyColumn, Progress, Scan, Source, scan};

static HEARD: AtomicUsize = AtomicUsize::new(0);

fn parquet_file() -> Vec<u8> {
    let e: ArrayRef =
        Arc::new(Float64Array::from_iter_values((0..60).map(|row| f64::from(row % 3))));
    let t: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..60).map(|row| ["a", "b"][row % 2])));
    let batch = RecordBatch::try_from_iter([("e", e), ("t", t)]).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn no_panic_of_the_decoder_is_heard_but_others_are() {
    set_hook(Box::new(|_| {
        HEARD.fetch_add(1, Ordering::SeqCst);
    }));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let tiers = PrivacyColumn::Tiers { column: "t".into(), tiers: "a=1,b=inf".parse().unwrap() };
    let scans =
        [Scan::new(PrivacyColumn::Budgets { column: "e".into() }, None), Scan::new(tiers, None)];
    let good = parquet_file();
    let mut corrupt = 0;
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x80;
        fs::write(&path, bytes).unwrap();
        let source = Source::parse(path.to_str().unwrap()).unwrap();
        for what in &scans {
            let refused = scan(&source, what, &Progress::default()).err();
            corrupt += usize::from(refused.is_some_and(|error| error.kind() == ErrorKind::Io));
        }
    }
    assert!(corrupt > 100, "{corrupt}");
    assert_eq!(HEARD.load(Ordering::SeqCst), 0);
    assert!(thread::spawn(|| panic!("of somebody else")).join().is_err());
    assert_eq!(HEARD.load(Ordering::SeqCst), 1, "the hook there was is still in place");
}
