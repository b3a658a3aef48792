//! The tests of `tests/embedding`, the project of `docs/embedding.md` outside of the workspace.
//!
//! The project has the versions and the profile that the tests of the workspace have, and shares their target
//! folder, so that cargo can use what it has built for those.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process::{command, output, run};
use crate::workspace;

/// The manifest of the project, relative to the root of the workspace.
pub(crate) const MANIFEST: &str = "tests/embedding/Cargo.toml";

/// The part that is looked at of a line in which cargo tells of its work.
#[derive(Deserialize)]
struct CargoMessage {
    package_id: Option<String>,
    /// True if it was built before. Absent if the line is about something else.
    fresh: Option<bool>,
}

/// Tests the project, and says what cargo had to build for it.
pub(crate) fn test() -> Result<()> {
    let root = workspace::root();
    let lock = root.join(MANIFEST).with_extension("lock");
    fs::copy(root.join("Cargo.lock"), lock).context("cannot copy Cargo.lock")?;
    let messages =
        output(cargo_test().args(["--no-run", "--message-format", "json-render-diagnostics"]))?;
    let again = built_again(&messages);
    if !again.is_empty() {
        let names = again.into_iter().collect::<Vec<_>>().join(", ");
        println!("built beside the project: {names}");
    }
    run(&mut cargo_test())
}

fn cargo_test() -> Command {
    let mut test = command("cargo");
    // The manifest of the workspace is a configuration that has its profiles.
    test.args(["test", "--test", "guide", "--offline", "--manifest-path", MANIFEST]);
    test.args(["--config", "Cargo.toml", "--target-dir"]).arg(workspace::target_dir());
    test
}

/// The packages that were built, but for the project itself.
fn built_again(messages: &str) -> BTreeSet<String> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let built = messages.filter_map(|CargoMessage { package_id, fresh }| {
        package_id.filter(|_| fresh == Some(false))
    });
    built.filter(|id| !id.contains("/tests/embedding#")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_built_again_are_named() {
        let messages = r#"
            {"reason":"compiler-artifact","package_id":"registry+index#a@1.0.0","fresh":true}
            {"reason":"compiler-artifact","package_id":"registry+index#b@1.0.0","fresh":false}
            {"reason":"build-script-executed","package_id":"registry+index#c@1.0.0"}
            {"reason":"compiler-artifact","package_id":"path+file:///x/tests/embedding#0.1.0","fresh":false}
            {"reason":"build-finished","success":true}
        "#;
        assert_eq!(built_again(messages), BTreeSet::from(["registry+index#b@1.0.0".to_owned()]));
    }
}
