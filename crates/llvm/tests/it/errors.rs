//! Messages for inputs that cannot be loaded.

use std::path::PathBuf;

use everett_llvm::{LlvmError, LoadOptions, load, load_bytes};

use crate::clang;

const PROGRAM: &str = "int main(void) { return 3; }";

fn error(name: &str, bytes: &[u8]) -> LlvmError {
    load_bytes(name, bytes, &LoadOptions::default()).expect_err("the input is no good")
}

/// Replaces the major version in the identification block. Its text is an array of 6-bit
/// letters that starts at any bit.
fn with_version(bitcode: &[u8], version: &str) -> Vec<u8> {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let code = |letter: char| letters.find(letter).unwrap() as u8;
    let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1;
    let letter = |bytes: &[u8], at: usize| (0..6).map(|i| bit(bytes, at + i) << i).sum::<u8>();
    let matches = |at: &usize| {
        "LLVM19".chars().enumerate().all(|(i, c)| letter(bitcode, at + 6 * i) == code(c))
    };
    let at = (32..800).find(matches).expect("the producer is LLVM 19");
    let mut changed = bitcode.to_vec();
    for (i, c) in version.chars().enumerate() {
        for b in 0..6 {
            let place = at + 24 + 6 * i + b;
            let mask = 1 << (place % 8);
            changed[place / 8] &= !mask;
            changed[place / 8] |= (code(c) >> b & 1) << (place % 8);
        }
    }
    changed
}

#[test]
fn missing_file_is_named() {
    let path = PathBuf::from("/nowhere/missing.bc");
    let error = load(&[path], &LoadOptions::default()).expect_err("there is no such file");
    assert!(matches!(error, LlvmError::Io { .. }));
    assert!(error.to_string().starts_with("cannot read /nowhere/missing.bc: "), "{error}");
}

#[test]
fn no_input_is_an_error() {
    let error = load(&[], &LoadOptions::default()).expect_err("there is no input");
    assert!(matches!(error, LlvmError::NoInput));
}

#[test]
fn other_kinds_of_files_are_recognised() {
    for (bytes, what) in [
        (&b""[..], "an empty file"),
        (b"\x7fELF\x02\x01\x01", "an ELF file"),
        (b"!<arch>\n", "an archive"),
        (b"\0\x01\x02", "binary data"),
        (b"\xff\xfe\xfd", "not UTF-8"),
    ] {
        let error = error("thing.o", bytes);
        assert!(matches!(error, LlvmError::NotBitcode { .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
        assert!(error.to_string().contains("clang-19"), "{error}");
    }
}

#[test]
fn newer_bitcode_names_its_version_and_the_compiler_to_use() {
    let bitcode = clang::bitcode("newer", PROGRAM, &[]);
    let error = error("newer.bc", &with_version(&bitcode, "21"));
    let LlvmError::WrongVersion { found, expected, .. } = &error else { panic!("{error}") };
    assert!(found.starts_with("LLVM21"), "{found}");
    assert_eq!(*expected, "LLVM 19");
    assert!(error.to_string().contains("clang-19"), "{error}");
}

#[test]
fn older_bitcode_loads_with_a_warning() {
    let bitcode = clang::bitcode("older", PROGRAM, &[]);
    let older = with_version(&bitcode, "17");
    let loaded = load_bytes("older.bc", &older, &LoadOptions::default()).unwrap();
    assert!(loaded.warnings[0].contains("LLVM17"), "{:?}", loaded.warnings);
}

#[test]
fn truncated_bitcode_is_broken() {
    let bitcode = clang::bitcode("truncated", PROGRAM, &["-g"]);
    for len in [4, 8, 100, bitcode.len() / 2, bitcode.len() - 5] {
        let error = error("cut.bc", &bitcode[..len]);
        assert!(matches!(error, LlvmError::Broken { .. }), "{len}: {error}");
        assert!(error.to_string().starts_with("cut.bc is broken: "), "{error}");
    }
}

#[test]
fn syntax_error_in_text_has_line_and_column() {
    let error = error("bad.ll", b"define i32 @main() {\n  ret i33 oops\n}\n");
    assert!(matches!(error, LlvmError::Broken { .. }), "{error}");
    assert!(error.to_string().contains("bad.ll:2:11: error:"), "{error}");
}

#[test]
fn module_that_the_verifier_rejects_is_broken() {
    let text = "define i32 @f(i32 %x) {\na:\n  br label %b\n\
                b:\n  %p = phi i32 [ %x, %b ]\n  ret i32 %p\n}\n";
    let error = error("invalid.ll", text.as_bytes());
    assert!(matches!(error, LlvmError::Broken { .. }), "{error}");
    assert!(error.to_string().contains("PHI node"), "{error}");
}

#[test]
fn other_machines_are_refused() {
    let text = "target datalayout = \"E-p:32:32\"\ntarget triple = \"powerpc\"\n";
    let error = error("ppc.ll", text.as_bytes());
    assert!(matches!(error, LlvmError::Target { .. }), "{error}");
    assert!(error.to_string().contains("powerpc"), "{error}");
}
