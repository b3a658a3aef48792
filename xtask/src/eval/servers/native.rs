//! A subject natively and in the engine: what the one that asks prints has to be the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::subjects::{Role, Subject, Variant};
use crate::process::{KilledAtEnd, now};
use crate::workspace::driver;

/// One concrete conversation, whose answer is printed.
const CONVERSATION: Variant = Variant { characters: 0, clients: 1, faults: None, prints: true };

/// How long a native server may take until it answers.
const PATIENCE: Duration = Duration::from_secs(10);

/// The folder of a subject, and the driver.
pub(super) struct Place<'a> {
    pub(super) everett: &'a Path,
    pub(super) folder: PathBuf,
}

impl Place<'_> {
    /// Runs the subject natively and in the engine; an answer that differs is an error which shows both.
    pub(super) fn compare(&self, subject: &Subject) -> Result<()> {
        let native = self.natively(subject)?;
        ensure!(!native.is_empty(), "the native run prints nothing");
        let engine = self.in_engine(subject)?;
        let (native, engine) = (without_dates(&native), without_dates(&engine));
        ensure!(native == engine, "natively\n{native}\nin the engine\n{engine}");
        Ok(())
    }

    /// What the one that asks prints, on the host's loopback.
    fn natively(&self, subject: &Subject) -> Result<String> {
        // Executables are beside it, as in the engine.
        let site = self.folder.with_extension("native");
        if site.exists() {
            fs::remove_dir_all(&site).context("cannot remove the last native run's files")?;
        }
        copy_folder(&self.folder.join("site"), &site)?;
        let command = |program: &str, args: &[String]| {
            let mut command = Command::new(self.folder.join("../bin").join(program));
            command.current_dir(&site).args(args).env_clear();
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let host = "127.0.0.1";
        let (ours, ours_args) = subject.other_side(CONVERSATION, host);
        let theirs = subject.arguments(host);
        let (server, mut client) = match subject.role {
            Role::Server { .. } => {
                (Some(command(subject.program, &theirs)), command(ours, &ours_args))
            }
            Role::Client { .. } => {
                (Some(command(ours, &ours_args)), command(subject.program, &theirs))
            }
            Role::Tool => (None, command(ours, &ours_args)),
        };
        let _server = match server {
            Some(mut server) => Some(KilledAtEnd::start(&mut server)?),
            None => None,
        };
        let end = now() + PATIENCE;
        loop {
            let output = client.stdout(Stdio::piped()).output()?;
            if !output.stdout.is_empty() || now() > end {
                return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The same in the engine.
    fn in_engine(&self, subject: &Subject) -> Result<String> {
        let scenario = self.folder.join("concrete.toml");
        fs::write(&scenario, subject.scenario(CONVERSATION))?;
        let out = self.folder.join("out/concrete");
        let mut run = driver(self.everett);
        run.args(["run", "--echo", "--workers", "1", "--max-time", "120s", "--out"]);
        let output = run.arg(&out).arg(&scenario).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.code() == Some(0), "{}", errors.trim_end());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let report = ["no findings", "finding"];
        let lines = text.lines().take_while(|line| !report.iter().any(|end| line.starts_with(end)));
        let lines = lines.filter_map(|line| match subject.role {
            Role::Tool => Some(line),
            _ => line.strip_prefix("client1: ").or_else(|| line.strip_prefix("client: ")),
        });
        Ok(lines.map(|line| format!("{line}\n")).collect())
    }
}

/// The clock of the engine is its own.
fn without_dates(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("Date: "));
    lines.collect::<Vec<_>>().join("\n")
}

/// Copies a folder with what is below it.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &there)?;
        } else {
            fs::copy(entry.path(), &there)?;
        }
    }
    Ok(())
}
