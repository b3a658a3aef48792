//! Sanitizers: the ones whose checks bitcode has, and the ones that stay in the native code.
//!
//! The engine is the runtime of the undefined-behaviour sanitizer. What the others look for it finds without
//! them.

use std::ffi::OsString;

use super::arguments::CompilerInvocation;
use super::flags::BitcodePurpose;
use super::surroundings::CompilerSurroundings;
use crate::clang::Libc;
use crate::error::{CommandLineError, Result};

/// The flag that names sanitizers.
const NAMES_BEGIN: &str = "-fsanitize=";
/// The flag that takes some of them back.
const NOT_NAMES_BEGIN: &str = "-fno-sanitize=";

/// The checks of the undefined-behaviour sanitizer, and the names of groups of them.
#[rustfmt::skip]
const CHECKS: &[&str] = &[
    "undefined", "integer", "nullability", "bounds", "shift", "implicit-conversion",
    "implicit-integer-conversion", "implicit-integer-truncation", "alignment", "bool", "builtin",
    "array-bounds", "local-bounds", "enum", "float-cast-overflow", "float-divide-by-zero",
    "integer-divide-by-zero", "nonnull-attribute", "null", "nullability-arg", "nullability-assign",
    "nullability-return", "object-size", "pointer-overflow", "return", "returns-nonnull-attribute",
    "shift-base", "shift-exponent", "signed-integer-overflow", "unsigned-integer-overflow",
    "unsigned-shift-base", "implicit-unsigned-integer-truncation",
    "implicit-signed-integer-truncation", "implicit-integer-sign-change",
    "implicit-bitfield-conversion", "unreachable", "vla-bound", "function", "vptr",
];

/// Checks that need what only native code has: words in front of functions, and the tables of the C++
/// library.
const NATIVE_CHECKS: &str = "-fno-sanitize=function,vptr";

/// Sanitizers whose runtime is a library of their own.
const WITH_RUNTIME: &[&str] =
    &["address", "hwaddress", "memory", "thread", "leak", "dataflow", "realtime", "type"];

/// The words that a flag becomes for bitcode; `None` if it is about no sanitizer.
pub(super) fn for_bitcode(flag: &str, purpose: BitcodePurpose) -> Option<Vec<OsString>> {
    if let Some(names) = flag.strip_prefix(NAMES_BEGIN) {
        let is_kept = |name: &&str| match purpose {
            BitcodePurpose::Carried => CHECKS.contains(name),
            BitcodePurpose::Result => true,
        };
        let kept: Vec<&str> = names.split(',').filter(is_kept).collect();
        return Some(match kept.is_empty() {
            true => Vec::new(),
            false => vec![format!("{NAMES_BEGIN}{}", kept.join(",")).into(), NATIVE_CHECKS.into()],
        });
    }
    let is_other = flag.starts_with("-fsanitize") || flag.starts_with("-fno-sanitize");
    match purpose {
        _ if flag.starts_with(NOT_NAMES_BEGIN) => Some(vec![flag.into()]),
        // Traps instead of messages, and the like.
        BitcodePurpose::Carried if is_other => Some(Vec::new()),
        BitcodePurpose::Result if is_other => Some(vec![flag.into()]),
        _ => None,
    }
}

/// Refuses sanitizers where they cannot be: those with a runtime in bitcode that is the result, and in
/// programs that are linked with musl.
pub(super) fn refuse(
    invocation: &CompilerInvocation,
    surroundings: &CompilerSurroundings<'_>,
) -> Result<()> {
    let Some(name) = named(invocation).find(|name| WITH_RUNTIME.contains(name)) else {
        return Ok(());
    };
    let name = name.to_owned();
    match surroundings.libc {
        _ if invocation.wants_bitcode() => Err(CommandLineError::SanitizedBitcode { name }.into()),
        Libc::Musl => Err(CommandLineError::SanitizerNeedsGlibc { name }.into()),
        Libc::Glibc => Ok(()),
    }
}

/// The flags by which native checks do without their library, which is there for glibc only: they trap.
pub(super) fn for_native(
    invocation: &CompilerInvocation,
    libc: Libc,
) -> impl Iterator<Item = &'static str> {
    let traps = libc == Libc::Musl && named(invocation).any(|name| CHECKS.contains(&name));
    traps.then_some("-fsanitize-trap=all").into_iter()
}

/// The sanitizers that a command line names.
fn named(invocation: &CompilerInvocation) -> impl Iterator<Item = &str> {
    let flags = invocation.flags().filter_map(|words| words[0].to_str());
    flags.filter_map(|flag| flag.strip_prefix(NAMES_BEGIN)).flat_map(|names| names.split(','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(flag: &str, purpose: BitcodePurpose) -> Option<String> {
        let words = for_bitcode(flag, purpose)?.into_iter();
        Some(words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn bitcode_has_the_checks_whose_runtime_is_the_engine() {
        let carried = |flag| words(flag, BitcodePurpose::Carried);
        let expected = "-fsanitize=undefined -fno-sanitize=function,vptr";
        assert_eq!(carried("-fsanitize=address,undefined").as_deref(), Some(expected));
        for dropped in ["-fsanitize=thread", "-fsanitize-trap=all", "-fsanitize-coverage=trace-pc"]
        {
            assert_eq!(carried(dropped).as_deref(), Some(""));
        }
        assert_eq!(carried("-fno-sanitize=null").as_deref(), Some("-fno-sanitize=null"));
        assert_eq!(carried("-fno-strict-aliasing"), None);
        let trap = words("-fsanitize-trap=all", BitcodePurpose::Result);
        assert_eq!(trap.as_deref(), Some("-fsanitize-trap=all"));
    }
}
