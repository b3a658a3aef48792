//@ opt: O1
//@ cflags: -Cpanic=abort
// The average of no numbers, in a program that aborts instead of unwinding.
use std::os::raw::{c_char, c_int};

extern "C" {
    fn klee_range(begin: c_int, end: c_int, name: *const c_char) -> c_int;
}

fn average(numbers: &[i32]) -> i32 {
    numbers.iter().sum::<i32>() / numbers.len() as i32 // expect: bug panic
    // expect: message contains "attempt to divide by zero"
}

fn main() {
    let n = unsafe { klee_range(0, 3, "n\0".as_ptr().cast()) } as usize;
    std::process::exit(average(&[4, 6, 8][..n]) / 100);
}
