//! `everett scenario`: checks and draws scenario files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use everett_explorer::ScenarioSystem;
use everett_input::files;
use everett_report::count_of;
use everett_scenario::{Scenario, ScenarioErrors, load, parse};

use crate::errors::explorer_error;
use crate::exit_codes::EXIT_FAILED;
use crate::terminal;

/// Check or draw a description of a system of nodes and networks
#[derive(clap::Args)]
pub(crate) struct ScenarioOptions {
    #[command(subcommand)]
    action: ScenarioAction,
}

#[derive(clap::Subcommand)]
enum ScenarioAction {
    /// Say what is wrong with a scenario, or what it describes
    Check {
        /// The scenario
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
    },
    /// Draw the networks, nodes and routers of a scenario as SVG
    Draw {
        /// The scenario
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        /// File for the picture, instead of standard output
        #[arg(long, short, value_name = "FILE.svg")]
        output: Option<PathBuf>,
    },
}

/// Does what was asked for; a scenario with problems is a failure.
pub(crate) fn run(options: &ScenarioOptions) -> Result<ExitCode> {
    match &options.action {
        ScenarioAction::Check { file } => match load(file) {
            Ok(scenario) => {
                ScenarioSystem::read(vec![file.into()])
                    .and_then(|system| system.check())
                    .map_err(explorer_error)?;
                terminal::out(&description(file, &scenario));
            }
            Err(errors) => return Ok(print_errors(&errors)),
        },
        ScenarioAction::Draw { file, output } => {
            let text = files::read_text(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            // A picture needs no programs.
            let svg = match parse(&text, file) {
                Ok(scenario) => scenario.topology.draw(),
                Err(errors) => return Ok(print_errors(&errors)),
            };
            match output {
                None => terminal::out(&svg),
                Some(output) => std::fs::write(output, svg)
                    .with_context(|| format!("cannot write {}", output.display()))?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn print_errors(errors: &ScenarioErrors) -> ExitCode {
    let problems = count_of(errors.count() as u64, "problem");
    terminal::err(&format!("{errors}\n"));
    terminal::error(&format!("the scenario has {problems}"));
    ExitCode::from(EXIT_FAILED)
}

fn description(file: &Path, scenario: &Scenario) -> String {
    let topology = &scenario.topology;
    let counts = [
        count_of(topology.nodes().len() as u64, "node"),
        count_of(topology.routers().len() as u64, "router"),
        count_of(topology.networks().len() as u64, "network"),
    ];
    let mut text = format!("{}: {}\n", file.display(), counts.join(", "));
    let widest = topology.hosts().iter().map(|host| host.name.len()).max().unwrap_or(0);
    for (index, host) in topology.hosts().iter().enumerate() {
        let addresses: Vec<String> = host.addresses().map(|address| address.to_string()).collect();
        let does = match scenario.nodes.get(index) {
            Some(node) => {
                let program = node.program.display().to_string();
                std::iter::once(program).chain(node.args.iter().cloned()).collect::<Vec<_>>()
            }
            None => vec!["forwards".to_owned()],
        };
        let (name, addresses) = (&host.name, addresses.join(" "));
        text.push_str(&format!("  {name:widest$}  {addresses:15}  {}\n", does.join(" ")));
    }
    text
}
