//! The files of libstdc++ that C++ programs link against, and the flags of each of them.
//!
//! They are gcc's, but for what only native code can do: `runtime-c/port/cxx` has the unwinder, the memory of
//! exceptions, and the end of programs that handle none. Headers are the host's, as for all C++.

use std::path::PathBuf;

use crate::libc::Folders;
use crate::members::Member;

/// Files of the run-time support that are not for us.
const LEFT_OUT: [&str; 15] = [
    // Other processors, and transactions.
    "atexit_arm.cc",
    "eh_arm.cc",
    "eh_tm.cc",
    "vtv_stubs.cc",
    // Replaced by the port.
    "eh_alloc.cc",
    "eh_call.cc",
    "eh_personality.cc",
    "vterminate.cc",
    // The engine's own.
    "del_op.cc",
    "del_ops.cc",
    "del_opv.cc",
    "del_opvs.cc",
    "new_op.cc",
    "new_opv.cc",
    "pure.cc",
];

/// Files of a folder that are compiled with the same flags.
struct Group {
    folder: &'static str,
    standard: &'static str,
    flags: &'static [&'static str],
    names: &'static [&'static str],
}

/// Only what a file instantiates by name is part of its object: each instance has one place.
const EXPLICIT: &str = "-fno-implicit-templates";

/// Includes the header that makes a call of what the engine has no operation for.
const FREXPL: &str = "-includebits/frexpl.h";

/// Includes the header that keeps random numbers from coming from a processor.
const NO_INSTRUCTIONS: &str = "-includebits/no_random_instructions.h";

/// Some facets are there twice: with the strings of today, and with those that libstdc++ had before C++11 and
/// has in exceptions to this day.
const OLD_STRINGS: &str = "-D_GLIBCXX_USE_CXX11_ABI=0";

#[rustfmt::skip]
const GROUPS: [Group; 13] = [
    Group {
        folder: "src/c++98",
        standard: "gnu++98",
        flags: &[EXPLICIT],
        names: &[
            "allocator-inst", "bitmap_allocator", "codecvt", "compatibility", "complex_io",
            "cow-istream-string", "ext-inst", "globals_io",
            "hashtable_tr1", "ios_failure", "ios_init", "ios_locale", "istream",
            "istream-string", "list", "list-aux", "list-aux-2", "list_associated",
            "list_associated-2", "locale", "locale_facets", "math_stubs_float",
            "math_stubs_long_double", "misc-inst", "mt_allocator", "pool_allocator", "stdexcept",
            "streambuf", "strstream", "tree", "valarray",
        ],
    },
    Group {
        folder: "src/c++98",
        standard: "gnu++98",
        flags: &[EXPLICIT, FREXPL],
        names: &["hash_tr1"],
    },
    Group {
        folder: "src/c++11",
        standard: "gnu++11",
        flags: &[EXPLICIT, FREXPL],
        names: &["cxx11-hash_tr1", "hash_c++0x"],
    },
    Group {
        folder: "src/c++98",
        standard: "gnu++11",
        flags: &[EXPLICIT, "-fchar8_t"],
        names: &["locale_init", "localename"],
    },
    Group {
        folder: "config/locale/gnu",
        standard: "gnu++98",
        flags: &[],
        names: &["c_locale"],
    },
    Group {
        folder: "config/locale/gnu",
        standard: "gnu++11",
        flags: &[],
        names: &[
            "codecvt_members", "collate_members", "ctype_members", "messages_members",
            "monetary_members", "numeric_members", "time_members",
        ],
    },
    Group {
        folder: "config/locale/gnu",
        standard: "gnu++11",
        flags: &[OLD_STRINGS],
        names: &["collate_members", "messages_members", "monetary_members", "numeric_members"],
    },
    Group {
        folder: "config/os/gnu-linux",
        standard: "gnu++98",
        flags: &[],
        names: &["ctype_configure_char"],
    },
    Group {
        folder: "config/io",
        standard: "gnu++98",
        flags: &[EXPLICIT],
        names: &["basic_file_stdio"],
    },
    Group {
        folder: "src/c++11",
        standard: "gnu++11",
        flags: &[EXPLICIT, "-fchar8_t"],
        names: &[
            "chrono", "codecvt", "condition_variable", "cow-fstream-inst", "cow-locale_init",
            "cow-shim_facets", "cow-sstream-inst", "cow-stdexcept", "cow-string-inst",
            "cow-string-io-inst", "cow-wstring-inst", "cow-wstring-io-inst", "ctype",
            "cxx11-ios_failure", "cxx11-locale-inst", "cxx11-shim_facets",
            "cxx11-stdexcept", "cxx11-wlocale-inst", "debug", "ext11-inst", "fstream-inst",
            "functexcept", "functional", "futex", "future", "hashtable_c++0x",
            "ios", "ios-inst", "iostream-inst", "istream-inst", "limits", "locale-inst", "mutex",
            "ostream-inst", "placeholders", "regex", "shared_ptr", "snprintf_lite",
            "sso_string", "sstream-inst", "streambuf-inst", "string-inst", "string-io-inst",
            "system_error", "thread", "wlocale-inst", "wstring-inst", "wstring-io-inst",
        ],
    },
    Group {
        folder: "src/c++11",
        standard: "gnu++11",
        flags: &[EXPLICIT, NO_INSTRUCTIONS],
        names: &["random"],
    },
    Group {
        folder: "src/c++17",
        standard: "gnu++17",
        flags: &[EXPLICIT],
        names: &[
            "cow-fs_dir", "cow-fs_ops", "cow-fs_path", "cow-string-inst", "floating_from_chars",
            "floating_to_chars", "fs_dir", "fs_ops", "fs_path", "memory_resource", "ostream-inst",
            "string-inst",
        ],
    },
    Group {
        folder: "src/c++20",
        standard: "gnu++20",
        flags: &[EXPLICIT],
        names: &["sstream-inst"],
    },
];

