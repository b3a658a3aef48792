//@ opt: O1
//@ cflags: -Coverflow-checks=on
// A checked sum of bytes.
use std::os::raw::{c_char, c_void};

extern "C" {
    fn klee_make_symbolic(place: *mut c_void, size: usize, name: *const c_char);
}

fn checksum(bytes: &[u8]) -> u8 {
    let mut sum = 0;
    for byte in bytes {
        sum += byte; // expect: bug panic
        // expect: message contains "attempt to add with overflow"
    }
    sum
}

fn main() {
    let mut bytes = [0u8; 2];
    unsafe { klee_make_symbolic(bytes.as_mut_ptr().cast(), 2, "bytes\0".as_ptr().cast()) };
    std::process::exit((checksum(&bytes) == 7) as i32);
}
