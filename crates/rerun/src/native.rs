//! A test run again with the native programs: [`NativeReplay`].
//!
//! The test is replayed in the engine, which records a script: all calls by which programs touch the outside,
//! in one order ([`crate::script`]). It is written to a folder together with all that the programs need
//! (`folder.rs`), whose `replay.sh` runs it, with or without Everett. So an export and a native replay are
//! one thing.
//!
//! Not here: what happens then (`runtime-c/replay`), and who starts it.

mod executable;
mod folder;
mod hooked;
mod kit;
mod network;
mod plan;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_ir::Program;
use everett_replay::DTest;
use everett_replay::dtest::TestNode;
use everett_toolchain::BitcodeLoader;
use everett_toolchain::cc::CompilerSettings;

use crate::error::{LoadFailure, RerunError, Result};
use crate::replay::ReplayContext;
use crate::script::{self, ScriptRecording};
use executable::NativeExecutable;
use folder::FolderContents;

/// The tools that native replays are made with.
#[derive(Clone, Debug)]
pub struct NativeTools {
    /// The folder of what is compiled once.
    pub cache: PathBuf,
    /// The compiler. The first replay needs it, and so does each in which threads are switched at accesses.
    pub compiler: Option<CompilerSettings>,
    /// The loader of the programs' bitcode, for the latter.
    pub loader: BitcodeLoader,
}

/// A test that is ready to be run natively.
#[derive(Debug)]
pub struct NativeReplay {
    recording: ScriptRecording,
    /// By node.
    programs: Vec<NativeExecutable>,
}

impl NativeReplay {
    /// Records the script of a test, and looks for its programs. `load` makes a program out of its file.
    pub fn prepare(
        file: &Path,
        load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
        context: &ReplayContext,
    ) -> Result<NativeReplay> {
        // Refuse programs that are not native before the script is recorded, which takes a run.
        programs(&DTest::read(file)?)?;
        NativeReplay::of(file, script::record(file, load, context)?)
    }

    /// The native replay of a recording of the test in a file.
    pub fn of(file: &Path, recording: ScriptRecording) -> Result<NativeReplay> {
        let programs = programs(&recording.test)?;
        if let Some(trouble) = recording.troubles.first() {
            let (file, trouble) = (file.to_path_buf(), trouble.clone());
            return Err(RerunError::NotNative { file, trouble });
        }
        Ok(NativeReplay { recording, programs })
    }

    /// The test with its script.
    pub fn recording(&self) -> &ScriptRecording {
        &self.recording
    }

    /// The text of `replay.sh`.
    pub fn shell(&self) -> String {
        folder::shell(&self.recording.test)
    }

    /// Writes a folder, which is there and empty; `replay.sh` in it runs the test.
    pub fn write(&self, folder: &Path, tools: &NativeTools) -> Result<()> {
        let NativeReplay { recording, programs } = self;
        let scratch = tempfile::tempdir().map_err(RerunError::TemporaryFolder)?;
        let programs = &hooked::programs(recording, programs, tools, scratch.path())?;
        FolderContents { recording, programs }.write(folder, tools)
    }
}

/// The programs of a test's nodes.
fn programs(test: &DTest) -> Result<Vec<NativeExecutable>> {
    let open = |node: &TestNode| {
        let record = node.record.as_ref().ok_or(RerunError::NoProgram)?;
        NativeExecutable::open(Path::new(OsStr::from_bytes(&record.program)))
    };
    let named = |node: &TestNode| open(node).map_err(|error| error.of_node(&node.hostname));
    test.nodes.iter().map(named).collect()
}
