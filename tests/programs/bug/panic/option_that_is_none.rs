//@ opt: O1 O3
// A key that a map does not have.
use std::collections::BTreeMap;
use std::os::raw::{c_char, c_int};

extern "C" {
    fn klee_range(begin: c_int, end: c_int, name: *const c_char) -> c_int;
}

fn main() {
    let users: BTreeMap<i32, &str> = [(1, "ann"), (2, "bob")].into_iter().collect();
    let id = unsafe { klee_range(1, 4, "id\0".as_ptr().cast()) };
    let name = users.get(&id).expect("no such user"); // expect: bug panic
    // expect: message contains "no such user"
    std::process::exit(name.len() as i32 - 3);
}
