//@ opt: O1
// Errors of memory in unsafe code have their own kinds.
fn main() {
    let numbers = vec![1u8, 2, 3].into_boxed_slice();
    let n = std::env::args().count() + 2;
    let number = unsafe { std::ptr::read_volatile(numbers.as_ptr().add(n)) }; // expect: bug out-of-bounds
    std::process::exit(number as i32);
}
