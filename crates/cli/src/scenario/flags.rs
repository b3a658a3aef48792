//! Sections of a scenario that stand for flags of `everett run`: [`Flags`] knows which exist.
//!
//! A section is a heading of `everett run --help`, and its keys are the flags below that heading
//! without their dashes. All of it comes from the definition of the command line, so that a flag
//! added there can be written in a file at once. Values are checked by the code that reads the flags.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{ArgAction, CommandFactory, ValueHint};
use toml_edit::{Item, Key, Value};

use super::diagnostic::{Diagnostic, Span};
use super::fields::{Fields, Problems, span_of};
use super::kind_of_value;
use crate::args::Cli;
use crate::suggest;

/// A section whose flags nodes may have of their own.
pub(super) const INPUTS: &str = "inputs";
/// Another one: what a node has of its own there holds for its own paths.
pub(super) const FAULTS: &str = "faults";
const LIMITS: &str = "limits";
/// Left out by users before the keys of limits.
const MOST: &str = "max-";
/// Keys that are called otherwise than their flags: section, key, flag.
const KEYS: [(&str, &str, &str); 1] = [("invariants", "files", "invariants")];
/// Headings whose sections are called otherwise.
const RENAMED: [(&str, &str); 1] = [("simulated system", "system")];
/// Flags that a node says with its own keys.
const OF_NODES: [&str; 5] = ["cwd", "env", "hostname", "mount", "stdin"];

/// A flag of `everett run` with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name without dashes.
    pub flag: String,
    /// The words of the command line that stand for it.
    pub words: Vec<OsString>,
    /// Where in the file it is.
    pub(super) span: Span,
}

impl Setting {
    /// Adds a problem for each node that it names and that the scenario does not have.
    pub(super) fn check_nodes(&self, known: &[&str], problems: &mut Problems) {
        let text = self.words.iter().map(|word| word.to_string_lossy().into_owned());
        let line: Vec<String> = std::iter::once("program".to_owned()).chain(text).collect();
        // What else is wrong with it has been said.
        let Ok(config) = crate::run_config(&line) else { return };
        let network = config.node.kernel.faults.network;
        for name in network.nodes().filter(|name| !known.contains(&name.as_str())) {
            let message = format!("there is no node `{name}`");
            problems.add(Diagnostic::new(self.span, message).help(suggest::help(name, known)));
        }
    }
}

/// What the sections of a scenario say about the run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Flags in the order of the file.
    pub settings: Vec<Setting>,
}

impl Overrides {
    /// The words to add to a command line that has the flags which `given` names: those win.
    pub fn words(&self, given: impl Fn(&str) -> bool) -> Vec<OsString> {
        let settings = self.settings.iter().filter(|setting| !given(&setting.flag));
        settings.flat_map(|setting| setting.words.iter().cloned()).collect()
    }

    /// A command line of `everett run`, its first two words included, with what the scenario adds to
    /// it.
    pub fn merged(&self, line: &[OsString]) -> Result<Vec<OsString>, clap::Error> {
        let given = given(line)?;
        let (start, rest) = line.split_at(line.len().min(2));
        Ok([start, &self.words(|flag| given.contains(flag)), rest].concat())
    }
}

/// The flags that a command line of `everett run`, its first two words included, gives.
pub fn given(line: &[OsString]) -> Result<BTreeSet<String>, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(line)?;
    let Some((name, matches)) = matches.subcommand() else { return Ok(BTreeSet::new()) };
    let subcommand = command.find_subcommand(name).expect("what was matched is defined");
    let on_the_line = |argument: &&clap::Arg| {
        let id = argument.get_id().as_str();
        matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let given = subcommand.get_arguments().filter(on_the_line);
    Ok(given.filter_map(|argument| argument.get_long().map(str::to_owned)).collect())
}

/// The flags of `everett run`.
pub(super) struct Flags {
    list: Vec<Flag>,
    sections: Vec<String>,
}

struct Flag {
    name: String,
    /// Shorter names.
    aliases: Vec<String>,
    section: String,
    /// How many values follow it; none for a switch.
    values: usize,
    repeats: bool,
    is_path: bool,
    /// Whether it takes `on` and `off`.
    is_switched: bool,
}

impl Flags {
    pub(super) fn of_run() -> Flags {
        let mut cli = Cli::command();
        cli.build();
        let run = cli.find_subcommand("run").expect("it is defined in args.rs");
        Flags::of(run)
    }

    fn of(command: &clap::Command) -> Flags {
        let mut list = Vec::new();
        let mut sections: Vec<String> = Vec::new();
        for argument in command.get_arguments() {
            let (Some(name), Some(heading)) = (argument.get_long(), argument.get_help_heading())
            else {
                continue;
            };
            let section = section_of(heading);
            if !sections.contains(&section) {
                sections.push(section.clone());
            }
            let takes_values = argument.get_action().takes_values();
            let values = argument.get_num_args().map_or(1, |range| range.max_values());
            list.push(Flag {
                name: name.to_owned(),
                aliases: aliases(argument),
                section,
                values: if takes_values { values } else { 0 },
                repeats: matches!(argument.get_action(), ArgAction::Append),
                is_path: takes_values && argument.get_value_hint() == ValueHint::AnyPath,
                is_switched: takes_values && takes_on_and_off(argument),
            });
        }
        Flags { list, sections }
    }

