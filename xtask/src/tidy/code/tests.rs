//! Each rule on a few lines that keep it and a few that break it.

use super::*;

fn messages(file: &str, text: &str) -> Vec<String> {
    check(Path::new(file), text).iter().map(Problem::to_string).collect()
}

/// A function of `lines` lines with `body` in its last ones.
fn long_function(lines: usize, body: &str) -> String {
    let padding = "    let _ = 0;\n".repeat(lines - 2 - body.lines().count());
    format!("fn long() {{\n{padding}{body}}}\n")
}

#[test]
fn function_over_the_ceiling_is_named() {
    assert!(messages("a.rs", &long_function(70, "")).is_empty());
    assert_eq!(
        messages("a.rs", &long_function(71, "")),
        ["a.rs:1: `long` has 71 lines; at most 70"]
    );
}

#[test]
fn methods_and_default_methods_are_measured_too() {
    let inner = long_function(71, "");
    assert_eq!(messages("a.rs", &format!("impl A {{\n{inner}}}\n")).len(), 1);
    assert_eq!(messages("a.rs", &format!("trait A {{\n{inner}}}\n")).len(), 1);
}

#[test]
fn function_with_too_many_parameters_is_named() {
    assert!(
        messages("a.rs", "impl A {\nfn f(&self, a: u8, b: u8, c: u8, d: u8, e: u8) {}\n}\n")
            .is_empty()
    );
    let six = "fn f(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8) {}\n";
    assert_eq!(
        messages("a.rs", six),
        ["a.rs:1: `f` has 6 parameters; at most 5: a struct says what belongs together"]
    );
    assert!(messages("tests/a.rs", six).is_empty());
}

#[test]
fn long_function_with_a_reason_is_excused() {
    let function = long_function(90, "");
    for above in ["// tidy: long because it is a table.\n", "/// Doc.\n#[inline]\n"] {
        let excused = above.contains("because");
        assert_eq!(messages("a.rs", &format!("{above}{function}")).is_empty(), excused, "{above}");
    }
    let reason = "// tidy: long because it is a table.\n/// Doc.\n#[inline]\n";
    assert!(messages("a.rs", &format!("{reason}{function}")).is_empty());
    let no_reason = format!("// tidy: long because \n{function}");
    assert_eq!(messages("a.rs", &no_reason).len(), 1);
    let far_above = format!("// tidy: long because it is a table.\n\n{function}");
    assert_eq!(messages("a.rs", &far_above).len(), 1);
}

#[test]
fn exhaustive_dispatch_is_exempt() {
    let arms: String = (0..80).map(|i| format!("Op::A{i} => a{i}(x),\n")).collect();
    let table = |arms: &str| format!("fn step(x: Op) {{\nlet y = x;\nmatch y {{\n{arms}}}\n}}\n");
    assert!(messages("a.rs", &table(&arms)).is_empty());
    let in_braces = arms.replace("a7(x)", "{\na7(x)\n}");
    assert!(messages("a.rs", &table(&in_braces)).is_empty());
    for broken in
        ["_ => b(),\n", "Op::B => { b(); c() }\n", "Op::B => if x { b() } else { c() },\n"]
    {
        assert_eq!(messages("a.rs", &table(&format!("{arms}{broken}"))).len(), 1, "{broken}");
    }
}

#[test]
fn unwrap_is_for_tests_only() {
    let line = "fn f() { g().unwrap(); }\n";
    assert_eq!(
        messages("crates/x/src/a.rs", line),
        ["crates/x/src/a.rs:1: `unwrap()` outside tests; say why it cannot fail with `expect`"]
    );
    assert!(messages("crates/x/tests/a.rs", line).is_empty());
    assert!(messages("crates/x/src/a/tests.rs", line).is_empty());
    assert!(messages("a.rs", &format!("#[cfg(test)]\nmod tests {{ {line} }}\n")).is_empty());
    assert!(messages("a.rs", &format!("#[test]\n{line}")).is_empty());
    assert_eq!(messages("a.rs", &format!("#[cfg(not(test))]\n{line}")).len(), 1);
    assert!(messages("a.rs", "fn f() { g().unwrap_or(1); }\n").is_empty());
}

#[test]
fn unwrap_inside_a_macro_call_is_seen() {
    assert_eq!(messages("a.rs", "fn f() { assert!((g(h().unwrap()))); }\n").len(), 1);
    assert!(messages("a.rs", "#[test]\nfn f() { assert!(g().unwrap()); }\n").is_empty());
}

#[test]
fn only_programs_print() {
    let line = "fn f() { println!(); }\n";
    assert_eq!(
        messages("crates/engine/src/a.rs", line),
        ["crates/engine/src/a.rs:1: `println!` in a library; only the driver prints"]
    );
    for fine in
        ["crates/cli/src/a.rs", "xtask/src/a.rs", "crates/x/build/a.rs", "crates/x/examples/a.rs"]
    {
        assert!(messages(fine, line).is_empty(), "{fine}");
    }
}

#[test]
fn long_line_is_named_unless_a_snapshot() {
    let wide = "é".repeat(107);
    assert_eq!(messages("a.rs", &format!("//! {wide}\n")), ["a.rs:1: 111 characters; at most 110"]);
    assert_eq!(messages("a.rs", &format!("const A: &str = \"{wide}\";\n")).len(), 1);
    let snapshot = format!("#[test]\nfn f() {{ g(expect![[r#\"\n    {wide}\n\"#]]); }}\n");
    assert!(messages("a.rs", &snapshot).is_empty());
}

#[test]
fn unparsable_file_is_named() {
    assert_eq!(messages("a.rs", "fn (").len(), 1);
}

#[test]
fn causes_are_said_once() {
    let variant = |message: &str, field: &str| {
        messages("a.rs", &format!("enum E {{\n#[error({message})]\nA {field},\n}}\n"))
    };
    let named = ["a.rs:3: the message has `source`, which is the source as well: it is said twice"];
    assert_eq!(variant("\"no {file}: {source}\"", "{ file: F, source: S }"), named);
    assert_eq!(variant("\"x: {0}\"", "(#[from] S)").len(), 1);
    assert_eq!(variant("\"x: {}\", text(source)", "{ source: S }").len(), 1);
    assert_eq!(messages("a.rs", "#[error(\"{0}\")]\nstruct E(#[source] S);\n").len(), 1);
    for (message, field) in [
        ("\"no {file}: {error}\"", "{ file: F, error: S }"),
        ("transparent", "(#[from] S)"),
        ("\"x\"", "{ source: S }"),
        ("\"x: {0}\"", "(S)"),
    ] {
        assert!(variant(message, field).is_empty(), "{message}");
    }
}

#[test]
fn a_field_cannot_be_forgotten_in_an_impl_of_apart() {
    let with = |body: &str| {
        let method = format!("fn apart(&mut self, copies: &mut Copies) {{ {body} }}");
        messages("a.rs", &format!("impl<T> base::Apart for A<T> {{\n{method}\n}}\n"))
    };
    assert!(with("let A { a, b: _ } = self; a.apart(copies);").is_empty());
    for forgetful in ["let A { a, .. } = self; a.apart(copies);", "self.a.apart(copies);"] {
        assert_eq!(with(forgetful).len(), 1, "{forgetful}");
    }
    assert!(
        messages("a.rs", "impl Other for A { fn a(&self) { let A { .. } = self; } }").is_empty()
    );
}
