//! Settings as a test case keeps them, and back.
//!
//! Each flag belongs to nodes, to the run as a whole, or has no influence on what one world does and is
//! not kept. Paths of the host are made absolute, so that a test runs from any folder.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ValueHint};
use everett_replay::dtest::TestSetting;

use crate::error::{Result, SettingsError};
use crate::options::run_command;
use crate::table::{SettingRow, SettingStorage};

/// A flag whose value begins with a path: `HOST:GUEST`.
const MOUNT: &str = "mount";

/// The owner of a setting that a test keeps: a node, or the run as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingOwner {
    /// A node.
    Node,
    /// The run as a whole.
    Run,
}

impl SettingOwner {
    fn of(argument: &Arg) -> Option<SettingOwner> {
        match SettingRow::find(argument.get_long()?)?.kept {
            SettingStorage::OfNode => Some(SettingOwner::Node),
            SettingStorage::OfRun => Some(SettingOwner::Run),
            SettingStorage::Never => None,
        }
    }
}

/// The settings that words of a command line behind `everett run` give.
pub fn recorded(words: &[OsString], owner: SettingOwner) -> Result<Vec<TestSetting>> {
    let mut command = run_command();
    let matches = command.try_get_matches_from_mut(words)?;
    let mut settings = Vec::new();
    for argument in command.get_arguments().filter(|each| SettingOwner::of(each) == Some(owner)) {
        let id = argument.get_id().as_str();
        let Some(name) = argument.get_long().map(str::to_owned) else { continue };
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        if !argument.get_action().takes_values() {
            settings.push(TestSetting { name, values: Vec::new() });
            continue;
        }
        for occurrence in matches.get_raw_occurrences(id).into_iter().flatten() {
            let values: Vec<Vec<u8>> =
                occurrence.map(|value| lasting_value(argument, value)).collect::<Result<_>>()?;
            match values_of(argument) {
                1 => settings.extend(
                    values
                        .into_iter()
                        .map(|value| TestSetting { name: name.clone(), values: vec![value] }),
                ),
                _ => settings.push(TestSetting { name: name.clone(), values }),
            }
        }
    }
    Ok(settings)
}

/// The words of a command line that settings stand for.
pub fn words(settings: &[TestSetting], owner: SettingOwner) -> Result<Vec<OsString>> {
    let mut command = run_command();
    command.build();
    let mut words = Vec::new();
    for TestSetting { name, values } in settings {
        let known = command.get_arguments().find(|argument| argument.get_long() == Some(name));
        if known.and_then(SettingOwner::of) != Some(owner) {
            return Err(SettingsError::NotKept { name: name.clone() });
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
fn lasting_value(argument: &Arg, value: &OsStr) -> Result<Vec<u8>> {
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
pub fn absolute(path: &Path) -> Result<Vec<u8>> {
    match everett_input::host::absolute(path) {
        Ok(path) => Ok(path.into_os_string().into_vec()),
        Err(source) => Err(SettingsError::Place { path: path.to_path_buf(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<OsString> {
        ["p.bc"].iter().chain(words).map(OsString::from).collect()
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
        let node = recorded(&given, SettingOwner::Node).unwrap();
        let shown: Vec<String> = words(&node, SettingOwner::Node)
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
        let run = recorded(&given, SettingOwner::Run).unwrap();
        assert_eq!(run, [TestSetting { name: "stop-on-violation".to_owned(), values: Vec::new() }]);
        assert!(words(&run, SettingOwner::Node).is_err());
    }
}
