//! `cargo xtask eval live`: conversations with real peers.
//!
//! Two parts. *Linear*: a program sends many bytes to a peer, in pieces of several sizes, beside its native
//! run: in one go, and with an answer to each piece. *Branching*: a server whose threads are preempted, with
//! a real client that goes on talking after answers that differ: how often it is started, and what is said
//! to it again.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use wait4::Wait4;

use super::driver::release_driver;
use super::orders;
use super::table::{Table, grouped};
use crate::process::{KilledAtEnd, heading, now};
use crate::workspace::{self, driver};

/// The programs.
const SOURCES: &str = "tests/eval/live";
/// Runs of which the fastest counts.
const REPEATS: u32 = 3;

/// The amount of data, and the driver.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Bytes that are sent
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    bytes: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
}

/// The part of `summary.json` that is shown.
#[derive(Deserialize)]
struct Summary {
    outcome: String,
    wall_seconds: f64,
    peak_rss_bytes: u64,
    worlds: Option<u64>,
    paths_failed: u64,
    live: Vec<Live>,
}

#[derive(Deserialize)]
struct Live {
    answers_from_peer: u64,
    answers_from_tree: u64,
    answers_repeated: u64,
    bytes_repeated: u64,
    peers_started: u64,
    differences: u64,
}

/// Measures, and prints two tables.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    evaluate(&everett, options.bytes, &[100, 1_000, 10_000], REPEATS)
}

/// The part that continuous integration runs.
pub(super) fn sample(everett: &Path) -> Result<()> {
    evaluate(everett, 1_000_000, &[10_000], 1)
}

fn evaluate(everett: &Path, bytes: u64, pieces: &[u64], repeats: u32) -> Result<()> {
    heading("talking to live peers");
    let home = workspace::target_dir().join("eval/live");
    if home.exists() {
        fs::remove_dir_all(&home).context("cannot remove the last results")?;
    }
    let sources = workspace::root().join(SOURCES);
    orders::build(everett, &home, &sources)?;
    let heads =
        ["bytes", "pieces", "answers", "native s", "cpu s", "s", "ratio", "all s", "cpu s", "MiB"];
    let mut table = Table::new(&heads);
    for answers in ["last", "echo"] {
        for piece in pieces {
            let native = native_effort(&home, *piece, bytes, answers, repeats)?;
            let scenario = pump_scenario(&home, *piece, bytes, answers)?;
            let mut best: Option<(Summary, Effort)> = None;
            for _ in 0..repeats {
                let (summary, effort) = explore(everett, &home, &scenario, &["--workers", "1"])?;
                ensure!(
                    summary.outcome == "exhausted" && summary.paths_failed == 0,
                    "a run failed"
                );
                if best.as_ref().is_none_or(|(best, _)| summary.wall_seconds < best.wall_seconds) {
                    best = Some((summary, effort));
                }
            }
            let Some((best, effort)) = best else { bail!("nothing was run") };
            table.row(vec![
                grouped(bytes),
                grouped(*piece),
                answers.to_owned(),
                format!("{:.3}", native.wall_seconds),
                format!("{:.3}", native.cpu_seconds),
                format!("{:.3}", best.wall_seconds),
                format!("{:.1}", best.wall_seconds / native.wall_seconds),
                format!("{:.3}", effort.wall_seconds),
                format!("{:.3}", effort.cpu_seconds),
                grouped(best.peak_rss_bytes >> 20),
            ]);
        }
    }
    table.lines().iter().for_each(|line| println!("{line}"));
    println!();
    branching(everett, &home, &sources)?.lines().iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The server whose threads are preempted, with more and more preemptions.
fn branching(everett: &Path, home: &Path, sources: &Path) -> Result<Table> {
    let heads =
        ["preemptions", "worlds", "from peer", "from tree", "again", "started", "bytes again"];
    let mut table = Table::new(&[&heads[..], &["differences", "s"]].concat());
    let scenario = orders::beside(home, &sources.join("counter.toml"))?;
    for preemptions in ["0", "1", "2", "3"] {
        let (summary, _) = explore(everett, home, &scenario, &["--preempt", preemptions])?;
        let [live] = &summary.live[..] else { bail!("one node is live") };
        table.row(vec![
            preemptions.to_owned(),
            summary.worlds.map_or("many".to_owned(), grouped),
            grouped(live.answers_from_peer),
            grouped(live.answers_from_tree),
            grouped(live.answers_repeated),
            grouped(live.peers_started),
            grouped(live.bytes_repeated),
            grouped(live.differences),
            format!("{:.2}", summary.wall_seconds),
        ]);
    }
    Ok(table)
}

/// The time of a process and of its children that have ended: real time, and that of processors.
#[derive(Clone, Copy)]
struct Effort {
    wall_seconds: f64,
    cpu_seconds: f64,
}

/// Runs a command to its end, and returns its exit code.
fn measured(command: &mut Command) -> Result<(Option<i32>, Effort)> {
    let begin = now();
    let used = command.spawn()?.wait4()?;
    let wall_seconds = begin.elapsed().as_secs_f64();
    let cpu_seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok((used.status.code(), Effort { wall_seconds, cpu_seconds }))
}

/// The effort of the fastest of some native runs, without that of the peer.
fn native_effort(
    home: &Path,
    piece: u64,
    bytes: u64,
    answers: &str,
    repeats: u32,
) -> Result<Effort> {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let port = free.port().to_string();
    let _peer = KilledAtEnd::start(Command::new(home.join("sink")).args([&port, answers]))?;
    let end = now() + Duration::from_secs(5);
    while TcpStream::connect(free).is_err() {
        ensure!(now() < end, "the native peer does not listen");
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut best: Option<Effort> = None;
    for _ in 0..repeats {
        let mut pump = Command::new(home.join("pump"));
        pump.args(["127.0.0.1", &port, &piece.to_string(), &bytes.to_string(), answers]);
        let (code, effort) = measured(&mut pump)?;
        ensure!(code == Some(0), "the native program failed");
        if best.is_none_or(|best| effort.wall_seconds < best.wall_seconds) {
            best = Some(effort);
        }
    }
    best.context("nothing was run")
}

/// A scenario in which the program talks to the live peer.
fn pump_scenario(home: &Path, piece: u64, bytes: u64, answers: &str) -> Result<PathBuf> {
    let file = home.join(format!("pump-{piece}-{answers}.toml"));
    let sink = home.join("sink").canonicalize()?;
    // The library with a peer's clock is for programs of the host's C library.
    let text = format!(
        "[[node]]\nname = 'sink'\n\
         live = {{ command = \"{} {{7000}} {answers}\", listens = 7000, clock = 'machine' }}\n\
         [[node]]\nname = 'pump'\nprogram = 'pump'\n\
         args = ['sink', '7000', '{piece}', '{bytes}', '{answers}']\n",
        sink.display()
    );
    fs::write(&file, text)?;
    Ok(file)
}

/// Explores a scenario, and reads the summary. The effort is that of the driver and of the peers.
fn explore(
    everett: &Path,
    home: &Path,
    scenario: &Path,
    flags: &[&str],
) -> Result<(Summary, Effort)> {
    let out = home.join("out");
    let mut command = driver(everett);
    command.arg("run").arg("--out").arg(&out).args(flags).arg(scenario);
    let (code, effort) = measured(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
    ensure!(code.is_some_and(|code| code != 2), "everett failed on {}", scenario.display());
    let summary = fs::read(out.join("summary.json")).context("the run left no summary")?;
    let summary = serde_json::from_slice(&summary).context("cannot read the summary")?;
    Ok((summary, effort))
}
