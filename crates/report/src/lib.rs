//! Findings and figures of a run, as text for a person and as JSON for a program.
//!
//! Pure functions from the engine's plain data: [`finding_text`] and [`summary_text`] are what the
//! driver prints, [`progress_line`] what it redraws, [`summary_json`], [`finding_json`] and
//! [`coverage_json`] what it leaves in the output folder. What is not in the engine's data - where
//! files are, peak memory, the command that replays - comes in through [`RunInfo`], and source lines
//! through [`SourceLines`].
//!
//! Not here: printing, files, clocks. Invariant: the same data gives the same text, byte for byte.
//!
//! ```
//! use everett_report::{PaintMode, grouped};
//!
//! assert_eq!(grouped(16384), "16,384");
//! assert_eq!(PaintMode::Plain.strong("bug"), "bug");
//! ```

#![forbid(unsafe_code)]

mod conformance;
mod export;
mod fault_search;
mod finding;
mod gates;
mod page;
mod place;
mod progress;
mod record;
mod run_info;
mod summary;
mod trojans;

mod json;
mod live;
mod number;
mod paint;
#[cfg(test)]
mod samples;

pub use conformance::{
    ConformanceRow, ConformanceTable, SentVerdict, conformance_json, conformance_text,
};
pub use export::{
    FindingCapture, captures, github_annotations, junit_xml, lcov_info, sarif_json, shiviz_log,
    trace_json,
};
pub use fault_search::{FaultRow, FaultTable, fault_table_json, fault_table_text};
pub use finding::finding_text;
pub use finding::source::{NoSources, SourceLines};
pub use finding::world::{nodes_text, trace_text};
pub use gates::{Baseline, BaselineError, BaselineUpdate, GateReport, GateRules, judge};
pub use json::{coverage_json, finding_json, summary_json};
pub use number::{bytes, count_of, duration, grouped};
pub use page::{
    LiveState, WorldEnd, WorldEntry, WorldLinks, WorldOption, WorldValue, WorldView, live_html,
    report_html, world_html,
};
pub use paint::PaintMode;
pub use place::{FramesShown, TextStyle, place_text};
pub use progress::progress_line;
pub use record::{ProgressLog, RecordError, RunFiles, RunRecord};
pub use run_info::RunInfo;
pub use summary::dropped::advice;
pub use summary::summary_text;
pub use trojans::trojans_json;
