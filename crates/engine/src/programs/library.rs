//! Programs that processes execute, found by the content of their files.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::hash::Map;
use everett_interp::{ProgramId, ProgramImages};
use everett_posix::{ProgramError, ProgramLoader};

use crate::api::config::ProgramSource;

/// Loads each program once, for all workers.
#[derive(Clone)]
pub(crate) struct ProgramLibrary {
    source: Option<ProgramSource>,
    known: Arc<Mutex<Map<Arc<[u8]>, ProgramId>>>,
    /// The files of the programs that were loaded here, in order.
    executed: Arc<Mutex<Vec<Arc<[u8]>>>>,
}

impl ProgramLibrary {
    pub(crate) fn new(source: Option<ProgramSource>) -> ProgramLibrary {
        ProgramLibrary { source, known: Arc::default(), executed: Arc::default() }
    }

    /// Remembers a program that is loaded already.
    pub(crate) fn add(&self, file: &[u8], program: ProgramId) {
        self.known().insert(file.into(), program);
    }

    /// The files of the programs that were loaded here, in order.
    pub(crate) fn executed(&self) -> Vec<Vec<u8>> {
        let executed = self.executed.lock().unwrap_or_else(PoisonError::into_inner);
        executed.iter().map(|file| file.to_vec()).collect()
    }

    fn known(&self) -> MutexGuard<'_, Map<Arc<[u8]>, ProgramId>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProgramLoader for ProgramLibrary {
    fn load(&mut self, images: &ProgramImages, file: &[u8]) -> Result<ProgramId, ProgramError> {
        let mut known = self.known();
        if let Some(id) = known.get(file) {
            return Ok(*id);
        }
        let Some(source) = &self.source else {
            let why = "no other programs can be executed in this run".to_owned();
            return Err(ProgramError::Unsupported(why));
        };
        let program = source.load(file)?;
        let id = images.load(program);
        let id = id.map_err(|error| ProgramError::Unsupported(error.to_string()))?;
        let file: Arc<[u8]> = file.into();
        self.executed.lock().unwrap_or_else(PoisonError::into_inner).push(file.clone());
        known.insert(file, id);
        Ok(id)
    }
}
