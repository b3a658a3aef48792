//! Programs that processes execute, found by the content of their files.

use std::sync::Arc;

use everett_base::hash::Map;
use everett_interp::{Images, ProgramId};
use everett_posix::{ProgramError, Programs};

use crate::config::ProgramSource;

/// Loads each program once.
pub(crate) struct Library {
    source: Option<ProgramSource>,
    known: Map<Arc<[u8]>, ProgramId>,
}

impl Library {
    pub(crate) fn new(source: Option<ProgramSource>) -> Library {
        Library { source, known: Map::default() }
    }

    /// Remembers a program that is loaded already.
    pub(crate) fn add(&mut self, file: &[u8], program: ProgramId) {
        self.known.insert(file.into(), program);
    }
}

impl Programs for Library {
    fn load(&mut self, images: &Images, file: &[u8]) -> Result<ProgramId, ProgramError> {
        if let Some(id) = self.known.get(file) {
            return Ok(*id);
        }
        let Some(source) = &self.source else {
            let why = "no other programs can be executed in this run".to_owned();
            return Err(ProgramError::Unsupported(why));
        };
        let program = source.load(file)?;
        let id = images.load(program);
        let id = id.map_err(|error| ProgramError::Unsupported(error.to_string()))?;
        self.add(file, id);
        Ok(id)
    }
}
