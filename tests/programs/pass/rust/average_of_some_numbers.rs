//@ opt: O1
//@ cflags: -Cpanic=abort
//@ paths: 3
// The average of no numbers is none.
use std::os::raw::{c_char, c_int};

extern "C" {
    fn klee_range(begin: c_int, end: c_int, name: *const c_char) -> c_int;
}

fn average(numbers: &[i32]) -> Option<i32> {
    numbers.iter().sum::<i32>().checked_div(numbers.len() as i32)
}

fn main() {
    let n = unsafe { klee_range(0, 3, "n\0".as_ptr().cast()) } as usize;
    let average = average(&[4, 6, 8][..n]);
    std::process::exit(average.unwrap_or(0) / 100);
}
