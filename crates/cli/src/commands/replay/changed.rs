//! `everett replay --changed`: says whether the finding of a test is still there.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use everett_report::{finding_text, trace_text};
use everett_rerun::{Judgement, Verdict, judge};

use super::{context, loading};
use crate::errors::replayed;
use crate::sources::SourceFiles;
use crate::{environment, terminal};

/// The finding is still there.
const EXIT_STILL_THERE: u8 = 1;
/// The programs have gone another way.
const EXIT_CANNOT_TELL: u8 = 3;

/// Runs the command; `trace` shows all messages, faults and preemptions.
pub(super) fn run(file: &Path, trace: bool) -> Result<ExitCode> {
    let programs = environment::programs()?;
    let judgement = judge(file, loading(&programs), &context(&programs)).map_err(replayed)?;
    tell(&judgement, trace);
    Ok(exit_code(&judgement.verdict))
}

/// The exit code that a verdict stands for.
pub(super) fn exit_code(verdict: &Verdict) -> ExitCode {
    match verdict {
        Verdict::Fixed | Verdict::AsBefore => ExitCode::SUCCESS,
        Verdict::StillThere | Verdict::NewFinding => ExitCode::from(EXIT_STILL_THERE),
        Verdict::CannotTell(_) => ExitCode::from(EXIT_CANNOT_TELL),
    }
}

/// Tells what has come of a test.
pub(super) fn tell(judgement: &Judgement, trace: bool) {
    let (paint, sources) = (terminal::paint(), SourceFiles::default());
    if let (true, Some(world)) = (trace, &judgement.world) {
        terminal::out(&trace_text(&world.messages, &world.faults, &world.preemptions));
    }
    judgement.notes.iter().for_each(|note| terminal::out(&format!("note: {note}\n")));
    if let Some(finding) = judgement.world.as_ref().and_then(|world| world.finding.as_ref()) {
        terminal::out(&format!("{}\n", finding_text(finding, None, &sources, paint)));
    }
    let text = judgement.text();
    let painted = match judgement.verdict {
        Verdict::Fixed | Verdict::AsBefore => paint.good(&text),
        _ => paint.alarm(&text),
    };
    terminal::out(&format!("{painted}\n"));
}
