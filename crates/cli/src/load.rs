//! Programs: from the cache, or read by a child process.
//!
//! LLVM never reads a user's file in this process: it ends the process on some damaged files, and its
//! memory would count as ours. So another `everett` (see `lower.rs`) leaves the lowered program in the
//! cache, from where it is taken; when it is there already, no child is started.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use everett_ir::Program;
use everett_llvm::{LoadOptions, Loaded, load_cached, look_up};

use crate::{EXIT_FAILED, cache, carried, program_file, runtime, terminal};

/// What the names of folders of programs begin with.
const PROGRAMS: &str = "programs-";
/// Builds of `everett` whose programs are kept.
const BUILDS_KEPT: usize = 4;

/// Whether programs that were read before are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caching {
    On,
    Off,
}

/// What is read, and where the result is kept.
pub(crate) struct Request {
    /// The program's files.
    pub(crate) files: Vec<PathBuf>,
    /// The cache folder: headers, runtime.
    pub(crate) cache: PathBuf,
    /// The folder of lowered programs.
    pub(crate) programs: PathBuf,
}

/// How programs are linked with the C side that is built in.
pub fn load_options() -> LoadOptions {
    let provided = everett_engine::primitive_names().map(str::to_owned).collect();
    runtime::load_options(provided)
}

/// Loads and links a program.
pub(crate) fn load(files: &[PathBuf], caching: Caching) -> Result<Program> {
    for file in files {
        if let Some(complaint) = program_file::complaint(file) {
            bail!("{complaint}");
        }
    }
    let (files, _taken_out) = carried::take_out(files)?;
    let cache = cache::folder()?;
    let scratch;
    let programs = match caching {
        Caching::On => cache.join(build_name()),
        Caching::Off => {
            scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
            scratch.path().to_path_buf()
        }
    };
    let request = Request { files, cache, programs };
    let loaded = match request.look_up()? {
        Some(loaded) => loaded,
        None => {
            let said = request.lower_in_child()?;
            cache::forget_old(&request.cache, PROGRAMS, BUILDS_KEPT);
            let found = request.look_up()?;
            found.with_context(|| {
                format!("{} could not be put into the cache\n{said}", request.name())
            })?
        }
    };
    loaded.warnings.iter().for_each(|warning| terminal::warning(warning));
    Ok(loaded.program)
}

impl Request {
    /// Reads the program in this process and leaves it in the cache.
    pub(crate) fn lower(&self) -> Result<()> {
        let loaded = load_cached(&self.files, &load_options(), &self.programs)?;
        // The parent finds them in the cache too, unless the cache is what they are about.
        loaded.warnings.iter().for_each(|warning| terminal::warning(warning));
        Ok(())
    }

    fn look_up(&self) -> Result<Option<Loaded>> {
        Ok(look_up(&self.files, &load_options(), &self.programs)?)
    }

    /// Returns what the child said.
    fn lower_in_child(&self) -> Result<String> {
        let everett = std::env::current_exe().context("cannot find the everett binary")?;
        let done = Command::new(everett)
            .arg("lower")
            .arg("--cache")
            .arg(&self.cache)
            .arg("--programs")
            .arg(&self.programs)
            .arg("--")
            .args(&self.files)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .output()
            .context("cannot start everett again to read the program")?;
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.trim();
        match done.status.code() {
            Some(0) => Ok(said.to_owned()),
            Some(code) if code == i32::from(EXIT_FAILED) => {
                bail!("{}", said.strip_prefix("error: ").unwrap_or(said))
            }
            _ if said.is_empty() => bail!(
                "{} cannot be read: LLVM ended with {}; the file is damaged",
                self.name(),
                done.status
            ),
            _ => bail!(
                "{} cannot be read: LLVM ended with {}, saying\n{said}",
                self.name(),
                done.status
            ),
        }
    }

    fn name(&self) -> String {
        let names: Vec<String> = self.files.iter().map(|f| f.display().to_string()).collect();
        names.join(" ")
    }
}

/// The folder of programs that this very build has lowered: another build may lower differently.
fn build_name() -> String {
    let build = std::env::current_exe().ok().and_then(|file| stamp(&file)).unwrap_or_default();
    format!("{PROGRAMS}{}{build}", env!("CARGO_PKG_VERSION"))
}

fn stamp(file: &Path) -> Option<String> {
    let metadata = std::fs::metadata(file).ok()?;
    let written = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("-{:x}-{:x}", metadata.len(), written.as_nanos()))
}
