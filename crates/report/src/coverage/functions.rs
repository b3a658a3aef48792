//! Lists of the functions that count.

use everett_input::suggest;
use thiserror::Error;

use super::{CoverageRecord, FunctionRecord};

/// The functions that count: a name a line, as the source or the linker has it. `*` stands for any
/// characters, `file.c:name` for a function of a file; `#` begins a comment.
#[derive(Clone, Debug, Default)]
pub struct FunctionList {
    patterns: Vec<FunctionPattern>,
}

#[derive(Clone, Debug)]
struct FunctionPattern {
    line: usize,
    text: String,
}

/// A function of a list that no program has.
#[derive(Debug, Error)]
#[error("line {line}: no program has a function {name}{}", suggestion(.nearest))]
pub struct UnknownFunction {
    line: usize,
    name: String,
    nearest: Option<String>,
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

impl FunctionList {
    /// Reads a list.
    pub fn parse(text: &str) -> FunctionList {
        let without_comment =
            |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
        let lines = (1..).zip(text.lines().map(without_comment));
        let patterns = lines.filter(|(_, text)| !text.is_empty());
        FunctionList {
            patterns: patterns.map(|(line, text)| FunctionPattern { line, text }).collect(),
        }
    }
}

impl FunctionPattern {
    fn fits(&self, function: &FunctionRecord) -> bool {
        let names = [&*function.function, function.readable()];
        if names.iter().any(|name| fits(&self.text, name)) {
            return true;
        }
        // Names of C++ have colons, too.
        let Some((file, name)) = self.text.rsplit_once(':') else { return false };
        let of = function.file.as_deref().unwrap_or_default();
        let is_file = of == file || of.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'));
        is_file && names.iter().any(|other| fits(name, other))
    }
}

/// Returns true if a text is one that a pattern stands for. A star takes as little as it can, and more if
/// what follows it does not fit there: the last one alone has to be tried again.
fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            (p, t) = (at + 1, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

impl CoverageRecord {
    /// Leaves the functions of a list.
    ///
    /// # Errors
    /// If no program has one of them.
    pub fn restrict(&mut self, list: &FunctionList) -> Result<(), UnknownFunction> {
        for pattern in &list.patterns {
            if !self.functions.iter().any(|function| pattern.fits(function)) {
                let names = self.functions.iter().map(FunctionRecord::readable);
                let nearest = suggest::nearest(&pattern.text, names).map(str::to_owned);
                let FunctionPattern { line, text } = pattern.clone();
                return Err(UnknownFunction { line, name: text, nearest });
            }
        }
        self.functions
            .retain(|function| list.patterns.iter().any(|pattern| pattern.fits(function)));
        self.count_again();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> CoverageRecord {
        let function = |name: &str, readable: &str, file: &str| FunctionRecord {
            function: name.to_owned(),
            name: Some(readable.to_owned()),
            file: Some(file.to_owned()),
            total: 1,
            ..FunctionRecord::default()
        };
        let functions = vec![
            function("main", "main", "src/a.c"),
            function("read_line", "read_line", "src/a.c"),
            function("read_all", "read_all", "lib/b.c"),
            function("_ZN5Store3getEi", "Store::get", "c.cpp"),
        ];
        CoverageRecord { functions, ..CoverageRecord::default() }
    }

    fn left(list: &str) -> Result<Vec<String>, String> {
        let mut record = record();
        record.restrict(&FunctionList::parse(list)).map_err(|error| error.to_string())?;
        Ok(record.functions.iter().map(|function| function.readable().to_owned()).collect())
    }

    #[test]
    fn functions_are_named_by_name_pattern_and_file() {
        assert_eq!(left("main # the first\n\n").unwrap(), ["main"]);
        assert_eq!(left("read_*").unwrap(), ["read_line", "read_all"]);
        assert_eq!(left("b.c:*\nmain").unwrap(), ["main", "read_all"]);
        assert_eq!(left("Store::get").unwrap(), ["Store::get"]);
        assert_eq!(left("_ZN5Store*").unwrap(), ["Store::get"]);
        assert_eq!(left("*a*l*").unwrap(), ["read_line", "read_all"]);
        assert_eq!(left("").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn function_that_no_program_has_is_an_error() {
        let error = left("main\nread_lime").unwrap_err();
        assert_eq!(error, "line 2: no program has a function read_lime; did you mean read_line?");
        let error = left("c:read_all").unwrap_err();
        assert!(error.starts_with("line 1: no program has a function c:read_all"), "{error}");
    }
}
