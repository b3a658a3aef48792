//! [`Outcome`]: the table of an experiment.

use crate::eval::table::Table;

/// The tables of an experiment, and what went wrong.
pub(super) struct Outcome {
    pub(super) title: &'static str,
    pub(super) table: Table,
    /// Sentences below the table.
    pub(super) notes: Vec<String>,
    pub(super) failures: Vec<String>,
}

impl Outcome {
    pub(super) fn new(title: &'static str, columns: &[&str]) -> Outcome {
        Outcome { title, table: Table::new(columns), notes: Vec::new(), failures: Vec::new() }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.title.to_owned()];
        lines.extend(self.table.lines());
        lines.extend(self.notes.iter().cloned());
        lines.extend(self.failures.iter().map(|failure| format!("FAILED: {failure}")));
        lines.push(String::new());
        lines
    }
}
