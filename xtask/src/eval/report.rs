//! [`Report`]: the tables of a part, and the comparisons in it that failed.

use anyhow::{Result, bail};

/// A report, line by line, and how many comparisons failed.
#[derive(Default)]
pub(super) struct Report {
    pub(super) lines: Vec<String>,
    pub(super) different: usize,
}

impl Report {
    /// Adds what another part came to.
    pub(super) fn add(&mut self, part: Report) {
        self.lines.extend(part.lines);
        self.different += part.different;
    }

    /// Prints the report; a comparison that failed is an error.
    pub(super) fn finish(&self) -> Result<()> {
        println!();
        self.lines.iter().for_each(|line| println!("{line}"));
        match self.different {
            0 => Ok(()),
            1 => bail!("one run differs from its native counterpart"),
            n => bail!("{n} runs differ from their native counterparts"),
        }
    }
}
