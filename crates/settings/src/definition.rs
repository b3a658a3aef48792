//! [`SettingDefinition`]: the properties of each setting of a run, for readers of other forms than command
//! lines.
//!
//! All of it comes from [`RunOptions`](crate::RunOptions) and from the table of settings, so that a setting
//! that is added there is known everywhere at once.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, Command, ValueHint};

use crate::RunOptions;
use crate::error::Result;
use crate::options::run_command;
use crate::table::SettingRow;

/// A setting, and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDefinition {
    /// Its row in the table.
    pub row: &'static SettingRow,
    /// Shorter names.
    pub aliases: Vec<String>,
    /// The number of values that it takes; none for a switch.
    pub values: usize,
    /// True if it may be given several times, and all of its values count.
    pub repeats: bool,
    /// True if its value is a path of the host.
    pub is_path: bool,
    /// True if it takes `on` and `off`.
    pub is_switched: bool,
}

impl SettingDefinition {
    /// Its name: that of its flag without dashes.
    pub fn name(&self) -> &'static str {
        self.row.name
    }

    /// The name of the section that it belongs to.
    pub fn section(&self) -> &'static str {
        self.row.section.name()
    }

    /// All settings of a run, in the order of the help.
    pub fn all() -> Vec<SettingDefinition> {
        let mut command: Command = run_command();
        command.build();
        command.get_arguments().filter_map(SettingDefinition::of).collect()
    }

    fn of(argument: &Arg) -> Option<SettingDefinition> {
        let row = SettingRow::find(argument.get_long()?)?;
        let takes_values = argument.get_action().takes_values();
        let values = argument.get_num_args().map_or(1, |range| range.max_values());
        let aliases = argument.get_all_aliases().unwrap_or_default();
        Some(SettingDefinition {
            row,
            aliases: aliases.into_iter().map(str::to_owned).collect(),
            values: if takes_values { values } else { 0 },
            repeats: matches!(argument.get_action(), ArgAction::Append),
            is_path: takes_values && argument.get_value_hint() == ValueHint::AnyPath,
            is_switched: takes_values && takes_on_and_off(argument),
        })
    }

    /// Says whether a run accepts words of a command line that give this setting. Files behind a path are
    /// not looked at.
    pub fn check(&self, words: &[OsString]) -> Result<()> {
        let line = std::iter::once("program".into()).chain(words.iter().cloned());
        if self.is_path {
            run_command().try_get_matches_from(line)?;
        } else {
            RunOptions::parse(line)?.config()?;
        }
        Ok(())
    }
}

/// The names of the settings that words of a command line behind `everett run` give.
pub fn given(words: &[OsString]) -> Result<BTreeSet<String>> {
    let mut command = run_command();
    let matches = command.try_get_matches_from_mut(words)?;
    let on_the_line = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let given = command.get_arguments().filter(on_the_line);
    Ok(given.filter_map(|argument| argument.get_long().map(str::to_owned)).collect())
}

fn takes_on_and_off(argument: &Arg) -> bool {
    let possible = argument.get_possible_values();
    possible.len() == 2 && possible.iter().all(|value| ["on", "off"].contains(&value.get_name()))
}
