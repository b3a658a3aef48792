//! Archives: what is taken out of them, as by a linker.

use std::path::PathBuf;
use std::process::Command;

use everett_ir::{Const, Function, Program};
use everett_llvm::{Library, LlvmError, LoadOptions, load};

use crate::clang;

/// Makes an archive of C files, each given by name and text.
fn archive(name: &str, flags: &str, members: &[(&str, &str)]) -> PathBuf {
    let folder = clang::scratch(&format!("archive-{name}"));
    let output = folder.join("lib.a");
    let _ = std::fs::remove_file(&output);
    let mut ar = Command::new("llvm-ar-19");
    ar.arg(flags).arg(&output);
    for (member, text) in members {
        let object = folder.join(format!("{member}.bc"));
        std::fs::write(&object, clang::bitcode(&format!("{name}-{member}"), text, &["-O1"]))
            .unwrap();
        ar.arg(object);
    }
    assert!(ar.status().unwrap().success());
    output
}

fn module(name: &str, text: &str) -> PathBuf {
    let path = clang::scratch("archive-programs").join(format!("{name}.bc"));
    std::fs::write(&path, clang::bitcode(&format!("program-{name}"), text, &["-O1"])).unwrap();
    path
}

fn with(archive: PathBuf) -> LoadOptions {
    LoadOptions { libraries: vec![Library::file(archive)], ..LoadOptions::default() }
}

fn names(program: &Program) -> Vec<&str> {
    let mut names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    names
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.function(program.function_named(name).unwrap())
}

#[test]
fn members_are_taken_for_what_they_define_and_need() {
    let library = archive(
        "chain",
        "rcs",
        &[
            ("one", "int two(void); int one(void) { return two(); }"),
            ("two", "int two(void) { return 2; } int beside_two(void) { return 3; }"),
            ("three", "int three(void) { return 4; }"),
            (
                "hook",
                "extern int seen; __attribute__((constructor)) static void run(void) { seen = 1; }",
            ),
        ],
    );
    let main = module("chain", "int one(void); int main(void) { return one(); }");
    let program = load(&[main], &with(library)).unwrap().program;
    assert_eq!(names(&program), ["main", "one", "two"]);
    assert!(function(&program, "one").library && !function(&program, "main").library);
    // A constructor alone is no reason to take a member.
    assert!(program.constructors.is_empty());
}

#[test]
fn weak_reference_takes_no_member() {
    let library = archive("weak-reference", "rcs", &[("maybe", "int maybe(void) { return 1; }")]);
    let text = "extern int maybe(void) __attribute__((weak)); int main(void) { return maybe ? maybe() : 0; }";
    let program = load(&[module("weak-reference", text)], &with(library)).unwrap().program;
    assert!(!function(&program, "maybe").defined);
}

#[test]
fn strong_definition_replaces_a_weak_one_once_its_member_is_taken() {
    let members = [
        (
            "exit",
            "__attribute__((weak)) int flush(void) { return 1; } int leave(void) { return flush(); }",
        ),
        ("stdio", "int flush(void) { return 12345; } int put(void) { return 0; }"),
    ];
    let library = archive("weak", "rcs", &members);
    let weak = module("weak", "int leave(void); int main(void) { return leave(); }");
    let program = load(&[weak], &with(library.clone())).unwrap().program;
    assert!(!program.consts.contains(&Const::Int(12345)));
    let strong =
        module("strong", "int leave(void), put(void); int main(void) { return leave() + put(); }");
    let program = load(&[strong], &with(library)).unwrap().program;
    assert!(program.consts.contains(&Const::Int(12345)));
}

#[test]
fn definition_of_the_program_wins() {
    let text = "int mine(void) { return 54321; } int other(void) { return mine(); }";
    let library = archive("mine", "rcs", &[("mine", text)]);
    let main = "int other(void); int mine(void) { return 7; } int main(void) { return other(); }";
    let program = load(&[module("mine", main)], &with(library)).unwrap().program;
    let mine = function(&program, "mine");
    assert!(!mine.library);
    assert_eq!(names(&program), ["main", "mine", "other"]);
}

#[test]
fn functions_of_the_engine_bring_their_companions() {
    let library = archive(
        "companions",
        "rcs",
        &[
            ("length", "int length(const char *s) { return 1; } int other(void) { return 1; }"),
            (
                "c_length",
                "int find(const char *); int __c_length(const char *s) { return find(s); }",
            ),
            ("c_find", "int __c_find(const char *s) { return 2; }"),
            ("c_unused", "int __c_unused(const char *s) { return 3; }"),
        ],
    );
    let text =
        "int length(const char *), other(void); int main(void) { return length(\"\") + other(); }";
    let options = LoadOptions {
        provided: ["length", "find", "unused"].map(str::to_owned).to_vec(),
        companion_prefix: "__c_".to_owned(),
        ..with(library)
    };
    let program = load(&[module("companions", text)], &options).unwrap().program;
    assert_eq!(names(&program), ["__c_find", "__c_length", "find", "length", "main", "other"]);
    // The library's own body is not used, though its member is taken for something else.
    assert!(!function(&program, "length").defined);
}

#[test]
fn roots_are_taken_without_a_reference() {
    let library =
        archive("roots", "rcs", &[("start", "int main(void); int start(void) { return main(); }")]);
    let options = LoadOptions { roots: vec!["start".to_owned()], ..with(library) };
    let program =
        load(&[module("roots", "int main(void) { return 0; }")], &options).unwrap().program;
    assert_eq!(names(&program), ["main", "start"]);
}

#[test]
fn archive_among_the_files_is_searched_and_counts_as_the_users() {
    let library = archive(
        "own",
        "rcs",
        &[("part", "int part(void) { return 1; }"), ("not", "int not(void) { return 2; }")],
    );
    let main = module("own", "int part(void); int main(void) { return part(); }");
    let program = load(&[main, library], &LoadOptions::default()).unwrap().program;
    assert_eq!(names(&program), ["main", "part"]);
    assert!(!function(&program, "part").library);
}

#[test]
fn archive_without_an_index_is_refused_with_advice() {
    let library = archive("no-index", "rcS", &[("part", "int part(void) { return 1; }")]);
    let main = module("no-index", "int part(void); int main(void) { return part(); }");
    let error = load(&[main], &with(library)).expect_err("there is no index");
    assert!(matches!(error, LlvmError::Archive { .. }), "{error}");
    assert!(error.to_string().contains("llvm-ranlib-19"), "{error}");
}
