//! A system of nodes in Rust, where there is a compiler for it.

use std::path::Path;

use crate::rust;
use crate::sandbox::{Sandbox, output_of};

#[test]
fn a_system_in_rust_is_explored_and_its_finding_replays() {
    if rust::compiler().is_none() {
        eprintln!("there is no compiler of Rust for the engine: nothing is tested");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/rust/total");
    let sandbox = Sandbox::new();
    for node in ["server", "client"] {
        let source = folder.join(node).with_extension("rs");
        let output = sandbox.path(node).with_extension("bc");
        output_of(&mut rust::bitcode(&source, &output, &["-O1".to_owned()]), 0);
    }
    std::fs::copy(folder.join("system.toml"), sandbox.path("system.toml")).unwrap();
    let said = sandbox.run(&["run", "--out", "out", "system.toml"], 1);
    assert_eq!(said.err, "", "Rust's modules link without a warning");
    let summary = sandbox.json("out/summary.json");
    let findings = summary["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{}", said.out);
    let source = std::fs::read_to_string(folder.join("server.rs")).unwrap();
    let marked = source.lines().position(|line| line.contains("// mark: overflow")).unwrap();
    let finding = &findings[0];
    assert_eq!(
        (&finding["kind"], &finding["message"]),
        (&"panic".into(), &"the total fits".into())
    );
    assert_eq!(finding["line"], marked as u64 + 1, "{}", said.out);
    let test = finding["dtest"].as_str().unwrap();
    let again = sandbox.printed(&["replay", &format!("out/{test}")], 0);
    assert!(again.contains("the total fits"), "{again}");
    let ignoring =
        sandbox.printed(&["run", "--out", "ignored", "--ignore", "panic", "system.toml"], 0);
    assert!(ignoring.contains("no findings"), "{ignoring}");
}
