//! Symbolic floating point against all numbers of half precision, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| everett_fuzz::floats(data));
