//! `cargo xtask bench`: the engine measured on the programs of `tests/bench`.
//!
//! Machines are noisy: each program runs several times, alternating with KLEE where that is installed,
//! and the minimum and the median are reported. A run that does not do the expected work (paths,
//! findings) is an error, however fast it was.

mod cluster;
mod cluster_results;
mod klee;
pub(crate) mod measure;
mod programs;
pub(crate) mod systems;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{self, heading};
use crate::setup;
use crate::workspace::{self, Profile, build_driver, driver, relative};
use klee::Klee;
use measure::{
    Done, Sample, Work, everett_work, measure, measure_together, median, minimum_and_median,
};
use programs::{Goal, PROGRAMS, Program};
use table::{Ratio, Row};

/// What string functions do about symbolic bytes, besides what they do by default.
const STRING_MODES: [&str; 2] = ["fork", "expression"];
/// The most time for one of them: it is enough to be slower.
const MODE_TIME: &str = "60s";
/// The exit code of a run that a limit has ended.
const EXIT_INCOMPLETE: i32 = 3;

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only the programs whose names contain one of these; `cluster` measures the processes of a cluster
    /// instead
    programs: Vec<String>,
    /// How often to run each program
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Keep the results under this name
    #[arg(long, value_name = "NAME")]
    save: Option<String>,
    /// Compare with the results kept under this name
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Simulate clusters of up to a thousand workers instead
    #[arg(long, conflicts_with_all = ["programs", "save", "against"])]
    simulate: bool,
    /// Compare results of clusters of 1, 2, 4 and 8 worker processes with those of one process instead
    #[arg(long, conflicts_with_all = ["simulate", "save", "against"])]
    clusters: bool,
    /// Use this driver for it, instead of building one
    #[arg(long, value_name = "FILE", requires = "clusters")]
    driver: Option<PathBuf>,
    /// Flags for every run of the engine, behind those of the program
    #[arg(last = true)]
    flags: Vec<String>,
}

/// Measures, prints a table, writes JSON, and compares with a saved run.
pub(crate) fn run(options: &Options) -> Result<()> {
    if options.simulate {
        return simulate_clusters();
    }
    if options.clusters {
        return cluster_results::run(&options.programs, options.driver.as_deref());
    }
    if options.programs == ["cluster"] {
        return cluster::run(options.runs);
    }
    let before = options.against.as_deref().map(table::load).transpose()?;
    setup::run()?;
    heading("building the driver");
    let everett = build_driver(Profile::Release)?;
    let klee = Klee::find();
    let chosen = |program: &&Program| {
        options.programs.is_empty()
            || options.programs.iter().any(|part| program.name.contains(part))
    };

    heading(match klee {
        Some(_) => "benchmark, with KLEE measured beside",
        None => "benchmark, with KLEE's figures from another machine (orders of magnitude only)",
    });
    println!("{}", table::header());
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for program in PROGRAMS.iter().filter(chosen) {
        match measure_program(program, &everett, klee.as_ref(), options) {
            Ok(row) => {
                println!("{}", table::line(&row));
                rows.push(row);
            }
            Err(error) => {
                println!("{:14} failed: {error:#}", program.name);
                failures.push(program.name);
            }
        }
    }
    let file = table::save("latest", &rows)?;
    println!("\nwritten to {}", relative(&file));
    if let Some(name) = &options.save {
        println!("kept as {}", relative(&table::save(name, &rows)?));
    }
    if let Some(before) = before {
        heading("compared with the kept run");
        table::compare(&before, &rows).iter().for_each(|line| println!("{line}"));
    }
    if !failures.is_empty() {
        bail!("failed: {}", failures.join(", "));
    }
    Ok(())
}

/// Prints the tables of `docs/maintainers/cluster.md`. The simulation needs no server, and no client of one.
fn simulate_clusters() -> Result<()> {
    let package =
        ["--package", "everett-cluster", "--no-default-features", "--example", "simulate"];
    process::run(process::command("cargo").args(["run", "--quiet", "--release"]).args(package))
}

