//! `everett replay --native` and `everett export`: a test run again with the native programs.
//!
//! Not here: how the folder is made (`everett-rerun`), and what happens in it (`runtime-c/replay`).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use everett_base::Interrupt;
use everett_report::TextStyle;
use everett_rerun::{ChangeVerdict, NativeReplay, NativeTools, judge, script};

use super::{EXIT_DIFFERS, changed, context, loading, show_notes};
use crate::clock::running_clock;
use crate::errors::replay_error;
use crate::exit_codes::EXIT_FAILED;
use crate::{environment, run, terminal};

/// The argument by which a compiler is asked for the tool that finds lines in programs.
const SYMBOLIZER: &str = "-print-prog-name=llvm-symbolizer";

/// The exit code of `replay.sh` if the test had the expected outcome.
const EXIT_REPRODUCED: u8 = 0;
/// The time between two looks at whether `replay.sh` has ended.
const LOOK: Duration = Duration::from_millis(10);

/// The options of native replays.
#[derive(clap::Args)]
pub(crate) struct NativeOptions {
    /// Run the native programs, in network namespaces of their own, instead of the engine
    #[arg(long, conflicts_with_all = ["trace", "until", "script"])]
    native: bool,
    /// All nodes on one network stack, on addresses 127.x.y.z; needs no network namespaces
    #[arg(long, requires = "native")]
    loopback: bool,
    /// Run it so many times, or until it is not reproduced
    #[arg(long, value_name = "N", requires = "native", conflicts_with = "gdb")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    times: Option<u32>,
    /// Show the commands and the script, and run nothing
    #[arg(long, requires = "native")]
    dry_run: bool,
    /// Start gdb on a node, at the beginning of `main`
    #[arg(long, value_name = "NODE", requires = "native")]
    gdb: Option<String>,
    /// Let a program that crashes leave a core file
    #[arg(long, requires = "native")]
    core: bool,
}

