//! [`TableFields`]: the keys of one table, with their types, their places, and complaints about the rest.

use everett_input::suggest;
use everett_input::units::parse_duration;
use toml_edit::{Item, Key, TableLike, Value};

use super::diagnostic::{Diagnostic, TextSpan};

/// The problems that were found so far.
#[derive(Default)]
pub(super) struct ProblemList {
    list: Vec<Diagnostic>,
}

impl ProblemList {
    pub(super) fn add(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Something else was wanted.
    pub(super) fn expected(&mut self, what: &str, found: &Item, span: TextSpan) {
        self.add(Diagnostic::new(span, format!("expected {what}, found {}", kind(found))));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Spanned<T> {
    pub(super) value: T,
    pub(super) span: TextSpan,
}

/// Returns the place of an item; items that the file only implies stand where their key does.
pub(super) fn span_of(key: &Key, item: &Item) -> TextSpan {
    item.span().or_else(|| key.span()).unwrap_or_default().into()
}

/// The place of a value inside a list, or of the list.
pub(super) fn span_of_value(value: &Value, around: TextSpan) -> TextSpan {
    value.span().map_or(around, TextSpan::from)
}

/// A table whose keys are known.
pub(super) struct TableFields<'a> {
    table: &'a dyn TableLike,
    /// The place of the table.
    span: TextSpan,
    /// Known keys that misspelt keys of the table were probably meant to be.
    misspelt: Vec<String>,
}

impl<'a> TableFields<'a> {
    /// Complains about every key that is not known.
    pub(super) fn new(
        table: &'a dyn TableLike,
        span: TextSpan,
        what: &str,
        known: &[&str],
        problems: &mut ProblemList,
    ) -> TableFields<'a> {
        let mut misspelt = Vec::new();
        for (name, item) in table.iter() {
            if known.contains(&name) {
                continue;
            }
            misspelt.extend(suggest::nearest(name, known.iter().copied()).map(str::to_owned));
            let span = table.key(name).map_or(span, |key| key_span(key, item));
            let message = format!("unknown key `{name}` in {what}");
            problems.add(Diagnostic::new(span, message).help(suggest::help(name, known)));
        }
        TableFields { table, span, misspelt }
    }

    /// The key and what it stands for.
    pub(super) fn entry(&self, name: &str) -> Option<(&'a Key, &'a Item)> {
        self.table.get_key_value(name).filter(|(_, item)| !item.is_none())
    }

    pub(super) fn text(&self, name: &str, problems: &mut ProblemList) -> Option<Spanned<&'a str>> {
        let (key, item) = self.entry(name)?;
        let span = span_of(key, item);
        match item.as_str() {
            None => problems.expected(&format!("a string for `{name}`"), item, span),
            Some(text) if text.contains('\0') => {
                problems.add(Diagnostic::new(span, format!("`{name}` contains a null character")));
            }
            Some(value) => return Some(Spanned { value, span }),
        }
        None
    }

