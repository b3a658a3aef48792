//! The deterministic driver of the fuzz targets; `cargo xtask fuzz` calls it.
//!
//! Runs one target on mutated inputs until the time is over. An input that fails is made small and kept
//! in `fuzz/artifacts`, and the command that repeats it is printed.

#![forbid(unsafe_code)]

mod loader;

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

/// What is fuzzed.
#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// The reader of tests of systems
    Dtest,
    /// The simplifying constructors of terms
    Expr,
    /// The reader of test files
    Ktest,
    /// The bitcode loader, through the driver binary
    Loader,
    /// Programs of minvariant
    Minvariant,
    /// The reader of scenario files
    Scenario,
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
    /// The driver binary, for the loader
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
    let check = target(args)?;
    if let Some(file) = &args.input {
        let input =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        check(&input)?;
        println!("{}: in order", file.display());
        return Ok(());
    }
    let mut mutator = Mutator::new(args.seed, seeds(args)?);
    let (mut count, mut bytes) = (0u64, 0u64);
    while count < args.inputs && start.elapsed() < Duration::from_secs(args.seconds) {
        let input = mutator.next_input();
        if check(&input).is_err() {
            let input = shrink(&input, |smaller| check(smaller).is_err());
            let error = check(&input).err().context("a failing input does not fail again")?;
            return Err(keep(args, &input, &error));
        }
        count += 1;
        bytes += input.len() as u64;
    }
    if count == 0 {
        bail!("no input was run in {} s", args.seconds);
    }
    println!("{}: {count} inputs of {} bytes on average, no failure", name(args), bytes / count);
    Ok(())
}

fn name(args: &Args) -> &'static str {
    match args.target {
        Target::Dtest => "dtest",
        Target::Expr => "expr",
        Target::Ktest => "ktest",
        Target::Loader => "loader",
        Target::Minvariant => "minvariant",
        Target::Scenario => "scenario",
    }
}

/// A target as a function whose error describes a failure.
type Check = Box<dyn Fn(&[u8]) -> Result<()>>;

fn target(args: &Args) -> Result<Check> {
    Ok(match args.target {
        Target::Dtest => caught(everett_fuzz::dtest),
        Target::Expr => caught(everett_fuzz::expr),
        Target::Ktest => caught(everett_fuzz::ktest),
        Target::Loader => {
            let everett = args.everett.as_ref().context("the loader needs --everett BINARY")?;
            let loader = Loader::new(everett, &std::env::temp_dir().join("everett-fuzz"))?;
            Box::new(move |input| loader.check(input))
        }
        Target::Minvariant => caught(everett_fuzz::minvariant),
        Target::Scenario => caught(everett_fuzz::scenario),
    })
}

/// Turns panics of a target into errors, and keeps their messages off the screen: shrinking panics often.
fn caught(target: fn(&[u8])) -> Check {
    let message = Arc::new(Mutex::new(String::new()));
    let written = Arc::clone(&message);
    std::panic::set_hook(Box::new(move |info| {
        *written.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    Box::new(move |input| {
        catch_unwind(AssertUnwindSafe(|| target(input)))
            .map_err(|_| anyhow!("{}", message.lock().unwrap_or_else(PoisonError::into_inner)))
    })
}

fn seeds(args: &Args) -> Result<Vec<Vec<u8>>> {
    let mut seeds = match args.target {
        Target::Expr | Target::Loader => Vec::new(),
        Target::Dtest => everett_fuzz::dtest_seeds(),
        Target::Ktest => everett_fuzz::ktest_seeds(),
        Target::Minvariant => everett_fuzz::minvariant_seeds(),
        Target::Scenario => everett_fuzz::scenario_seeds(),
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
