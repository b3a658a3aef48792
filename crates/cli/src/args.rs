//! The command line as a whole.

use clap::{Parser, Subcommand};

use crate::{bitcode, cc, check, ktest, lower, run};

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
    Cc(cc::Options),
    #[command(name = "c++")]
    Cxx(cc::CxxOptions),
    Bitcode(bitcode::Options),
    Run(Box<run::Options>),
    Ktest(ktest::Options),
    Check(check::Options),
    #[command(hide = true)]
    Lower(lower::Options),
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
