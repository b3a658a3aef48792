//! Golden bytes, damaged files, and the round trip.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Written out by hand from the format's description.
const GOLDEN: &[u8] = b"KTEST\0\0\0\x03\
    \0\0\0\x02\0\0\0\x04p.bc\0\0\0\x02-x\
    \0\0\0\x01\0\0\0\x05\
    \0\0\0\x02\0\0\0\x01n\0\0\0\x04\x07\0\0\0\0\0\0\x03buf\0\0\0\0";

fn golden() -> KTest {
    let mut test = KTest::new(["p.bc", "-x"]);
    (test.sym_argvs, test.sym_argv_len) = (1, 5);
    test.objects.push(KTestObject::new("n", 7u32.to_le_bytes()));
    test.objects.push(KTestObject::new("buf", []));
    test
}

fn problem(bytes: &[u8]) -> (u64, FormatProblem) {
    let FormatError { offset, problem } = KTest::from_bytes(bytes).unwrap_err();
    (offset, problem)
}

#[test]
fn bytes_are_those_of_version_3() {
    assert_eq!(golden().to_bytes().unwrap(), GOLDEN);
    assert_eq!(KTest::from_bytes(GOLDEN).unwrap(), golden());
}

#[test]
fn old_signature_is_accepted() {
    let bytes = [b"BOUT\n", &GOLDEN[5..]].concat();
    assert_eq!(KTest::from_bytes(&bytes).unwrap(), golden());
}

#[test]
fn version_1_has_no_symbolic_arguments() {
    let bytes = b"KTEST\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01n\0\0\0\x01\x09";
    let test = KTest::from_bytes(bytes).unwrap();
    assert_eq!(test.object(b"n").unwrap().bytes, [9]);
    assert_eq!((test.sym_argvs, test.args.len()), (0, 0));
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b""[..], b"KTE", b"ELF\0\0\0\0\0\0\0"] {
        assert_eq!(problem(bytes), (0, FormatProblem::Magic));
    }
}

#[test]
fn unknown_versions_are_refused() {
    for found in [0, 4, u32::MAX] {
        let bytes = [&b"KTEST"[..], &found.to_be_bytes()].concat();
        assert_eq!(problem(&bytes), (5, FormatProblem::Version { found, newest: 3 }));
    }
}

#[test]
fn every_truncation_is_an_error_at_a_place_inside() {
    for length in 5..GOLDEN.len() {
        let (offset, problem) = problem(&GOLDEN[..length]);
        assert!(offset <= length as u64);
        assert!(matches!(problem, FormatProblem::Truncated { .. }), "{length}: {problem}");
    }
}

#[test]
fn absurd_lengths_are_refused_before_anything_is_allocated() {
    let header = &b"KTEST\0\0\0\x03"[..];
    let arguments = [header, &[0xff; 4]].concat();
    let field = "the list of arguments";
    let needed = 4 * u64::from(u32::MAX);
    assert_eq!(problem(&arguments), (13, FormatProblem::Truncated { field, needed, left: 0 }));
    let object = [header, &[0; 12], b"\0\0\0\x01\0\0\0\0", &[0xff; 4]].concat();
    let (field, needed) = ("an object", u64::from(u32::MAX));
    assert_eq!(problem(&object), (33, FormatProblem::Truncated { field, needed, left: 0 }));
}

#[test]
fn trailing_bytes_are_refused() {
    let bytes = [GOLDEN, b"more"].concat();
    let offset = GOLDEN.len() as u64;
    assert_eq!(problem(&bytes), (offset, FormatProblem::Trailing { count: 4 }));
}

#[test]
fn errors_name_the_file() {
    let missing = KTest::read(Path::new("no/such.ktest")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read no/such.ktest: "), "{missing}");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let wrong = KTest::read(&manifest).unwrap_err().to_string();
    let expected = "at byte 0: not a ktest file: it begins with neither `KTEST` nor `BOUT`";
    assert_eq!(wrong, format!("{}: {expected}", manifest.display()));
}

#[test]
fn file_round_trip() {
    let file = std::env::temp_dir().join(format!("everett-ktest-{}.ktest", std::process::id()));
    golden().write(&file).unwrap();
    let read = KTest::read(&file);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(read.unwrap(), golden());
}

prop_compose! {
    fn any_object()(name in vec(any::<u8>(), 0..9), bytes in vec(any::<u8>(), 0..40)) -> KTestObject {
        KTestObject { name, bytes }
    }
}

prop_compose! {
    fn any_test()(
        args in vec(vec(any::<u8>(), 0..9), 0..4),
        sym_argvs in any::<u32>(),
        sym_argv_len in any::<u32>(),
        objects in vec(any_object(), 0..5),
    ) -> KTest {
        KTest { args, sym_argvs, sym_argv_len, objects }
    }
}

proptest! {
    #[test]
    fn writing_then_reading_gives_the_same_test(test in any_test()) {
        let bytes = test.to_bytes().unwrap();
        prop_assert_eq!(KTest::from_bytes(&bytes).unwrap(), test);
    }

    #[test]
    fn damage_never_panics(test in any_test(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut bytes = test.to_bytes().unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = KTest::from_bytes(&bytes) {
            let _ = read.to_string();
        }
    }
}
