//! Checkpoints in the output folder: [`CheckpointWriter`] stores them beside the run, and
//! [`StoredCheckpoint`] reads the last one.
//!
//! `checkpoint/state` is a file of [`everett_base::part::file`] with two sections: what the run is, with what
//! the driver has to know ([`CheckpointHead`]), and the engine's checkpoint, compressed. It is written
//! beside, synced and renamed, so that there is a whole one at any time from the first one on.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;

use anyhow::{Context, Result, bail};
use everett_base::part::file::{self, RunIdentity};
use everett_engine::{Checkpoint, ToldResults};

use super::folder::CHECKPOINT;
use super::live::LiveConversations;
use super::spill::SpillFolder;
use crate::origin::{RunOrigin, hash_of_binary};
use crate::value_bytes::{of_bytes, to_bytes};

/// The file in the folder of checkpoints.
const STATE: &str = "state";
/// The identity of the file as a whole, which says itself what it belongs to.
const ANY_RUN: RunIdentity = [0; 32];
/// Higher levels of compression take several times as long for a few per cent.
const COMPRESSION_LEVEL: i32 = 1;

/// Output of the program that is kept until it is known whether there is one path.
#[derive(Clone, Default)]
pub(crate) struct KeptOutput {
    /// The output with its descriptor.
    pub(crate) pieces: Vec<(u32, Vec<u8>)>,
    /// All bytes, also those that are not kept.
    pub(crate) bytes: usize,
}

everett_base::portable!(struct KeptOutput { pieces, bytes });

/// The driver's part of a checkpoint.
struct CheckpointHead {
    origin: Arc<RunOrigin>,
    /// A hash of the binary of this program.
    binary: String,
    findings: u64,
    tests: u64,
    wishes: u32,
    kept: KeptOutput,
}

everett_base::portable!(struct CheckpointHead { origin, binary, findings, tests, wishes, kept });

impl CheckpointHead {
    /// Refuses to go on in another version of this program.
    fn check_binary(&self) -> Result<()> {
        let (written, version) = (&self.origin.version, env!("CARGO_PKG_VERSION"));
        if written != version {
            bail!("version {written} of everett has written it, and this is version {version}");
        }
        if self.binary != hash_of_binary()? {
            bail!("another build of everett {version} has written it");
        }
        Ok(())
    }

    fn identity(&self) -> RunIdentity {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&to_bytes(&*self.origin)).update(self.binary.as_bytes());
        *hasher.finalize().as_bytes()
    }
}

/// Tells whether a checkpoint is being stored. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct StoringFlag(Arc<(Mutex<bool>, Condvar)>);

/// A checkpoint that is being stored, until it is dropped.
struct StoringGuard(StoringFlag);

