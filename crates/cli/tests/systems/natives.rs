//! The oracle of native replay: each finding, run again with the native programs, comes to the same.
//!
//! Programs are built as a user builds them, with `everett cc`, and explored by `everett run`; the tests that
//! it leaves are run by `everett replay --native`: as often as `EVERETT_REPLAYS` says, or once, in network
//! namespaces where those are allowed, and once on one network stack.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::cases::{Case, Folder};

/// Errors of memory that a native program survives, so that a sanitizer has to look for them.
const SURVIVED: [&str; 4] = ["out-of-bounds", "use-after-free", "double-free", "invalid-free"];
/// The flag of a native replay that has to be run on one network stack.
const LOOPBACK: &str = "--loopback";

/// A finding as the summary has it.
struct Finding {
    kind: String,
    node: String,
    /// File and line.
    place: String,
    dtest: Option<String>,
}

/// Findings that are not reproduced.
pub(crate) fn check(case: &Case) -> Result<Vec<String>> {
    let place = tempfile::tempdir()?;
    let survives = case.expected.kinds().any(|kind| SURVIVED.contains(&kind));
    build(case, place.path(), survives)?;
    let out = place.path().join("out");
    let scenario = place.path().join(&case.file);
    let mut explore = everett(place.path());
    explore.arg("run").args(["--workers", "1", "--tests", "findings", "--out"]).arg(&out);
    let done = explore.arg(&scenario).output().context("cannot start everett")?;
    let findings = findings(&out).with_context(|| text(&done))?;
    ensure!(!findings.is_empty(), "there is no finding: {}", text(&done));
    let times = std::env::var("EVERETT_REPLAYS").unwrap_or_else(|_| "1".to_owned());
    let mut complaints = Vec::new();
    for Finding { kind, node, place: line, dtest } in findings {
        let Some(dtest) = dtest else {
            // A program whose nodes cannot be put together has come to no world.
            ensure!(kind == "user-error", "{kind} on {node} has no test");
            continue;
        };
        let test = out.join(dtest);
        for modes in [&["--times", &times][..], &[LOOPBACK]] {
            let done = everett(place.path())
                .args(["replay", "--native"])
                .args(modes)
                .arg(&test)
                .output()
                .context("cannot start everett")?;
            complaints.extend(
                complaint(&done)
                    .map(|complaint| format!("{kind} on {node} {}: {complaint}", modes.join(" "))),
            );
            if SURVIVED.contains(&&*kind) && !text(&done).contains(&line) {
                complaints.push(format!("a sanitizer does not name {line}: {}", text(&done)));
            }
        }
    }
    Ok(complaints)
}

/// The problem with a native replay, if there is one.
fn complaint(done: &Output) -> Option<String> {
    match done.status.code() {
        Some(0) => None,
        code => Some(format!("exit code {code:?}: {}", text(done))),
    }
}

/// Builds the programs of a case, and puts all else that its folder has beside them. A sanitizer looks for
/// errors of memory that a program survives.
pub(crate) fn build(case: &Case, place: &Path, survives: bool) -> Result<()> {
    let Folder { sources, others, .. } = &*case.folder;
    let mut running = Vec::new();
    for name in sources.keys() {
        let source = case.folder.source(name);
        let is_cxx = source.extension().is_some_and(|extension| extension == "cpp");
        let mut compile = everett(place);
        compile.args([if is_cxx { "c++" } else { "cc" }, "-g", "-w", "-pthread"]);
        if survives {
            compile.arg("-fsanitize=address");
        }
        if survives || case.expected.glibc {
            compile.arg("--libc=glibc");
        }
        compile.arg(source).arg("-o").arg(place.join(name));
        running
            .push((name, compile.stdout(Stdio::null()).spawn().context("cannot start everett")?));
    }
    for (name, child) in running {
        let done = child.wait_with_output()?;
        if !done.status.success() {
            bail!("{name} cannot be built: {}", text(&done));
        }
    }
    for other in others {
        let name = other.file_name().context("a file that was listed has a name")?;
        symlink(other.canonicalize()?, place.join(name))?;
    }
    Ok(())
}

fn findings(out: &Path) -> Result<Vec<Finding>> {
    let summary = std::fs::read(out.join("summary.json")).context("the run left no summary")?;
    let summary: serde_json::Value = serde_json::from_slice(&summary)?;
    let word = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let findings = summary["findings"].as_array().context("the summary has no findings")?;
    let finding = |value: &serde_json::Value| {
        Some(Finding {
            kind: word(&value["kind"])?,
            node: word(&value["node"]).unwrap_or_default(),
            place: format!(
                "{}:{}",
                value["file"].as_str()?.rsplit('/').next()?,
                value["line"].as_u64()?
            ),
            dtest: word(&value["dtest"]),
        })
    };
    findings.iter().map(finding).collect::<Option<_>>().context("a finding has no kind")
}

/// The command, run in a folder.
pub(crate) fn everett(place: &Path) -> Command {
    let cache: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    let mut command = Command::new(env!("CARGO_BIN_EXE_everett"));
    command.current_dir(place).env("EVERETT_CACHE", cache).stdin(Stdio::null());
    command
}

/// What a command has said.
pub(crate) fn text(done: &Output) -> String {
    let said = [&done.stdout[..], &done.stderr[..]].concat();
    String::from_utf8_lossy(&said).into_owned()
}
