//! The messages of a finding in the words of their protocols.
//!
//! Decoders are asked in this order, until one knows a message: those of the configuration, functions that
//! programs have named with `everett_decode`, and those of well-known protocols. A function that fails knows
//! the message, too: its failure is told.
//!
//! Not here: messages of runs without a finding, which nobody looks at.

mod dns;
mod http;
mod program;

use std::collections::BTreeMap;

use everett_interp::ProgramId;
use everett_ir::FuncId;
use everett_solver::{PathCondition, SolverChain};

use crate::api::report::MessageReport;
use crate::api::words::{DecodeRule, MessageDecoder, MessageWords};
use crate::parallel::context::RunContext;
use crate::state::node_state::PathState;

use program::DecoderRunner;

/// The port of DNS.
const DNS_PORT: u16 = 53;
/// Characters of a message in words.
const WORDS_CHARS_MAX: usize = 400;

/// The answer of a decoder: nothing if the message is none of its own, otherwise its words, or the reason
/// for which it failed.
type Decoded = Option<Result<String, String>>;

/// A decoder that is asked about a message.
enum AskedDecoder<'d> {
    Dns {
        /// The message is one of DNS, or damaged.
        is_certain: bool,
    },
    Http,
    /// A function of a program, which runs on the state of a node of the world.
    Program {
        name: String,
        node: usize,
        program: ProgramId,
        function: FuncId,
    },
    /// A function that no program has.
    Missing(&'d str),
}

/// Adds their words to the messages of a world, whose nodes agree on a condition.
pub(crate) fn add(
    context: &RunContext<'_>,
    solver: &mut SolverChain,
    path: &PathCondition,
    world: &[&PathState],
    messages: &mut [MessageReport],
) {
    let name = |st: &&PathState| context.nodes()[st.extra.of.index()].name().to_owned();
    let names: Vec<String> = world.iter().map(name).collect();
    let mut runner = DecoderRunner::new(context, solver, path);
    // What is sent again says the same.
    let mut known: BTreeMap<(String, String, String, Vec<u8>), Option<MessageWords>> =
        BTreeMap::new();
    for message in messages.iter_mut().filter(|message| message.size > 0) {
        let node = |name: &str| names.iter().position(|known| known == name);
        let nodes = in_order([node(&message.from), node(&message.to)], world.len());
        let key = (
            message.from.clone(),
            format!("{} {}", message.addresses.0, message.addresses.1),
            message.to.clone(),
            message.bytes.clone(),
        );
        let words = known.entry(key).or_insert_with(|| {
            let asked = decoders(&context.config.decoders, world, &nodes, message, &runner);
            asked.into_iter().find_map(|decoder| ask(decoder, world, message, &mut runner))
        });
        message.words.clone_from(words);
    }
}

/// The nodes of a world: those that a message is between, then all others.
fn in_order(between: [Option<usize>; 2], count: usize) -> Vec<usize> {
    let first: Vec<usize> = between.into_iter().flatten().collect();
    let others = (0..count).filter(|node| !first.contains(node));
    first.iter().copied().chain(others).collect()
}

/// The decoders that are asked about a message, in their order.
fn decoders<'d>(
    rules: &'d [DecodeRule],
    world: &[&PathState],
    nodes: &[usize],
    message: &MessageReport,
    runner: &DecoderRunner<'_, '_>,
) -> Vec<AskedDecoder<'d>> {
    let ports = [port(&message.addresses.0), port(&message.addresses.1)];
    let is_meant = |of: &Option<u16>| of.is_none() || ports.contains(of);
    let mut asked: Vec<AskedDecoder<'d>> = Vec::new();
    for rule in rules.iter().filter(|rule| is_meant(&rule.port)) {
        asked.push(match &rule.decoder {
            MessageDecoder::Dns => AskedDecoder::Dns { is_certain: rule.port.is_some() },
            MessageDecoder::Http => AskedDecoder::Http,
            MessageDecoder::Function(name) => {
                let of_node = |node: &usize| {
                    let program = world[*node].program;
                    let function = runner.function_named(program, name)?;
                    let (name, node) = (name.clone(), *node);
                    Some(AskedDecoder::Program { name, node, program, function })
                };
                nodes.iter().find_map(of_node).unwrap_or(AskedDecoder::Missing(name))
            }
        });
    }
    let mut known: Vec<(ProgramId, FuncId)> = Vec::new();
    for node in nodes {
        for decoder in world[*node].extra.links().decoders.iter() {
            let which = (decoder.program, decoder.function);
            if !known.contains(&which) {
                known.push(which);
                let ((program, function), name) = (which, decoder.name.clone());
                asked.push(AskedDecoder::Program { name, node: *node, program, function });
            }
        }
    }
    if ports.contains(&Some(DNS_PORT)) {
        asked.push(AskedDecoder::Dns { is_certain: true });
    }
    asked.push(AskedDecoder::Http);
    asked
}

fn ask(
    decoder: AskedDecoder<'_>,
    world: &[&PathState],
    message: &MessageReport,
    runner: &mut DecoderRunner<'_, '_>,
) -> Option<MessageWords> {
    let is_whole = message.bytes.len() as u64 >= message.size;
    let is_stream = message.kind.starts_with("tcp");
    let (name, decoded): (&str, Decoded) = match &decoder {
        AskedDecoder::Dns { is_certain } => {
            let decoded = dns::decode(&message.bytes, is_stream);
            ("dns", Some(decoded).filter(|decoded| *is_certain || decoded.is_ok()))
        }
        AskedDecoder::Http => ("http", http::decode(&message.bytes).map(Ok)),
        AskedDecoder::Missing(name) => {
            (name, Some(Err(format!("no program of this world has a function '{name}'"))))
        }
        AskedDecoder::Program { name, .. } if !is_whole => {
            let (kept, size) = (message.bytes.len(), message.size);
            (name, Some(Err(format!("only {kept} of its {size} bytes are kept"))))
        }
        AskedDecoder::Program { name, node, program, function } => {
            (name, runner.run(world[*node], *program, *function, &message.bytes))
        }
    };
    let (text, failed) = match decoded? {
        Ok(text) => (text, false),
        Err(why) => (why, true),
    };
    Some(MessageWords { decoder: shown(name), text: shown(&text), failed })
}

/// A text without control characters, up to a length.
fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { '.' } else { c };
    let mut chars = text.trim_end().chars().map(plain);
    let mut shown: String = chars.by_ref().take(WORDS_CHARS_MAX).collect();
    if chars.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// The port of an address such as `10.0.0.1:53` or `[fd00::1]:53`.
fn port(address: &str) -> Option<u16> {
    address.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_behind_the_last_colon() {
        assert_eq!(port("10.0.0.1:53"), Some(53));
        assert_eq!(port("[fd00::1]:8080"), Some(8080));
        assert_eq!(port("node1"), None);
    }

    #[test]
    fn the_nodes_of_a_message_are_asked_first() {
        assert_eq!(in_order([Some(2), Some(1)], 4), [2, 1, 0, 3]);
        assert_eq!(in_order([Some(2), None], 3), [2, 0, 1]);
    }

    #[test]
    fn words_have_no_control_characters_and_an_end() {
        assert_eq!(shown("a\nb\x1b[31m\n"), "a.b.[31m");
        assert_eq!(shown(&"x".repeat(1000)).len(), WORDS_CHARS_MAX + 3);
    }
}
