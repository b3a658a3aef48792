//@ opt: O1
//@ paths: 1
// An index that a byte of the input gives is beyond the end.
use std::os::raw::{c_char, c_int};

extern "C" {
    fn klee_range(begin: c_int, end: c_int, name: *const c_char) -> c_int;
}

fn main() {
    let prices = vec![3, 5, 8];
    let n = unsafe { klee_range(0, 4, "n\0".as_ptr().cast()) } as usize;
    let price = prices[n]; // expect: bug panic
    // expect: message contains "index out of bounds: the len is 3 but the index is 3"
    std::process::exit(if price > 4 { 1 } else { 2 });
}
