//! Flags in the form in which users of KLEE write them.

use std::ffi::OsString;

/// Flags that users of KLEE may write with one dash.
const ONE_DASH: [&str; 4] = ["-sym-arg", "-sym-args", "-sym-files", "-sym-stdin"];

/// The words of a command line, with two dashes where KLEE allows one.
pub(crate) fn long_flags(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut ours = true;
    words
        .map(|word| {
            ours &= word != "--";
            let text = word.to_str().unwrap_or("");
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            if ours && ONE_DASH.contains(&name) { format!("-{text}").into() } else { word }
        })
        .collect()
}
