//! Names that C libraries on Linux export.
//!
//! A program may expect them of its C library. Where one is undefined, the library that programs are linked
//! with here lacks it: a gap of ours, and no bug of the program.

/// The names, one a line; `#` begins a comment.
const NAMES: &str = include_str!("libc_names.txt");

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.lines().filter(|line| !line.starts_with('#'))
}

/// Returns `true` if a C library is expected to define a function or a variable of this name.
pub(crate) fn is_of_c_library(name: &str) -> bool {
    names().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_single() {
        let all: Vec<&str> = names().collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn functions_and_variables_of_c_libraries_are_known() {
        for name in
            ["printf", "environ", "strerrordesc_np", "__cmsg_nxthdr", "cos", "pthread_create"]
        {
            assert!(is_of_c_library(name), "{name}");
        }
        for name in ["", "main", "nowhere_defined", "klee_make_symbolic", "# Names"] {
            assert!(!is_of_c_library(name), "{name}");
        }
    }
}
