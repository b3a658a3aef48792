//! The command line as a whole.

use std::ffi::OsString;
use std::path::Path;

use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand};
use everett_settings::RunOptions;

use crate::commands::{
    baseline, bitcode, cc, check, cluster, completions, conforms, doctor, explore, explore_jobs,
    faults, init, ktest, lower, replay, report, resume, scenario, trojan, work,
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
    Init(init::InitOptions),
    Doctor(doctor::DoctorOptions),
    Cc(cc::CcOptions),
    #[command(name = "c++")]
    Cxx(cc::CxxOptions),
    Bitcode(bitcode::BitcodeOptions),
    Run(Box<RunOptions>),
    Resume(resume::ResumeOptions),
    Replay(replay::ReplayOptions),
    Explore(explore::ExploreOptions),
    Minimize(replay::minimize::MinimizeOptions),
    Export(replay::native::ExportOptions),
    Report(report::ReportOptions),
    Baseline(baseline::BaselineOptions),
    #[command(
        about = "Try the faults of a program or a system one at a time, those first that are \
        likely to have effects"
    )]
    Faults(Box<DeferredOptions<faults::FaultsOptions>>),
    #[command(
        about = "Search for messages that a node accepts and that no correct sender can send"
    )]
    Trojan(Box<DeferredOptions<trojan::TrojanCommand>>),
    #[command(about = "Say which messages of recorded traffic a program cannot have sent, and why")]
    Conforms(Box<DeferredOptions<conforms::ConformsOptions>>),
    Work(work::WorkOptions),
    Cluster(cluster::ClusterOptions),
    Ktest(ktest::KtestOptions),
    Check(check::CheckOptions),
    Scenario(scenario::ScenarioOptions),
    Completions(completions::CompletionsOptions),
    Man(completions::ManOptions),
    #[command(hide = true)]
    Lower(lower::LowerOptions),
    #[command(hide = true)]
    ExploreJobs(explore_jobs::JobProcessOptions),
}

/// Options that are described to the parser only if their subcommand is given. Commands that have all
/// options of `run` would take longer to describe than a short run takes. The line of help that the list of
/// commands shows stands beside the subcommand.
pub(crate) struct DeferredOptions<T>(pub(crate) T);

impl<T: Args> Args for DeferredOptions<T> {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.defer(T::augment_args)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        command.defer(T::augment_args_for_update)
    }
}

impl<T: FromArgMatches> FromArgMatches for DeferredOptions<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        T::from_arg_matches(matches).map(DeferredOptions)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
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
        let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
        let mut all = Cli::command();
        let listed: Vec<Option<String>> = all.get_subcommands().map(about).collect();
        all.build();
        for (command, listed) in all.get_subcommands().zip(listed) {
            assert!(listed.is_some(), "{}", command.get_name());
            assert_eq!(listed, about(command), "the list has the line of {}", command.get_name());
            for argument in command.get_arguments() {
                let (command, name) = (command.get_name(), argument.get_id());
                assert!(argument.get_help().is_some(), "{command} {name}");
            }
        }
    }
}
