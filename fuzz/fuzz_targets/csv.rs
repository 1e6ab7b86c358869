#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rowkind_fuzz::read(&rowkind_fuzz::CSV, data));
