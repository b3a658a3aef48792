//! The corpus: every program of `tests/programs`, run at its optimisation levels and judged.
//!
//! The folder gives the default expectation: programs in `pass` explore without a finding, programs
//! in `bug` have a finding on each line that says so. `//@` lines configure (see `header.rs`). Beside
//! its own expectation, every program is held against the standing oracles of `oracles.rs`: the run
//! is repeated, its tests are replayed, caches and fast paths are switched off, a second solver
//! checks the first, and the native program agrees. Beside that, the lines that the engine covers are
//! those that gcov counts natively (`coverage.rs`), and no use of unwritten memory is found where there is
//! none (`unwritten.rs`).

mod build;
mod corpus;
mod coverage;
mod execute;
mod expect;
mod header;
#[path = "../support/memory_store.rs"]
mod memory_store;
mod oracles;
#[path = "../support/rust.rs"]
mod rust;
#[path = "../support/sample.rs"]
mod sample;
#[path = "../support/sessions.rs"]
mod sessions;
mod surroundings;
mod unwritten;
#[path = "../support/workbench.rs"]
mod workbench;

use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use build::Workshop;
use corpus::Case;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = match corpus::cases() {
        Ok(cases) => cases,
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    if rust::compiler().is_none() {
        eprintln!("there is no compiler of Rust for the engine: programs in Rust are left out");
    }
    let workshop = match Workshop::open() {
        Ok(workshop) => Arc::new(workshop),
        Err(error) => {
            eprintln!("error: {error:#}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials: Vec<Trial> = header::self_tests();
    trials.extend(coverage::trials(&cases));
    trials.push(surroundings::trial());
    trials.extend(unwritten::trials(&cases, &workshop));
    trials.extend(cases.into_iter().map(|case| {
        let workshop = Arc::clone(&workshop);
        Trial::test(case.name(), move || judge(&workshop, &case))
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Compiles and runs one program, and says everything that is wrong with it.
fn judge(workshop: &Workshop, case: &Case) -> Result<(), Failed> {
    let mut complaints = Vec::new();
    match examine(workshop, case) {
        Ok(found) => complaints.extend(found),
        Err(error) => complaints.push(format!("{error:#}")),
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

fn examine(workshop: &Workshop, case: &Case) -> anyhow::Result<Vec<String>> {
    let (program, file) = workshop.program(case)?;
    let mut config = case.config()?;
    config.node.executable = Some(file);
    config.programs = Some(workshop.programs());
    config.node.mounts.extend(workshop.libraries(case)?);
    config.workers = 1;
    let first = execute::run(&program, config.clone())?;
    let mut complaints = expect::check(case, &first);
    complaints.extend(oracles::check(workshop, case, &program, &config, &first)?);
    Ok(complaints)
}
