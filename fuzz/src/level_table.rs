//! Any bytes as a level-table file: a refusal, or a table that reads back as it was.
use suum_data::{read_levels, write_levels};

/// Any bytes as a level-table file: a refusal, or a table that reads back as it was.
///
/// # Panics
///
/// If that is not so.
pub fn level_table(bytes: &[u8]) {
    match read_levels(bytes) {
        Ok(table) => {
            let mut written = Vec::new();
            write_levels(&table, &mut written).expect("memory can be written");
            let again = read_levels(written.as_slice()).expect("what was written can be read");
            assert_eq!(again, table);
            let mut twice = Vec::new();
            write_levels(&again, &mut twice).expect("memory can be written");
            assert_eq!(written, twice);
        }
        Err(refused) => assert!(refused.hint().is_some(), "{refused}"),
    }
}
