//! `everett explore`: a world of a test to walk in, as pages for a browser on this machine.
//!
//! Not here: the runs (`everett-rerun`), the pages (`everett-report`), and who is answered
//! (`local_server.rs`).

mod test;
mod walk;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use crate::local_server::{LocalAnswer, LocalServer};
use crate::terminal;
use walk::WorldWalk;

/// Walk in the world of a test: step by step, forward and back, and to what else could have happened
///
/// It prints the address of a page for a browser on this machine, and serves it until Ctrl-C. The address has
/// a random token; requests without it, and those of other sites, are refused.
#[derive(clap::Args)]
pub(crate) struct ExploreOptions {
    /// A test (.dtest of a system, .ktest of a program), or a folder with the results of a run, whose first
    /// finding is taken; the last run if it is not given
    #[arg(value_name = "TEST|DIR")]
    test: Option<PathBuf>,
    /// Take the finding of this number from the folder
    #[arg(long, value_name = "N")]
    finding: Option<u64>,
    /// Listen on this port of 127.0.0.1; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// The words behind `everett run` of the run that has left a .ktest, if its folder does not have them
    #[arg(last = true, value_name = "PROGRAM AND FLAGS")]
    run: Vec<OsString>,
}

/// Serves until the process is ended.
pub(crate) fn run(options: &ExploreOptions) -> Result<ExitCode> {
    let ExploreOptions { test, finding, port, run } = options;
    let test = test::named(test.as_deref(), *finding, run)?;
    let mut walk = WorldWalk::begin(&test)?;
    let server = LocalServer::start(*port)?;
    let base = server.base();
    terminal::out(&format!("{}\n", server.url()));
    terminal::err("open it in a browser on this machine; Ctrl-C ends\n");
    while let Some(mut request) = server.next()? {
        let answer = walk.answer(&base, &mut request);
        let answer = answer.unwrap_or_else(|error| LocalAnswer::Failed(format!("{error:#}")));
        request.answer(&base, answer);
    }
    Ok(ExitCode::SUCCESS)
}
