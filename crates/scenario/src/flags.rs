//! Sections of a scenario that hold settings of a run: [`FlagTable`] knows which exist.
//!
//! A section is a heading of `everett run --help`, and its keys are the flags below that heading
//! without their dashes. All of it comes from the definition of the settings, so that one that is
//! added there can be written in a file at once. Values are checked by the code that reads the settings.

use std::ffi::OsString;
use std::ops::Deref;
use std::path::Path;

use everett_input::suggest;
use everett_settings::{RunOptions, SettingDefinition, SettingScope, SettingsError};
use toml_edit::{Item, Key, Value};

use super::diagnostic::{Diagnostic, TextSpan};
use super::fields::{ProblemList, TableFields, kind, kind_of_value, span_of};

/// A section whose flags nodes may have of their own.
pub(super) const INPUTS: &str = "inputs";
/// Another one: what a node has of its own there holds for its own paths.
pub(super) const FAULTS: &str = "faults";
/// Another one: what a node has of its own there holds for what it sees.
pub(super) const ORDERS: &str = "orders";
const LIMITS: &str = "limits";
/// Left out by users before the keys of limits.
const MOST: &str = "max-";
/// Keys that are called otherwise than their flags: section, key, flag.
const KEYS: [(&str, &str, &str); 1] = [("invariants", "files", "invariants")];

/// A flag of `everett run` with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioSetting {
    /// Its name without dashes.
    pub flag: String,
    /// The words of the command line that stand for it.
    pub words: Vec<OsString>,
    /// The place of the setting in the file.
    pub(super) span: TextSpan,
}

impl ScenarioSetting {
    /// Adds a problem for each node that it names and that the scenario does not have.
    pub(super) fn check_nodes(&self, known: &[&str], problems: &mut ProblemList) {
        let line = std::iter::once("program".into()).chain(self.words.iter().cloned());
        // What else is wrong with it has been said.
        let config = RunOptions::parse(line).and_then(|options| options.config());
        let Ok(config) = config else { return };
        let network = config.node.kernel.faults.network;
        for name in network.nodes().filter(|name| !known.contains(&name.as_str())) {
            let message = format!("there is no node `{name}`");
            problems.add(Diagnostic::new(self.span, message).help(suggest::help(name, known)));
        }
    }
}

/// The settings of a scenario's sections for the run as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOverrides {
    /// Flags in the order of the file.
    pub settings: Vec<ScenarioSetting>,
}

impl RunOverrides {
    /// The words to add to a command line that has the flags which `given` names: those win.
    pub fn words(&self, given: impl Fn(&str) -> bool) -> Vec<OsString> {
        let settings = self.settings.iter().filter(|setting| !given(&setting.flag));
        settings.flat_map(|setting| setting.words.iter().cloned()).collect()
    }
}

/// The settings of a run, by section.
pub(super) struct FlagTable {
    list: Vec<RunFlag>,
    sections: Vec<&'static str>,
}

/// A setting of a run.
struct RunFlag(SettingDefinition);

impl Deref for RunFlag {
    type Target = SettingDefinition;

    fn deref(&self) -> &SettingDefinition {
        &self.0
    }
}

impl FlagTable {
    pub(super) fn of_run() -> FlagTable {
        let mut sections: Vec<&'static str> = Vec::new();
        let definitions = SettingDefinition::all();
        for definition in &definitions {
            if !sections.contains(&definition.section()) {
                sections.push(definition.section());
            }
        }
        let list = definitions.into_iter().map(RunFlag).collect();
        FlagTable { list, sections }
    }

    pub(super) fn sections(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().copied()
    }

    /// The settings of one section.
    pub(super) fn section(
        &self,
        section: &str,
        key: &Key,
        item: &Item,
        folder: &Path,
        problems: &mut ProblemList,
    ) -> Vec<ScenarioSetting> {
        let span = span_of(key, item);
        let Some(table) = item.as_table_like() else {
            problems.expected(&format!("a table for `{section}`"), item, span);
            return Vec::new();
        };
        let mut settings: Vec<ScenarioSetting> = Vec::new();
        for (name, item) in table.iter() {
            let Some((key, _)) = table.get_key_value(name) else { continue };
            let key_span = key.span().map_or(span, TextSpan::from);
            let Some(flag) = self.find(section, name) else {
                problems.add(self.unknown(section, name, key_span));
                continue;
            };
            if settings.iter().any(|setting| setting.flag == flag.name()) {
                let message =
                    format!("`{name}` is the same as `{}`, which is here too", flag.name());
                problems.add(Diagnostic::new(key_span, message));
                continue;
            }
            let place = span_of(key, item);
            let words = flag.words(item, folder).map_err(|message| Diagnostic::new(place, message));
            match words.and_then(|words| flag.checked(words, place)) {
                Ok(words) => settings.push(ScenarioSetting {
                    flag: flag.name().to_owned(),
                    words,
                    span: place,
                }),
                Err(diagnostic) => problems.add(diagnostic),
            }
        }
        settings
    }

