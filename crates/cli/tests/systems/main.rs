//! The systems: every scenario of `tests/systems`, run and judged.
//!
//! A folder holds the programs of a system and one or more scenarios, each of which is a test and says in
//! comments what is expected of it (see `expect.rs`). Beside that, every system is held against the
//! standing oracles of `oracles.rs`: a second run is the same run, and neither the mapping of worlds nor
//! the order in which states run changes what there is to find. What is found is run again in the engine
//! (`replays.rs`) and natively (`natives.rs`). Some are searched for Trojan messages (`trojans.rs`).

mod build;
mod cases;
mod driver;
mod execute;
mod expect;
#[path = "../support/memory_store.rs"]
mod memory_store;
mod natives;
mod oracles;
mod pairs;
mod replays;
#[path = "../support/sample.rs"]
mod sample;
mod scripts;
#[path = "../support/sessions.rs"]
mod sessions;
mod trojans;
#[path = "../support/workbench.rs"]
mod workbench;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use libtest_mimic::{Arguments, Failed, Trial};

use build::Workshop;
use cases::Case;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match trials() {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn trials() -> Result<Vec<Trial>> {
    let workshop = Arc::new(Workshop::open()?);
    let mut trials = expect::self_tests();
    trials.extend(trojans::self_tests());
    let cases: Vec<Arc<Case>> = cases::all()?.into_iter().map(Arc::new).collect();
    for row in pairs::rows(&cases)? {
        let (name, workshop) = (format!("pairs/{}", row.of), Arc::clone(&workshop));
        trials.push(Trial::test(name, move || report(pairs::check(&workshop, &row))));
    }
    for case in cases {
        let workshop = Arc::clone(&workshop);
        if let Some(code) = driver::exit_code(&case.name()) {
            let (case, workshop) = (Arc::clone(&case), Arc::clone(&workshop));
            let name = format!("driver/{}", case.name());
            trials.push(Trial::test(name, move || report(driver::check(&workshop, &case, code))));
        }
        if case.expected.kinds().next().is_some() {
            let case = Arc::clone(&case);
            let name = format!("native/{}", case.name());
            trials.push(Trial::test(name, move || report(natives::check(&case))));
        }
        if let Some(expected) = trojans::expectations(&case)? {
            let (case, workshop) = (Arc::clone(&case), Arc::clone(&workshop));
            let name = format!("everett_trojan/{}", case.name());
            let check = move || report(trojans::check(&workshop, &case, &expected));
            trials.push(Trial::test(name, check));
        }
        trials.push(Trial::test(case.name(), move || report(examine(&workshop, &case))));
    }
    Ok(trials)
}

/// Says everything that is wrong.
fn report(complaints: Result<Vec<String>>) -> Result<(), Failed> {
    let complaints = complaints.unwrap_or_else(|error| vec![format!("{error:#}")]);
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n").into()) }
}

/// Runs one scenario and judges it.
fn examine(workshop: &Workshop, case: &Case) -> Result<Vec<String>> {
    let complaints = judge(workshop, case);
    case.end_conversations();
    complaints
}

fn judge(workshop: &Workshop, case: &Case) -> Result<Vec<String>> {
    let first = execute::run(workshop, case, &[])?;
    let mut complaints = expect::check(case, &first);
    complaints.extend(oracles::check(workshop, case, &first)?);
    complaints.extend(replays::check(workshop, case, &first)?);
    Ok(complaints)
}
