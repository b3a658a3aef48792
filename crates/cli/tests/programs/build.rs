//! The programs of the corpus, compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use everett_engine::{Mount, ProgramSource};
use everett_ir::Program;

use crate::corpus::{self, Case};
use crate::rust;
use crate::workbench::{Source, Workbench};

/// The folder and the tools with which programs are compiled.
pub(crate) struct Workshop {
    bench: Workbench,
}

impl Workshop {
    /// Prepares headers and the runtime.
    pub(crate) fn open() -> Result<Workshop> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
        Ok(Workshop { bench: Workbench::open(folder, &corpus::root())? })
    }

    /// The program of a case, ready for the engine, and its file.
    pub(crate) fn program(&self, case: &Case) -> Result<(Arc<Program>, PathBuf)> {
        let module = match case.level.as_str() {
            "" => case.path.clone(),
            level => {
                let mut flags = vec![format!("-{level}")];
                flags.extend(case.header.cflags.iter().cloned());
                for library in &case.header.libraries {
                    flags.push(definition(library, Path::new(&seen_as(library)))?);
                }
                match case.is_rust() {
                    true => self.bench.made_by(&source(case, flags), "bc", rust::bitcode)?,
                    false => self.bench.bitcode(&source(case, flags))?,
                }
            }
        };
        Ok((self.bench.load(&module)?, module))
    }

    /// The programs that a program of the corpus may execute.
    pub(crate) fn programs(&self) -> ProgramSource {
        self.bench.programs()
    }

    /// The native executable of a case. Its level is irrelevant: the programs are well-defined.
    pub(crate) fn native(&self, case: &Case) -> Result<PathBuf> {
        let mut flags = case.header.cflags.clone();
        if case.is_rust() {
            return self.bench.made_by(&source(case, flags), "exe", rust::native);
        }
        for library in &case.header.libraries {
            let (path, text) = library_source(library)?;
            let library_flags = library[1..].to_vec();
            let source = Source { path: &path, text: &text, flags: library_flags };
            flags.push(definition(library, &self.bench.native_library(&source)?)?);
            flags.push("-rdynamic".to_owned());
        }
        self.bench.native(&source(case, flags))
    }

    /// The libraries that a case opens, as files of its node.
    pub(crate) fn libraries(&self, case: &Case) -> Result<Vec<Mount>> {
        let mut mounts = Vec::new();
        for library in &case.header.libraries {
            let (path, text) = library_source(library)?;
            let mut flags = vec![format!("-{}", case.level), "-fPIC".to_owned()];
            flags.extend(library[1..].iter().cloned());
            let host = self.bench.bitcode(&Source { path: &path, text: &text, flags })?;
            mounts.push(Mount { host, guest: seen_as(library).into_bytes() });
        }
        Ok(mounts)
    }
}

/// The path of a library for a program in the engine.
fn seen_as(library: &[String]) -> String {
    format!("/opt/{}.so", stem(library))
}

fn stem(library: &[String]) -> String {
    let file = library.first().map_or("", String::as_str);
    file.trim_end_matches(".c").to_owned()
}

/// The flag that tells a program the path of a library.
fn definition(library: &[String], path: &Path) -> Result<String> {
    let path = path.to_str().context("the path of a library is text")?;
    Ok(format!("-DLIBRARY_{}=\"{path}\"", stem(library)))
}

fn library_source(library: &[String]) -> Result<(PathBuf, String)> {
    let path = corpus::library(library.first().context("a library has a file")?);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok((path, text))
}

fn source(case: &Case, flags: Vec<String>) -> Source<'_> {
    Source { path: &case.path, text: &case.source, flags }
}
