//! `cargo xtask bench cluster`: worker processes of a cluster beside threads and independent runs.
//!
//! All runs explore the same program, so all have the same paths. Two independent runs at the same time show
//! what two processes can do on this machine at most.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::process::{heading, now};
use crate::setup;
use crate::workspace::{self, Profile, build_driver};

/// The time that a server has to come up.
const SERVER_TIME: Duration = Duration::from_secs(10);

#[derive(Deserialize)]
struct Summary {
    paths: u64,
}

/// A process that is ended when it is dropped.
pub(super) struct Process(pub(super) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A NATS server on a port of this machine.
pub(super) struct Server {
    port: u16,
    _process: Process,
}

struct Bench {
    everett: PathBuf,
    folder: PathBuf,
    url: String,
}

/// Measures, and prints a table.
pub(super) fn run(runs: u32) -> Result<()> {
    setup::run()?;
    heading("building the driver");
    let everett = build_driver(Profile::Release)?;
    let folder = workspace::target_dir().join("bench/cluster");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let server = Server::start(&folder)?;
    let bench = Bench { everett, folder, url: server.url() };
    bench.compile()?;
    heading("a run by threads, by processes of a cluster, and two runs at the same time");
    println!("{:44} {:>9} {:>9}", "exploration", "seconds", "of one");
    let one = best(runs, || bench.local("1"))?;
    let report = |name: &str, time: Duration| {
        println!(
            "{name:44} {:>9.2} {:>9.2}",
            time.as_secs_f64(),
            one.as_secs_f64() / time.as_secs_f64()
        );
    };
    report("one thread", one);
    report("two threads", best(runs, || bench.local("2"))?);
    report("a cluster with one process", best(runs, || bench.cluster(1))?);
    report("a cluster with two processes", best(runs, || bench.cluster(2))?);
    let both = best(runs, || bench.two_at_once())?;
    report("two independent runs at the same time", both);
    println!(
        "\n{:.2} times as much as one can be done here at once",
        2.0 * one.as_secs_f64() / both.as_secs_f64()
    );
    Ok(())
}

/// The shortest of several times.
fn best(runs: u32, mut measure: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..runs {
        times.push(measure()?);
    }
    times.into_iter().min().context("nothing was measured")
}

impl Server {
    /// Starts one that keeps its data below a folder.
    pub(super) fn start(folder: &Path) -> Result<Server> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Command::new("nats-server")
            .args(["--jetstream", "--addr", "127.0.0.1", "--port", &port.to_string()])
            .arg("--store_dir")
            .arg(folder.join("store"))
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start nats-server")?;
        let server = Server { port, _process: Process(child) };
        let start = now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            ensure!(start.elapsed() < SERVER_TIME, "nats-server does not come up");
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(server)
    }

    /// Its address.
    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Bench {
    fn everett(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.everett);
        command.args(words).current_dir(&self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn compile(&self) -> Result<()> {
        let source = workspace::root().join("tests/bench/cluster.c");
        let source = source.display().to_string();
        let done = self.everett(&["cc", "-O1", &source, "-o", "p.bc"]).status()?;
        ensure!(done.success(), "the program cannot be compiled");
        Ok(())
    }

    /// Waits for a run, and looks whether it has found all paths.
    fn check(&self, out: &str, run: &mut Child) -> Result<()> {
        let status = run.wait()?;
        ensure!(status.success(), "a run has ended with {status}");
        let summary: Summary =
            serde_json::from_slice(&fs::read(self.folder.join(out).join("summary.json"))?)?;
        if summary.paths != 4096 {
            bail!("a run has found {} paths", summary.paths);
        }
        Ok(())
    }

    fn time(&self, words: &[&str]) -> Result<Duration> {
        let start = now();
        let words =
            [&["run", "p.bc", "--quiet", "--tests", "none", "--out", "out"], words].concat();
        self.check("out", &mut self.everett(&words).spawn()?)?;
        Ok(start.elapsed())
    }

    fn local(&self, workers: &str) -> Result<Duration> {
        self.time(&["--workers", workers])
    }

    fn cluster(&self, workers: u32) -> Result<Duration> {
        let work = ["work", &self.url, "--slots", "1", "--quiet"];
        let mut processes = Vec::new();
        for _ in 0..workers {
            processes.push(Process(self.everett(&work).spawn()?));
        }
        // They are there before the run is.
        std::thread::sleep(Duration::from_secs(1));
        self.time(&["--cluster", &self.url])
    }

    fn two_at_once(&self) -> Result<Duration> {
        let start = now();
        let words = ["run", "p.bc", "--quiet", "--tests", "none", "--workers", "1", "--out"];
        let outs = ["out1", "out2"];
        let mut runs = Vec::new();
        for out in outs {
            runs.push(self.everett(&[&words[..], &[out]].concat()).spawn()?);
        }
        for (out, run) in outs.iter().zip(&mut runs) {
            self.check(out, run)?;
        }
        Ok(start.elapsed())
    }
}
