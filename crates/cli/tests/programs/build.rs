//! The programs of the corpus, compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use everett_engine::ProgramSource;
use everett_ir::Program;

use crate::corpus::{self, Case};
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
                self.bench.bitcode(&source(case, flags))?
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
        self.bench.native(&source(case, case.header.cflags.clone()))
    }
}

fn source(case: &Case, flags: Vec<String>) -> Source<'_> {
    Source { path: &case.path, text: &case.source, flags }
}
