//! The command lines, which are kept as text in `tests/eval`.
//!
//! A line `[name]` begins the command lines of a utility. What follows runs directly, with words as in a
//! shell: quotes, and `< FILE` for standard input. A line that begins with `$` is a script for the shell.
//! `differs: REASON` allows the next command line to differ. `#` begins a remark.

use anyhow::{Context, Result, bail};

/// Command lines of GNU coreutils.
pub(super) const COREUTILS: &str = include_str!("../../../tests/eval/coreutils.txt");
/// Command lines of the program of the smoke test.
pub(super) const SMOKE: &str = include_str!("../../../tests/eval/smoke.txt");

/// One utility and its command lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Utility {
    pub(super) name: String,
    pub(super) lines: Vec<Line>,
}

/// One command line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// As it is written.
    pub(super) text: String,
    pub(super) program: String,
    pub(super) args: Vec<String>,
    pub(super) stdin: Option<String>,
    /// Why the engine may differ.
    pub(super) differs: Option<String>,
}

/// Reads command lines.
pub(super) fn parse(text: &str) -> Result<Vec<Utility>> {
    let mut utilities: Vec<Utility> = Vec::new();
    let mut differs = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let name = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = name.filter(|name| !name.contains(' ')) {
            utilities.push(Utility { name: name.to_owned(), lines: Vec::new() });
            continue;
        }
        if let Some(reason) = line.strip_prefix("differs:") {
            differs = Some(reason.trim().to_owned());
            continue;
        }
        let utility = utilities.last_mut().context("a command line before the first name")?;
        let parsed = parse_line(line).with_context(|| format!("line {number}: {line}"))?;
        utility.lines.push(Line { differs: differs.take(), ..parsed });
    }
    Ok(utilities)
}

fn parse_line(text: &str) -> Result<Line> {
    let line = |program: &str, args, stdin| Line {
        text: text.to_owned(),
        program: program.to_owned(),
        args,
        stdin,
        differs: None,
    };
    if let Some(script) = text.strip_prefix("$ ") {
        return Ok(line("sh", vec!["-c".to_owned(), script.to_owned()], None));
    }
    let mut words = words(text)?.into_iter();
    let (program, _) = words.next().context("no program")?;
    let (mut args, mut stdin) = (Vec::new(), None);
    while let Some((word, quoted)) = words.next() {
        if word == "<" && !quoted {
            stdin = Some(words.next().context("no file after <")?.0);
        } else {
            args.push(word);
        }
    }
    Ok(line(&program, args, stdin))
}

/// Words, and whether a part of them was quoted.
fn words(text: &str) -> Result<Vec<(String, bool)>> {
    let mut words: Vec<(String, bool)> = Vec::new();
    let mut word: Option<(String, bool)> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().0.push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default().1 = true;
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().0.push(c),
        }
    }
    if quote.is_some() {
        bail!("a quote is not closed");
    }
    words.extend(word);
    Ok(words)
}

/// Returns true if a name was asked for; no names mean all.
pub(super) fn chosen(only: &[String], name: &str) -> bool {
    only.is_empty() || only.iter().any(|wanted| wanted == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_taken_apart() {
        let text = "# remark\n[cut]\ncut -d ' ' '' < text\ndiffers: why\n$ cut -f1 text | cat\n";
        let utilities = parse(text).unwrap();
        assert_eq!(utilities.len(), 1);
        let [first, second] = utilities[0].lines.as_slice() else { panic!("{utilities:?}") };
        assert_eq!(first.program, "cut");
        assert_eq!(first.args, ["-d", " ", ""]);
        assert_eq!(first.stdin.as_deref(), Some("text"));
        assert_eq!(first.differs, None);
        assert_eq!(second.program, "sh");
        assert_eq!(second.args, ["-c", "cut -f1 text | cat"]);
        assert_eq!(second.differs.as_deref(), Some("why"));
        assert!(parse("[a]\na 'b\n").is_err());
        assert!(parse("a b\n").is_err());
    }

    #[test]
    fn stored_command_lines_are_well_formed() {
        for text in [COREUTILS, SMOKE] {
            let utilities = parse(text).unwrap();
            assert!(utilities.iter().all(|utility| !utility.lines.is_empty()));
        }
        assert!(parse(COREUTILS).unwrap().len() >= 45);
    }
}