/// All members, in a fixed order: the port comes first.
pub(crate) fn members(folders: &Folders) -> Vec<Member> {
    let mut found = Vec::new();
    for (name, source) in crate::files(&folders.port.join("cxx")) {
        if name.ends_with(".cc") {
            found.push(member(folders, "everett", &name, source, &["-std=gnu++17"]));
        }
    }
    let source = folders.gcc.join("libstdc++-v3");
    for (name, path) in crate::files(&source.join("libsupc++")) {
        let out = LEFT_OUT.contains(&name.as_str());
        if name.ends_with(".cc") && !out {
            found.push(member(folders, "supc++", &name, path, &["-std=gnu++17"]));
        }
    }
    for Group { folder, standard, flags, names } in GROUPS {
        for name in names {
            let file = format!("{name}.cc");
            let path = source.join(folder).join(&file);
            let standard = format!("-std={standard}");
            let flags: Vec<&str> = flags.iter().copied().chain([standard.as_str()]).collect();
            let place = if flags.contains(&OLD_STRINGS) { "old-strings" } else { folder };
            found.push(member(folders, place, &file, path, &flags));
        }
    }
    let demangler = folders.gcc.join("libiberty/cp-demangle.c");
    let mut demangler = member(folders, "libiberty", "cp-demangle.c", demangler, &[]);
    // It is C, and does without the headers that are made for C++.
    demangler.flags.retain(|flag| !flag.ends_with("cxx/include"));
    let defined = ["IN_GLIBCPP_V3", "_GNU_SOURCE", "HAVE_STDLIB_H", "HAVE_STRING_H"];
    demangler.flags.extend(defined.map(|name| format!("-D{name}")));
    demangler.flags.push(format!("-I{}", folders.gcc.join("include").display()));
    found.push(demangler);
    found
}

fn member(folders: &Folders, place: &str, name: &str, source: PathBuf, own: &[&str]) -> Member {
    let mut flags: Vec<String> = [
        "-O1",
        // Without lines, and without what only an optimiser asks for: a program that uses streams is linked
        // with thousands of functions, in half the time.
        "-g0",
        "-fno-strict-aliasing",
        "-fno-vectorize",
        "-fno-slp-vectorize",
        "-w",
    ]
    .map(str::to_owned)
    .to_vec();
    flags.extend(own.iter().map(|flag| (*flag).to_owned()));
    let library = folders.gcc.join("libstdc++-v3");
    flags.push(format!("-ffile-prefix-map={}=<libstdc++>", library.display()));
    let demangler = folders.gcc.join("libiberty");
    flags.push(format!("-ffile-prefix-map={}=<libiberty>", demangler.display()));
    let runtime = folders.port.parent().expect("the port is in a folder");
    flags.push(format!("-ffile-prefix-map={}=<everett>", runtime.display()));
    flags.push(format!("-I{}", folders.port.join("cxx/include").display()));
    for folder in ["libsupc++", "config/locale/gnu", "src/c++98", "src/c++11", "src/filesystem"] {
        flags.push(format!("-I{}", library.join(folder).display()));
    }
    let stem = name.split('.').next().unwrap_or(name);
    let place = place.replace('/', "-");
    Member { name: format!("{place}_{stem}"), source, flags, is_hosted: true }
}
