//! The memory that a forked path condition costs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use everett_expr::Pool;
use everett_solver::{BranchFeasibility, ChainOptions, MonotonicClock, PathCondition, SolverChain};

struct Counting;

static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Returns the size that the usual allocators hand out: a header of 8 bytes, multiples of 16.
fn real_size(layout: Layout) -> usize {
    (layout.size() + 8).next_multiple_of(16).max(32)
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE_BYTES.fetch_add(real_size(layout), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        LIVE_BYTES.fetch_sub(real_size(layout), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn one_more_live_path_takes_less_than_150_bytes_of_heap() {
    let pool = Pool::new();
    let symbol = pool.symbol("buf", 20);
    let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
    let mut live = vec![PathCondition::new()];
    let mut before = 0;
    for at in 0..14 {
        before = LIVE_BYTES.load(Ordering::Relaxed);
        let cond = pool.slt(pool.constant(8, u64::from(b'a')), pool.byte(symbol, at));
        let mut next = Vec::with_capacity(2 * live.len());
        for mut path in std::mem::take(&mut live) {
            let branch = path.branch(&mut chain, &pool, cond).expect("no budget is set");
            let BranchFeasibility::Both { then, other } = branch else {
                panic!("both sides are feasible")
            };
            let mut negative = path.clone();
            negative.assume_side(&pool, pool.not(cond), other);
            path.assume_side(&pool, cond, then);
            next.extend([path, negative]);
        }
        live = next;
    }
    let each = (LIVE_BYTES.load(Ordering::Relaxed) - before) / (live.len() / 2);
    let heap = each - size_of::<PathCondition>();
    println!("one more live path: {heap} bytes on the heap, {each} in all");
    // Of the two sides of a branch, both add a cell and one changes bytes of the model; the parent
    // becomes one of them, so this is what one more live path costs.
    assert!(heap < 150, "{heap} bytes");
}
