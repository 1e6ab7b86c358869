#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rowkind_fuzz::options(data));
