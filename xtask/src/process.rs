//! Child processes and what is printed around them: headings, durations, the clock.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The host's clock. Measuring is what this crate is for, so the ban of the libraries ends here.
#[expect(clippy::disallowed_methods, reason = "measures the host, decides nothing of a run")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// A process that is killed when this goes.
pub(crate) struct KilledAtEnd(Child);

impl KilledAtEnd {
    pub(crate) fn start(command: &mut Command) -> Result<KilledAtEnd> {
        let child = command.spawn().with_context(|| format!("cannot start {}", shown(command)))?;
        Ok(KilledAtEnd(child))
    }
}

impl Drop for KilledAtEnd {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A command that runs in the root of the workspace.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// Prints the heading of a part of the output.
pub(crate) fn heading(title: &str) {
    println!("\n== {title}");
}

/// Runs a command to its end; any exit code but 0 is an error that names the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} failed: {status}", shown(command));
    }
    Ok(())
}

/// Runs a command, prints its standard output as it comes, and gives each line to `each`.
pub(crate) fn run_watching(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    command.stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", shown(command)))?;
    let stdout = child.stdout.take().expect("standard output is piped");
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.context("reading the output of a child process")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        each(&line);
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("{} failed: {status}", shown(command));
    }
    Ok(())
}

/// Runs a command quietly and returns its standard output, or an error with its standard error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("{} failed: {}\n{}", shown(command), output.status, stderr.trim_end());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Looks for a program in `PATH`.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The command line as one would type it in the root of the workspace.
pub(crate) fn shown(command: &Command) -> String {
    let root = format!("{}/", workspace::root().display());
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy().replace(&root, "")).collect();
    words.join(" ")
}
