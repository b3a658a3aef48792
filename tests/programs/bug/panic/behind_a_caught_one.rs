//@ opt: O1
//@ args: --ignore behind_a_caught_one.rs:10
// The stack unwinds from a panic that is ignored, and drops what it passes.
struct Guard<'a>(&'a mut Vec<i32>);

impl Drop for Guard<'_> { fn drop(&mut self) { self.0.push(1); } }

fn risky(log: &mut Vec<i32>) {
    let guard = Guard(log);
    if guard.0.is_empty() { panic!("first") }
    guard.0.clear();
}

fn main() {
    let mut log = Vec::new();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| risky(&mut log)));
    assert!(caught.is_err());
    assert_eq!(log, [2], "the guard was dropped"); // expect: bug panic
    // expect: message contains "the guard was dropped"
}
