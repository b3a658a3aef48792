//! `cargo xtask fuzz`: each fuzz target for a while, on the same inputs every time.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::process::{self, command};
use crate::workspace::{self, Profile, build_driver, driver};

/// C files whose bitcode the loader is fed with, damaged.
const LOADER_SEEDS: [&str; 3] =
    ["tests/bench/c_bubble.c", "tests/bench/maze.c", "tests/demo/request.c"];

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
}

/// A fuzz target.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The reader of tests of systems
    Dtest,
    /// The simplifying constructors of terms
    Expr,
    /// The reader of test files
    Ktest,
    /// The bitcode loader
    Loader,
    /// Programs of minvariant
    Minvariant,
    /// The reader of scenario files
    Scenario,
}

impl Options {
    /// All targets.
    pub(crate) fn all(seconds: u64) -> Options {
        Options { targets: Vec::new(), seconds, seed: 1, input: None }
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
    process::run(command("cargo").args([
        "build",
        "--package",
        "everett-fuzz",
        "--bin",
        "everett-fuzz",
    ]))?;
    for &target in targets {
        let mut fuzz = command(workspace::target_dir().join("debug/everett-fuzz"));
        fuzz.arg(match target {
            Target::Dtest => "dtest",
            Target::Expr => "expr",
            Target::Ktest => "ktest",
            Target::Loader => "loader",
            Target::Minvariant => "minvariant",
            Target::Scenario => "scenario",
        });
        fuzz.args(["--seconds", &options.seconds.to_string(), "--seed", &options.seed.to_string()]);
        if let Some(input) = &options.input {
            fuzz.arg("--input").arg(std::path::absolute(input)?);
        }
        if target == Target::Loader {
            let everett = build_driver(Profile::Dev)?;
            // What loads is cached by the driver: damaged programs have no place among the others.
            let cache = workspace::target_dir().join("fuzz-cache");
            if cache.exists() {
                std::fs::remove_dir_all(&cache)?;
            }
            fuzz.env("EVERETT_CACHE", cache);
            fuzz.arg("--seeds").arg(compile_seeds(&everett)?).arg("--everett").arg(everett);
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
