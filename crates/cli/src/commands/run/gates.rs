//! [`RunGates`]: the gates of a run, as its options have them.

use std::sync::Arc;

use anyhow::{Context, Result};
use everett_engine::Summary;
use everett_input::files::read_text;
use everett_report::{
    Baseline, GateReport, GateRules, RunFiles, RunInfo, RunRecord, SourceLines, judge, summary_json,
};
use everett_settings::{GateOptions, RunOptions};

/// The gates of a run.
#[derive(Clone, Default)]
pub(super) struct RunGates(Arc<GateRules>);

impl RunGates {
    /// Reads the baseline, if there is one.
    pub(super) fn of_options(options: &RunOptions) -> Result<RunGates> {
        let gates = &options.gates;
        let GateOptions { require_faults, require_invariants, min_coverage, ref baseline, .. } =
            *gates;
        let read = |path: &std::path::PathBuf| {
            let shown = path.display();
            let text = read_text(path).with_context(|| {
                format!("cannot read the baseline {shown}; `everett baseline` writes one")
            })?;
            Baseline::parse(&text).with_context(|| format!("{shown} is no baseline"))
        };
        let baseline = baseline.as_ref().map(read).transpose()?;
        let fail_on = gates.counted_kinds();
        let rules =
            GateRules { fail_on, require_faults, require_invariants, min_coverage, baseline };
        Ok(RunGates(Arc::new(rules)))
    }

    /// What became of them; `None` if there are none.
    pub(super) fn judge(
        &self,
        summary: &Summary,
        info: &RunInfo,
        sources: &dyn SourceLines,
    ) -> Result<Option<GateReport>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        // Gates look at what a run leaves, as everybody else does.
        let files = RunFiles { summary: summary_json(summary, info), ..RunFiles::default() };
        let record = RunRecord::read(&files).context("cannot read the summary")?;
        Ok(Some(judge(&record, &self.0, sources)))
    }
}
