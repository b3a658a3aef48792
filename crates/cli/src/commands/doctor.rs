//! `everett doctor`: what is installed of what Everett uses, what is missing, and what to do.
//!
//! One row a need. Nothing is changed; a small program is compiled and explored in a folder that is removed.

mod needs;

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::Result;

use crate::exit_codes::EXIT_FINDINGS;
use crate::terminal;
use needs::{Need, NeedState};

/// Say what is installed of what Everett uses, what is missing, and how to get it
///
/// Exit code: 0 if everything is there that is needed, 1 if something is missing. What is optional does not
/// count.
#[derive(clap::Args)]
pub(crate) struct DoctorOptions {}

/// Looks at everything, and shows it.
pub(crate) fn run(DoctorOptions {}: &DoctorOptions) -> Result<ExitCode> {
    let needs = needs::all();
    let width = needs.iter().map(|need| need.name.len()).max().unwrap_or(0);
    let paint = terminal::paint();
    let mut text = format!("everett {}\n", env!("CARGO_PKG_VERSION"));
    for Need { name, state, what, purpose, .. } in &needs {
        let shown = match state {
            NeedState::Met => paint.good("ok      "),
            NeedState::Missing => paint.alarm("missing "),
            NeedState::OptionalMissing => paint.faint("optional"),
            NeedState::Odd => paint.caution("note    "),
        };
        let _ = writeln!(text, "  {shown}  {name:width$}  {what}");
        if *state != NeedState::Met {
            let _ = writeln!(text, "            {:width$}  {purpose}", "");
        }
    }
    let packages = |of: NeedState| {
        let mut names: Vec<&str> =
            needs.iter().filter(|need| need.state == of).filter_map(|need| need.package).collect();
        names.dedup();
        names.join(" ")
    };
    let commands = [
        ("to install what is missing, on Debian or Ubuntu:", packages(NeedState::Missing)),
        ("to install what is optional:", packages(NeedState::OptionalMissing)),
    ];
    for (title, packages) in commands.iter().filter(|(_, packages)| !packages.is_empty()) {
        let _ = writeln!(text, "{title}\n  sudo apt-get install {packages}");
    }
    let is_ready = needs.iter().all(|need| need.state != NeedState::Missing);
    text.push_str(match is_ready {
        true => "everett is ready\n",
        false => "everett is not ready: something that it needs is missing\n",
    });
    terminal::out(&text);
    Ok(if is_ready { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FINDINGS) })
}