impl StoringFlag {
    fn is_storing(&self) -> MutexGuard<'_, bool> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> StoringGuard {
        *self.is_storing() = true;
        StoringGuard(self.clone())
    }

    /// Waits until no checkpoint is being stored.
    pub(crate) fn wait(&self) {
        let mut is_storing = self.is_storing();
        while *is_storing {
            is_storing = self.0.1.wait(is_storing).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for StoringGuard {
    fn drop(&mut self) {
        *self.0.is_storing() = false;
        self.0.0.1.notify_all();
    }
}

/// Stores the checkpoints of a run, each by a thread of its own: the run waits for no disk.
pub(crate) struct CheckpointWriter {
    folder: PathBuf,
    origin: Arc<RunOrigin>,
    binary: Arc<OnceLock<String>>,
    /// Files that checkpoints name.
    spill: Option<Arc<SpillFolder>>,
    /// Conversations that checkpoints name places of.
    live: LiveConversations,
    storing: StoringFlag,
    thread: Option<JoinHandle<Result<()>>>,
    /// The run was stored as it was at its end.
    pub(crate) has_last: bool,
}

impl CheckpointWriter {
    /// A writer into an output folder.
    pub(crate) fn new(
        out: &Path,
        origin: Arc<RunOrigin>,
        spill: Option<Arc<SpillFolder>>,
        live: LiveConversations,
        storing: StoringFlag,
    ) -> CheckpointWriter {
        let (folder, binary) = (out.join(CHECKPOINT), Arc::default());
        let (thread, has_last) = (None, false);
        CheckpointWriter { folder, origin, binary, spill, live, storing, thread, has_last }
    }

    /// Stores a checkpoint once all tests before it are stored. Returns the reason why the one before was
    /// not stored, if it was not.
    pub(crate) fn write(
        &mut self,
        checkpoint: Checkpoint,
        kept: KeptOutput,
        tests: Option<Receiver<()>>,
    ) -> Result<()> {
        let before = self.wait();
        self.has_last = checkpoint.is_last;
        let ToldResults { findings, tests: tests_told, wishes } = checkpoint.told;
        let (folder, origin, binary) =
            (self.folder.clone(), self.origin.clone(), self.binary.clone());
        let live = self.live.clone();
        let (spill, storing) = (self.spill.clone(), self.storing.begin());
        let released = spill.as_ref().map_or(Vec::new(), |spill| spill.begin_checkpoint());
        let files = spill.clone();
        let store = move || {
            if let Some(tests) = tests {
                tests.recv().context("tests before it cannot be stored")?;
            }
            if binary.get().is_none() {
                let _ = binary.set(hash_of_binary()?);
            }
            let binary = binary.get().cloned().unwrap_or_default();
            let tests = tests_told;
            let head = CheckpointHead { origin, binary, findings, tests, wishes, kept };
            files.map_or(Ok(()), |files| files.sync())?;
            live.store()?;
            store(&folder, &head, checkpoint)
        };
        let store = move || {
            let _storing = storing;
            let stored = store();
            if let Some(spill) = spill {
                spill.end_checkpoint(released, stored.is_ok());
            }
            stored
        };
        let thread = std::thread::Builder::new().name("checkpoint".to_owned());
        self.thread = Some(thread.spawn(store).context("cannot start a thread")?);
        before
    }

    /// Waits until the last checkpoint is stored.
    pub(crate) fn wait(&mut self) -> Result<()> {
        let stored = match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(anyhow::anyhow!("the thread that stores it failed")),
            None => Ok(()),
        };
        self.has_last &= stored.is_ok();
        stored
    }
}

fn store(folder: &Path, head: &CheckpointHead, checkpoint: Checkpoint) -> Result<()> {
    let bytes = checkpoint.to_bytes(&head.identity());
    drop(checkpoint);
    let body = zstd::encode_all(&bytes[..], COMPRESSION_LEVEL).context("cannot compress it")?;
    drop(bytes);
    let bytes = file::to_bytes(&ANY_RUN, &[&to_bytes(head), &body]);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // A power cut must not take findings and tests that the checkpoint says are there.
    let results = File::open(folder).and_then(|folder| Ok(rustix::fs::syncfs(folder)?));
    results.with_context(|| format!("cannot sync {}", folder.display()))?;
    let (state, beside) = (folder.join(STATE), folder.join(format!("{STATE}.part")));
    let written = write_durably(&beside, &bytes)
        .and_then(|()| fs::rename(&beside, &state))
        .and_then(|()| sync_folder(folder))
        .and_then(|()| folder.parent().map_or(Ok(()), sync_folder));
    written.map_err(|error| {
        // The part that was written takes room on a disk that is probably full.
        let _ = fs::remove_file(&beside);
        anyhow::Error::new(error).context(format!("cannot write {}", state.display()))
    })
}

fn write_durably(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = File::create(file)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Returns `true` if an output folder has a checkpoint.
pub(crate) fn is_there(out: &Path) -> bool {
    out.join(CHECKPOINT).join(STATE).is_file()
}

/// Removes the checkpoint of a run that is over.
pub(crate) fn remove(out: &Path) -> Result<()> {
    let folder = out.join(CHECKPOINT);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The line that tells how a run that was stopped is gone on with, if it can be.
pub(crate) fn next_step(out: &Path, has_last: bool) -> Option<String> {
    let place = if has_last { "here" } else { "its last checkpoint" };
    let shown = super::typed(std::iter::once(out.as_os_str().to_owned()));
    is_there(out).then(|| format!("everett resume {shown} goes on from {place}\n"))
}

/// The last checkpoint of a run.
pub(crate) struct StoredCheckpoint {
    pub(crate) origin: Arc<RunOrigin>,
    pub(crate) told: ToldResults,
    pub(crate) kept: KeptOutput,
    identity: RunIdentity,
    body: Vec<u8>,
}

impl StoredCheckpoint {
    /// Reads the checkpoint in an output folder; `None` if there is none.
    pub(crate) fn read(out: &Path) -> Result<Option<StoredCheckpoint>> {
        let path = out.join(CHECKPOINT).join(STATE);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let read = || {
            let [head, body] = file::sections(&ANY_RUN, &bytes)?;
            let head: CheckpointHead = of_bytes(head)?;
            head.check_binary()?;
            let identity = head.identity();
            let body = zstd::decode_all(body).context("it is damaged")?;
            let CheckpointHead { origin, binary: _, findings, tests, wishes, kept } = head;
            let told = ToldResults { findings, tests, wishes };
            anyhow::Ok(StoredCheckpoint { origin, told, kept, identity, body })
        };
        read().with_context(|| format!("cannot go on from {}", path.display())).map(Some)
    }

    /// The engine's part, and the identity that it was written for.
    pub(crate) fn parts(&self) -> (&[u8], RunIdentity) {
        (&self.body, self.identity)
    }
}