fn measure_program(
    program: &Program,
    everett: &Path,
    klee: Option<&Klee>,
    options: &Options,
) -> Result<Row> {
    let folder = workspace::target_dir().join("bench").join(program.name);
    std::fs::create_dir_all(&folder)?;
    let out = folder.join("out");
    let subject = prepare(program, everett, &folder)?;
    let data = program.data.map(|mebibytes| data_file(&folder, mebibytes)).transpose()?;
    let klee = klee.filter(|_| data.is_none() && !program.is_system());
    let runner = Runner { program, everett, options, subject, data };
    let mut measured = Measured::default();
    let mut by_mode: [Vec<Sample>; STRING_MODES.len()] = Default::default();
    let mut shares = Vec::new();
    let mut work: Option<Work> = None;
    for _ in 0..options.runs {
        let (sample, done) = runner.run("1", &out)?;
        if work.as_ref().is_some_and(|before| *before != done.work) {
            bail!("two runs did different work: {work:?}, then {:?}", done.work);
        }
        work = Some(done.work);
        shares.extend(done.in_invariants.map(|seconds| (sample.wall_seconds, seconds)));
        if let Goal::Workers(_) = program.goal {
            measured.beside.push(sample);
            measured.samples.push(runner.run("2", &out)?.0);
            let beside = folder.join("out-2");
            let mut both = [runner.command("1", &out, &[])?, runner.command("1", &beside, &[])?];
            measured.at_once.push(measure_together(&mut both, &[0, 1])?);
            continue;
        }
        measured.samples.push(sample);
        if let Goal::Strings(_) = program.goal {
            for (mode, samples) in STRING_MODES.iter().zip(&mut by_mode) {
                samples.push(runner.run_in_mode(mode, &out)?);
            }
        } else if let Some(klee) = klee {
            measured.beside.push(klee.measure(program, &folder)?);
        }
    }
    if let Goal::Strings(_) = program.goal {
        let wall = |samples: &Vec<Sample>| minimum_and_median(samples, |s| s.wall_seconds).0;
        let better = by_mode.into_iter().min_by(|a, b| wall(a).total_cmp(&wall(b)));
        measured.beside = better.unwrap_or_default();
    }
    let quickest = shares.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    measured.share = quickest.map(|(all, invariants)| 100.0 * invariants / all);
    Ok(judge(program, work.context("no run was asked for")?, measured))
}

/// Runs one program of the benchmark with our engine.
struct Runner<'a> {
    program: &'a Program,
    everett: &'a Path,
    options: &'a Options,
    /// The compiled program, or the scenario.
    subject: PathBuf,
    /// The file of the host that the program finds.
    data: Option<PathBuf>,
}

impl Runner<'_> {
    /// The command of a run, with flags beside those of the program.
    fn command(&self, workers: &str, out: &Path, more: &[&str]) -> Result<Command> {
        if out.exists() {
            std::fs::remove_dir_all(out).context("cannot remove the last results")?;
        }
        let flags = &self.options.flags;
        let mut run = driver(self.everett);
        run.args(["run", "--quiet", "--out"]).arg(out).args(self.program.everett).args(flags);
        run.args(more);
        // KLEE has one thread, too; and with several of ours, queries differ from run to run.
        if !flags.iter().any(|flag| flag.starts_with("--workers")) {
            run.args(["--workers", workers]);
        }
        if let Some(data) = &self.data {
            run.arg("--mount").arg(format!("{}:/data", data.display()));
        }
        run.arg(&self.subject);
        Ok(run)
    }

    /// A run that must do the expected work.
    fn run(&self, workers: &str, out: &Path) -> Result<(Sample, Done)> {
        let sample = measure(&mut self.command(workers, out, &[])?, &[0, 1])?;
        let done = everett_work(out)?;
        self.program.check(&done.work)?;
        Ok((sample, done))
    }

    /// A run with string functions in one mode, whose paths are others, and which may take too long.
    fn run_in_mode(&self, mode: &str, out: &Path) -> Result<Sample> {
        let mut run = self.command("1", out, &["--strings", mode, "--max-time", MODE_TIME])?;
        measure(&mut run, &[0, 1, EXIT_INCOMPLETE])
    }
}

/// Compiles what is run: a program, or a scenario and its programs.
fn prepare(program: &Program, everett: &Path, folder: &Path) -> Result<PathBuf> {
    if program.is_system() {
        return systems::prepare(everett, program.source, program.defines, folder);
    }
    let bitcode = folder.join("program.bc");
    let source = Path::new("tests/bench").join(program.source);
    let mut compile = driver(everett);
    compile.args(["cc", "-O1"]).args(program.defines.iter().map(|define| format!("-D{define}")));
    process::run(compile.arg(&source).arg("-o").arg(&bitcode))?;
    Ok(bitcode)
}

