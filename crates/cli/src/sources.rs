//! Lines of source files, from the disk or from the port that is built in.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use everett_input::host;
use everett_ir::Program;
use everett_report::SourceLines;

/// Files larger than this are not read: an excerpt is not worth it.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// Reads source files and remembers them.
#[derive(Default)]
pub(crate) struct SourceFiles {
    /// `None` for files that cannot be read.
    files: RefCell<BTreeMap<String, Option<Vec<String>>>>,
}

impl SourceLines for SourceFiles {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| read(file));
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}

/// The text of a source file that is on the disk, if its lines are shown.
pub(crate) fn text_on_disk(file: &str) -> Option<String> {
    let file = host::real(Path::new(file));
    let text = is_shown(&file).then(|| std::fs::read(file).ok()).flatten()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn read(file: &str) -> Option<Vec<String>> {
    let text = match everett_runtime::source(file) {
        Some(text) => text.to_owned(),
        None => text_on_disk(file)?,
    };
    Some(text.lines().map(str::to_owned).collect())
}

/// Returns `true` if there is a file whose lines are shown.
fn is_shown(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() <= FILE_BYTES_MAX)
}

/// The source files of programs whose lines may be shown, from the root.
pub(crate) fn of_programs<'p>(programs: impl Iterator<Item = &'p Program>) -> BTreeSet<PathBuf> {
    let names: BTreeSet<&str> =
        programs.flat_map(|program| &program.files).map(|file| file.name.as_str()).collect();
    let names = names.into_iter().filter(|name| everett_runtime::source(name).is_none());
    let files = names.filter_map(|name| host::absolute(Path::new(name)).ok());
    files.filter(|file| is_shown(&host::real(file))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_from_the_port_and_from_the_disk() {
        let sources = SourceFiles::default();
        assert!(sources.line("<everett>/port/src/start.c", 1).is_some());
        assert_eq!(sources.line("<everett>/port/src/start.c", 0), None);
        assert_eq!(sources.line("Cargo.toml", 1).as_deref(), Some("[package]"));
        assert_eq!(sources.line("Cargo.toml", 100_000), None);
        assert_eq!(sources.line("no/such/file.c", 1), None);
    }
}
