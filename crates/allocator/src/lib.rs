//! The allocator of the `everett` binary: mimalloc, and when it gives memory back to the system.
//!
//! States are many small objects, which workers make, drop, and hand each other. By default, mimalloc gives
//! back what has been free for a hundredth of a second; states need it again soon after, and for each
//! such change all workers have to stop. [`keep_free_memory`] lets it wait, and [`give_back_memory`] does it
//! at once, where a limit is near.
//!
//! This is a crate of its own because it calls a foreign library: the others need no `unsafe`.

use std::ffi::{c_int, c_long};

pub use mimalloc::MiMalloc;

/// How long free memory stays with the process, in milliseconds.
const KEPT_FOR: c_long = 1000;
/// `mi_option_purge_delay`, which the bindings have no name for.
const PURGE_DELAY: c_int = 15;

/// Keeps free memory for a while instead of giving it back to the system. To be called before there are
/// several threads. What the environment says (`MIMALLOC_PURGE_DELAY`) comes first.
pub fn keep_free_memory() {
    // SAFETY: it sets a number that the allocator reads. Whoever calls it sees to it that no other thread
    // does so; one that did would read the old or the new number.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, KEPT_FOR) };
}

/// Gives memory that is free back to the system. What other threads keep for themselves stays theirs.
pub fn give_back_memory() {
    // SAFETY: it may be called at any time; it does not touch memory that is in use.
    unsafe { libmimalloc_sys::mi_collect(true) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static ALLOCATOR: MiMalloc = MiMalloc;

    fn resident_bytes() -> usize {
        let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
        let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
        pages.expect("the second number are resident pages") * 4096
    }

    fn delay() -> c_long {
        // SAFETY: it reads a number.
        unsafe { libmimalloc_sys::mi_option_get(PURGE_DELAY) }
    }

    #[test]
    fn free_memory_is_kept_until_it_is_given_back() {
        assert_eq!(delay(), 10, "the option is another one, or has another default");
        keep_free_memory();
        assert_eq!(delay(), KEPT_FOR);
        let before = resident_bytes();
        let objects: Vec<Box<[u8; 4000]>> =
            (0..20_000).map(|i| Box::new([i as u8; 4000])).collect();
        let used = resident_bytes();
        assert!(used > before + 60_000_000, "{before}, then {used}");
        drop(objects);
        let kept = resident_bytes();
        assert!(kept > before + 60_000_000, "{before}, {used}, then {kept}");
        give_back_memory();
        let after = resident_bytes();
        assert!(after < before + 20_000_000, "{before}, {used}, then {after}");
    }
}
