//! The deterministic driver of the fuzz targets; `cargo xtask fuzz` calls it.
//!
//! Runs one target on mutated inputs until the time is over. An input that fails is made small and kept
//! in `fuzz/artifacts`, and the command that repeats it is printed.

#![forbid(unsafe_code)]

mod explore;
mod loader;
mod programs;
mod systems;
mod threads;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Parser, ValueEnum};

use everett_fuzz::mutate::Mutator;
use everett_fuzz::shrink::shrink;
use loader::Loader;
use programs::ProgramTester;
use systems::SystemTester;
use threads::ThreadTester;

/// Programs or systems that are compiled together: compiling takes longer than exploring.
const COMPILED_AT_ONCE: usize = 8;

/// What is fuzzed.
#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// The reader of tests of systems
    Dtest,
    /// The simplifying constructors of terms
    Expr,
    /// Symbolic floating point, with all numbers of half precision as oracle
    Floats,
    /// The reader of test files
    Ktest,
    /// The reader of saved conversations with live peers
    Live,
    /// The bitcode loader, through the driver binary
    Loader,
    /// Programs of minvariant
    Minvariant,
    /// The engine on random C programs, with their native runs as oracle
    Programs,
    /// The reader of scenario files
    Scenario,
    /// The engine on random systems of nodes, with a simulator as oracle
    Systems,
    /// The engine on random programs of threads, with a simulator of all their orders as oracle
    Threads,
    /// The reader of recorded traffic
    Traffic,
}

/// Runs a fuzz target on deterministic inputs.
#[derive(Parser)]
struct Args {
    target: Target,
    /// How long to run
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// End after this many inputs, even when time is left
    #[arg(long, default_value_t = u64::MAX)]
    inputs: u64,
    /// Where the sequence of inputs starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only run this input
    #[arg(long)]
    input: Option<PathBuf>,
    /// Folder of inputs to vary
    #[arg(long)]
    seeds: Option<PathBuf>,
    /// The driver binary, for the targets that run it
    #[arg(long)]
    everett: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the time decides how many inputs run, not which")]
fn run(args: &Args) -> Result<()> {
    let start = Instant::now();
    let Checker { check, at_once, summary } = target(args)?;
    let check_one = |input: &[u8]| check(&[input.to_vec()]);
    if let Some(file) = &args.input {
        let input =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        check_one(&input)?;
        println!("{}: in order", file.display());
        return Ok(());
    }
    let mut mutator = Mutator::new(args.seed, seeds(args)?);
    let (mut count, mut bytes) = (0u64, 0u64);
    while count < args.inputs && start.elapsed() < Duration::from_secs(args.seconds) {
        let inputs: Vec<Vec<u8>> = (0..at_once).map(|_| mutator.next_input()).collect();
        if let Err(error) = check(&inputs) {
            let failing = inputs.iter().find(|input| check_one(input).is_err());
            let input = failing.with_context(|| format!("it happens only once: {error:#}"))?;
            eprintln!("{}: {error:#}\nmaking the input smaller ...", name(args));
            let input = shrink(input, |smaller| check_one(smaller).is_err());
            let error = check_one(&input).err().context("a failing input does not fail again")?;
            return Err(keep(args, &input, &error));
        }
        count += inputs.len() as u64;
        bytes += inputs.iter().map(|input| input.len() as u64).sum::<u64>();
    }
    if count == 0 {
        bail!("no input was run in {} s", args.seconds);
    }
    let tested = summary(count, bytes / count)?;
    println!("{}: {tested}, no failure", name(args));
    Ok(())
}

fn name(args: &Args) -> &'static str {
    match args.target {
        Target::Dtest => "dtest",
        Target::Expr => "expr",
        Target::Floats => "floats",
        Target::Ktest => "ktest",
        Target::Live => "live",
        Target::Loader => "loader",
        Target::Minvariant => "minvariant",
        Target::Programs => "programs",
        Target::Scenario => "scenario",
        Target::Systems => "systems",
        Target::Threads => "threads",
        Target::Traffic => "traffic",
    }
}

/// Checks some inputs; an error describes a failure.
type Check = Box<dyn Fn(&[Vec<u8>]) -> Result<()>>;

/// A target as functions.
struct Checker {
    check: Check,
    /// How many inputs are checked together.
    at_once: usize,
    /// Says in a few words how much was tested, out of the number of inputs and their average size.
    summary: Box<dyn Fn(u64, u64) -> Result<String>>,
}

