//! Lines of source files, from the disk or from the port that is built in.

use std::cell::RefCell;
use std::collections::BTreeMap;

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

fn read(file: &str) -> Option<Vec<String>> {
    let text = match everett_runtime::source(file) {
        Some(text) => text.to_owned(),
        None => {
            let found = std::fs::metadata(file).ok()?;
            if !found.is_file() || found.len() > FILE_BYTES_MAX {
                return None;
            }
            String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned()
        }
    };
    Some(text.lines().map(str::to_owned).collect())
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