    /// A text that must be there.
    pub(super) fn needed(
        &self,
        name: &str,
        what: &str,
        problems: &mut ProblemList,
    ) -> Option<Spanned<&'a str>> {
        if self.entry(name).is_none() && !self.misspelt.iter().any(|meant| meant == name) {
            let message = format!("{what} needs a `{name}`");
            problems.add(Diagnostic::new(self.span, message));
        }
        self.text(name, problems)
    }

    pub(super) fn truth(&self, name: &str, problems: &mut ProblemList) -> Option<bool> {
        let (key, item) = self.entry(name)?;
        let value = item.as_bool();
        if value.is_none() {
            problems.expected(&format!("true or false for `{name}`"), item, span_of(key, item));
        }
        value
    }

    pub(super) fn number(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<u32>,
        problems: &mut ProblemList,
    ) -> Option<Spanned<u32>> {
        let (key, item) = self.entry(name)?;
        let span = span_of(key, item);
        let Some(number) = item.as_integer() else {
            problems.expected(&format!("an integer for `{name}`"), item, span);
            return None;
        };
        let value = u32::try_from(number).ok().filter(|value| range.contains(value));
        if value.is_none() {
            let (least, most) = (range.start(), range.end());
            let message = format!("`{name}` is {number}, and can be from {least} to {most}");
            problems.add(Diagnostic::new(span, message));
        }
        value.map(|value| Spanned { value, span })
    }

    /// A list of strings.
    pub(super) fn texts(&self, name: &str, problems: &mut ProblemList) -> Vec<Spanned<&'a str>> {
        let Some((key, item)) = self.entry(name) else { return Vec::new() };
        let span = span_of(key, item);
        let Some(list) = item.as_array() else {
            problems.expected(&format!("a list of strings for `{name}`"), item, span);
            return Vec::new();
        };
        let mut texts = Vec::with_capacity(list.len());
        for value in list {
            let span = span_of_value(value, span);
            match value.as_str() {
                None => {
                    let found = kind_of_value(value);
                    let message = format!("expected a string in `{name}`, found {found}");
                    problems.add(Diagnostic::new(span, message));
                }
                Some(text) if text.contains('\0') => {
                    problems.add(Diagnostic::new(span, "the string contains a null character"));
                }
                Some(value) => texts.push(Spanned { value, span }),
            }
        }
        texts
    }

    /// A time, or a list of times, in nanoseconds: texts with units, or numbers of seconds.
    pub(super) fn times(&self, name: &str, problems: &mut ProblemList) -> Vec<Spanned<u64>> {
        let Some((key, item)) = self.entry(name) else { return Vec::new() };
        let span = span_of(key, item);
        let values: Vec<&Value> = match item.as_value() {
            Some(Value::Array(list)) if list.is_empty() => {
                let message = format!("`{name}` has no times");
                problems.add(Diagnostic::new(span, message).help("write `1ms`, or leave it out"));
                return Vec::new();
            }
            Some(Value::Array(list)) => list.iter().collect(),
            Some(value) => vec![value],
            None => {
                problems.expected(&format!("a time for `{name}`"), item, span);
                return Vec::new();
            }
        };
        let mut times = Vec::with_capacity(values.len());
        for value in values {
            let span = span_of_value(value, span);
            let text = match value {
                Value::String(text) => text.value().clone(),
                Value::Integer(number) => number.value().to_string(),
                Value::Float(number) => number.value().to_string(),
                _ => {
                    let found = kind_of_value(value);
                    let message = format!("expected a time for `{name}`, found {found}");
                    problems.add(Diagnostic::new(span, message));
                    continue;
                }
            };
            let time = parse_duration(&text).and_then(|time| {
                u64::try_from(time.as_nanos()).map_err(|_| "that is too long".to_owned())
            });
            match time {
                Ok(value) => times.push(Spanned { value, span }),
                Err(problem) => {
                    let message = format!("`{name}` is `{text}`: {problem}");
                    let mut diagnostic = Diagnostic::new(span, message);
                    if text.contains("..") {
                        diagnostic =
                            diagnostic.help("a range is not possible; list the times to try");
                    }
                    problems.add(diagnostic);
                }
            }
        }
        times
    }

    /// A table of strings: each key with its place, and each value as it would be printed.
    pub(super) fn pairs(
        &self,
        name: &str,
        problems: &mut ProblemList,
    ) -> Vec<(Spanned<&'a str>, Spanned<String>)> {
        let Some((key, item)) = self.entry(name) else { return Vec::new() };
        let span = span_of(key, item);
        let Some(table) = item.as_table_like() else {
            problems.expected(&format!("a table of strings for `{name}`"), item, span);
            return Vec::new();
        };
        let mut pairs = Vec::with_capacity(table.len());
        for (left, item) in table.iter() {
            let key_at = table.key(left).map_or(span, |key| key_span(key, item));
            let value_at = table.key(left).map_or(span, |key| span_of(key, item));
            let value = match item.as_value() {
                Some(Value::String(text)) => text.value().clone(),
                Some(Value::Integer(number)) => number.value().to_string(),
                _ => {
                    problems.expected(&format!("a string for `{left}`"), item, value_at);
                    continue;
                }
            };
            if left.contains('\0') || value.contains('\0') {
                problems.add(Diagnostic::new(key_at, "here is a null character"));
                continue;
            }
            pairs.push((Spanned { value: left, span: key_at }, Spanned { value, span: value_at }));
        }
        pairs
    }

    /// A list of values, as `name = [...]` or as tables `[[name]]`.
    pub(super) fn list(&self, name: &str, problems: &mut ProblemList) -> Vec<ListElement<'a>> {
        let Some((key, item)) = self.entry(name) else { return Vec::new() };
        let span = span_of(key, item);
        match item {
            Item::ArrayOfTables(tables) => {
                let element = |table: &'a toml_edit::Table| ListElement {
                    span: table.span().map_or(span, TextSpan::from),
                    content: ElementContent::Table(table),
                };
                tables.iter().map(element).collect()
            }
            Item::Value(Value::Array(list)) => {
                list.iter().map(|value| ListElement::new(value, span)).collect()
            }
            _ => {
                problems.expected(&format!("a list for `{name}`"), item, span);
                Vec::new()
            }
        }
    }
}

/// An element of a list.
pub(super) struct ListElement<'a> {
    pub(super) span: TextSpan,
    pub(super) content: ElementContent<'a>,
}

pub(super) enum ElementContent<'a> {
    Table(&'a dyn TableLike),
    Value(&'a Value),
}

impl<'a> ListElement<'a> {
    fn new(value: &'a Value, around: TextSpan) -> ListElement<'a> {
        let content = match value {
            Value::InlineTable(table) => ElementContent::Table(table),
            _ => ElementContent::Value(value),
        };
        ListElement { span: span_of_value(value, around), content }
    }
}

/// Returns the place of a key; the place of a table's header is that of the table.
fn key_span(key: &Key, item: &Item) -> TextSpan {
    key.span().or_else(|| item.span()).unwrap_or_default().into()
}

/// Returns the kind of a TOML value, in a user's words.
pub(super) fn kind(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Table(_) => "a table",
        Item::ArrayOfTables(_) => "a list of tables",
        Item::Value(value) => kind_of_value(value),
    }
}

pub(super) fn kind_of_value(value: &toml_edit::Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a number with a fraction",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::InlineTable(_) => "a table",
    }
}
