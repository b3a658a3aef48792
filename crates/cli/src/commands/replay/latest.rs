//! The test of the last run's finding, for who names none.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use everett_report::count_of;
use serde_json::Value;

use crate::commands::run::last_folder;
use crate::terminal;

/// The test of the first finding of the last run, and says which finding that is if there are several.
pub(super) fn finding() -> Result<PathBuf> {
    let folder = last_folder();
    let file = folder.join("summary.json");
    let text = fs::read(&file).with_context(|| {
        format!("no test is named, and the last run is not there: cannot read {}", file.display())
    })?;
    let summary: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is damaged", file.display()))?;
    let findings = summary["findings"].as_array().map_or(&[][..], |list| list);
    let Some(first) = findings.first() else {
        bail!("no test is named, and the last run, {}, has no finding", folder.display());
    };
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let Some(with_test) = findings.iter().find(|finding| finding["dtest"].is_string()) else {
        let Some(test) = first["test"].as_str() else {
            bail!(
                "the last run, {}, has left no test of its findings: run it again without `--tests none`",
                folder.display()
            );
        };
        let test = folder.join(test);
        bail!(
            "the last run, {}, is of a program on its own: `everett run --ktest {} PROGRAM` runs its \
             finding again",
            folder.display(),
            test.display()
        );
    };
    let test = folder.join(word(with_test, "dtest"));
    if findings.len() > 1 {
        terminal::err(&format!(
            "note: the last run has {}; this is number {}, {} on {}: {}\n",
            count_of(findings.len() as u64, "finding"),
            with_test["id"],
            word(with_test, "kind"),
            word(with_test, "node"),
            test.display()
        ));
    }
    Ok(test)
}
