//! Nothing that a program contains or does takes the host's stack or memory.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use minvariant::{EvalFault, EvalLimits, InvariantId, Program, Providers, Recording, format};

const SOURCES: &str = "
    string[] nodes() { return sys.nodes(); }
    int[] states(string node) { return int[0]; }
    string[] keys(string node, int state) { return string[\"v\"]; }
";

/// Runs `f` with the stack that a thread has by default.
fn on_small_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(2 << 20).spawn(f).unwrap().join().unwrap()
}

fn fault(
    body: &str,
    functions: &str,
    limits: EvalLimits,
) -> Option<EvalFault<std::convert::Infallible>> {
    let text =
        format!("invariant i(data[] d) : nodes, states, keys {{ {body} }}\n{functions}{SOURCES}");
    on_small_stack(move || {
        let program = Program::parse("a.minv", &text).unwrap_or_else(|errors| panic!("{errors}"));
        let recording = Recording::new(["a"]);
        let verdict = program.verdict(InvariantId(0), Providers::of(&recording), &limits);
        verdict.err().map(|error| error.fault)
    })
}

fn is_good(text: String) -> bool {
    on_small_stack(move || {
        let _ = format("a.minv", &text);
        Program::parse("a.minv", &text).is_ok()
    })
}

#[test]
fn chains_may_be_long() {
    for (first, next) in [("1", " + 1"), ("1 ", "- 1 * 2")] {
        assert!(is_good(format!("int f() {{ return {first}{}; }}", next.repeat(100_000))));
    }
    assert!(is_good(format!("bool f(bool b) {{ return b{}; }}", " && b || b".repeat(20_000))));
    assert!(is_good(format!("bool f(bool b) {{ return b{}; }}", " == b".repeat(20_000))));
}

#[test]
fn else_ifs_may_be_many() {
    let arms = " else if (n == 2) { return 2; }".repeat(20_000);
    assert!(is_good(format!("int f(int n) {{ if (n == 1) {{ return 1; }}{arms} return 3; }}")));
}

#[test]
fn statements_may_be_many() {
    assert!(is_good(format!("int f(int n) {{ {} return n; }}", "n += 1;".repeat(20_000))));
}

#[test]
fn deep_nesting_is_refused_without_harm() {
    let nested = |open: &str, middle: &str, close: &str, depth: usize| {
        format!("int f(int n) {{ return {}{middle}{}; }}", open.repeat(depth), close.repeat(depth))
    };
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("-", "1", ""),
        ("f(", "1", ")"),
        ("true ? 1 : ", "1", ""),
        ("true ? ", "1", " : 2"),
        ("int[", "1", "][0]"),
        ("map<int, int>{1: ", "1", "}[1]"),
        ("int[1].map(x => ", "1", ").sum()"),
        ("", "x\"00\"", ".slice(0)"),
        ("(1 + ", "1", ")"),
        ("int[1].fold(", "1", ", (a, x) => a + x)"),
    ] {
        assert!(!is_good(nested(open, middle, close, 20_000)), "{open}");
    }
    for (open, close) in
        [("{", "}"), ("if (true) {", "}"), ("while (true) {", "}"), ("for (x in d) {", "}")]
    {
        let text =
            format!("int f() {{ {}{} return 1; }}", open.repeat(20_000), close.repeat(20_000));
        assert!(!is_good(text), "{open}");
    }
    assert!(!is_good(format!("int f({}) {{ return 1; }}", "map<int, ".repeat(20_000))));
}

#[test]
fn nesting_up_to_the_limit_is_fine() {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("int f(int n) {{ return {}n{}; }}", open.repeat(depth), close.repeat(depth))
    };
    assert!(is_good(deep("(", ")", 60)));
    assert!(is_good(deep("int[1].fold(", ", (a, x) => a + x)", 60)));
    assert!(is_good(deep("f(", ")", 60)));
    assert!(is_good(format!(
        "int f() {{ {}{} return 1; }}",
        "if (true) {".repeat(60),
        "}".repeat(60)
    )));
}

#[test]
fn calls_are_limited_and_never_overflow() {
    let recursion = "int down(int n) { return 1 + down(n + 1); }";
    let few = fault("return down(0) == 0;", recursion, EvalLimits::default());
    assert_eq!(few, Some(EvalFault::TooDeep { limit: 200 }));
    let limits = EvalLimits { depth: 100_000, steps: 10_000_000, ..EvalLimits::default() };
    let many = fault("return down(0) == 0;", recursion, limits);
    assert_eq!(many, Some(EvalFault::TooDeep { limit: 100_000 }));
}

#[test]
fn two_hundred_calls_are_fine() {
    let recursion = "int down(int n) { if (n == 0) { return 0; } return down(n - 1); }";
    assert_eq!(fault("return down(190) == 0;", recursion, EvalLimits::default()), None);
}

#[test]
fn values_are_limited() {
    let limits = EvalLimits { length: 1000, ..EvalLimits::default() };
    for body in [
        "var a = int[1]; while (true) { a = a.concat(a); }",
        "var a = int[]; while (true) { a.push(1); }",
        "var a = int[]; while (true) { a = a.append(1); }",
        "var s = \"x\"; while (true) { s += s; }",
        "var m = map<int, int>{}; var i = 0; while (true) { m[i] = i; i += 1; }",
    ] {
        let found = fault(body, "", limits);
        assert!(matches!(found, Some(EvalFault::TooLong { .. })), "{body}: {found:?}");
    }
}

#[test]
fn memory_is_paid_for_in_steps() {
    for body in [
        // Many large arrays, kept; comparisons of nested arrays that share their elements.
        "var all = int[][]; var a = int[1]; \
         while (a.length() < 1000) { a = a.concat(a); } while (true) { all.push(a.append(1)); }",
        "var a = int[1]; while (a.length() < 1000) { a = a.concat(a); } \
         var b = a.map(x => a); var c = b.map(x => b); return c == c.map(x => x);",
        "var s = \"x\"; while (s.length() < 1000) { s += s; } var l = string[]; \
         while (true) { l.push(s + l.length().string()); }",
    ] {
        let found = fault(body, "", EvalLimits::default());
        assert_eq!(found, Some(EvalFault::TooManySteps { limit: 1_000_000 }), "{body}");
    }
}

#[test]
fn programs_can_be_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
}
