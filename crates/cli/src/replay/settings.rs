//! Flags of `everett run` as a test case keeps them, and back.
//!
//! Each flag belongs to nodes, to the run as a whole, or has no influence on what one world does and is
//! not kept. Paths of the host are made absolute, so that a test runs from any folder.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, CommandFactory, ValueHint};
use everett_replay::dtest::Setting;

use crate::args::Cli;

/// Headings of the help whose flags say what a node is like.
const NODE_HEADINGS: [&str; 3] = ["Inputs", "Simulated system", "Faults"];
/// Other flags of nodes.
const NODE_FLAGS: [&str; 2] = ["entry", "seed"];
/// Flags of the run as a whole that decide what one world does.
const RUN_FLAGS: [&str; 10] = [
    "symbolic-fn",
    "check",
    "ignore",
    "strings",
    "invariants",
    "stop-on-violation",
    "detect-stalled",
    "max-round-instructions",
    "idle",
    "max-virtual-time",
];
/// A flag whose value begins with a path: `HOST:GUEST`.
const MOUNT: &str = "mount";

/// Whom a flag concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concerns {
    Node,
    Run,
}

impl Concerns {
    fn of(argument: &Arg) -> Option<Concerns> {
        let name = argument.get_long()?;
        let heading = argument.get_help_heading().unwrap_or_default();
        if RUN_FLAGS.contains(&name) {
            Some(Concerns::Run)
        } else if NODE_HEADINGS.contains(&heading) || NODE_FLAGS.contains(&name) {
            Some(Concerns::Node)
        } else {
            None
        }
    }
}

/// The flags on a command line of `everett run`, its first two words included.
pub(crate) fn recorded(line: &[OsString], concerns: Concerns) -> Result<Vec<Setting>> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(line)?;
    let (name, matches) = matches.subcommand().context("there is a subcommand")?;
    let run = command.find_subcommand(name).context("what was matched is defined")?;
    let mut settings = Vec::new();
    for argument in run.get_arguments().filter(|each| Concerns::of(each) == Some(concerns)) {
        let id = argument.get_id().as_str();
        let Some(name) = argument.get_long().map(str::to_owned) else { continue };
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if !argument.get_action().takes_values() {
            settings.push(Setting { name, values: Vec::new() });
            continue;
        }
        for occurrence in matches.get_raw_occurrences(id).into_iter().flatten() {
            let values: Vec<Vec<u8>> =
                occurrence.map(|value| lasting(argument, value)).collect::<Result<_>>()?;
            match values_of(argument) {
                1 => settings.extend(
                    values
                        .into_iter()
                        .map(|value| Setting { name: name.clone(), values: vec![value] }),
                ),
                _ => settings.push(Setting { name: name.clone(), values }),
            }
        }
    }
    Ok(settings)
}

/// The words of a command line that settings stand for.
pub(crate) fn words(settings: &[Setting], concerns: Concerns) -> Result<Vec<OsString>> {
    let mut command = Cli::command();
    command.build();
    let run = command.find_subcommand("run").context("it is defined in args.rs")?;
    let mut words = Vec::new();
    for Setting { name, values } in settings {
        let known = run.get_arguments().find(|argument| argument.get_long() == Some(name));
        if known.and_then(Concerns::of) != Some(concerns) {
            bail!("`{name}` is no option that a test case has there");
        }
        match &values[..] {
            [value] => {
                let mut word = OsString::from(format!("--{name}="));
                word.push(OsStr::from_bytes(value));
                words.push(word);
            }
            values => {
                words.push(format!("--{name}").into());
                words.extend(values.iter().map(|value| OsString::from_vec(value.clone())));
            }
        }
    }
    Ok(words)
}

fn values_of(argument: &Arg) -> usize {
    argument.get_num_args().map_or(1, |range| range.max_values())
}

/// A value that means the same in another folder.
fn lasting(argument: &Arg, value: &OsStr) -> Result<Vec<u8>> {
    if argument.get_long() == Some(MOUNT) {
        let bytes = value.as_bytes();
        let at = bytes.iter().rposition(|byte| *byte == b':').unwrap_or(bytes.len());
        let host = absolute(Path::new(OsStr::from_bytes(&bytes[..at])))?;
        return Ok([&host, &bytes[at..]].concat());
    }
    match argument.get_value_hint() {
        ValueHint::AnyPath => absolute(Path::new(value)),
        _ => Ok(value.as_bytes().to_vec()),
    }
}

/// A path from the root.
pub(super) fn absolute(path: &Path) -> Result<Vec<u8>> {
    let path = std::path::absolute(path)
        .with_context(|| format!("cannot tell where {} is", path.display()))?;
    Ok(path.into_os_string().into_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Headings and flags that decide which worlds are explored, and not what one of them does.
    const NOT_KEPT: [&str; 4] = ["Search", "Limits", "Results", "Engine"];

    fn line(words: &[&str]) -> Vec<OsString> {
        ["everett", "run", "p.bc"].iter().chain(words).map(OsString::from).collect()
    }

    #[test]
    fn flags_survive_and_paths_become_absolute() {
        let given = line(&[
            "--sym-args",
            "0",
            "2",
            "8",
            "--env",
            "A=b c",
            "--mount",
            "www:/srv",
            "--workers",
            "3",
            "--sys-fail",
            "open,read",
            "--sym-random",
            "--stop-on-violation",
            "--seed=4",
        ]);
        let node = recorded(&given, Concerns::Node).unwrap();
        let shown: Vec<String> = words(&node, Concerns::Node)
            .unwrap()
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let here = std::env::current_dir().unwrap().display().to_string();
        for expected in
            ["--sys-fail=open", "--sys-fail=read", "--env=A=b c", "--seed=4", "--sym-random"]
        {
            assert!(shown.iter().any(|word| word == expected), "{expected}: {shown:?}");
        }
        assert!(shown.contains(&format!("--mount={here}/www:/srv")), "{shown:?}");
        let at = shown.iter().position(|word| word == "--sym-args").unwrap();
        assert_eq!(shown[at + 1..at + 4], ["0", "2", "8"]);
        assert!(!shown.iter().any(|word| word.contains("workers")));
        let run = recorded(&given, Concerns::Run).unwrap();
        assert_eq!(run, [Setting { name: "stop-on-violation".to_owned(), values: Vec::new() }]);
        assert!(words(&run, Concerns::Node).is_err());
    }

    #[test]
    fn every_flag_of_run_is_kept_or_known_not_to_matter() {
        let mut command = Cli::command();
        command.build();
        for argument in command.find_subcommand("run").unwrap().get_arguments() {
            let (Some(name), Some(heading)) = (argument.get_long(), argument.get_help_heading())
            else {
                continue;
            };
            let kept = Concerns::of(argument).is_some();
            assert!(kept || NOT_KEPT.contains(&heading) || name == "ktest", "{name}");
        }
    }
}
