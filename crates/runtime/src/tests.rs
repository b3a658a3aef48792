//! Tests of the C side that is built in.

use super::*;

#[test]
fn c_side_is_complete() {
    let ours = ["klee/klee.h", "netklee.h", "everett.h"];
    for name in ours.into_iter().chain(["stdio.h", "bits/alltypes.h", "COPYRIGHT.musl"]) {
        assert!(HEADERS.iter().any(|(found, _)| *found == name), "{name}");
    }
    assert!(
        source("<everett>/port/src/start.c").is_some_and(|text| text.contains("__everett_init"))
    );
    assert_eq!(source("start.c"), None);
    assert!(LIBC.starts_with(b"!<arch>\n"));
}

#[test]
fn headers_are_installed_once_and_complete() {
    let folder = tempfile::tempdir().unwrap();
    let include = install_headers(folder.path()).unwrap();
    assert!(include.join("klee/klee.h").is_file() && include.join("stdio.h").is_file());
    fs::write(include.join("mark"), "").unwrap();
    assert_eq!(install_headers(folder.path()).unwrap(), include);
    assert!(include.join("mark").is_file());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
