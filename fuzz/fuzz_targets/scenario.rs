//! The reader of scenario files, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| everett_fuzz::scenario(data));
