//! A run in the formats of other tools: SARIF, JUnit, lcov, traces of Chrome, ShiViz, pcapng, annotations.
//!
//! Each is a function from a [`RunRecord`], so a run writes them at its end, and `everett report` later, in
//! the same way. What a format has no place for is left out there.

mod annotations;
mod junit;
mod lcov;
mod paths;
mod pcapng;
mod sarif;
mod shiviz;
mod trace;

pub use annotations::github_annotations;
pub use junit::junit_xml;
pub use lcov::lcov_info;
pub(crate) use paths::{one_line, relative};
pub use pcapng::{FindingCapture, captures};
pub use sarif::sarif_json;
pub use shiviz::shiviz_log;
pub use trace::trace_json;
