//! `cargo xtask fuzz`: each fuzz target for a while, on the same inputs every time.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::process::{self, command};
use crate::workspace::{self, Profile, build_driver, driver};

/// C files whose bitcode the loader is fed with, damaged.
const LOADER_SEEDS: [&str; 3] =
    ["tests/bench/c_bubble.c", "tests/bench/maze.c", "tests/demo/request.c"];

/// Programs and systems that the suite explores, and how long that may take in seconds at the most. Each
/// program of threads is explored seven times.
const SAMPLE_INPUTS: &str = "240";
const SAMPLE_THREAD_INPUTS: &str = "48";
const SAMPLE_SECONDS: &str = "600";

/// What to fuzz and for how long.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these targets
    targets: Vec<Target>,
    /// How long to run each target
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Where the sequence of inputs starts
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run one input again
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// A fixed number of programs and systems is explored, however long that takes.
    #[arg(skip)]
    is_sample: bool,
}

/// A fuzz target.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
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
    /// The bitcode loader
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

impl Options {
    /// All targets, as the suite runs them.
    pub(crate) fn all(seconds: u64) -> Options {
        Options { targets: Vec::new(), seconds, seed: 1, input: None, is_sample: true }
    }
}

impl Target {
    /// Tells whether the target runs the driver on C programs that it makes.
    fn explores(self) -> bool {
        matches!(self, Target::Programs | Target::Systems | Target::Threads)
    }
}

/// Runs the targets one after the other; the first failure ends it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let targets = match options.targets.as_slice() {
        [] => Target::value_variants(),
        chosen => chosen,
    };
    if options.input.is_some() && targets.len() != 1 {
        bail!("an input belongs to one target: name it before --input");
    }
    let profile = if options.is_sample { Profile::Tested } else { Profile::Dev };
    let driver_of_targets = workspace::build("everett-fuzz", profile)?;
    for &target in targets {
        let mut fuzz = command(&driver_of_targets);
        fuzz.arg(match target {
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
        });
        fuzz.args(["--seed", &options.seed.to_string()]);
        if options.is_sample && target.explores() {
            let inputs = match target {
                Target::Threads => SAMPLE_THREAD_INPUTS,
                _ => SAMPLE_INPUTS,
            };
            fuzz.args(["--inputs", inputs, "--seconds", SAMPLE_SECONDS]);
        } else {
            fuzz.args(["--seconds", &options.seconds.to_string()]);
        }
        if let Some(input) = &options.input {
            fuzz.arg("--input").arg(std::path::absolute(input)?);
        }
        if target == Target::Loader || target.explores() {
            let everett = build_driver(profile)?;
            // What loads is cached by the driver: made-up programs have no place among the others.
            let cache = workspace::target_dir().join("fuzz-cache");
            if cache.exists() {
                std::fs::remove_dir_all(&cache)?;
            }
            fuzz.env("EVERETT_CACHE", cache);
            if target == Target::Loader {
                fuzz.arg("--seeds").arg(compile_seeds(&everett)?);
            }
            fuzz.arg("--everett").arg(everett);
        }
        process::run(&mut fuzz)?;
    }
    Ok(())
}

/// Bitcode of small programs, plain and optimised, with debug information.
fn compile_seeds(everett: &Path) -> Result<PathBuf> {
    let folder = workspace::target_dir().join("fuzz-seeds");
    std::fs::create_dir_all(&folder)?;
    for source in LOADER_SEEDS {
        let stem = Path::new(source).file_stem().expect("a C file has a name").display();
        for level in ["-O0", "-O2"] {
            let bitcode = folder.join(format!("{stem}{level}.bc"));
            let mut compile = driver(everett);
            process::run(compile.args(["cc", "-g", level, source, "-o"]).arg(bitcode))?;
        }
    }
    Ok(folder)
}
