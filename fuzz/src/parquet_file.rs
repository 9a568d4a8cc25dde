//! Any bytes as a Parquet file, of records and of the result of a level query: a table or a
//! refusal.
use crate::file;
use suum_data::{Progress, Source, read_text_parquet, scan};

/// Any bytes as a Parquet file, of records and of the result of a level query: a table or a
/// refusal.
///
/// # Panics
///
/// If that is not so.
pub fn parquet_file(bytes: &[u8]) {
    let Some((variant, bytes)) = bytes.split_first() else { return };
    let asked = crate::scan(variant & 127);
    let path = file("people.parquet", bytes);
    let source =
        Source::parse(path.to_str().expect("a path in UTF-8")).expect("a file that is there");
    match scan(&source, &asked, &Progress::default()) {
        Ok(table) => {
            assert!(table.records() > 0);
            assert_eq!(scan(&source, &asked, &Progress::default()), Ok(table));
        }
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
    if let Err(refused) = read_text_parquet(bytes.to_vec()) {
        assert!(refused.fix().is_some());
    }
}
