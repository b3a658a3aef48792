//! The scenarios: found by walking the folder, each with the programs beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, bail, ensure};
use everett_engine::LivePeer;

use crate::build::Installed;
use crate::expect::Expectations;

/// The folder of a system.
pub(crate) struct Folder {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// Its C programs by name, without extension.
    pub(crate) sources: BTreeMap<String, String>,
    /// The other files: scenarios, and the files that they mount.
    pub(crate) others: Vec<PathBuf>,
    /// Some of its scenarios have live nodes.
    pub(crate) has_live_nodes: bool,
    /// The built programs, or the error of building them, once a case has asked.
    pub(crate) installed: OnceLock<Result<Installed, String>>,
}

/// A scenario.
pub(crate) struct Case {
    pub(crate) folder: Arc<Folder>,
    /// The name of its file.
    pub(crate) file: String,
    pub(crate) expected: Expectations,
    /// The peers of its live nodes, which all of its runs share.
    pub(crate) peers: OnceLock<Vec<Option<LivePeer>>>,
}

impl Folder {
    /// The source of a program, in C or C++.
    pub(crate) fn source(&self, program: &str) -> PathBuf {
        let source = self.path.join(program).with_extension("c");
        if source.is_file() { source } else { source.with_extension("cpp") }
    }
}

impl Case {
    /// The name of its test.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.folder.name, self.file.trim_end_matches(".toml"))
    }

    /// Ends what is left of conversations with live peers.
    pub(crate) fn end_conversations(&self) {
        for peer in self.peers.get().into_iter().flatten().flatten() {
            peer.tree.end_sessions();
        }
    }

    /// The line of a program, or of another file, that carries a mark.
    pub(crate) fn line(&self, file: &str, mark: &str) -> Option<u32> {
        let text = match program_of(file) {
            Some(program) => self.folder.sources.get(program)?.clone(),
            None => std::fs::read_to_string(self.folder.path.join(file)).ok()?,
        };
        let has_mark = |line: &str| line.split_once("// mark: ").is_some_and(|(_, m)| m == mark);
        (1..).zip(text.lines()).find(|(_, line)| has_mark(line)).map(|(number, _)| number)
    }
}

/// The program that a source makes.
fn program_of(file: &str) -> Option<&str> {
    file.strip_suffix(".c").or_else(|| file.strip_suffix(".cpp"))
}

/// Folders of systems that belong together.
const GROUPS: [&str; 4] = ["faults", "invariants", "live", "trojan"];

/// The folder of all systems.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/systems")
}

/// Every scenario, sorted by name.
pub(crate) fn all() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for path in listed(&root())? {
        if path.is_dir() && GROUPS.iter().any(|group| path.ends_with(group)) {
            for path in listed(&path)? {
                cases.extend(read(&path).with_context(|| path.display().to_string())?);
            }
        } else if path.is_dir() {
            cases.extend(read(&path).with_context(|| path.display().to_string())?);
        } else if path.extension().is_none_or(|extension| extension != "h") {
            bail!("{} is neither a system nor a header", path.display());
        }
    }
    ensure!(!cases.is_empty(), "there is no system in {}", root().display());
    Ok(cases)
}

fn read(path: &Path) -> Result<Vec<Case>> {
    let mut folder = Folder {
        name: name_of(path)?,
        path: path.to_path_buf(),
        sources: BTreeMap::new(),
        others: Vec::new(),
        has_live_nodes: false,
        installed: OnceLock::new(),
    };
    let mut scenarios = Vec::new();
    for file in listed(path)? {
        let name = file_name(&file)?;
        if let Some(program) = program_of(&name) {
            folder.sources.insert(program.to_owned(), fs::read_to_string(&file)?);
            continue;
        }
        if name.ends_with(".toml") {
            let text = fs::read_to_string(&file)?;
            folder.has_live_nodes |= text.contains("\nlive = ");
            let expected = Expectations::parse(&text).with_context(|| name.clone())?;
            scenarios.push((name, expected));
        }
        folder.others.push(file);
    }
    ensure!(!scenarios.is_empty(), "there is no scenario");
    let folder = Arc::new(folder);
    let case = |(file, expected)| Case {
        folder: Arc::clone(&folder),
        file,
        expected,
        peers: OnceLock::new(),
    };
    Ok(scenarios.into_iter().map(case).collect())
}

/// The name of a system: its folder, seen from that of all systems.
fn name_of(path: &Path) -> Result<String> {
    let name = path.strip_prefix(root())?.to_str();
    Ok(name.context("the name of a folder is not text")?.to_owned())
}

fn file_name(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(|name| name.to_str());
    Ok(name.context("the name of a file is not text")?.to_owned())
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    Ok(paths)
}
