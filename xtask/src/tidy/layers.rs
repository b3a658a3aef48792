//! The layer of every package: a package may depend only on packages of lower layers.
//!
//! To call upward, declare a trait in the lower crate and implement it in the upper one. A package
//! that is missing here fails the check, so a new crate states its place in its first commit.

/// Packages from the bottom to the top. `xtask` and the fuzz driver stand outside: nothing may
/// depend on them.
pub(super) const LAYERS: [(&str, u32); 30] = [
    ("everett-allocator", 0),
    ("everett-base", 0),
    ("everett-input", 0),
    ("everett-traffic", 0),
    ("everett-cluster", 1),
    ("everett-expr", 1),
    ("everett-ir", 1),
    ("everett-live", 1),
    ("minvariant", 1),
    ("everett-fs", 2),
    ("everett-llvm", 2),
    ("everett-memory", 2),
    ("everett-net", 2),
    ("everett-replay", 2),
    ("everett-solver", 2),
    ("everett-world", 2),
    ("everett-interp", 3),
    ("everett-runtime", 3),
    ("everett-trojan", 3),
    ("everett-posix", 4),
    ("everett-toolchain", 4),
    ("everett-engine", 5),
    ("everett-report", 6),
    ("everett-settings", 6),
    ("everett-rerun", 7),
    ("everett-scenario", 7),
    ("everett-explorer", 8),
    ("everett", 9),
    ("everett-fuzz", 10),
    ("xtask", 10),
];

/// The only packages that may contain `unsafe`: they call foreign libraries.
pub(super) const UNSAFE_ALLOWED: [&str; 3] =
    ["everett-allocator", "everett-llvm", "everett-solver"];

/// Packages that may print: programs, not libraries.
pub(super) const PRINTING_ALLOWED: [&str; 5] =
    ["crates/cli", "crates/minvariant/src/main.rs", "fuzz", "tests/embedding", "xtask"];
