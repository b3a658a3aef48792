//! First contact.
use minvariant::*;
#[test]
fn example() {
    let p = Program::parse(
        "a.minv",
        r#"
    invariant decisionConsistency(data[] d) : nodes, states, keys {
      return d.equalElements();
    }
    string[] nodes() { return sys.nodes(); }
    int[] states(string node) { return int[1]; }
    string[] keys(string node, int state) { return string["decision"]; }
"#,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let mut r = Recording::new(["a", "b"]);
    r.expose("a", 1, "decision", b"x");
    r.expose("b", 1, "decision", b"x");
    assert_eq!(
        p.verdict(InvariantId(0), Providers::of(&r), &Limits::default()).unwrap(),
        Verdict::Holds
    );
    r.expose("b", 1, "decision", b"y");
    println!("{:?}", p.verdict(InvariantId(0), Providers::of(&r), &Limits::default()).unwrap());
}
