#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| suum_fuzz::query_result(bytes));
