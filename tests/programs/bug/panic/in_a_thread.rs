//@ opt: O1
// A panic of a thread is found although the thread that waits for it goes on.
use std::thread;

fn main() {
    let worker = thread::spawn(|| {
        let text = String::from("12x");
        text.parse::<u32>().unwrap() // expect: bug panic
        // expect: message contains "ParseIntError { kind: InvalidDigit }"
    });
    assert!(worker.join().is_err());
}
