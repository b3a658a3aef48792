//@ args: --ignore panic
// Panics unwind the stack, up to a catch or the end of a thread.
use std::panic;

struct Named(&'static str);

impl Drop for Named { fn drop(&mut self) { println!("drop {}", self.0) } }

fn fails(n: usize) -> usize {
    let _outer = Named("outer");
    let numbers = [1, 2, 3];
    let inner = Named("inner");
    let number = numbers[n];
    drop(inner);
    number
}

fn main() {
    panic::set_hook(Box::new(|info| println!("hook: {}", info.location().is_some())));
    let n = std::env::args().count();
    println!("{:?}", panic::catch_unwind(|| fails(n)).ok());
    println!("{:?}", panic::catch_unwind(|| fails(n + 5)).ok());
    let payload = panic::catch_unwind(|| panic::panic_any(n + 41)).unwrap_err();
    println!("{:?}", payload.downcast_ref::<usize>());
    let thread = std::thread::spawn(|| {
        let _kept = Named("of the thread");
        panic!("gone {}", 1 + 1)
    });
    let joined = thread.join();
    println!("{:?}", joined.unwrap_err().downcast_ref::<String>());
    let again = panic::catch_unwind(|| {
        let first = panic::catch_unwind(|| fails(9)).unwrap_err();
        let _last = Named("last");
        panic::resume_unwind(first)
    });
    println!("{}", again.is_err());
}
