//! The flags of `everett run` about gates: what makes its exit code tell that something is wrong.

use std::collections::BTreeSet;
use std::path::PathBuf;

use everett_engine::BugKind;
use everett_input::suggest;

/// The conditions that a run has to meet.
#[derive(Clone, Debug, clap::Args)]
pub struct GateOptions {
    /// Kinds of findings that make the exit code 1, such as out-of-bounds, instead of all; `none` for none.
    /// The others are reported all the same
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = parse_kind)]
    fail_on: Vec<String>,
    /// Exit with code 4 unless each kind of faults that is allowed was possible somewhere
    #[arg(long)]
    pub require_faults: bool,
    /// Exit with code 4 unless each invariant was evaluated, with data
    #[arg(long)]
    pub require_invariants: bool,
    /// Exit with code 4 if less than this part of the instructions was executed
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub min_coverage: Option<f64>,
    /// Let the findings pass that this file names, which `everett baseline` has written
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
}

/// Stands for no kind.
const NONE: &str = "none";

impl GateOptions {
    /// The kinds of findings that count; `None` for all of them.
    pub fn counted_kinds(&self) -> Option<BTreeSet<String>> {
        let kinds = self.fail_on.iter().filter(|kind| *kind != NONE);
        (!self.fail_on.is_empty()).then(|| kinds.cloned().collect())
    }
}

fn parse_kind(text: &str) -> Result<String, String> {
    let names: Vec<&str> = BugKind::ALL.iter().map(|kind| kind.name()).chain([NONE]).collect();
    match names.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("there is no such kind; {}", suggest::help(text, &names))),
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=100.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunOptions;

    fn gates(words: &[&str]) -> Result<GateOptions, String> {
        let words = ["prog.bc"].iter().chain(words).map(Into::into);
        RunOptions::parse(words).map(|options| options.gates).map_err(|error| error.to_string())
    }

    #[test]
    fn kinds_that_count_are_all_unless_some_are_named() {
        let counted = |words: &[&str]| {
            let kinds = gates(words).unwrap().counted_kinds();
            kinds.map(|kinds| kinds.into_iter().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(counted(&[]), None);
        assert_eq!(counted(&["--fail-on", "leak,assert"]).as_deref(), Some("assert leak"));
        assert_eq!(counted(&["--fail-on", "none"]).as_deref(), Some(""));
        let error = gates(&["--fail-on", "asert"]).unwrap_err();
        assert!(error.contains("did you mean `assert`?"), "{error}");
    }

    #[test]
    fn percentages_are_numbers_up_to_a_hundred() {
        let percent = |text: &str| gates(&["--min-coverage", text]).map(|of| of.min_coverage);
        assert_eq!(percent("80"), Ok(Some(80.0)));
        assert_eq!(percent("99.5%"), Ok(Some(99.5)));
        for text in ["-1", "101", "NaN", "half"] {
            assert!(percent(text).is_err(), "{text}");
        }
    }
}
