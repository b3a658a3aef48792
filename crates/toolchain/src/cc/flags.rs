//! Facts about single flags of the compiler.

use std::ffi::OsString;

use super::sanitizers;

/// Flags whose value is the next argument.
#[rustfmt::skip]
const WITH_VALUE: &[&str] = &[
    "-o", "--output", "-x", "--language", "-I", "--include-directory", "-D", "--define-macro", "-U",
    "--undefine-macro", "-include", "--include", "-imacros", "--imacros", "-isystem", "-iquote",
    "-idirafter", "-isysroot", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot",
    "-iframework", "-imultilib", "-ivfsoverlay", "-include-pch", "-cxx-isystem", "-stdlib++-isystem",
    "-Xclang", "-Xpreprocessor", "-Xassembler", "-Xlinker", "-Xanalyzer", "-mllvm", "-target",
    "-arch", "-MF", "-MT", "-MQ", "-MJ", "-L", "--library-directory", "-l", "-F", "-B", "-T", "-Tbss",
    "-Tdata", "-Ttext", "-e", "--entry", "-u", "-z", "-G", "-A", "-rpath", "--sysroot", "--param",
    "--config", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-aux-info", "-wrapper",
    "-working-directory", "--serialize-diagnostics", "-serialize-diagnostics",
];

/// Questions about the compiler itself.
const QUESTIONS: &[&str] = &["--version", "-###", "--help", "--help-hidden", "--autocomplete"];
const QUESTIONS_BEGIN: &[&str] = &["-print-", "--print-", "-dump"];

/// Flags that concern the link, the output and dependency files: nothing for a compilation to
/// bitcode, which has its own.
#[rustfmt::skip]
const NOT_OF_MODULES: &[&str] = &[
    "-o", "-c", "--compile", "-S", "-emit-llvm", "-x", "-v", "-l", "-L", "-B", "-T", "-Tbss", "-Tdata",
    "-Ttext", "-e", "-u", "-z", "-s", "-r", "-rpath", "-shared", "-static", "-static-pie",
    "-static-libgcc", "-static-libstdc++", "-shared-libgcc", "-rdynamic", "-pie", "-no-pie", "-nopie",
    "-nostartfiles", "-nodefaultlibs", "-nolibc", "-nostdlib", "-nostdlib++", "-Xlinker",
    "-Xassembler", "-target", "-fintegrated-as", "-fno-integrated-as", "-wrapper", "--output",
    "--serialize-diagnostics", "-serialize-diagnostics", "-include-pch", "-fbuiltin",
    "-fstack-clash-protection", "--coverage", "-coverage", "-gsplit-dwarf", "-D_FORTIFY_SOURCE",
];
#[rustfmt::skip]
const NOT_OF_MODULES_BEGIN: &[&str] = &[
    "-M", "-T", "-z", "-Wp,-M",
    "--target=", "-Wl,", "-Wa,", "-l", "-L", "-B", "-fuse-ld=", "--ld-path=", "-fno-lto",
    "-march=", "-mtune=", "-save-temps", "--save-temps", "-ftime-trace",
    "-fprofile", "-fcs-profile", "-fcoverage", "-ftest-coverage", "-fstack-protector",
    "-fcf-protection", "-gsplit-dwarf=", "-gz", "-D_FORTIFY_SOURCE=", "-Wp,-D_FORTIFY_SOURCE",
    "-Wp,-U_FORTIFY_SOURCE", "-fpch-", "--output=",
];

/// Flags that change what carried bitcode should be: the program as it was written.
#[rustfmt::skip]
const NOT_CARRIED: &[&str] = &[
    "-ffast-math", "-funsafe-math-optimizations", "-ffinite-math-only", "-fno-math-errno",
    "-fno-signed-zeros", "-fno-trapping-math", "-fassociative-math", "-freciprocal-math",
    "-fvectorize", "-ftree-vectorize", "-fslp-vectorize", "-ftree-slp-vectorize", "-funroll-loops",
    "-Werror", "-pedantic-errors", "-fverbose-asm",
];
#[rustfmt::skip]
const NOT_CARRIED_BEGIN: &[&str] = &["-g", "-ffp-contract=", "-O"];

/// Flags that turn objects into something else than native code, or that make sense only with them.
#[rustfmt::skip]
const NOT_NATIVE_BEGIN: &[&str] = &[
    "-flto", "-ffat-lto-objects", "-fno-fat-lto-objects", "-fuse-linker-plugin", "-fembed-bitcode",
    "-fwhole-program-vtables", "-fvirtual-function-elimination", "-fsplit-lto-unit",
];

/// Flags for what gcc warns about and clang refuses: old C, as the probes of old versions of autoconf
/// write it.
#[rustfmt::skip]
const LENIENT: &[&str] = &[
    "-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch", "-Wno-error=return-type",
];

/// The purpose of bitcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BitcodePurpose {
    /// To be carried by native code.
    Carried,
    /// To be the result, made as the user says.
    Result,
}

/// The flags that come before the user's and make warnings of errors, unless the user makes errors of
/// warnings, which gcc does with these too.
pub(super) fn leniency<'a>(
    mut given: impl Iterator<Item = &'a Vec<OsString>>,
) -> &'static [&'static str] {
    let is_strict = |words: &Vec<OsString>| words[0] == "-Werror" || words[0] == "-pedantic-errors";
    if given.any(is_strict) { &[] } else { LENIENT }
}

