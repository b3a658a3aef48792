//! The test that is walked in: named as a file, or by the folder of a run.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::commands::report::SUMMARY;
use crate::commands::run::last_folder;
use crate::klee_flags::long_flags;

/// The file in which a folder of results has the command of its run.
const COMMAND: &str = "run.txt";

/// A test with what it takes to run it.
pub(super) enum NamedTest {
    /// That of a system.
    System(PathBuf),
    /// That of a program, with the words behind `everett run` of the run that has left it.
    Program(PathBuf, Vec<OsString>),
}

impl NamedTest {
    /// The file.
    pub(super) fn file(&self) -> &Path {
        match self {
            NamedTest::System(file) | NamedTest::Program(file, _) => file,
        }
    }
}

/// The test that a command names; `words` are those of its run, if the user gives them.
pub(super) fn named(
    named: Option<&Path>,
    finding: Option<u64>,
    words: &[OsString],
) -> Result<NamedTest> {
    let last = last_folder();
    let named = named.unwrap_or(&last);
    let file = match fs::metadata(named) {
        Ok(found) if found.is_dir() => of_folder(named, finding)?,
        Ok(_) if finding.is_some() => {
            bail!("--finding: {} is no folder of results", named.display())
        }
        Ok(_) => named.to_owned(),
        Err(error) => return Err(error).context(format!("cannot read {}", named.display())),
    };
    let is_of_program = file.extension().is_some_and(|end| end == "ktest");
    if !is_of_program {
        return Ok(NamedTest::System(file));
    }
    if !words.is_empty() {
        return Ok(NamedTest::Program(file, words.to_vec()));
    }
    let words = words_of_run(&file)?;
    Ok(NamedTest::Program(file, words))
}

/// The test of a finding in a folder.
fn of_folder(folder: &Path, wanted: Option<u64>) -> Result<PathBuf> {
    let shown = folder.display();
    let file = folder.join(SUMMARY);
    let text = fs::read(&file).with_context(|| {
        format!("{shown} is not the folder of a run: cannot read {}", file.display())
    })?;
    let summary: Value =
        serde_json::from_slice(&text).with_context(|| format!("{} is damaged", file.display()))?;
    let findings = summary["findings"].as_array().map_or(&[][..], |list| list);
    if findings.is_empty() {
        bail!(
            "{shown} has no finding: name one of its tests, such as {shown}/tests/test000001.dtest"
        );
    }
    let is_wanted = |finding: &&Value| wanted.is_none_or(|id| finding["id"].as_u64() == Some(id));
    let test = |finding: &Value| {
        let test = finding["dtest"].as_str().or(finding["test"].as_str());
        test.map(|test| folder.join(test))
    };
    let mut wanted_ones = findings.iter().filter(is_wanted).peekable();
    if wanted_ones.peek().is_none() {
        bail!(
            "{shown} has {} findings, and none of number {}",
            findings.len(),
            wanted.unwrap_or(0)
        );
    }
    match wanted_ones.find_map(test) {
        Some(test) => Ok(test),
        None => bail!("no test of it is in {shown}: run it again without `--tests none`"),
    }
}

/// The words behind `everett run` of the run that has left a test in its folder.
fn words_of_run(test: &Path) -> Result<Vec<OsString>> {
    let help = format!(
        "name the program and the flags of its run: everett explore {} -- PROGRAM FLAGS",
        test.display()
    );
    let folder = test.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    let file = folder.join(COMMAND);
    let text = fs::read_to_string(&file)
        .with_context(|| format!("{help}\ncannot read {}", file.display()))?;
    let words = words_of(text.trim_end());
    match &words[..] {
        [_, command, rest @ ..] if command == "run" => {
            Ok(long_flags(rest.iter().map(OsString::from)))
        }
        _ => bail!("{} is not the command of `everett run`; {help}", file.display()),
    }
}

/// The words of a command line, as `everett run` writes them down.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if !is_quoted => word.get_or_insert_default().extend(chars.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::run::typed;

    #[test]
    fn words_are_read_as_they_were_typed() {
        let words = ["everett", "run", "a b", "it's", "", "--x=1", "\\", "''"];
        let line = typed(words.iter().map(OsString::from));
        assert_eq!(words_of(&line), words);
    }
}
