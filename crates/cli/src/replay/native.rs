//! `everett replay --native` and `everett export`: a test run again with the native programs.
//!
//! The test is replayed in the engine, which records a script: all calls by which programs touch the outside,
//! in one order ([`super::script`]). It is written to a folder together with all that the programs need
//! (`folder.rs`), whose `replay.sh` runs it, with or without Everett. So an export and a native replay are
//! one thing.
//!
//! Not here: what happens then (`runtime-c/replay`).

mod executable;
mod folder;
mod kit;
mod network;
mod plan;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use everett_base::Interrupt;
use everett_replay::DTest;
use everett_replay::dtest::Node;

use super::rebuild::Builder;
use super::script::{self, Recording};
use super::{EXIT_DIFFERS, Verdict};
use crate::clock::running_clock;
use crate::load::{self, Caching};
use crate::toolchain::Clang;
use crate::{EXIT_FAILED, run, terminal};
use executable::Executable;
use folder::Contents;

/// What a compiler is asked for the tool that finds lines in programs.
const SYMBOLIZER: &str = "-print-prog-name=llvm-symbolizer";

/// What `replay.sh` ends with if the same has come of the test.
const EXIT_REPRODUCED: u8 = 0;
/// How often it is looked whether `replay.sh` has ended.
const LOOK: Duration = Duration::from_millis(10);

/// How a test is run natively.
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

/// A test that is ready to be run natively.
struct Prepared {
    recording: Recording,
    /// By node.
    programs: Vec<Executable>,
}

impl NativeOptions {
    /// Whether the native programs are wanted.
    pub(super) fn wanted(&self) -> bool {
        self.native
    }

    /// Runs a test natively.
    pub(super) fn run(&self, file: &Path, changed: bool) -> Result<ExitCode> {
        if changed {
            return self.run_changed(file);
        }
        let prepared = Prepared::new(file)?;
        let code = self.conduct(file, &prepared)?;
        Ok(ExitCode::from(code))
    }

    /// Runs a test natively on programs that have changed since. The engine finds out what becomes of
    /// its inputs, faults and preemptions; what it says counts if the native programs do the same.
    fn run_changed(&self, file: &Path) -> Result<ExitCode> {
        let load = |file: &Path| Ok(Arc::new(load::load(&[file.to_path_buf()], Caching::On)?));
        let programs = run::program_source(Caching::On);
        let mut judgement = super::judge(file, programs.clone(), load)?;
        if !matches!(judgement.verdict, Verdict::CannotTell(_)) {
            let (test, inputs) = (judgement.test.clone(), &judgement.inputs);
            let recording = script::record_test(test, inputs, &mut Builder::new(load), &programs);
            let prepared = Prepared::of(file, recording?)?;
            match self.conduct(file, &prepared)? {
                EXIT_REPRODUCED => {}
                EXIT_DIFFERS => {
                    let why = "the native programs do something else than the engine".to_owned();
                    judgement.verdict = Verdict::CannotTell(why);
                }
                code => return Ok(ExitCode::from(code)),
            }
        }
        judgement.tell(false);
        Ok(judgement.verdict.exit_code())
    }

    /// Runs what is prepared; the exit code.
    fn conduct(&self, file: &Path, prepared: &Prepared) -> Result<u8> {
        if let Some(node) = &self.gdb
            && !prepared.recording.script.nodes.iter().any(|each| each.name == *node)
        {
            bail!("there is no node {node} in {}", file.display());
        }
        if self.dry_run {
            terminal::out(&folder::shell(&prepared.recording.test));
            terminal::out("\n# The script:\n");
            for line in prepared.recording.script.to_string().lines() {
                terminal::out(&format!("# {line}\n"));
            }
            return Ok(EXIT_REPRODUCED);
        }
        let place = tempfile::tempdir().context("cannot make a temporary folder")?;
        prepared.write(place.path())?;
        let mut command = Command::new("sh");
        command.arg(place.path().join("replay.sh")).args(self.words());
        if let Ok(symbolizer) = Clang::find().and_then(|clang| clang.ask(SYMBOLIZER)) {
            command.env("EVERETT_SYMBOLIZER", symbolizer.trim());
        }
        let status = ended(command)?;
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

    /// What the programs have printed, which helps where something else came of the test.
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

impl Prepared {
    /// Records the script of a test, and looks for its programs.
    fn new(file: &Path) -> Result<Prepared> {
        let load = |file: &Path| Ok(Arc::new(load::load(&[file.to_path_buf()], Caching::On)?));
        // What is no native program needs no script.
        Prepared::programs(&DTest::read(file)?)?;
        Prepared::of(file, script::record(file, load, run::program_source(Caching::On))?)
    }

    /// Looks for the programs of a script.
    fn of(file: &Path, recording: Recording) -> Result<Prepared> {
        let programs = Prepared::programs(&recording.test)?;
        recording.tell_notes();
        if let Some(trouble) = recording.troubles.first() {
            bail!("{} cannot be reproduced natively: {trouble}", file.display());
        }
        Ok(Prepared { recording, programs })
    }

    /// The programs of a test's nodes.
    fn programs(test: &DTest) -> Result<Vec<Executable>> {
        let open = |node: &Node| {
            let Some(record) = &node.record else {
                bail!("the test does not say which program it runs: Everett has not written it");
            };
            Executable::open(Path::new(OsStr::from_bytes(&record.program)))
        };
        let open = |node| open(node).with_context(|| format!("node {}", node.hostname));
        test.nodes.iter().map(open).collect()
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let Prepared { recording, programs } = self;
        Contents { recording, programs }.write(folder)
    }
}

/// Waits for a command, and ends it if the user asks for that: it cleans up, and so do we.
fn ended(mut command: Command) -> Result<ExitStatus> {
    let interrupt = Interrupt::default();
    run::listen(interrupt.clone(), running_clock())?;
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
    let prepared = Prepared::new(test)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    prepared.write(folder)?;
    terminal::out(&format!("{}\n", folder.join("replay.sh").display()));
    Ok(ExitCode::SUCCESS)
}
