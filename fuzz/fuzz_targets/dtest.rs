//! The reader of tests of systems, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| everett_fuzz::dtest(data));
