//! Response files: `@file` stands for the words in the file, as for gcc and clang.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::error::{CommandLineError, Result};

/// Files that may name one another.
const MAX_DEPTH: usize = 32;

/// Replaces `@file` by the words in the file; a file that cannot be read stays what it is.
pub(super) fn expand(words: &[OsString]) -> Result<Vec<OsString>> {
    let mut expanded = Vec::new();
    add(words, 0, &mut expanded)?;
    Ok(expanded)
}

fn add(words: &[OsString], depth: usize, expanded: &mut Vec<OsString>) -> Result<()> {
    for word in words {
        let file = word
            .as_bytes()
            .strip_prefix(b"@")
            .map(|name| Path::new(std::ffi::OsStr::from_bytes(name)));
        match file.and_then(|file| fs::read(file).ok()) {
            Some(_) if depth == MAX_DEPTH => {
                let word = word.display().to_string();
                return Err(CommandLineError::ResponseFiles { word }.into());
            }
            Some(text) => add(&split(&text), depth + 1, expanded)?,
            None => expanded.push(word.clone()),
        }
    }
    Ok(())
}

/// Words are separated by white space; quotes and backslashes protect it.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'"' | b'\'', None) => {
                word.get_or_insert_default();
                quote = Some(byte);
            }
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_by_a_shell() {
        let found = split(b"-c 'a b.c'\n -DX=\\\"y\\\" \"\" -o\t\"x y\"z ");
        assert_eq!(found, ["-c", "a b.c", "-DX=\"y\"", "", "-o", "x yz"]);
    }

    #[test]
    fn files_name_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("outer"), format!("a @{} d", path("inner").display())).unwrap();
        fs::write(path("inner"), "b c").unwrap();
        let outer = format!("@{}", path("outer").display());
        let found = expand(&["x".into(), outer.into(), "@none".into()]).unwrap();
        assert_eq!(found, ["x", "a", "b", "c", "d", "@none"]);
        let itself = format!("@{}", path("itself").display());
        fs::write(path("itself"), &itself).unwrap();
        assert!(expand(&[itself.into()]).is_err());
    }
}
