//! `everett completions` and `everett man`: the command line as shells and `man` want to have it.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::terminal;

/// Print what a shell needs to complete the commands and options of everett
///
/// For bash: everett completions bash > ~/.local/share/bash-completion/completions/everett
#[derive(clap::Args)]
pub(crate) struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Write the manual pages, one for each command
#[derive(clap::Args)]
pub(crate) struct ManOptions {
    /// Folder for the pages, such as ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Prints the completions.
pub(crate) fn run(options: &CompletionsOptions) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut visible(), "everett", &mut text);
    terminal::out_bytes(&text);
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages.
pub(crate) fn man(options: &ManOptions) -> Result<ExitCode> {
    let folder = &options.folder;
    let shown = folder.display();
    fs::create_dir_all(folder).with_context(|| format!("cannot make {shown}"))?;
    clap_mangen::generate_to(visible(), folder)
        .with_context(|| format!("cannot write the pages into {shown}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The command line without the commands that Everett calls itself.
fn visible() -> clap::Command {
    let all = Cli::command();
    let kept = all.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    clap::Command::new("everett")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .about(all.get_about().cloned().unwrap_or_default())
        .after_help(all.get_after_help().cloned().unwrap_or_default())
        .subcommand_required(true)
        .subcommands(kept)
}
