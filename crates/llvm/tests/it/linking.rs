//! Linking modules and libraries.

use std::path::PathBuf;

use everett_llvm::{Library, LlvmError, LoadOptions, UndefinedSymbol, load};

use crate::clang;

fn file(name: &str, text: &str) -> PathBuf {
    let path = clang::scratch("linking").join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn modules_are_linked_in_order() {
    let main = file(
        "main.ll",
        "declare i32 @f()\ndefine i32 @main() {\n  %r = call i32 @f()\n  ret i32 %r\n}\n",
    );
    let other = file("f.ll", "define i32 @f() {\n  ret i32 5\n}\n");
    let loaded = load(&[main, other], &LoadOptions::default()).unwrap();
    assert!(loaded.undefined.is_empty());
    assert_eq!(loaded.program.functions.iter().filter(|f| f.defined).count(), 2);
}

#[test]
fn two_definitions_are_an_error_that_names_the_symbol() {
    let one = file("one.ll", "define i32 @twice() {\n  ret i32 1\n}\n");
    let two = file("two.ll", "define i32 @twice() {\n  ret i32 2\n}\n");
    let error = load(&[one, two], &LoadOptions::default()).expect_err("both define it");
    assert!(matches!(error, LlvmError::Link { .. }), "{error}");
    assert!(error.to_string().contains("twice"), "{error}");
}

#[test]
fn undefined_symbols_are_listed() {
    let text = "@v = external global i32\ndeclare void @g()\ndeclare void @unused()\n\
                define void @main() {\n  call void @g()\n  store i32 1, ptr @v\n  ret void\n}\n";
    let loaded = load(&[file("undefined.ll", text)], &LoadOptions::default()).unwrap();
    let expected = [("g", true), ("v", false)]
        .map(|(name, function)| UndefinedSymbol { name: name.into(), function });
    assert_eq!(loaded.undefined, expected);
    let global = loaded.program.global_named("v").unwrap();
    assert!(loaded.program.globals[global.index()].external);
}

#[test]
fn only_what_is_needed_is_taken_from_a_library() {
    let main = file(
        "user.ll",
        "declare i32 @needed()\ndefine i32 @main() {\n  %r = call i32 @needed()\n  ret i32 %r\n}\n\
                                define i32 @mine() {\n  ret i32 1\n}\n",
    );
    let text = "@table = global i32 7\n@other = global i32 8\n\
                define i32 @needed() {\n  %v = load i32, ptr @table\n  ret i32 %v\n}\n\
                define i32 @unneeded() {\n  %v = load i32, ptr @other\n  ret i32 %v\n}\n\
                define i32 @mine() {\n  ret i32 2\n}\n";
    let options = LoadOptions {
        libraries: vec![Library::file(file("library.ll", text))],
        ..Default::default()
    };
    let program = load(&[main], &options).unwrap().program;
    let names: Vec<&str> = program.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["main", "mine", "needed"]);
    let from_library: Vec<bool> = program.functions.iter().map(|f| f.library).collect();
    assert_eq!(from_library, [false, false, true]);
    assert!(program.global_named("table").is_some());
    assert!(program.global_named("other").is_none());
    // The program's own definition wins.
    let mine = program.function(program.function_named("mine").unwrap());
    assert_eq!(mine.end - mine.entry, 1);
    assert!(program.consts.contains(&everett_ir::Const::Int(1)));
}

#[test]
fn function_that_is_only_referred_to_weakly_is_absent() {
    let text = "declare extern_weak void @maybe()\ndeclare void @needed()\n\
                define void @main() {\n  call void @maybe()\n  call void @needed()\n  ret void\n}\n";
    let program = load(&[file("absent.ll", text)], &LoadOptions::default()).unwrap().program;
    let absent = |name| program.function(program.function_named(name).unwrap()).absent;
    assert_eq!((absent("maybe"), absent("needed"), absent("main")), (true, false, false));
}

#[test]
fn weak_reference_that_nobody_defines_is_null() {
    let text = "declare extern_weak void @maybe()\ndefine i1 @main() {\n\
                  %c = icmp eq ptr @maybe, null\n  ret i1 %c\n}\n";
    let path = file("weak.ll", text);
    let null = load(std::slice::from_ref(&path), &LoadOptions::default()).unwrap().program;
    assert!(!null.consts.iter().any(|c| matches!(c, everett_ir::Const::Func(_))));
    let options = LoadOptions { provided: vec!["maybe".into()], ..Default::default() };
    let provided = load(&[path], &options).unwrap().program;
    assert!(provided.consts.iter().any(|c| matches!(c, everett_ir::Const::Func(_))));
}

/// A library that is opened, and what programs export to it.
const OPENED: &str = "@shown = global i32 5\n@kept = hidden global i32 6\n@own = internal global i32 7\n\
    @of_program = external global i32\n@alias = alias i32, ptr @shown\n\
    @weak = extern_weak global i32\ndeclare void @provided()\n\
    define i32 @entry() {\n  call void @provided()\n  %a = load i32, ptr @of_program\n\
    \x20 %b = load i32, ptr @shown\n  %c = icmp eq ptr @weak, null\n  %d = zext i1 %c to i32\n\
    \x20 %e = load i32, ptr @own\n  %f = load i32, ptr @kept\n  %g = add i32 %a, %d\n  ret i32 %g\n}\n";

#[test]
fn library_that_is_opened_keeps_what_is_missing_and_lists_its_symbols() {
    let options = LoadOptions { is_opened: true, ..LoadOptions::default() };
    let library = load(&[file("opened.ll", OPENED)], &options).unwrap().program;
    let names: Vec<&str> = library.exports.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["alias", "entry", "shown"]);
    assert_eq!(library.exported(0, "alias"), library.exported(0, "shown"));
    let weak = library.global_named("weak").unwrap();
    assert!(library.globals[weak.index()].absent);

    let text = "@of_program = global i32 1\ndefine i32 @main() {\n  ret i32 0\n}\n\
                declare void @opens()\ndefine void @f() {\n  call void @opens()\n  ret void\n}\n";
    let archive = file("whole.ll", "define void @unused() {\n  ret void\n}\n");
    let options = LoadOptions {
        libraries: vec![Library::file(archive)],
        openers: vec!["opens".to_owned()],
        ..LoadOptions::default()
    };
    let program = load(&[file("opener.ll", text)], &options).unwrap().program;
    let extended = program.extended(&[&library], &[0, 1]);
    extended.program.validate().unwrap();
    assert!(extended.undefined_globals.is_empty(), "{:?}", extended.undefined_globals);
    let missing =
        extended.undefined_functions.iter().map(|id| &extended.program.function(*id).name);
    assert_eq!(missing.collect::<Vec<_>>(), ["provided"]);
    let null = extended.program.consts.contains(&everett_ir::Const::Int(0));
    assert!(null, "a weak reference that nobody defines is null");
}
