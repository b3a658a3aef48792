//! The `everett` command.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use everett_allocator::MiMalloc;

/// States are many small objects, which workers make, drop, and hand each other.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    everett_allocator::keep_free_memory();
    everett::main()
}
