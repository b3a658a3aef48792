//! The results that a run has told of, for a checkpoint: [`ReporterRecord`].

use everett_base::hash::Map;
use everett_interp::BugKind;

use crate::api::report::{Finding, SourcePlace};

/// The results that the run has told of.
#[derive(Default)]
pub(crate) struct ReporterRecord {
    pub(crate) findings: Vec<Finding>,
    pub(crate) known: Map<(BugKind, Vec<SourcePlace>), usize>,
    pub(crate) violations: Map<u64, u32>,
    pub(crate) tests: u64,
    pub(crate) worlds_tested: u64,
    pub(crate) worlds_untested: u64,
    pub(crate) wishes: u32,
}

everett_base::portable!(struct ReporterRecord {
    findings, known, violations, tests, worlds_tested, worlds_untested, wishes,
});