    pub(super) fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(String::as_str)
    }

    /// The settings of one section.
    pub(super) fn section(
        &self,
        section: &str,
        key: &Key,
        item: &Item,
        folder: &Path,
        problems: &mut Problems,
    ) -> Vec<Setting> {
        let span = span_of(key, item);
        let Some(table) = item.as_table_like() else {
            problems.expected(&format!("a table for `{section}`"), item, span);
            return Vec::new();
        };
        let mut settings: Vec<Setting> = Vec::new();
        for (name, item) in table.iter() {
            let Some((key, _)) = table.get_key_value(name) else { continue };
            let key_span = key.span().map_or(span, Span::from);
            let Some(flag) = self.find(section, name) else {
                problems.add(self.unknown(section, name, key_span));
                continue;
            };
            if settings.iter().any(|setting| setting.flag == flag.name) {
                let message = format!("`{name}` is the same as `{}`, which is here too", flag.name);
                problems.add(Diagnostic::new(key_span, message));
                continue;
            }
            let place = span_of(key, item);
            let words = flag.words(item, folder).map_err(|message| Diagnostic::new(place, message));
            match words.and_then(|words| flag.checked(words, place)) {
                Ok(words) => settings.push(Setting { flag: flag.name.clone(), words, span: place }),
                Err(diagnostic) => problems.add(diagnostic),
            }
        }
        settings
    }

    fn find(&self, section: &str, name: &str) -> Option<&Flag> {
        let is = |flag: &&Flag, name: &str| {
            let named = flag.name == name || flag.aliases.iter().any(|alias| alias == name);
            flag.section == section && named
        };
        let usable = |flag: &&Flag| !OF_NODES.contains(&flag.name.as_str());
        let renamed = KEYS.iter().find(|(of, key, _)| *of == section && *key == name);
        let name = renamed.map_or(name, |(_, _, flag)| flag);
        let mut flags = self.list.iter().filter(usable);
        let exact = flags.find(|flag| is(flag, name));
        if exact.is_some() || section != LIMITS {
            return exact;
        }
        let full = format!("{MOST}{name}");
        self.list.iter().filter(usable).find(|flag| is(flag, &full))
    }

    fn unknown(&self, section: &str, name: &str, span: Span) -> Diagnostic {
        let message = format!("unknown key `{name}` in [{section}]");
        let known: Vec<&str> = self
            .list
            .iter()
            .filter(|flag| flag.section == section && !OF_NODES.contains(&flag.name.as_str()))
            .map(|flag| flag.name.as_str())
            .collect();
        if OF_NODES.contains(&name) {
            return Diagnostic::new(span, message).help(format!("give `{name}` to a [[node]]"));
        }
        if let Some(flag) = self.list.iter().find(|flag| flag.name == name) {
            let help = format!("`{name}` belongs to [{}]", flag.section);
            return Diagnostic::new(span, message).help(help);
        }
        let short = known.iter().filter_map(|flag| flag.strip_prefix(MOST));
        let near = suggest::nearest(name, known.iter().copied().chain(short));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => suggest::help(name, &known),
        };
        Diagnostic::new(span, message).help(help)
    }

    /// The settings of a section that a node has of its own.
    pub(super) fn of_node(
        &self,
        section: &str,
        fields: &Fields<'_>,
        folder: &Path,
        problems: &mut Problems,
    ) -> Vec<Setting> {
        match fields.entry(section) {
            Some((key, item)) => self.section(section, key, item, folder, problems),
            None => Vec::new(),
        }
    }
}

fn aliases(argument: &clap::Arg) -> Vec<String> {
    argument.get_all_aliases().unwrap_or_default().into_iter().map(str::to_owned).collect()
}

fn takes_on_and_off(argument: &clap::Arg) -> bool {
    let possible = argument.get_possible_values();
    possible.len() == 2 && possible.iter().all(|value| ["on", "off"].contains(&value.get_name()))
}

fn section_of(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let renamed = RENAMED.iter().find(|(heading, _)| *heading == lower);
    renamed.map_or(lower.replace(' ', "-"), |(_, section)| (*section).to_owned())
}

