//! Any bytes as what a database brings back from a level query, as CSV or JSON: level tables or a
//! refusal.
use crate::file;
use suum_data::LevelTables;
use suum_sql::read_result;

/// Any bytes as what a database brings back from a level query, as CSV or JSON: level tables or a
/// refusal.
///
/// # Panics
///
/// If that is not so.
pub fn query_result(bytes: &[u8]) {
    match read_result(&file("result", bytes)) {
        Ok(Some(LevelTables::One(table))) => {
            assert_eq!(table.records() == 0, table.by_level().is_empty())
        }
        Ok(_) => {}
        Err(refused) => assert!(refused.fix().is_some(), "{refused}"),
    }
}
