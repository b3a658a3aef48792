// Threads, channels, locks and atomics.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, OnceLock, RwLock};
use std::thread;

static STARTED: AtomicUsize = AtomicUsize::new(0);
static NAME: OnceLock<String> = OnceLock::new();

fn main() {
    let total = Arc::new(Mutex::new(0));
    let (sender, receiver) = mpsc::channel();
    let workers: Vec<_> = (1..=3).map(|n| {
        let (total, sender) = (Arc::clone(&total), sender.clone());
        thread::Builder::new().name(format!("worker {n}")).spawn(move || {
            STARTED.fetch_add(1, Ordering::SeqCst);
            NAME.get_or_init(|| "first".to_owned());
            *total.lock().unwrap() += n;
            sender.send(n * 10).unwrap();
            n
        }).unwrap()
    }).collect();
    drop(sender);
    let mut received: Vec<i32> = receiver.iter().collect();
    received.sort();
    let returned: Vec<i32> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    println!("{received:?} {returned:?} {}", total.lock().unwrap());
    println!("{} {:?}", STARTED.load(Ordering::SeqCst), NAME.get());
    let ready = (Mutex::new(false), Condvar::new());
    let barrier = Barrier::new(2);
    let text = RwLock::new(String::from("a"));
    thread::scope(|scope| {
        scope.spawn(|| {
            text.write().unwrap().push('b');
            barrier.wait();
            *ready.0.lock().unwrap() = true;
            ready.1.notify_one();
        });
        barrier.wait();
        let mut is_ready = ready.0.lock().unwrap();
        while !*is_ready {
            is_ready = ready.1.wait(is_ready).unwrap();
        }
        println!("{} {}", is_ready, text.read().unwrap());
    });
}
