//! [`PeerProcess`]: the process group of a command, its folder, and its output.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;

use super::guard::PeerGuard;
use super::{Readiness, listening};
use crate::clock::now;
use crate::peer::PeerError;
use crate::sockets::SocketEndpoint;

/// The pause between two looks at whether a command is ready.
const READY_PAUSE: Duration = Duration::from_millis(2);
/// Bytes at the end of the output that a message shows.
const SHOWN_BYTES: u64 = 2000;
/// Bytes of the output in which a line is looked for.
const SEARCHED_BYTES: u64 = 1 << 20;

/// A command that runs. Dropping it kills the command with all processes of its group.
pub(super) struct PeerProcess {
    child: Child,
    output: PathBuf,
    /// Let go after the processes have ended, and before the folder is removed.
    _guard: Option<PeerGuard>,
    /// Removed after the processes have ended, as fields are dropped after `drop` has run.
    _folder: TempDir,
}

impl PeerProcess {
    /// Starts a command in a folder.
    pub(super) fn start(
        command: &[String],
        variables: &[(String, String)],
        folder: TempDir,
    ) -> Result<PeerProcess, PeerError> {
        let system = |doing| move |error| PeerError::System { doing, error };
        let output = folder.path().join("output");
        let file = File::create(&output).map_err(system("keep the output of the peer"))?;
        let copy = file.try_clone().map_err(system("keep the output of the peer"))?;
        let (program, arguments) = match command {
            [program, arguments @ ..] => (program, arguments),
            [] => return Err(system("start the peer")(io::ErrorKind::InvalidInput.into())),
        };
        let mut started = Command::new(program);
        started.args(arguments).current_dir(folder.path()).env("TMPDIR", folder.path());
        started.envs(variables.iter().map(|(name, value)| (name, value)));
        started.stdin(Stdio::null()).stdout(file).stderr(copy).process_group(0);
        let not_started = |error| PeerError::NotStarted { program: program.clone(), error };
        let child = started.spawn().map_err(not_started)?;
        let guard = PeerGuard::new(Pid::from_child(&child), folder.path());
        Ok(PeerProcess { child, output, _guard: guard, _folder: folder })
    }

    /// How the process has ended, if it has.
    pub(super) fn exit_status(&mut self) -> Result<Option<ExitStatus>, PeerError> {
        let status = self.child.try_wait();
        status.map_err(|error| PeerError::System { doing: "ask how the peer is", error })
    }

    /// Waits until the command is ready, at most until `end`, which is `limit` after the beginning.
    pub(super) fn wait_until_ready(
        &mut self,
        readiness: &Readiness,
        endpoints: &[SocketEndpoint],
        (end, limit): (Instant, Duration),
    ) -> Result<(), PeerError> {
        let start = now();
        loop {
            let has_ended = self.exit_status()?;
            let is_ready = match readiness {
                Readiness::Running => true,
                Readiness::Listening => endpoints.iter().all(listening::is_reachable),
                Readiness::Line(text) => has_line(&self.output, text),
                Readiness::Delay(delay) => now() - start >= *delay,
            };
            match has_ended {
                // A command that only connects to us may be done by now.
                _ if is_ready && (has_ended.is_none() || *readiness == Readiness::Running) => {
                    return Ok(());
                }
                Some(status) => {
                    return Err(PeerError::EndedAtStart { status, output: tail(&self.output) });
                }
                None if now() >= end => return Err(PeerError::NotReady { limit }),
                None => std::thread::sleep(READY_PAUSE),
            }
        }
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // The group is there as long as its first process was not waited for, so its number is still its
        // own. If that one was waited for, others may still be in the group, and then the number is not
        // used again.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

fn has_line(output: &Path, text: &str) -> bool {
    let mut printed = Vec::new();
    let read =
        File::open(output).and_then(|file| file.take(SEARCHED_BYTES).read_to_end(&mut printed));
    read.is_ok() && String::from_utf8_lossy(&printed).lines().any(|line| line.contains(text))
}

/// The end of a file, for a message.
fn tail(output: &Path) -> String {
    let read = || -> io::Result<String> {
        let mut file = File::open(output)?;
        let length = fs::metadata(output)?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(SHOWN_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(SHOWN_BYTES).read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).trim().to_string())
    };
    read().unwrap_or_default()
}