impl Checker {
    /// Checks one input after the other.
    fn one_by_one(check: impl Fn(&[u8]) -> Result<()> + 'static) -> Checker {
        Checker {
            check: Box::new(move |inputs| inputs.iter().try_for_each(|input| check(input))),
            at_once: 1,
            summary: Box::new(|count, bytes| {
                Ok(format!("{count} inputs of {bytes} bytes on average"))
            }),
        }
    }
}

fn target(args: &Args) -> Result<Checker> {
    let everett = || args.everett.as_ref().context("this target needs --everett BINARY");
    Ok(match args.target {
        Target::Dtest => caught(everett_fuzz::dtest),
        Target::Expr => caught(everett_fuzz::expr),
        Target::Floats => caught(everett_fuzz::floats),
        Target::Ktest => caught(everett_fuzz::ktest),
        Target::Live => caught(everett_fuzz::live),
        Target::Loader => {
            let loader = Loader::new(everett()?, &std::env::temp_dir().join("everett-fuzz"))?;
            Checker::one_by_one(move |input| loader.check(input))
        }
        Target::Minvariant => caught(everett_fuzz::minvariant),
        Target::Programs => {
            let tester = Arc::new(ProgramTester::new(everett()?)?);
            let counted = Arc::clone(&tester);
            Checker {
                check: Box::new(move |inputs| tester.check(inputs)),
                at_once: COMPILED_AT_ONCE,
                summary: Box::new(move |_, _| counted.summary()),
            }
        }
        Target::Scenario => caught(everett_fuzz::scenario),
        Target::Systems => {
            let tester = Arc::new(SystemTester::new(everett()?)?);
            let counted = Arc::clone(&tester);
            Checker {
                check: Box::new(move |inputs| tester.check(inputs)),
                at_once: COMPILED_AT_ONCE,
                summary: Box::new(move |_, _| Ok(counted.summary())),
            }
        }
        Target::Traffic => caught(everett_fuzz::traffic),
        Target::Threads => {
            let tester = Arc::new(ThreadTester::new(everett()?)?);
            let counted = Arc::clone(&tester);
            Checker {
                check: Box::new(move |inputs| tester.check(inputs)),
                at_once: COMPILED_AT_ONCE,
                summary: Box::new(move |_, _| counted.summary()),
            }
        }
    })
}

/// Turns panics of a target into errors, and keeps their messages off the screen: shrinking panics often.
fn caught(target: fn(&[u8])) -> Checker {
    let message = Arc::new(Mutex::new(String::new()));
    let written = Arc::clone(&message);
    std::panic::set_hook(Box::new(move |info| {
        *written.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    Checker::one_by_one(move |input| {
        catch_unwind(AssertUnwindSafe(|| target(input)))
            .map_err(|_| anyhow!("{}", message.lock().unwrap_or_else(PoisonError::into_inner)))
    })
}

fn seeds(args: &Args) -> Result<Vec<Vec<u8>>> {
    let mut seeds = match args.target {
        Target::Expr
        | Target::Floats
        | Target::Loader
        | Target::Programs
        | Target::Systems
        | Target::Threads => Vec::new(),
        Target::Dtest => everett_fuzz::dtest_seeds(),
        Target::Ktest => everett_fuzz::ktest_seeds(),
        Target::Live => everett_fuzz::live_seeds(),
        Target::Minvariant => everett_fuzz::minvariant_seeds(),
        Target::Scenario => everett_fuzz::scenario_seeds(),
        Target::Traffic => everett_fuzz::traffic_seeds(),
    };
    if let Some(folder) = &args.seeds {
        let list = std::fs::read_dir(folder)
            .with_context(|| format!("cannot list {}", folder.display()))?;
        let mut files = list.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        files.sort();
        for file in files {
            seeds.push(
                std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?,
            );
        }
    }
    Ok(seeds)
}

/// Keeps a failing input and says how to run it again.
fn keep(args: &Args, input: &[u8], error: &anyhow::Error) -> anyhow::Error {
    let name = name(args);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name);
    let file = folder.join(format!("seed-{}-{}-bytes", args.seed, input.len()));
    let kept = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    match kept {
        Ok(()) => anyhow!(
            "{error:#}\nthe input is {}; again: cargo xtask fuzz {name} --input {0}",
            file.display()
        ),
        Err(reason) => anyhow!("{error:#}\n(the input could not be kept: {reason})"),
    }
}
