//! Programs that processes execute, found by the content of their files, and libraries that they open.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::hash::Map;
use everett_interp::{ProgramId, ProgramImages};
use everett_ir::{ExtendedProgram, FuncId, GlobalId, Program};
use everett_posix::{
    LibraryRequest, LinkedLibraries, ProgramError, ProgramLoader, UndefinedSymbol,
};

use crate::api::config::ProgramSource;

/// A program that was loaded during a run: all that is needed to load it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoadedLater {
    /// The content of the file that a process has executed.
    Executed(Vec<u8>),
    /// A program with libraries behind it: its number, the contents of their files, and where their symbols
    /// were looked for.
    Extended(ProgramId, Vec<Vec<u8>>, Vec<u32>),
}

everett_base::portable!(enum LoadedLater { 0 = Executed(file), 1 = Extended(base, files, scope) });

/// Loads each program once, for all workers.
#[derive(Clone)]
pub(crate) struct ProgramLibrary {
    source: Option<ProgramSource>,
    known: Arc<Mutex<KnownPrograms>>,
}

/// The programs and libraries that were loaded so far.
#[derive(Default)]
struct KnownPrograms {
    executed: Map<Arc<[u8]>, ProgramId>,
    extended: Map<LibraryRequest, LinkedLibraries>,
    libraries: Map<Arc<[u8]>, Arc<Program>>,
    /// Those that were loaded here, in order.
    later: Vec<LoadedLater>,
}

impl ProgramLibrary {
    pub(crate) fn new(source: Option<ProgramSource>) -> ProgramLibrary {
        ProgramLibrary { source, known: Arc::default() }
    }

    /// Remembers a program that is loaded already.
    pub(crate) fn add(&self, file: &[u8], program: ProgramId) {
        self.known().executed.insert(file.into(), program);
    }

    /// The programs that were loaded here, in order.
    pub(crate) fn loaded_later(&self) -> Vec<LoadedLater> {
        self.known().later.clone()
    }

    /// Loads a program that another run, or another process of this one, has loaded. `number` gives the
    /// number that a program of that run has here.
    pub(crate) fn load_again(
        &mut self,
        images: &ProgramImages,
        program: &LoadedLater,
        number: impl Fn(ProgramId) -> Option<ProgramId>,
    ) -> Result<ProgramId, ProgramError> {
        match program {
            LoadedLater::Executed(file) => self.load(images, file),
            LoadedLater::Extended(base, files, scope) => {
                let unknown = || ProgramError::Unsupported(format!("program {base} is not known"));
                let base = number(*base).ok_or_else(unknown)?;
                let (files, scope) = (files.clone(), scope.clone());
                Ok(self.extend(images, &LibraryRequest { base, files, scope })?.program)
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, KnownPrograms> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownPrograms {
    /// Reads a library, unless it was read before.
    fn library(
        &mut self,
        source: Option<&ProgramSource>,
        file: &[u8],
    ) -> Result<Arc<Program>, ProgramError> {
        if let Some(library) = self.libraries.get(file) {
            return Ok(library.clone());
        }
        let Some(source) = source else {
            let why = "no libraries can be opened in this run".to_owned();
            return Err(ProgramError::Unsupported(why));
        };
        let library = source.load_library(file)?;
        self.libraries.insert(file.into(), library.clone());
        Ok(library)
    }
}

impl ProgramLoader for ProgramLibrary {
    fn load(&mut self, images: &ProgramImages, file: &[u8]) -> Result<ProgramId, ProgramError> {
        let mut known = self.known();
        if let Some(id) = known.executed.get(file) {
            return Ok(*id);
        }
        let Some(source) = &self.source else {
            let why = "no other programs can be executed in this run".to_owned();
            return Err(ProgramError::Unsupported(why));
        };
        let program = source.load(file)?;
        let id = images.load(program);
        let id = id.map_err(|error| ProgramError::Unsupported(error.to_string()))?;
        known.later.push(LoadedLater::Executed(file.to_vec()));
        known.executed.insert(file.into(), id);
        Ok(id)
    }

    fn library(&mut self, file: &[u8]) -> Result<Arc<Program>, ProgramError> {
        self.known().library(self.source.as_ref(), file)
    }

    fn extend(
        &mut self,
        images: &ProgramImages,
        request: &LibraryRequest,
    ) -> Result<LinkedLibraries, ProgramError> {
        let mut known = self.known();
        if let Some(linked) = known.extended.get(request) {
            return Ok(linked.clone());
        }
        let LibraryRequest { base, files, scope } = request;
        let mut libraries = Vec::new();
        for file in files {
            libraries.push(known.library(self.source.as_ref(), file)?);
        }
        let libraries: Vec<&Program> = libraries.iter().map(|library| &**library).collect();
        let extended = images.image(*base).program.extended(&libraries, scope);
        let undefined = undefined(&extended).into();
        let program = images.load_extended(*base, Arc::new(extended.program));
        let program = program.map_err(|error| ProgramError::Unsupported(error.to_string()))?;
        known.later.push(LoadedLater::Extended(*base, files.clone(), scope.clone()));
        let linked = LinkedLibraries { program, undefined };
        known.extended.insert(request.clone(), linked.clone());
        Ok(linked)
    }
}

/// What the libraries of a program refer to and nobody defines.
fn undefined(extended: &ExtendedProgram) -> Vec<UndefinedSymbol> {
    let ExtendedProgram { program, undefined_functions, undefined_globals } = extended;
    let function = |id: &FuncId| UndefinedSymbol {
        name: program.function(*id).name.clone(),
        is_function: true,
    };
    let global = |id: &GlobalId| UndefinedSymbol {
        name: program.globals[id.index()].name.clone(),
        is_function: false,
    };
    let functions = undefined_functions.iter().map(function);
    functions.chain(undefined_globals.iter().map(global)).collect()
}