impl Flag {
    /// A value of TOML as words of a command line.
    fn words(&self, item: &Item, folder: &Path) -> Result<Vec<OsString>, String> {
        let name = &self.name;
        if let Some(table) = item.as_table_like().filter(|_| self.repeats && self.values == 1) {
            let pairs = table.iter().map(|(left, item)| {
                let right = item.as_value().and_then(scalar);
                let right = right.ok_or_else(|| format!("`{left}` needs one value"))?;
                Ok(format!("--{name}={left}={right}").into())
            });
            return pairs.collect();
        }
        let Some(value) = item.as_value() else {
            return Err(format!("expected a value for `{name}`, found {}", super::kind(item)));
        };
        match (self.values, value) {
            (0, Value::Boolean(on)) if *on.value() => Ok(vec![format!("--{name}").into()]),
            (0, Value::Boolean(_)) => Ok(Vec::new()),
            (0, _) => {
                Err(format!("expected true or false for `{name}`, found {}", kind_of_value(value)))
            }
            (1, Value::Array(list)) if self.repeats => {
                list.iter().map(|value| self.word(value, folder)).collect()
            }
            (1, _) => Ok(vec![self.word(value, folder)?]),
            (several, Value::Array(list)) => {
                let lists: Vec<&toml_edit::Array> =
                    list.iter().filter_map(Value::as_array).collect();
                if self.repeats && !list.is_empty() && lists.len() == list.len() {
                    let words = lists.into_iter().map(|list| self.tuple(several, list));
                    return Ok(words.collect::<Result<Vec<_>, _>>()?.concat());
                }
                self.tuple(several, list)
            }
            (several, _) => Err(self.wrong_count(several)),
        }
    }

    fn word(&self, value: &Value, folder: &Path) -> Result<OsString, String> {
        let name = &self.name;
        let found = || format!("`{name}` takes one value, found {}", kind_of_value(value));
        let text = match value.as_bool().filter(|_| self.is_switched) {
            Some(on) => if on { "on" } else { "off" }.to_owned(),
            None => scalar(value).ok_or_else(found)?,
        };
        let mut word = OsString::from(format!("--{name}="));
        match self.is_path {
            true => word.push(folder.join(text)),
            false => word.push(text),
        }
        Ok(word)
    }

    fn tuple(&self, several: usize, list: &toml_edit::Array) -> Result<Vec<OsString>, String> {
        let values: Vec<String> = list.iter().filter_map(scalar).collect();
        if values.len() != several || list.len() != several {
            return Err(self.wrong_count(several));
        }
        let name = OsString::from(format!("--{}", self.name));
        Ok(std::iter::once(name).chain(values.into_iter().map(OsString::from)).collect())
    }

    fn wrong_count(&self, several: usize) -> String {
        format!("`{}` takes a list of {several} values", self.name)
    }

    /// The words, if the command line accepts them.
    fn checked(&self, words: Vec<OsString>, place: Span) -> Result<Vec<OsString>, Diagnostic> {
        if words.iter().any(|word| word.as_encoded_bytes().contains(&0)) {
            let message = format!("`{}` contains a null character", self.name);
            return Err(Diagnostic::new(place, message));
        }
        let result = if self.is_path {
            // What is behind a path is the business of the run.
            let line = ["everett", "run", "program"].map(OsString::from);
            let line = line.into_iter().chain(words.iter().cloned());
            Cli::command().try_get_matches_from(line).map(|_| ()).map_err(anyhow::Error::from)
        } else {
            let text = words.iter().map(|word| word.to_string_lossy().into_owned());
            let line: Vec<String> = std::iter::once("program".to_owned()).chain(text).collect();
            crate::run_config(&line).map(|_| ())
        };
        match result {
            Ok(()) => Ok(words),
            Err(error) => Err(refused(&error, place)),
        }
    }
}

/// What the command line says about a value.
fn refused(error: &anyhow::Error, place: Span) -> Diagnostic {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let diagnostic = Diagnostic::new(place, first.strip_prefix("error: ").unwrap_or(first));
    let clap = error.downcast_ref::<clap::Error>();
    match clap.and_then(|error| error.get(ContextKind::ValidValue)) {
        Some(ContextValue::Strings(values)) => {
            diagnostic.help(format!("possible values are {}", values.join(", ")))
        }
        _ => diagnostic,
    }
}

/// A single value as a user would write it on a command line.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(truth) => Some(truth.value().to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::InlineTable(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn the_command_line_wins_over_the_file() {
        let span = Span::default();
        let setting =
            |flag: &str, word: &str| Setting { flag: flag.into(), words: line(&[word]), span };
        let overrides = Overrides {
            settings: vec![setting("seed", "--seed=7"), setting("max-time", "--max-time=60s")],
        };
        let merged =
            overrides.merged(&line(&["everett", "run", "--seed", "1", "x.toml", "--", "-v"]));
        let expected =
            line(&["everett", "run", "--max-time=60s", "--seed", "1", "x.toml", "--", "-v"]);
        assert_eq!(merged.expect("the line is in order"), expected);
        assert!(overrides.merged(&line(&["everett", "run", "--sed", "1", "x.toml"])).is_err());
    }

    #[test]
    fn every_heading_of_the_help_is_a_section() {
        let flags = Flags::of_run();
        let sections: Vec<&str> = flags.sections().collect();
        for section in ["inputs", "system", "search", "limits", "faults", "invariants"] {
            assert!(sections.contains(&section), "{sections:?}");
        }
        assert!(flags.find("limits", "time").is_some_and(|flag| flag.name == "max-time"));
        assert!(flags.find("search", "time").is_none());
        assert!(flags.find("system", "env").is_none(), "nodes have their own");
    }
}
