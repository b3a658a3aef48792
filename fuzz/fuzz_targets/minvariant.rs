//! Programs of minvariant, under libFuzzer.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| everett_fuzz::minvariant(data));
