//@ opt: O1
// A cell that is borrowed while it is changed.
use std::cell::RefCell;

fn main() {
    let list = RefCell::new(vec![1, 2, 3]);
    for number in list.borrow().iter() {
        if *number == std::env::args().count() + 1 {
            list.borrow_mut().push(4); // expect: bug panic
            // expect: message contains "already borrowed"
        }
    }
}
