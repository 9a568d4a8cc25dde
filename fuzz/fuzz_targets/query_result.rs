//! Any bytes as what a database brings back from a level query, as CSV or JSON: level tables or a
//! refusal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use suum_fuzz::file;
use suum_sql::{Counted, read_result};

fuzz_target!(|bytes: &[u8]| {
    match read_result(&file("result", bytes)) {
        Ok(Some(Counted::One(table))) => {
            assert_eq!(table.records() == 0, table.cohorts().is_empty())
        }
        Ok(_) => {}
        Err(refused) => assert!(refused.hint().is_some(), "{refused}"),
    }
});
