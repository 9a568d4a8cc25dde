#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| suum_fuzz::level_table(bytes));
