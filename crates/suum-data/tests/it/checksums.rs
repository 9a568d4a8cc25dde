//! Checksums of Parquet pages: a damaged page is refused, and never read as other values.

use std::path::Path;

use suum_core::{ErrorKind, LevelTable, Result};
use suum_data::{Progress, Scan, keep};

use crate::common::{labels, scan_path, tiers, value};

/// Files of 40 rows, `x` from 0 to 8 and `tier` a or b in turns, which PyArrow wrote with
/// `write_page_checksum`: plain pages, and dictionaries in packed pages of the second version.
const FILES: [(&str, &[u8]); 2] = [
    ("plain", include_bytes!("../files/checksums_plain.parquet")),
    ("packed", include_bytes!("../files/checksums_packed.parquet")),
];

fn read(path: &Path, bytes: &[u8], what: &Scan) -> Result<LevelTable> {
    std::fs::write(path, bytes).unwrap();
    scan_path(path, what)
}

/// Start of the footer, which follows the pages.
fn footer(bytes: &[u8]) -> usize {
    let (rest, _) = bytes.split_at(bytes.len() - 4);
    let (rest, length) = rest.split_last_chunk().unwrap();
    rest.len() - u32::from_le_bytes(*length) as usize
}

#[test]
fn refuses_damaged_pages_by_their_checksums() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    // Numbers alone are read in another way than numbers beside labels.
    let scans = [
        Scan::new(tiers("tier", "a=1,b=2"), value("x")),
        Scan::new(crate::common::budgets("x"), value("x")),
        Scan::new(tiers("tier", "a=1,b=2"), labels("x", "0,1,2,3,4,5,6,7,8", None, None)),
    ];
    for (name, whole) in FILES {
        for what in &scans {
            let expected = read(&path, whole, what).unwrap();
            assert_eq!(expected.records(), 40);
            let mut refused = 0;
            for at in 4..footer(whole) {
                let mut damaged = whole.to_vec();
                damaged[at] ^= 1;
                match read(&path, &damaged, what) {
                    Ok(found) => assert_eq!(found, expected, "{name} {at}"),
                    Err(error) => {
                        refused += 1;
                        let message = error.to_string();
                        assert!(message.contains("data.parquet"), "{name} {at}: {message}");
                        assert!(error.fix().is_some());
                    }
                }
            }
            assert!(refused > 100, "{name}: {refused}");
        }
    }
}

#[test]
fn refuses_a_changed_value_in_a_page_with_a_checksum() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.parquet");
    let (_, whole) = FILES[0];
    // The third value is a 2, which becomes a 3.
    let three = [0i64, 1, 2].map(i64::to_le_bytes).concat();
    let at = whole.windows(three.len()).position(|bytes| bytes == three).unwrap();
    let mut damaged = whole.to_vec();
    damaged[at + 16] = 3;
    let what = Scan::new(tiers("tier", "a=1,b=2"), value("x"));
    let refused = read(&path, &damaged, &what).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Io);
    let message = refused.to_string();
    assert!(message.ends_with("data.parquet: not a readable Parquet file"), "{message}");
    assert!(refused.fix().unwrap().to_string().contains("damaged"));
    let unbounded = suum_data::UnboundedColumn { column: "x".into(), missing: None, cells: None };
    let kept = suum_data::Value::Unbounded(unbounded);
    let kept = Scan::new(tiers("tier", "a=1,b=2"), Some(kept));
    let source = suum_data::Source::parse(path.to_str().unwrap()).unwrap();
    assert!(keep(&source, &kept, &Progress::default()).is_err());
}