/// Write a folder that runs a test natively, without Everett
///
/// The folder has the programs, their files and libraries, and `replay.sh`, whose exit code is 0 if the
/// finding is reproduced, 1 if it is not, and 2 if it cannot be run.
#[derive(clap::Args)]
pub(crate) struct ExportOptions {
    /// The test (.dtest), with the ktests of its nodes beside it
    #[arg(value_name = "TEST")]
    test: PathBuf,
    /// The folder, which is made
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl NativeOptions {
    /// Returns `true` if the native programs are to be run.
    pub(super) fn wanted(&self) -> bool {
        self.native
    }

    /// Runs a test natively.
    pub(super) fn run(&self, file: &Path, changed: bool) -> Result<ExitCode> {
        if changed {
            return self.run_changed(file);
        }
        let prepared = prepare_replay(file)?;
        let code = self.conduct(file, &prepared)?;
        Ok(ExitCode::from(code))
    }

    /// Runs a test natively on programs that have changed since. The engine finds out what becomes of
    /// its inputs, faults and preemptions; what it says counts if the native programs do the same.
    fn run_changed(&self, file: &Path) -> Result<ExitCode> {
        let programs = environment::programs()?;
        let (load, context) = (loading(&programs), context(&programs));
        let mut judgement = judge(file, load, &context).map_err(replay_error)?;
        if !matches!(judgement.verdict, ChangeVerdict::CannotTell(_)) {
            let (test, inputs) = (judgement.test.clone(), &judgement.inputs);
            let recording =
                script::record_test(test, inputs, load, &context).map_err(replay_error)?;
            let prepared = NativeReplay::of(file, recording).map_err(replay_error)?;
            show_notes(prepared.recording());
            match self.conduct(file, &prepared)? {
                // Nothing has run natively, so nothing is known.
                EXIT_REPRODUCED if self.dry_run => return Ok(ExitCode::SUCCESS),
                EXIT_REPRODUCED => {}
                EXIT_DIFFERS => {
                    let why = "the native programs do something else than the engine".to_owned();
                    judgement.verdict = ChangeVerdict::CannotTell(why);
                }
                code => return Ok(ExitCode::from(code)),
            }
        }
        let style = TextStyle { paint: terminal::paint(), ..TextStyle::PLAIN };
        changed::show_judgement(&judgement, false, style);
        Ok(changed::exit_code(&judgement.verdict))
    }

    /// Runs what is prepared; the exit code.
    fn conduct(&self, file: &Path, prepared: &NativeReplay) -> Result<u8> {
        let script = &prepared.recording().script;
        if let Some(node) = &self.gdb
            && !script.nodes.iter().any(|each| each.name == *node)
        {
            bail!("there is no node {node} in {}", file.display());
        }
        if self.dry_run {
            terminal::out(&prepared.shell());
            terminal::out("\n# The script:\n");
            for line in script.to_string().lines() {
                terminal::out(&format!("# {line}\n"));
            }
            return Ok(EXIT_REPRODUCED);
        }
        let place = tempfile::tempdir().context("cannot make a temporary folder")?;
        prepared.write(place.path(), &native_tools()?).map_err(replay_error)?;
        let mut command = Command::new("sh");
        command.arg(place.path().join("replay.sh")).args(self.words());
        if let Ok(symbolizer) = environment::clang().and_then(|clang| Ok(clang.ask(SYMBOLIZER)?)) {
            command.env("EVERETT_SYMBOLIZER", symbolizer.trim());
        }
        let status = wait_for(command)?;
        if !status.success() {
            self.show_outputs(place.path());
        }
        if self.core {
            // The core file, and the program that it is of, are in there.
            let _: PathBuf = place.keep();
        }
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.unwrap_or(EXIT_FAILED))
    }

    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        words.extend(self.loopback.then(|| "--loopback".into()));
        words.extend(self.core.then(|| "--core".into()));
        if let Some(times) = self.times {
            words.extend(["--times".into(), times.to_string().into()]);
        }
        if let Some(node) = &self.gdb {
            words.extend(["--gdb".into(), node.into()]);
        }
        words
    }

    /// Shows what the programs have printed, which helps where the outcome is another one.
    fn show_outputs(&self, place: &Path) {
        let Ok(entries) = std::fs::read_dir(place.join("last")) else { return };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension() == Some(OsStr::new("err"))) {
            let said = std::fs::read(file).unwrap_or_default();
            if !said.is_empty() {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                terminal::err(&format!("{name} printed:\n"));
                terminal::err_bytes(&said);
            }
        }
    }
}

/// Looks for the compiler and the cache, which replays need to be written.
fn native_tools() -> Result<NativeTools> {
    let compiler = environment::compiler_settings().ok();
    Ok(NativeTools { cache: environment::cache()?, compiler, loader: environment::loader()? })
}

/// Records the script of a test, and looks for its programs.
fn prepare_replay(file: &Path) -> Result<NativeReplay> {
    let programs = environment::programs()?;
    let prepared = NativeReplay::prepare(file, loading(&programs), &context(&programs));
    let prepared = prepared.map_err(replay_error)?;
    show_notes(prepared.recording());
    Ok(prepared)
}

/// Waits for a command, and ends it if the user asks for that: it cleans up, and so do we.
fn wait_for(mut command: Command) -> Result<ExitStatus> {
    let interrupt = Interrupt::default();
    run::listen(interrupt.clone(), running_clock(), false)?;
    let mut child = command.spawn().context("cannot start sh")?;
    let mut is_told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.stopping().is_some() && !is_told {
            is_told = true;
            Command::new("kill")
                .arg(child.id().to_string())
                .status()
                .context("cannot start kill")?;
        }
        std::thread::sleep(LOOK);
    }
}

/// Runs `everett export`.
pub(crate) fn export(options: &ExportOptions) -> Result<ExitCode> {
    let ExportOptions { test, folder } = options;
    if folder.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        bail!("{} is there, and not empty", folder.display());
    }
    let prepared = prepare_replay(test)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    prepared.write(folder, &native_tools()?).map_err(replay_error)?;
    terminal::out(&format!("{}\n", folder.join("replay.sh").display()));
    Ok(ExitCode::SUCCESS)
}
