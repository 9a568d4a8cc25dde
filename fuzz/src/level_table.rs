//! Any bytes as a level-table file: a refusal, or tables that read back as they were.
use suum_data::{LevelTables, read_counted, read_counted_of_anybody, write_counted};

/// Any bytes as a level-table file: a refusal, or tables that read back as they were.
///
/// # Panics
///
/// If that is not so.
pub fn level_table(bytes: &[u8]) {
    reads_back(bytes, |bytes| read_counted(bytes));
    reads_back(bytes, |bytes| read_counted_of_anybody(bytes));
}

fn reads_back(bytes: &[u8], read: impl Fn(&[u8]) -> suum_core::Result<LevelTables>) {
    match read(bytes) {
        Ok(counted) => {
            let mut written = Vec::new();
            write_counted(&counted, &mut written).expect("memory can be written");
            let again = read(&written).expect("what was written can be read");
            assert_eq!(again, counted);
            let mut twice = Vec::new();
            write_counted(&again, &mut twice).expect("memory can be written");
            assert_eq!(written, twice);
        }
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
}
