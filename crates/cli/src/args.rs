//! The command line as a whole.

use std::ffi::OsString;
use std::path::Path;

use clap::{Parser, Subcommand};
use everett_settings::RunOptions;

use crate::commands::{
    bitcode, cc, check, cluster, conforms, explore_jobs, faults, ktest, lower, replay, resume,
    scenario, trojan, work,
};

/// Finds bugs in C programs by running them on symbolic inputs.
#[derive(Parser)]
#[command(name = "everett", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Two commands do most of the work:\n  \
    everett cc prog.c -o prog\n  \
    everett run prog")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    Cc(cc::CcOptions),
    #[command(name = "c++")]
    Cxx(cc::CxxOptions),
    Bitcode(bitcode::BitcodeOptions),
    Run(Box<RunOptions>),
    Resume(resume::ResumeOptions),
    Replay(replay::ReplayOptions),
    Minimize(replay::minimize::MinimizeOptions),
    Export(replay::native::ExportOptions),
    Faults(Box<faults::FaultsOptions>),
    Trojan(Box<trojan::TrojanCommand>),
    Conforms(Box<conforms::ConformsOptions>),
    Work(work::WorkOptions),
    Cluster(cluster::ClusterOptions),
    Ktest(ktest::KtestOptions),
    Check(check::CheckOptions),
    Scenario(scenario::ScenarioOptions),
    #[command(hide = true)]
    Lower(lower::LowerOptions),
    #[command(hide = true)]
    ExploreJobs(explore_jobs::JobProcessOptions),
}

/// Names under which the binary is one of its own subcommands: build systems want a compiler that is a
/// single word.
const ALIASES: [(&str, &str); 2] = [("everett-cc", "cc"), ("everett-c++", "c++")];

/// The words of a command line, with the subcommand that the name of the program stands for.
pub(crate) fn words(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = given.collect();
    let name = words.first().and_then(|program| Path::new(program).file_name());
    let alias = ALIASES.iter().find(|(alias, _)| name == Some(alias.as_ref()));
    if let Some((_, subcommand)) = alias {
        words.insert(1, subcommand.into());
    }
    words
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn definition_of_the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn program_is_a_compiler_under_the_name_of_one() {
        let called = |given: &[&str]| words(given.iter().map(OsString::from));
        assert_eq!(called(&["/bin/everett-cc", "a.c"]), ["/bin/everett-cc", "cc", "a.c"]);
        assert_eq!(called(&["everett-c++"]), ["everett-c++", "c++"]);
        assert_eq!(called(&["everett", "run"]), ["everett", "run"]);
    }

    #[test]
    fn every_flag_has_a_line_of_help() {
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                let (command, name) = (command.get_name(), argument.get_id());
                assert!(argument.get_help().is_some(), "{command} {name}");
            }
        }
    }
}
