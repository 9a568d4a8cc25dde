//! Any bytes as a packed CSV file: a table or a refusal. And any bytes as what is packed: the same
//! as without packing.
use std::io::Write;

use crate::file;
use flate2::Compression;
use flate2::write::GzEncoder;
use suum_data::{Progress, Source, scan, scan_csv};

fn packed(text: &[u8], zstandard: bool) -> Vec<u8> {
    if zstandard {
        return zstd::encode_all(text, 1).expect("memory can be written");
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text).expect("memory can be written");
    packed.finish().expect("memory can be written")
}

/// Any bytes as a packed CSV file: a table or a refusal. And any bytes as what is packed: the same
/// as without packing.
///
/// # Panics
///
/// If that is not so.
pub fn packed_csv(bytes: &[u8]) {
    let Some(([variant, form], bytes)) = bytes.split_first_chunk::<2>() else { return };
    // Groups have a scan of their own, which packing does not see.
    let asked = crate::scan(variant & 127);
    let zstandard = form & 1 != 0;
    let name = if zstandard { "people.csv.zst" } else { "people.csv.gz" };
    let read = |bytes: &[u8]| {
        let source = Source::parse(file(name, bytes).to_str().expect("a path in UTF-8"))
            .expect("a file that is there");
        scan(&source, &asked, &Progress::default())
    };
    if form & 2 != 0 {
        let plain = scan_csv(bytes, &asked, &Progress::default());
        assert_eq!(read(&packed(bytes, zstandard)).ok(), plain.ok());
        return;
    }
    match read(bytes) {
        Ok(table) => assert!(table.records() > 0),
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
}
