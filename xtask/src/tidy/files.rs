//! Which files of the workspace are ours to check.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Names, at any depth, of what holds products instead of sources.
const SKIPPED: [&str; 6] = [".git", "target", "everett-out", "corpus", "artifacts", "__pycache__"];

/// Every file below `root` that a person wrote, relative to it, in a fixed order.
pub(super) fn list(root: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let kind = entry.file_type()?;
            // In a second worktree of a repository, `.git` is a file.
            if SKIPPED.iter().any(|skipped| entry.file_name() == *skipped) {
                continue;
            }
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                let path = entry.path();
                found.push(path.strip_prefix(root).unwrap_or(&path).to_path_buf());
            }
        }
    }
    found.sort();
    Ok(found)
}
