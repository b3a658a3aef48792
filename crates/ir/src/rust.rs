//! The source files of Rust's standard library.

/// Returns `true` for a file of Rust's standard library, or of a crate that is part of it, as the
/// distributed library names them in its debug information.
pub fn is_rust_library(file: &str) -> bool {
    const CRATES: [&str; 5] = ["core", "alloc", "std", "panic_abort", "panic_unwind"];
    let below = file.strip_prefix("library/").and_then(|rest| rest.split_once("/src/"));
    let of_library = below.is_some_and(|(name, _)| CRATES.contains(&name));
    of_library || file.starts_with("/rustc/") || file.starts_with("/rust/deps/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_a_program_are_not_the_standard_library() {
        let deps = "/rust/deps/hashbrown-0.15.2/src/raw/mod.rs";
        for file in ["/rustc/05f9/library/core/src/ops/function.rs", "library/std/src/rt.rs", deps]
        {
            assert!(is_rust_library(file), "{file}");
        }
        for own in ["src/main.rs", "library/books/src/lib.rs", "library/std.rs", "store.c", ""] {
            assert!(!is_rust_library(own), "{own}");
        }
    }
}