/// Returns `true` if the argument after this flag belongs to it.
pub(super) fn takes_value(flag: &str) -> bool {
    WITH_VALUE.contains(&flag)
}

/// Returns `true` if the compiler answers a question and compiles nothing.
pub(super) fn is_question(flag: &str) -> bool {
    QUESTIONS.contains(&flag)
        || begins(flag, QUESTIONS_BEGIN) && !flag.starts_with("-dumpb") && flag != "-dumpdir"
}

/// Returns `true` if native code is compiled and linked with this flag.
pub(super) fn is_native(flag: &str) -> bool {
    !begins(flag, NOT_NATIVE_BEGIN)
}

/// The words of the user's flags, each with its value, that a compilation to bitcode is given.
pub(super) fn all_for_bitcode<'a>(
    flags: impl Iterator<Item = &'a Vec<OsString>>,
    purpose: BitcodePurpose,
) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut flags = flags;
    while let Some(words) = flags.next() {
        if words.iter().eq(["-Xclang", "-include-pch"]) {
            // The precompiled header is the native compiler's; its name comes with the next flag.
            flags.next();
        } else {
            kept.extend(for_bitcode(words, purpose));
        }
    }
    kept
}

/// The words of one flag that are kept.
fn for_bitcode(words: &[OsString], purpose: BitcodePurpose) -> Vec<OsString> {
    let Some(flag) = words.first().and_then(|word| word.to_str()) else { return words.to_vec() };
    let value = words.get(1).and_then(|word| word.to_str()).unwrap_or("");
    if NOT_OF_MODULES.contains(&flag) || begins(flag, NOT_OF_MODULES_BEGIN) || !is_native(flag) {
        return Vec::new();
    }
    if flag == "-D" && value.starts_with("_FORTIFY_SOURCE") {
        return Vec::new();
    }
    if let Some(words) = sanitizers::for_bitcode(flag, purpose) {
        return words;
    }
    if purpose == BitcodePurpose::Carried {
        if flag.starts_with("-O") {
            return if flag == "-O0" { words.to_vec() } else { Vec::new() };
        }
        if NOT_CARRIED.contains(&flag) || begins(flag, NOT_CARRIED_BEGIN) {
            return Vec::new();
        }
    }
    words.to_vec()
}

fn begins(flag: &str, list: &[&str]) -> bool {
    list.iter().any(|start| flag.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(flags: &str, purpose: BitcodePurpose) -> String {
        let flags = flags.split(' ').map(|flag| for_bitcode(&[flag.into()], purpose));
        let flags: Vec<OsString> = flags.flatten().collect();
        flags.join(std::ffi::OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn carried_bitcode_is_what_was_written() {
        let flags = "-O3 -g1 -std=gnu11 -DX=1 -D_FORTIFY_SOURCE=2 -fsanitize=address -ffast-math \
                     -march=native -msse4.2 -fPIC -pthread -MD -Wl,-z,now -lm -L. -flto=thin -static";
        assert_eq!(
            kept(flags, BitcodePurpose::Carried),
            "-std=gnu11 -DX=1 -msse4.2 -fPIC -pthread"
        );
        assert_eq!(kept("-O0", BitcodePurpose::Carried), "-O0");
    }

    #[test]
    fn bitcode_that_is_the_result_obeys_the_user() {
        let flags = "-O3 -g1 -DX -fsanitize=undefined -ffast-math -march=native -MD -lm -flto -o";
        let expected = "-O3 -g1 -DX -fsanitize=undefined -fno-sanitize=function,vptr -ffast-math";
        assert_eq!(kept(flags, BitcodePurpose::Result), expected);
    }

    #[test]
    fn nothing_is_left_to_link_time() {
        for flag in ["-flto", "-flto=thin", "-fwhole-program-vtables", "-fembed-bitcode=all"] {
            assert!(!is_native(flag), "{flag}");
            assert_eq!(kept(flag, BitcodePurpose::Result), "", "{flag}");
        }
        assert!(is_native("-fno-lto") && is_native("-O2"));
    }

    #[test]
    fn precompiled_headers_are_not_for_bitcode() {
        let flags = ["-DX", "-include-pch", "a.h.pch", "-include", "a.h"];
        let flags: Vec<Vec<OsString>> = flags
            .map(|flag| {
                if flag == "-DX" { vec![flag.into()] } else { vec!["-Xclang".into(), flag.into()] }
            })
            .to_vec();
        let kept = all_for_bitcode(flags.iter(), BitcodePurpose::Carried);
        assert_eq!(kept, ["-DX", "-Xclang", "-include", "-Xclang", "a.h"]);
    }

    #[test]
    fn old_c_is_an_error_only_where_warnings_are() {
        let given = |flag: &str| vec![vec![OsString::from("-O2")], vec![OsString::from(flag)]];
        assert_eq!(leniency(given("-Wall").iter()), LENIENT);
        assert_eq!(leniency(given("-Werror=implicit-int").iter()), LENIENT);
        assert_eq!(leniency(given("-Werror").iter()), [""; 0]);
    }

    #[test]
    fn questions_are_told_from_work() {
        assert!(is_question("-dumpmachine") && is_question("-print-file-name=libc.a"));
        assert!(!is_question("-dumpbase") && !is_question("-dumpdir") && !is_question("-dM"));
    }
}
