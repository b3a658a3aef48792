//! The bitcode loader, fuzzed from outside: `everett check FILE` on damaged bitcode.
//!
//! The driver must end by itself with a verdict, whatever it was given: exit code 0 (loads) or 2 (says
//! what is wrong). A signal, a panic or a hang is a failure.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// How long one file may take.
const TIME_LIMIT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(2);

/// Runs the driver on one input after the other.
pub(crate) struct Loader {
    everett: PathBuf,
    /// Where the current input is put for the driver to read.
    scratch: PathBuf,
}

impl Loader {
    pub(crate) fn new(everett: &Path, scratch_folder: &Path) -> Result<Loader> {
        std::fs::create_dir_all(scratch_folder)?;
        let scratch = scratch_folder.join(format!("input-{}.bc", std::process::id()));
        Ok(Loader { everett: everett.to_path_buf(), scratch })
    }

    /// An error describes how the driver failed on this input.
    pub(crate) fn check(&self, input: &[u8]) -> Result<()> {
        std::fs::write(&self.scratch, input).context("cannot write the input")?;
        let stderr_file = self.scratch.with_extension("stderr");
        let mut child = Command::new(&self.everett)
            .arg("check")
            .arg(&self.scratch)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&stderr_file)?)
            .spawn()
            .with_context(|| format!("cannot start {}", self.everett.display()))?;
        let code = wait(&mut child)?;
        let stderr = String::from_utf8_lossy(&std::fs::read(&stderr_file)?).into_owned();
        match code {
            Some(0) => Ok(()),
            Some(2) if stderr.trim().is_empty() => bail!("exit code 2 without a message"),
            Some(2) if stderr.contains("panicked at") => bail!("a panic:\n{stderr}"),
            Some(2) => Ok(()),
            Some(code) => bail!("exit code {code}:\n{stderr}"),
            None => bail!("ended by a signal:\n{stderr}"),
        }
    }
}

impl Drop for Loader {
    fn drop(&mut self) {
        for file in [&self.scratch, &self.scratch.with_extension("stderr")] {
            match std::fs::remove_file(file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    eprintln!("cannot remove {}: {error}", file.display());
                }
                Ok(()) | Err(_) => {}
            }
        }
    }
}

/// Waits for the end, but not for ever.
fn wait(child: &mut Child) -> Result<Option<i32>> {
    let rounds = TIME_LIMIT.as_millis() / POLL.as_millis();
    for _ in 0..rounds {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        sleep(POLL);
    }
    child.kill()?;
    child.wait()?;
    bail!("still running after {} s", TIME_LIMIT.as_secs())
}
