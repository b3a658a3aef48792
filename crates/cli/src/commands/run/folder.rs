//! The output folder: where it is, and what is in it.
//!
//! ```text
//! run.txt                     the command line
//! cluster.txt                 the name of the run in the cluster that explores it
//! report.html                 the results as a page
//! summary.json coverage.json
//! progress.jsonl              where the run stood, over time
//! sources.json                source files as they were, for the page
//! results.sarif junit.xml coverage.lcov trace.json shiviz.log
//!                             the same for other tools, with --export
//! faults.txt faults.json      what a search over faults has found
//! conforms.json               messages of recorded traffic, and whether a program can have sent them
//! findings/001-KIND.txt .json .pcapng
//! tests/test000001.ktest      of a system: .NODE.ktest for each node, and .dtest
//! tests/test000001.out        what the path has printed, with --tests all
//! files/finding-001/...       what the program had changed, with --save-files
//! checkpoint/state            where `everett resume` goes on, as long as the run is not over
//! live/NODE.tree              what the peer of a live node has said, for --live-from
//! spill/000001.part           states that memory has no room for, as long as the run is not over
//! ```

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use everett_cluster::RunId;
use everett_engine::{FilesOf, Finding, SavedContent, SavedFile, ToldResults};

use crate::whole_file::write_whole;

/// The folder for results without `--out`.
const DEFAULT_PARENT: &str = "everett-out";
const LAST: &str = "last";
const COMMAND: &str = "run.txt";
const FOLDERS: [&str; 2] = ["findings", "tests"];
/// Files that the program changed; made when there are any.
const CHANGED: &str = "files";
/// The folder of checkpoints; made when there is one.
pub(crate) const CHECKPOINT: &str = "checkpoint";
/// The folder of states that memory has no room for; made when there are any.
pub(crate) const SPILL: &str = "spill";
/// The folder of what live peers have said; made when there are any.
const LIVE: &str = "live";
/// The name of the run in a cluster.
const CLUSTER_RUN: &str = "cluster.txt";
const FILES: [&str; 15] = [
    CLUSTER_RUN,
    "report.html",
    "progress.jsonl",
    "sources.json",
    "results.sarif",
    "junit.xml",
    "coverage.lcov",
    "trace.json",
    "shiviz.log",
    "summary.json",
    "coverage.json",
    "faults.txt",
    "faults.json",
    "trojans.json",
    "conforms.json",
];

/// An output folder that exists and is empty but for the command line.
pub(crate) struct OutputFolder {
    path: PathBuf,
}

impl OutputFolder {
    /// Makes the folder that the user named, or the next numbered one.
    pub(crate) fn create(named: Option<&Path>, command: &str) -> Result<OutputFolder> {
        OutputFolder::create_from(Path::new(""), named, command)
    }

    /// The same, where names are relative to a folder.
    pub(crate) fn create_from(
        here: &Path,
        named: Option<&Path>,
        command: &str,
    ) -> Result<OutputFolder> {
        let path = match named.map(|named| here.join(named)) {
            Some(path) => {
                fs::create_dir_all(&path).with_context(|| cannot("make", &path))?;
                empty(&path)?;
                path
            }
            None => next_numbered(&here.join(DEFAULT_PARENT))?,
        };
        let folder = OutputFolder { path };
        folder.write(COMMAND, command)?;
        for name in FOLDERS {
            let inner = folder.path.join(name);
            fs::create_dir_all(&inner).with_context(|| cannot("make", &inner))?;
        }
        Ok(folder)
    }

    /// The folder of a run that is gone on with, after it had told so many results. Those that came later are
    /// removed: they come again.
    pub(crate) fn reopen(path: PathBuf, told: ToldResults) -> Result<OutputFolder> {
        let folder = OutputFolder { path };
        let ToldResults { findings, tests, wishes } = told;
        folder.remove_later("findings", "", findings)?;
        folder.remove_later("tests", "test", tests)?;
        folder.remove_later(CHANGED, "finding-", findings)?;
        folder.remove_later(CHANGED, "asked-", wishes.into())?;
        Ok(folder)
    }

