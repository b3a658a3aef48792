//! `everett trojan`: searches for messages that a node accepts and that no other node can send.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Result, bail};
use everett_engine::{SystemNode, TrojanOptions};
use everett_ir::Program;
use everett_settings::{RunOptions, given, is_scenario};

use crate::commands::faults::without;
use crate::commands::run;
use crate::errors::explorer_error;
use crate::message_fields::{NAMED_BYTES_MAX, byte_names, masked_ranges};

/// Search for messages that a node accepts and that no correct sender can send
///
/// The system is explored twice: as it is, to collect all that the senders can send, and with one message
/// of theirs replaced by any bytes. A message is accepted if the receiver answers, changes files or exposed
/// data, or ends with status 0; everett_accept() and everett_reject() in the program, or --accept-at,
/// overrule that. The result is a table of classes and trojans.json. Exit code: 0 if there are no such
/// messages, 1 if there are some, 2 if the input or the engine failed, 3 if not everything was explored and
/// nothing was found.
#[derive(clap::Args)]
#[command(override_usage = "everett trojan [OPTIONS] SYSTEM.toml --from NODES --to NODES")]
#[group(skip)]
pub(crate) struct TrojanCommand {
    /// Nodes that send the messages
    #[arg(long, value_name = "NODES", value_delimiter = ',', required = true)]
    #[arg(help_heading = "Search for Trojan messages")]
    from: Vec<String>,
    /// Nodes that get them
    #[arg(long, value_name = "NODES", value_delimiter = ',', required = true)]
    #[arg(help_heading = "Search for Trojan messages")]
    to: Vec<String>,
    /// Replace this message only, such as recv#2: the second one that a node gets from the senders
    /// [default: each]
    #[arg(long, value_name = "recv#N", value_parser = parse_moment)]
    #[arg(help_heading = "Search for Trojan messages")]
    at: Option<u32>,
    /// Do not compare these bytes, such as 4, 4-7 or `struct header.checksum`, with what senders send
    #[arg(long, value_name = "BYTES|FIELD", value_delimiter = ',')]
    #[arg(help_heading = "Search for Trojan messages")]
    mask: Vec<String>,
    /// Name the bytes of messages after the fields of this type, such as 'struct header'
    #[arg(long, value_name = "TYPE", help_heading = "Search for Trojan messages")]
    fields: Option<String>,
    /// Try messages of all lengths up to this one, too, not only of those that senders send
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(..=65_507))]
    #[arg(help_heading = "Search for Trojan messages")]
    max_length: Option<u32>,
    /// A message is accepted by a call of this function alone
    #[arg(long, value_name = "FUNCTION", help_heading = "Search for Trojan messages")]
    accept_at: Option<String>,
    /// Leave paths of the receiver on which every message can be sent; off explores them all, for comparison
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = ["on", "off"])]
    #[arg(help_heading = "Search for Trojan messages")]
    pruning: String,
    /// Put the condition on the messages of each class into trojans.json, in SMT-LIB: on or off
    #[arg(long, value_name = "on|off", default_value = "off", value_parser = ["on", "off"])]
    #[arg(help_heading = "Search for Trojan messages")]
    smt: String,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// Flags of this command that `everett run` does not have; each has a value.
const OWN: [&str; 9] = [
    "--from",
    "--to",
    "--at",
    "--mask",
    "--fields",
    "--max-length",
    "--accept-at",
    "--pruning",
    "--smt",
];

/// A message by its number: `recv#2`, or `2`.
fn parse_moment(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("recv#").unwrap_or(text).parse().ok();
    number.filter(|number| *number > 0).ok_or_else(|| "give a number as in recv#2".to_owned())
}

/// Searches, shows and stores the results. `words` are those of the command line behind `trojan`.
pub(crate) fn run(options: &TrojanCommand, words: Vec<OsString>) -> Result<ExitCode> {
    let mut words = without(words, &OWN);
    if !is_scenario(&options.run.program) {
        bail!(
            "{}: Trojan messages are messages between nodes; give a scenario of a system",
            options.run.program.display()
        );
    }
    refuse(options)?;
    let mut set = vec!["--trojan-count".to_owned(), "1".to_owned(), "--trojan-accepted".to_owned()];
    set.extend(["--trojan-from".to_owned(), options.from.join(",")]);
    set.extend(["--trojan-to".to_owned(), options.to.join(",")]);
    if let Some(function) = &options.accept_at {
        set.extend(["--trojan-accept-at".to_owned(), function.clone()]);
    }
    if !given(&words).map_err(|error| explorer_error(error.into()))?.contains("tests") {
        // Tests of other worlds are those of `everett run`.
        set.extend(["--tests".to_owned(), "findings".to_owned()]);
    }
    words.splice(0..0, set.into_iter().map(OsString::from));
    let mut prepared = run::prepare(words.clone())?;
    // Receivers come first: they say what a message looks like to them.
    let is_receiver = |node: &&SystemNode| options.to.contains(&node.config.kernel.hostname);
    let (receivers, others): (Vec<&SystemNode>, Vec<&SystemNode>) =
        prepared.nodes.iter().partition(is_receiver);
    let programs: Vec<&Program> =
        receivers.into_iter().chain(others).map(|node| &*node.program).collect();
    if let Some(name) = &options.accept_at {
        let has_it = |program: &&Program| program.functions.iter().any(|f| f.name == *name);
        if !programs.iter().any(has_it) {
            bail!(
                "--accept-at {name}: no program has this function, or it was inlined (compile with -O0)"
            );
        }
    }
    let masked = masked_ranges(&options.mask, &programs)?;
    let names = options.fields.as_ref().map(|ty| byte_names(ty, &programs, NAMED_BYTES_MAX));
    let names = (0..).zip(names.transpose()?.unwrap_or_default());
    prepared.config.trojans = TrojanOptions {
        at: options.at,
        field_names: names.filter(|(_, name)| !name.is_empty()).collect(),
        masked,
        length_max: options.max_length,
        prunes: options.pruning == "on",
        expressions: options.smt == "on",
        only_replaced: true,
    };
    run::run_prepared(prepared, words)
}

/// Refuses what a search in two runs cannot do.
fn refuse(options: &TrojanCommand) -> Result<()> {
    if options.run.cluster.is_some() {
        bail!("--cluster: a search for Trojan messages runs in one process; leave it out");
    }
    if options.run.is_replay() {
        bail!("--ktest: a test is run again by `everett replay TEST.dtest`");
    }
    Ok(())
}
