//! The programs: found by walking the folder, one case for each optimisation level.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use everett_engine::{EngineConfig, NodeIdentity, TestPolicy};
use everett_settings::RunOptions;

use crate::header::Header;
use crate::{rust, workbench};

/// The expectation that the folder of a program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Explores without a finding.
    Pass,
    /// Has the findings that it marks.
    Bug,
}

/// A program at one optimisation level.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Relative to the corpus.
    pub(crate) file: PathBuf,
    pub(crate) path: PathBuf,
    pub(crate) source: String,
    pub(crate) verdict: Verdict,
    /// Empty for LLVM text, which is taken as it is.
    pub(crate) level: String,
    pub(crate) header: Header,
}

impl Case {
    /// The name of its test.
    pub(crate) fn name(&self) -> String {
        match self.level.as_str() {
            "" => self.file.display().to_string(),
            level => format!("{} {level}", self.file.display()),
        }
    }

    /// Returns `true` for a program in Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "rs")
    }

    /// The compiler's name for its file, whatever folder that is in.
    pub(crate) fn is_own_file(&self, file: &str) -> bool {
        Path::new(file).file_name() == self.file.file_name() && !file.starts_with("<everett>")
    }

    /// The engine's configuration, out of the flags that the program asks for.
    pub(crate) fn config(&self) -> Result<EngineConfig> {
        let mut args = self.header.args.clone();
        args.extend(["/usr/bin/program".to_owned(), "--".to_owned()]);
        args.extend(self.header.argv.iter().cloned());
        let mut config = RunOptions::parse(args.into_iter().map(Into::into))?.config()?;
        config.tests = TestPolicy::All;
        // As the native program runs.
        let uid = fs::metadata("/proc/self")?.uid();
        if !self.header.args.iter().any(|arg| arg.starts_with("--user")) {
            config.node.kernel.identity = NodeIdentity { uid, gid: uid };
        }
        config.clock = workbench::clock();
        config.limits.time = config.limits.time.or(Some(workbench::TIME_LIMIT));
        Ok(config)
    }
}

/// The folder of libraries that programs of the corpus open.
const LIBRARIES: &str = "libraries";

/// The source of a library.
pub(crate) fn library(file: &str) -> PathBuf {
    root().join(LIBRARIES).join(file)
}

/// The folder of the corpus.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

/// Every program at every level that it asks for, sorted by name.
pub(crate) fn cases() -> Result<Vec<Case>> {
    let root = root();
    let mut cases = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path == root.join(LIBRARIES) {
                // Programs of the corpus open these.
            } else if path.is_dir() {
                folders.push(path);
            } else {
                let file = path.strip_prefix(&root)?.to_path_buf();
                cases.extend(read(&file, &path).with_context(|| path.display().to_string())?);
            }
        }
    }
    cases.sort_by_key(Case::name);
    ensure!(!cases.is_empty(), "there is no program in {}", root.display());
    Ok(cases)
}

fn read(file: &Path, path: &Path) -> Result<Vec<Case>> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_text = match extension {
        Some("rs") if rust::compiler().is_none() => return Ok(Vec::new()),
        Some("c" | "cpp" | "rs") => false,
        Some("ll") => true,
        Some("h" | "md") => return Ok(Vec::new()),
        _ => bail!("neither a program nor a header"),
    };
    let folder = file.components().next().and_then(|part| part.as_os_str().to_str());
    let verdict = match folder {
        Some("pass" | "posix") => Verdict::Pass,
        Some("bug") => Verdict::Bug,
        _ => bail!("neither in `pass`, `posix` nor `bug`"),
    };
    let source = fs::read_to_string(path)?;
    let header = Header::parse(&source, folder == Some("posix"))?;
    match verdict {
        Verdict::Pass => ensure!(header.marks.is_empty(), "a pass program marks a bug"),
        Verdict::Bug => ensure!(!header.marks.is_empty(), "a bug program marks no bug"),
    }
    let levels = if is_text { vec![String::new()] } else { header.levels.clone() };
    let case = |level: String| Case {
        file: file.to_path_buf(),
        path: path.to_path_buf(),
        source: source.clone(),
        verdict,
        level,
        header: header.clone(),
    };
    Ok(levels.into_iter().map(case).collect())
}
