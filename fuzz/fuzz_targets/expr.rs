//! The simplifying constructors against evaluation, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| everett_fuzz::expr(data));
