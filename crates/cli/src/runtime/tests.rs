//! Tests of the C side that is built in.

use super::*;

#[test]
fn runtime_is_complete() {
    assert!(HEADERS.iter().any(|(name, _)| *name == "klee/klee.h"));
    assert!(source("<everett>/src/sort.c").is_some_and(|text| text.contains("qsort")));
    assert_eq!(source("sort.c"), None);
    let compiled = SOURCES.iter().filter(|(name, _)| name.ends_with(".c")).count();
    assert_eq!(BITCODE.len(), compiled);
    assert!(BITCODE.iter().all(|(_, bytes, _)| bytes.starts_with(b"BC\xc0\xde")));
}

#[test]
fn headers_are_installed_once_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let include = install_headers(folder.path()).unwrap();
    assert!(include.join("klee/klee.h").is_file());
    fs::write(include.join("mark"), "").unwrap();
    assert_eq!(install_headers(folder.path()).unwrap(), include);
    assert!(include.join("mark").is_file());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
