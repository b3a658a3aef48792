//! A few scenarios run by the command itself: from the file to the exit code and the summary.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::build::Workshop;
use crate::cases::Case;

/// The scenarios, with the exit codes of `everett run`.
const CASES: [(&str, i32); 2] = [("udp_echo/system", 0), ("two_phase_commit/impatient", 1)];

/// The exit code of `everett run` for a scenario, if it is one of those that are run by the driver.
pub(crate) fn exit_code(name: &str) -> Option<i32> {
    CASES.iter().find(|(case, _)| *case == name).map(|(_, code)| *code)
}

/// The differences to the expectations.
pub(crate) fn check(workshop: &Workshop, case: &Case, code: i32) -> Result<Vec<String>> {
    let scenario = workshop.installed(case)?.scenario(case);
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_everett"));
    command.arg("run").arg(&scenario).arg("--out").arg(&out).stdin(Stdio::null());
    command.env("EVERETT_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let done = command.output().context("cannot start everett")?;
    let mut complaints = Vec::new();
    if done.status.code() != Some(code) {
        let said = String::from_utf8_lossy(&done.stderr);
        complaints.push(format!("{}, expected {code}: {said}", done.status));
    }
    let summary = std::fs::read_to_string(out.join("summary.json"))?;
    let summary: serde_json::Value = serde_json::from_str(&summary)?;
    let worlds = &summary["worlds"];
    if worlds.as_u64() != Some(case.expected.worlds) {
        complaints.push(format!("{worlds} worlds, expected {}", case.expected.worlds));
    }
    Ok(complaints)
}
