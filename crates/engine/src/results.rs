//! From states to what embedders are told: findings, test cases, messages, leaks, counters, the summary.

pub(crate) mod counters;
pub(crate) mod finding_writer;
pub(crate) mod invariant_counters;
pub(crate) mod leaks;
pub(crate) mod messages;
pub(crate) mod summary;
pub(crate) mod test_cases;
pub(crate) mod twins;
pub(crate) mod violation;
pub(crate) mod words;
