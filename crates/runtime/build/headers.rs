//! The headers that programs are compiled with: musl's, and what musl's build makes of templates.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::libc::Folders;

/// Makes the headers that only the libc is compiled with.
pub(crate) fn make_internal(folders: &Folders) {
    let Folders { musl, internal, .. } = folders;
    put_generated(musl, internal);
    let version = text(&musl.join("VERSION"));
    put(&internal.join("version.h"), &format!("#define VERSION \"{}\"\n", version.trim()));
}

/// Puts the headers of programs below `include`.
pub(crate) fn make_public(folders: &Folders, include: &Path) {
    let Folders { musl, port, .. } = folders;
    // What comes later wins.
    copy(&musl.join("include"), include);
    copy(&musl.join("arch/generic/bits"), &include.join("bits"));
    copy(&musl.join("arch/x86_64/bits"), &include.join("bits"));
    copy(&port.join("include"), include);
    put_generated(musl, include);
    // The licence asks to go with every copy.
    put(&include.join("COPYRIGHT.musl"), &text(&musl.join("COPYRIGHT")));
}

/// The headers that musl's build makes of templates.
fn put_generated(musl: &Path, folder: &Path) {
    let types = text(&musl.join("arch/x86_64/bits/alltypes.h.in"))
        + &text(&musl.join("include/alltypes.h.in"));
    put(&folder.join("bits/alltypes.h"), &all_types(&types));
    let calls = text(&musl.join("arch/x86_64/bits/syscall.h.in"));
    put(&folder.join("bits/syscall.h"), &system_calls(&calls));
}

fn copy(from: &Path, to: &Path) {
    for (name, path) in crate::files(from) {
        if name.ends_with(".h") {
            put(&to.join(name), &text(&path));
        }
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

fn put(path: &Path, text: &str) {
    let folder = path.parent().expect("headers are in folders");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// Each type is defined where a header asks for it, and once. The template gives a definition a line:
/// `TYPEDEF x y;`, `STRUCT x {...};` or `UNION x {...};`.
fn all_types(template: &str) -> String {
    let mut out = String::new();
    for line in template.lines() {
        let (name, body) = match line.split_once(' ') {
            Some(("TYPEDEF", rest)) => {
                let name = rest.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
                (name.to_owned(), format!("typedef {rest}"))
            }
            Some((word @ ("STRUCT" | "UNION"), rest)) => {
                let (word, rest) = (word.to_lowercase(), rest.trim_start());
                let name = rest.split(' ').next().unwrap_or_default();
                (format!("{word}_{name}"), format!("{word} {rest}"))
            }
            _ => {
                let _ = writeln!(out, "{line}");
                continue;
            }
        };
        let _ = writeln!(out, "#if defined(__NEED_{name}) && !defined(__DEFINED_{name})");
        let _ = writeln!(out, "{body}\n#define __DEFINED_{name}\n#endif\n");
    }
    out
}

/// The numbers of system calls under both of their names.
fn system_calls(template: &str) -> String {
    let again: String = template
        .lines()
        .filter(|line| line.contains("__NR_"))
        .map(|line| line.replacen("__NR_", "SYS_", 1) + "\n")
        .collect();
    format!("{template}{again}")
}