    fn find(&self, section: &str, name: &str) -> Option<&RunFlag> {
        let is = |flag: &&RunFlag, name: &str| {
            let named = flag.name() == name || flag.aliases.iter().any(|alias| alias == name);
            flag.section() == section && named
        };
        let usable = |flag: &&RunFlag| !flag.is_of_nodes();
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

    fn unknown(&self, section: &str, name: &str, span: TextSpan) -> Diagnostic {
        let message = format!("unknown key `{name}` in [{section}]");
        let known: Vec<&str> = self
            .list
            .iter()
            .filter(|flag| flag.section() == section && !flag.is_of_nodes())
            .map(|flag| flag.name())
            .collect();
        if self.list.iter().any(|flag| flag.is_of_nodes() && flag.name() == name) {
            return Diagnostic::new(span, message).help(format!("give `{name}` to a [[node]]"));
        }
        if let Some(flag) = self.list.iter().find(|flag| flag.name() == name) {
            let help = format!("`{name}` belongs to [{}]", flag.section());
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
        fields: &TableFields<'_>,
        folder: &Path,
        problems: &mut ProblemList,
    ) -> Vec<ScenarioSetting> {
        match fields.entry(section) {
            Some((key, item)) => self.section(section, key, item, folder, problems),
            None => Vec::new(),
        }
    }
}

impl RunFlag {
    /// Returns `true` if nodes say it with a key of their own.
    fn is_of_nodes(&self) -> bool {
        self.row.scope == SettingScope::OwnKey
    }

    /// A value of TOML as words of a command line.
    fn words(&self, item: &Item, folder: &Path) -> Result<Vec<OsString>, String> {
        let name = self.name();
        if let Some(table) = item.as_table_like().filter(|_| self.repeats && self.values == 1) {
            let pairs = table.iter().map(|(left, item)| {
                let right = item.as_value().and_then(scalar);
                let right = right.ok_or_else(|| format!("`{left}` needs one value"))?;
                Ok(format!("--{name}={left}={right}").into())
            });
            return pairs.collect();
        }
        let Some(value) = item.as_value() else {
            return Err(format!("expected a value for `{name}`, found {}", kind(item)));
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
        let name = self.name();
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
        let name = OsString::from(format!("--{}", self.name()));
        Ok(std::iter::once(name).chain(values.into_iter().map(OsString::from)).collect())
    }

    fn wrong_count(&self, several: usize) -> String {
        format!("`{}` takes a list of {several} values", self.name())
    }

    /// The words, if the command line accepts them.
    fn checked(&self, words: Vec<OsString>, place: TextSpan) -> Result<Vec<OsString>, Diagnostic> {
        if words.iter().any(|word| word.as_encoded_bytes().contains(&0)) {
            let message = format!("`{}` contains a null character", self.name());
            return Err(Diagnostic::new(place, message));
        }
        match self.0.check(&words) {
            Ok(()) => Ok(words),
            Err(error) => Err(setting_problem(&error, place)),
        }
    }
}

/// A value that the settings refuse.
fn setting_problem(error: &SettingsError, place: TextSpan) -> Diagnostic {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let diagnostic = Diagnostic::new(place, first.strip_prefix("error: ").unwrap_or(first));
    match error.possible_values() {
        [] => diagnostic,
        values => diagnostic.help(format!("possible values are {}", values.join(", "))),
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

    #[test]
    fn what_is_given_wins_over_the_file() {
        let span = TextSpan::default();
        let setting = |flag: &str, word: &str| ScenarioSetting {
            flag: flag.into(),
            words: vec![word.into()],
            span,
        };
        let overrides = RunOverrides {
            settings: vec![setting("seed", "--seed=7"), setting("max-time", "--max-time=60s")],
        };
        assert_eq!(overrides.words(|flag| flag == "seed"), ["--max-time=60s"]);
    }

    #[test]
    fn nodes_may_have_what_the_table_gives_them() {
        for flag in FlagTable::of_run().list {
            let is_of_node = [INPUTS, ORDERS, FAULTS].contains(&flag.section());
            assert_eq!(is_of_node && !flag.is_of_nodes(), flag.row.scope == SettingScope::Nodes);
        }
    }

    #[test]
    fn every_heading_of_the_help_is_a_section() {
        let flags = FlagTable::of_run();
        let sections: Vec<&str> = flags.sections().collect();
        for section in ["inputs", "system", "search", "limits", "orders", "faults", "invariants"] {
            assert!(sections.contains(&section), "{sections:?}");
        }
        assert!(flags.find("limits", "time").is_some_and(|flag| flag.name() == "max-time"));
        assert!(flags.find("search", "time").is_none());
        assert!(flags.find("system", "env").is_none(), "nodes have their own");
    }
}