    /// Removes what has a higher number behind this beginning of its name.
    fn remove_later(&self, inner: &str, beginning: &str, last: u64) -> Result<()> {
        let inner = self.path.join(inner);
        let entries = match fs::read_dir(&inner) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.with_context(|| cannot("list", &inner))?,
        };
        for entry in entries {
            let path = entry.with_context(|| cannot("list", &inner))?.path();
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            let Some(rest) = name.strip_prefix(beginning) else { continue };
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if rest[..digits].parse::<u64>().is_ok_and(|number| number > last) {
                let is_folder = path.is_dir();
                let remove = if is_folder { fs::remove_dir_all } else { fs::remove_file };
                remove(&path).with_context(|| cannot("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Notes the run of a cluster whose results are stored here.
    pub(crate) fn note_run(&self, run: &RunId) -> Result<()> {
        self.write(CLUSTER_RUN, run.as_str())
    }

    /// Returns `true` if results of this run of a cluster are stored in a folder.
    pub(crate) fn is_of_run(path: &Path, run: &RunId) -> bool {
        fs::read_to_string(path.join(CLUSTER_RUN)).is_ok_and(|noted| noted == run.as_str())
    }

    /// As the user may name it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one file.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<()> {
        write_whole(&self.path.join(name), text.as_bytes())
    }

    /// Writes changed files below a folder of their own, under the names that the program used. What
    /// is no file, folder or link, or is gone, is in the list `CHANGES` only.
    pub(crate) fn write_files(&self, of: FilesOf, files: &[SavedFile]) -> Result<()> {
        let name = match of {
            FilesOf::Finding(id) => format!("{CHANGED}/finding-{id:03}"),
            FilesOf::Wish(number) => format!("{CHANGED}/asked-{number:03}"),
        };
        let root = self.path.join(name);
        fs::create_dir_all(&root).with_context(|| cannot("make", &root))?;
        let mut list = String::new();
        for SavedFile { path, what } in files {
            let shown = String::from_utf8_lossy(path);
            let below = Path::new(OsStr::from_bytes(path.trim_ascii_start()));
            let file = root.join(below.strip_prefix("/").unwrap_or(below));
            if let Some(parent) = file.parent() {
                fs::create_dir_all(parent).with_context(|| cannot("make", parent))?;
            }
            let word = match what {
                SavedContent::Removed => "removed",
                SavedContent::Special => "special",
                SavedContent::Directory { .. } => {
                    fs::create_dir_all(&file).with_context(|| cannot("make", &file))?;
                    "directory"
                }
                SavedContent::File { content, .. } => {
                    fs::write(&file, content).with_context(|| cannot("write", &file))?;
                    "file"
                }
                SavedContent::Link { target } => {
                    // A link of the simulation must not lead into the host.
                    fs::write(&file, target).with_context(|| cannot("write", &file))?;
                    "link"
                }
            };
            list.push_str(&format!("{word} {shown}\n"));
        }
        let file = root.join("CHANGES");
        fs::write(&file, list).with_context(|| cannot("write", &file))
    }

    /// The file of a finding, without its extension.
    pub(crate) fn finding_file(finding: &Finding) -> String {
        format!("findings/{:03}-{}", finding.id, finding.kind)
    }
}

/// The folder of the last run that named none.
pub(crate) fn last_folder() -> PathBuf {
    Path::new(DEFAULT_PARENT).join(LAST)
}

fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} {}", path.display())
}

/// Removes what an earlier run left; a folder with anything else in it is left alone. The command of the
/// earlier run stays until the next one takes its place: a folder of results is known by it at any moment,
/// also if this process is killed.
fn empty(path: &Path) -> Result<()> {
    // A process that was killed has begun to write its command.
    accept_missing(fs::remove_file(path.join(format!("{COMMAND}.part"))), path)?;
    let mut entries = fs::read_dir(path).with_context(|| cannot("list", path))?;
    if entries.next().is_none() {
        return Ok(());
    }
    if !path.join(COMMAND).is_file() {
        let path = path.display();
        bail!("{path} is not empty and holds no earlier results; name another folder with --out");
    }
    for name in FOLDERS.into_iter().chain([CHANGED, CHECKPOINT, SPILL, LIVE]) {
        accept_missing(fs::remove_dir_all(path.join(name)), path)?;
    }
    for name in FILES {
        accept_missing(fs::remove_file(path.join(name)), path)?;
        accept_missing(fs::remove_file(path.join(format!("{name}.part"))), path)?;
    }
    Ok(())
}

fn accept_missing(result: std::io::Result<()>, path: &Path) -> Result<()> {
    match result {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| cannot("remove the earlier results in", path))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Makes `parent/NNN` with the next free number, and lets `parent/last` point to it.
fn next_numbered(parent: &Path) -> Result<PathBuf> {
    fs::create_dir_all(parent).with_context(|| cannot("make", parent))?;
    let entries = fs::read_dir(parent).with_context(|| cannot("list", parent))?;
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let first = numbers.max().map_or(0, |newest| newest.saturating_add(1));
    // Another run may take a number at the same moment.
    for number in first..first.saturating_add(1000) {
        let name = format!("{number:03}");
        let path = parent.join(&name);
        match fs::create_dir(&path) {
            Ok(()) => {
                link_last(parent, &name)?;
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| cannot("make", &path)),
        }
    }
    bail!("no free number in {}; name a folder with --out", parent.display())
}

/// A link made beside and renamed replaces the old one at once.
fn link_last(parent: &Path, name: &str) -> Result<()> {
    let beside = parent.join(format!(".{LAST}-{name}"));
    let last = parent.join(LAST);
    std::os::unix::fs::symlink(name, &beside)
        .and_then(|()| fs::rename(&beside, &last))
        .with_context(|| cannot("make the link", &last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_folders_count_up_and_last_points_to_the_newest() {
        let parent = tempfile::tempdir().unwrap();
        fs::create_dir(parent.path().join("006")).unwrap();
        for name in ["007", "008"] {
            let path = next_numbered(parent.path()).unwrap();
            assert_eq!(path, parent.path().join(name));
            let last = fs::read_link(parent.path().join(LAST)).unwrap();
            assert_eq!(last, Path::new(name));
        }
    }

    #[test]
    fn folder_of_a_run_that_was_killed_as_it_began_is_used_again() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("out");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("run.txt.part"), "fir").unwrap();
        OutputFolder::create(Some(&path), "second").unwrap();
        fs::write(path.join("summary.json.part"), "{").unwrap();
        empty(&path).unwrap();
        // Killed here, it is still known as a folder of results.
        OutputFolder::create(Some(&path), "third").unwrap();
        assert_eq!(fs::read_to_string(path.join(COMMAND)).unwrap(), "third");
        assert!(!path.join("summary.json.part").exists());
    }

    #[test]
    fn earlier_results_are_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("out");
        let old = OutputFolder::create(Some(&path), "first").unwrap();
        old.write("tests/test000001.ktest", "old").unwrap();
        old.write("summary.json", "{}").unwrap();
        OutputFolder::create(Some(&path), "second").unwrap();
        assert!(!path.join("tests/test000001.ktest").exists());
        assert!(!path.join("summary.json").exists());
        assert_eq!(fs::read_to_string(path.join(COMMAND)).unwrap(), "second");
    }

    #[test]
    fn file_that_cannot_be_written_stays_as_it_was() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("summary.json");
        write_whole(&file, b"good").unwrap();
        // A folder in the place of what is written beside.
        fs::create_dir(parent.path().join("summary.json.part")).unwrap();
        let error = write_whole(&file, b"new").unwrap_err();
        assert!(error.to_string().starts_with("cannot write"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"good");
    }

    #[test]
    fn full_disk_is_called_that_and_leaves_what_was_there() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("summary.json");
        write_whole(&file, b"good").unwrap();
        let beside = parent.path().join("summary.json.part");
        std::os::unix::fs::symlink("/dev/full", &beside).unwrap();
        let error = write_whole(&file, b"new").unwrap_err();
        assert!(error.to_string().contains("; the disk is full: make room"), "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"good");
        assert!(!beside.exists());
    }

    #[test]
    fn results_after_a_checkpoint_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let path = |name: &str| parent.path().join(name);
        let files =
            ["findings/001-leak.txt", "findings/002-abort.json", "tests/test000009.a.ktest"];
        let more = ["tests/test000010.dtest", "files/finding-002/x", "files/asked-001/x"];
        for name in files.iter().chain(&more) {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "x").unwrap();
        }
        let told = ToldResults { findings: 1, tests: 9, wishes: 0 };
        OutputFolder::reopen(parent.path().to_path_buf(), told).unwrap();
        let left = |name: &&&str| path(name).exists();
        let left: Vec<_> = files.iter().chain(&more).filter(left).copied().collect();
        assert_eq!(left, ["findings/001-leak.txt", "tests/test000009.a.ktest"]);
    }

    #[test]
    fn folder_with_other_files_is_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join("thesis.tex"), "dear").unwrap();
        let error = OutputFolder::create(Some(parent.path()), "x").err().unwrap();
        assert!(error.to_string().contains("is not empty"), "{error}");
        assert!(parent.path().join("thesis.tex").exists());
    }
}