/// A file of this size whose bytes are not all the same, written piece by piece: Linux counts the memory
/// that this process has used among that of the commands which it starts.
fn data_file(folder: &Path, mebibytes: u32) -> Result<PathBuf> {
    let path = folder.join("data");
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&path)?;
        for piece in 0..mebibytes {
            let bytes = (piece << 20)..((piece + 1) << 20);
            let bytes = bytes.map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8);
            file.write_all(&bytes.collect::<Vec<u8>>())?;
        }
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", relative(&path)))?;
    Ok(path)
}

/// What the runs of a program came to.
#[derive(Default)]
struct Measured {
    samples: Vec<Sample>,
    /// KLEE, or one worker, or the better mode of string functions.
    beside: Vec<Sample>,
    /// Seconds that two runs with one worker took together.
    at_once: Vec<f64>,
    /// The part of the time that went into invariants, in percent.
    share: Option<f64>,
}

/// Puts our samples beside KLEE's, or one worker's, or beside the figures of the table.
fn judge(program: &Program, work: Work, measured: Measured) -> Row {
    let Measured { samples, beside, at_once, share } = measured;
    let klee = match &beside[..] {
        [] => table::Klee {
            wall_seconds: program.reference.wall_seconds,
            user_seconds: program.reference.user_seconds,
            rss_bytes: program.reference.rss_megabytes.map(|megabytes| megabytes * 1e6),
            live: false,
        },
        samples => table::Klee {
            wall_seconds: minimum_and_median(samples, |s| s.wall_seconds).0,
            user_seconds: Some(minimum_and_median(samples, |s| s.user_seconds).0),
            rss_bytes: Some(minimum_and_median(samples, |s| s.rss_bytes as f64).0),
            live: true,
        },
    };
    let goal = Ratio { what: String::new(), reached: 0.0, wanted: 0.0 };
    let row = Row { name: program.name.to_string(), samples, work, klee, goal };
    let goal = match program.goal {
        Goal::Time(wanted) => {
            let reached = row.klee.wall_seconds / row.wall().0;
            Ratio { what: "time".to_string(), reached, wanted }
        }
        Goal::Memory(wanted) => {
            let reached = row.klee.rss_bytes.map_or(f64::INFINITY, |bytes| bytes / row.rss());
            Ratio { what: "memory".to_string(), reached, wanted }
        }
        Goal::Workers(wanted) => {
            let one = minimum_and_median(&beside, |sample| sample.wall_seconds).1;
            workers_goal(wanted, one, row.wall().1, median(at_once))
        }
        Goal::Seconds(most) => {
            let what = format!("at most {most} s by");
            Ratio { what, reached: most / row.wall().0, wanted: 1.0 }
        }
        Goal::Strings(wanted) => {
            let reached = row.klee.wall_seconds / row.wall().0;
            Ratio { what: "better of both modes by".to_string(), reached, wanted }
        }
        Goal::Invariants(most) => {
            let share = share.unwrap_or(f64::INFINITY);
            let what = format!("{share:.1}% in invariants, less than {most}% by");
            Ratio { what, reached: most / share, wanted: 1.0 }
        }
    };
    Row { goal, ..row }
}

/// How two workers stand beside one, by the median times of one, of two, and of two runs with one worker
/// each at the same time: what the cores of the machine have to give.
fn workers_goal(wanted: f64, one: f64, two: f64, at_once: f64) -> Ratio {
    let possible = 2.0 * one / at_once;
    let what = format!("two runs at once gain {possible:.2}x, two workers");
    // Whatever the machine, a second worker must not cost more than is allowed.
    let scaled = (wanted * (possible / 2.0).min(1.0) * 100.0).round() / 100.0;
    let wanted = scaled.max(wanted.min(1.0));
    Ratio { what, reached: one / two, wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_workers_are_measured_by_what_the_machine_has_to_give() {
        let whole = workers_goal(1.7, 1.0, 0.6, 1.0);
        assert!(whole.wanted == 1.7 && whole.reached < whole.wanted);
        let shared = workers_goal(1.7, 1.0, 0.65, 1.25);
        assert!(shared.wanted == 1.36 && shared.reached > shared.wanted);
        assert!(shared.what.contains("1.60x"));
        assert!(workers_goal(1.7, 1.0, 0.5, 0.9).wanted == 1.7);
        assert!(workers_goal(1.7, 1.0, 1.0, 2.0).wanted == 1.0);
        assert!(workers_goal(0.9, 1.0, 1.0, 1.5).wanted == 0.9);
    }
}
