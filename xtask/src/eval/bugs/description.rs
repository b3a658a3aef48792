//! The description of a known bug: `bug.toml` in its folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use toml_edit::{Document, Table};

use super::variant::Finding;

/// A bug of a real program, and what is expected of its rebuilt form.
pub(super) struct KnownBug {
    /// The name of its folder.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// The number of a CVE, or of an issue of the program.
    pub(super) reference: String,
    /// The kind of the finding, the node, and the function in which it is.
    pub(super) kind: String,
    pub(super) node: String,
    pub(super) function: String,
    /// Flags of `everett run`.
    pub(super) flags: Vec<String>,
    /// Why native programs do not reproduce the finding.
    pub(super) not_native: Option<String>,
}

/// Keys that every description has: for readers, and for the evaluation.
const NEEDED: [&str; 7] = ["program", "reference", "origin", "about", "kind", "node", "function"];
/// Keys that it may have.
const OPTIONAL: [&str; 3] = ["year", "flags", "not-native"];

impl KnownBug {
    /// Reads the description in a folder.
    pub(super) fn read(folder: &Path) -> Result<KnownBug> {
        let file = folder.join("bug.toml");
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("no description: {}", file.display()))?;
        KnownBug::parse(folder, &text).with_context(|| file.display().to_string())
    }

    fn parse(folder: &Path, text: &str) -> Result<KnownBug> {
        let document = Document::parse(text)?;
        let table = document.as_table();
        if let Some((unknown, _)) =
            table.iter().find(|(key, _)| !NEEDED.contains(key) && !OPTIONAL.contains(key))
        {
            bail!("unknown key `{unknown}`");
        }
        let [_, reference, _, _, kind, node, function] = NEEDED.map(|key| text_of(table, key));
        if table.get("year").and_then(toml_edit::Item::as_integer).is_none() {
            bail!("`year` is a number");
        }
        Ok(KnownBug {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            folder: folder.to_path_buf(),
            reference: reference?,
            kind: kind?,
            node: node?,
            function: function?,
            flags: flags_of(table)?,
            not_native: table
                .get("not-native")
                .map(|_| text_of(table, "not-native"))
                .transpose()?,
        })
    }

    /// Whether a finding is this bug.
    pub(super) fn is(&self, found: &Finding) -> bool {
        let functions = found.stack.iter().map(|frame| &frame.function);
        let mut functions = std::iter::once(&found.function).chain(functions);
        found.kind == self.kind
            && found.node.as_ref().is_none_or(|node| *node == self.node)
            && functions.any(|function| *function == self.function)
    }
}

fn text_of(table: &Table, key: &str) -> Result<String> {
    let text = table.get(key).and_then(toml_edit::Item::as_str);
    text.map(|text| text.trim().to_owned())
        .with_context(|| format!("`{key}` is missing, or no text"))
}

fn flags_of(table: &Table) -> Result<Vec<String>> {
    let Some(flags) = table.get("flags") else { return Ok(Vec::new()) };
    let flags = flags.as_array().context("`flags` is a list")?;
    let flags = flags.iter().map(|flag| flag.as_str().map(str::to_owned));
    flags.collect::<Option<_>>().context("`flags` is a list of texts")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "program = 'p'\nreference = 'CVE-1'\nyear = 2014\norigin = 'f in f.c'\n\
        about = 'a'\nkind = 'assert'\nnode = 'n'\nfunction = 'f'\nflags = ['--loss', '1']\n";

    fn parsed(text: &str) -> Result<KnownBug> {
        KnownBug::parse(Path::new("bugs/name"), text)
    }

    #[test]
    fn description_is_read() {
        let bug = parsed(WHOLE).expect("it is complete");
        assert_eq!((&*bug.name, &*bug.kind, &*bug.function), ("name", "assert", "f"));
        assert_eq!(bug.flags, ["--loss", "1"]);
        assert!(bug.not_native.is_none());
    }

    #[test]
    fn missing_and_unknown_keys_are_named() {
        let without = WHOLE.replace("node = 'n'\n", "");
        let message = |text: &str| parsed(text).err().map(|error| error.to_string());
        assert_eq!(message(&without).as_deref(), Some("`node` is missing, or no text"));
        let with = format!("{WHOLE}colour = 'red'\n");
        assert_eq!(message(&with).as_deref(), Some("unknown key `colour`"));
    }

    #[test]
    fn finding_elsewhere_is_another_one() {
        let bug = parsed(WHOLE).expect("it is complete");
        let found = |text: &str| serde_json::from_str::<Finding>(text).expect("it is a finding");
        let stack = r#""stack": [{"function": "g"}, {"function": "f"}]"#;
        let same = format!(r#"{{"kind": "assert", "node": "n", "function": "g", {stack}}}"#);
        assert!(bug.is(&found(&same)));
        assert!(!bug.is(&found(&same.replace("\"n\"", "\"m\""))));
        assert!(!bug.is(&found(&same.replace("\"f\"", "\"h\""))));
    }
}
