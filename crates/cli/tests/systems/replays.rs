//! The oracle of test cases: whatever a run leaves, run again, comes to the same.

use std::path::Path;

use anyhow::{Context, Result};
use everett_engine::WorldTest;
use everett_replay::DTest;
use everett_report::RunInfo;
use everett_rerun::{TestRecorder, replay};

use crate::build::Workshop;
use crate::cases::Case;
use crate::execute::{Run, all_flags, run};
use crate::scripts;

/// Worlds without a finding that are replayed, evenly spread over all.
const ENDED_MAX: usize = 6;

/// Tests that do not come to what they should.
pub(crate) fn check(workshop: &Workshop, case: &Case, first: &Run) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let findings: Vec<&WorldTest> = first.worlds.iter().collect();
    for finding in &first.summary.findings {
        let has_test = findings.iter().any(|world| Some(world.id) == finding.test);
        // A program whose nodes cannot be put together has come to no world.
        let expected = finding.of_system;
        if has_test != expected {
            let (kind, node) = (finding.kind, &finding.node);
            complaints
                .push(format!("{kind} on {node}: has a test: {has_test}, expected: {expected}"));
        }
    }
    complaints.extend(check_worlds(workshop, case, first, &findings, &[])?);
    let flags = ["--tests", "all"];
    let all = run(workshop, case, &flags)?;
    let ended: Vec<&WorldTest> = all.worlds.iter().filter(|w| w.finding.is_none()).collect();
    let chosen: Vec<&WorldTest> =
        ended.iter().copied().step_by(ended.len().div_ceil(ENDED_MAX).max(1)).collect();
    complaints.extend(check_worlds(workshop, case, &all, &chosen, &flags)?);
    Ok(complaints)
}

fn check_worlds(
    workshop: &Workshop,
    case: &Case,
    run: &Run,
    worlds: &[&WorldTest],
    flags: &[&str],
) -> Result<Vec<String>> {
    if worlds.is_empty() {
        return Ok(Vec::new());
    }
    let installed = workshop.installed(case)?;
    let system = installed.system(case, &all_flags(flags))?;
    let recorder = system.recorder(&system.digests()?)?;
    let folder = tempfile::tempdir()?;
    std::fs::create_dir(folder.path().join("tests"))?;
    let mut complaints = Vec::new();
    for world in worlds {
        let file = write(folder.path(), &recorder, run, world)?;
        let load = |file: &Path| Ok(installed.program(file)?);
        let replayed = replay(&file, None, load, &workshop.context());
        let replayed = replayed.with_context(|| format!("test {}", world.id))?;
        if let Some(difference) = &replayed.difference {
            complaints.push(format!("test {} is not reproduced: {difference}", world.id));
        } else if world.finding.is_some() {
            let wrong = scripts::check(workshop, case, installed, &file, &replayed);
            let wrong = wrong.unwrap_or_else(|error| vec![format!("{error:#}")]);
            complaints.extend(wrong.into_iter().map(|what| format!("script {}: {what}", world.id)));
        }
    }
    Ok(complaints)
}

/// Writes a test as the command does.
fn write(
    folder: &Path,
    recorder: &TestRecorder,
    run: &Run,
    world: &WorldTest,
) -> Result<std::path::PathBuf> {
    for test in run.tests.iter().filter(|test| test.id == world.id) {
        let file = RunInfo::test_file(test.id, test.node.as_deref());
        test.ktest.write(&folder.join(file))?;
    }
    let file = folder.join(RunInfo::world_file(world.id));
    let test: DTest = recorder.dtest(world).context("a scenario's worlds have tests")?;
    test.write(&file)?;
    Ok(file)
}
