//! Systems of several nodes: scenarios of `tests/bench/systems` with numbers put in, beside their
//! compiled programs.
//!
//! A scenario there is a template: `@CLIENTS@` stands for a number that whoever runs it gives as
//! `CLIENTS=64`. Its programs are the C files of their names in the same folder, and so are its invariants.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace::{self, driver};

/// Where templates and programs are, from the root of the workspace.
const SOURCES: &str = "tests/bench/systems";

/// Compiles the programs of a scenario and writes it beside them; returns its path.
pub(crate) fn prepare(
    everett: &Path,
    template: &str,
    values: &[&str],
    folder: &Path,
) -> Result<PathBuf> {
    let sources = workspace::root().join(SOURCES);
    let text = fs::read_to_string(sources.join(template))
        .with_context(|| format!("cannot read {SOURCES}/{template}"))?;
    let text = filled(&text, values).with_context(|| format!("{SOURCES}/{template}"))?;
    fs::create_dir_all(folder)?;
    for program in programs(&text) {
        let source = Path::new(SOURCES).join(format!("{program}.c"));
        let mut compile = driver(everett);
        compile.args(["cc", "-O1"]).arg(source).arg("-o").arg(folder.join(program));
        process::run(&mut compile)?;
    }
    for name in invariants(&text) {
        fs::copy(sources.join(name), folder.join(name))
            .with_context(|| format!("cannot copy {SOURCES}/{name}"))?;
    }
    let scenario = folder.join("system.toml");
    fs::write(&scenario, text)?;
    Ok(scenario)
}

/// A template with values such as `CLIENTS=64` in their places.
fn filled(template: &str, values: &[&str]) -> Result<String> {
    let mut text = template.to_owned();
    for value in values {
        let (name, value) = value.split_once('=').context("a value is given as NAME=VALUE")?;
        let place = format!("@{name}@");
        if !text.contains(&place) {
            bail!("there is no {place}");
        }
        text = text.replace(&place, value);
    }
    match text.split('@').nth(1) {
        Some(name) => bail!("no value was given for @{name}@"),
        None => Ok(text),
    }
}

/// The programs that a scenario names, each once.
fn programs(scenario: &str) -> Vec<&str> {
    let mut programs: Vec<&str> = scenario
        .lines()
        .filter_map(|line| line.strip_prefix("program = \"")?.strip_suffix('"'))
        .collect();
    programs.sort_unstable();
    programs.dedup();
    programs
}

/// The files with invariants that a scenario names.
fn invariants(scenario: &str) -> impl Iterator<Item = &str> {
    scenario.lines().filter_map(|line| line.strip_prefix("files = \"")?.strip_suffix('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_put_in_everywhere() {
        let text = filled("count = @N@ # @N@ of @M@", &["N=3", "M=4"]).unwrap();
        assert_eq!(text, "count = 3 # 3 of 4");
    }

    #[test]
    fn a_value_too_few_and_one_too_many_are_errors() {
        assert!(filled("count = @N@", &[]).is_err());
        assert!(filled("count = 3", &["N=3"]).is_err());
        assert!(filled("count = @N@", &["N"]).is_err());
    }

    #[test]
    fn programs_are_found_once() {
        let text = "name = \"b\"\nprogram = \"echo_client\"\n\nprogram = \"a\"\nprogram = \"a\"\n";
        assert_eq!(programs(text), ["a", "echo_client"]);
    }
}
