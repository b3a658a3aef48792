//@ opt: O1 O3
// A parser that has an answer for every text.
use std::os::raw::{c_char, c_void};

extern "C" {
    fn klee_make_symbolic(place: *mut c_void, size: usize, name: *const c_char);
}

fn parse(text: &[u8]) -> Option<u16> {
    let (first, rest) = text.split_first()?;
    match first {
        b'#' => std::str::from_utf8(rest).ok()?.parse().ok(),
        b'0'..=b'9' => Some(u16::from(first - b'0')),
        _ => None,
    }
}

fn main() {
    let mut text = [0u8; 3];
    unsafe { klee_make_symbolic(text.as_mut_ptr().cast(), 3, "text\0".as_ptr().cast()) };
    if let Some(number) = parse(&text) {
        assert!(number < 100);
    }
}
