//! Measures what accesses, stack objects and branches cost.
//!
//! `cargo run --release -p everett-memory --example memory_speed`

#![allow(clippy::disallowed_methods, reason = "measuring needs the host's clock")]

use std::hint::black_box;
use std::time::Instant;

use everett_base::Rng;
use everett_expr::Pool;
use everett_memory::{AddressSpace, MemoryConfig, ObjectKind, SiteId};

/// The resident memory of this process, from `proc(5)`; 0 where there is none.
fn resident_bytes() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

fn main() {
    // First, while the allocator has no free chunks that would hide what is used.
    states_of_one_large_object();
    states_of_one_counter();
    accesses();
    stack_objects();
    branches();
}

/// The best of many short runs, in nanoseconds for each of `count`.
fn best(count: u64, mut run: impl FnMut()) -> f64 {
    (0..50)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_nanos() as f64 / count as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// An address space with as many objects as a program with a libc has.
fn populated(objects: u64) -> AddressSpace {
    let mut space = AddressSpace::new(MemoryConfig::default());
    for number in 0..objects {
        let size = [4, 8, 16, 40, 100, 300, 5000][number as usize % 7];
        let base = space.alloc(size, 8, ObjectKind::Global, SiteId(0)).expect("there is room");
        assert!(space.store_concrete(base, 4, number));
    }
    space
}

fn accesses() {
    const COUNT: u64 = 1_000_000;
    let mut space = populated(1000);
    let local: Vec<u64> = (0..8)
        .map(|_| space.alloc(4, 4, ObjectKind::Stack, SiteId(0)).expect("there is room"))
        .collect();
    let table = space.alloc(65_536, 16, ObjectKind::Heap, SiteId(0)).expect("there is room");
    let report = |name: &str, ns: f64| println!("{name:<52} {ns:7.2} ns");
    let ns = best(COUNT, || {
        for i in 0..COUNT {
            black_box(space.load_concrete(local[i as usize & 7], black_box(4)));
        }
    });
    report("load of 8 local variables in turn", ns);
    let ns = best(COUNT, || {
        for i in 0..COUNT {
            black_box(space.store_concrete(local[i as usize & 7], black_box(4), i));
        }
    });
    report("store to 8 local variables in turn", ns);
    let ns = best(COUNT, || {
        for i in 0..COUNT {
            black_box(space.store_concrete(table + ((i * 8) & 0xffff), black_box(8), i));
        }
    });
    report("store to a table of 64 KiB in order", ns);
    let mut rng = Rng::new(1);
    let places: Vec<u64> = (0..4096).map(|_| table + rng.below(8192) * 8).collect();
    let ns = best(COUNT / 10, || {
        for i in 0..COUNT / 10 {
            black_box(space.store_concrete(places[i as usize & 4095], black_box(8), i));
        }
    });
    report("store to a table of 64 KiB at random (cache misses)", ns);
    let ns = best(COUNT / 10, || {
        for i in 0..COUNT / 10 {
            black_box(space.load_concrete(places[i as usize & 4095], black_box(8)));
        }
    });
    report("load from a table of 64 KiB at random (cache misses)", ns);
}

fn stack_objects() {
    const CALLS: u64 = 10_000;
    let mut space = populated(1000);
    let mut frame = Vec::with_capacity(10);
    let ns = best(CALLS * 10, || {
        for call in 0..CALLS {
            for _ in 0..10 {
                let base = space.alloc(8, 8, ObjectKind::Stack, SiteId(0)).expect("there is room");
                space.store_concrete(base, 8, call);
                frame.push(base);
            }
            for base in frame.drain(..) {
                space.release_stack(base, SiteId(1));
            }
        }
    });
    println!("{:<52} {ns:7.2} ns", "stack object: alloc, store, release");
}

fn branches() {
    const COUNT: u64 = 10_000;
    for objects in [10, 1000] {
        let mut space = populated(objects);
        let counter = space.alloc(4, 4, ObjectKind::Stack, SiteId(0)).expect("there is room");
        space.flush();
        let mut states = Vec::with_capacity(COUNT as usize);
        let ns = best(COUNT, || {
            states.clear();
            for i in 0..COUNT {
                let cache = space.release_cache();
                let mut state = space.fork();
                if let Some(cache) = cache {
                    state.adopt_cache(cache);
                }
                state.store_concrete(counter, 4, i);
                if let Some(cache) = state.release_cache() {
                    space.adopt_cache(cache);
                }
                states.push(state);
            }
        });
        println!(
            "{:<52} {ns:7.2} ns",
            format!("branch and one store, {objects} objects, with drop")
        );
    }
}

/// Like `b_fork.c`: each state adds one to a counter and branches again.
fn states_of_one_counter() {
    for objects in [0, 10, 1000] {
        let pool = Pool::new();
        let mut first = populated(objects);
        let buffer = first.alloc(20, 16, ObjectKind::Stack, SiteId(0)).expect("there is room");
        let counter = first.alloc(4, 4, ObjectKind::Stack, SiteId(0)).expect("there is room");
        first.make_symbolic(&pool, buffer, pool.symbol("buf", 20)).expect("in bounds");
        first.store_concrete(counter, 4, 0);
        first.release_cache();
        let before = resident_bytes();
        let mut states = vec![first];
        for level in 0..17 {
            let mut next = Vec::with_capacity(states.len() * 2);
            for mut state in states {
                let mut child = state.fork();
                child.store_concrete(counter, 4, level + 1);
                child.release_cache();
                next.push(state);
                next.push(child);
            }
            states = next;
        }
        let used = resident_bytes().saturating_sub(before);
        let name = format!("{} states of one counter, {objects} other objects", states.len());
        println!("{name:<52} {:7} bytes a state", used / states.len());
        // Memory that is given back would hide what the next measurement uses.
        std::mem::forget(states);
    }
}

/// Like `d_cow.c`: each state writes to an object of 64 KiB.
fn states_of_one_large_object() {
    let mut first = populated(10);
    let large = first.alloc(65_536, 16, ObjectKind::Global, SiteId(0)).expect("there is room");
    let counter = first.alloc(4, 4, ObjectKind::Stack, SiteId(0)).expect("there is room");
    first.write_bytes(large, &[1; 65_536]).expect("in bounds");
    first.release_cache();
    let before = resident_bytes();
    let mut states = vec![first];
    for level in 0..14 {
        let mut next = Vec::with_capacity(states.len() * 2);
        for mut state in states {
            let mut child = state.fork();
            child.store_concrete(counter, 4, level + 1);
            for state in [&mut state, &mut child] {
                state.store_concrete(large + level * 7, 1, level);
                state.release_cache();
            }
            next.push(state);
            next.push(child);
        }
        states = next;
    }
    let used = resident_bytes().saturating_sub(before);
    let name = format!("{} states that write to 64 KiB", states.len());
    println!("{name:<52} {:7} bytes a state, {} MB", used / states.len(), used / 1_000_000);
    std::mem::forget(states);
}
