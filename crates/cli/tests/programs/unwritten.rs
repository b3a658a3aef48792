//! Programs that write what they use are explored the same with `--check uninitialized`.
//!
//! Each program of the corpus that does not ask for the check itself is run without it and with it. Nothing
//! else is found, and nothing else happens: paths, coverage, and what was dropped. Programs that do use
//! memory which they have not written are in [`USES_UNWRITTEN`].

use std::sync::Arc;

use anyhow::Result;
use everett_engine::{EngineConfig, Summary, TestPolicy};
use everett_interp::BugKind;
use libtest_mimic::{Failed, Trial};

use crate::build::Workshop;
use crate::corpus::Case;
use crate::execute::{Run, identity, run};
use crate::sample;

/// Programs that use memory which they have not written, and why.
const USES_UNWRITTEN: [(&str, &str); 0] = [];

/// The trials, one for each program and level.
pub(crate) fn trials(cases: &[Case], workshop: &Arc<Workshop>) -> Vec<Trial> {
    let is_asked = |case: &&Case| {
        !case.header.args.iter().any(|arg| arg.contains("uninitialized"))
            && sample::asks("with unwritten memory checked", &case.name())
    };
    let trial = |case: &Case| {
        let (case, workshop) = (case.clone(), Arc::clone(workshop));
        Trial::test(format!("unwritten/{}", case.name()), move || {
            let complaints = judge(&workshop, &case)?;
            if complaints.is_empty() { Ok(()) } else { Err(Failed::from(complaints.join("\n"))) }
        })
    };
    cases.iter().filter(is_asked).map(trial).collect()
}

fn judge(workshop: &Workshop, case: &Case) -> Result<Vec<String>> {
    let (program, file) = workshop.program(case)?;
    let mut config = EngineConfig { tests: TestPolicy::None, ..case.config()? };
    config.node.executable = Some(file);
    config.programs = Some(workshop.programs());
    config.node.mounts.extend(workshop.libraries(case)?);
    config.workers = 1;
    let plain = run(&program, config.clone())?;
    config.exec.checks.uninitialized = true;
    let checked = run(&program, config)?;
    let uses = uses(&checked);
    let name = case.name();
    let is_known = USES_UNWRITTEN.iter().any(|(file, _)| name.starts_with(file));
    Ok(match (is_known, uses.is_empty()) {
        (true, true) => vec!["it uses no memory that it has not written".to_owned()],
        (true, false) => Vec::new(),
        (false, false) => uses,
        (false, true) => differences(&plain.summary, &checked.summary),
    })
}

/// The uses of memory that was not written.
fn uses(run: &Run) -> Vec<String> {
    let is_use = |kind| matches!(kind, BugKind::Uninitialized | BugKind::InformationLeak);
    let uses = run.summary.findings.iter().filter(|finding| is_use(finding.kind));
    uses.map(|finding| format!("{}: {}", finding.message, identity(finding))).collect()
}

fn differences(plain: &Summary, checked: &Summary) -> Vec<String> {
    let results = |summary: &Summary| {
        let mut findings: Vec<_> =
            summary.findings.iter().map(|finding| (identity(finding), finding.count)).collect();
        findings.sort();
        [
            format!("{:?}", summary.outcome),
            format!("{:?}", summary.paths),
            format!("{:?}", summary.coverage),
            format!("{:?}", summary.dropped),
            format!("{findings:?}"),
        ]
    };
    let both = results(plain).into_iter().zip(results(checked));
    let differing = both.filter(|(plain, checked)| plain != checked);
    differing
        .map(|(plain, checked)| format!("without the check: {plain}, with it: {checked}"))
        .collect()
}
