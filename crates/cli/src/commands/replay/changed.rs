//! `everett replay --changed`: says whether the finding of a test is still there.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use everett_report::{TextStyle, finding_text, trace_text};
use everett_rerun::{ChangeVerdict, TestJudgement, judge};

use super::{context, loading};
use crate::errors::replay_error;
use crate::sources::SourceFiles;
use crate::{environment, terminal};

/// The finding is still there.
const EXIT_STILL_THERE: u8 = 1;
/// The programs have gone another way.
const EXIT_CANNOT_TELL: u8 = 3;

/// Runs the command; `trace` shows all messages, faults and preemptions.
pub(super) fn run(file: &Path, trace: bool, style: TextStyle) -> Result<ExitCode> {
    let programs = environment::programs()?;
    let judgement = judge(file, loading(&programs), &context(&programs)).map_err(replay_error)?;
    show_judgement(&judgement, trace, style);
    Ok(exit_code(&judgement.verdict))
}

/// The exit code that a verdict stands for.
pub(super) fn exit_code(verdict: &ChangeVerdict) -> ExitCode {
    match verdict {
        ChangeVerdict::Fixed | ChangeVerdict::AsBefore => ExitCode::SUCCESS,
        ChangeVerdict::StillThere | ChangeVerdict::NewFinding => ExitCode::from(EXIT_STILL_THERE),
        ChangeVerdict::CannotTell(_) => ExitCode::from(EXIT_CANNOT_TELL),
    }
}

/// Shows the verdict about a test.
pub(super) fn show_judgement(judgement: &TestJudgement, trace: bool, style: TextStyle) {
    let (paint, sources) = (style.paint, SourceFiles::default());
    if let (true, Some(world)) = (trace, &judgement.world) {
        terminal::out(&trace_text(&world.messages, &world.faults, &world.preemptions));
    }
    judgement.notes.iter().for_each(|note| terminal::out(&format!("note: {note}\n")));
    if let Some(finding) = judgement.world.as_ref().and_then(|world| world.finding.as_ref()) {
        terminal::out(&format!("{}\n", finding_text(finding, None, &sources, style)));
    }
    let text = judgement.text();
    let painted = match judgement.verdict {
        ChangeVerdict::Fixed | ChangeVerdict::AsBefore => paint.good(&text),
        _ => paint.alarm(&text),
    };
    terminal::out(&format!("{painted}\n"));
}
