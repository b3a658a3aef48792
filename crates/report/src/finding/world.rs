//! The world of a finding as text: what every node was doing, and what they had said to each other.

use std::fmt::Write;

use everett_engine::{
    FaultReport, Finding, Input, MessageReport, MessageWords, NodeReport, PreemptionReport,
    SourcePlace,
};

use crate::finding::input::inputs_text;
use crate::finding::severed::{FaultEntry, entries, seconds};
use crate::number::{count_of, grouped};
use crate::place::{TextStyle, place_in_function, stack_text};

/// The states of all nodes; the stack and the inputs of the node that the finding is about come first in the
/// report, and are not repeated.
pub(crate) fn world_text(finding: &Finding, style: TextStyle) -> String {
    nodes_alike(&finding.world, &[], Some(finding), "    ", style)
}

/// Nodes with their stacks, the variables of each where there are any, and inputs. Nodes that do the same are
/// together, with one stack.
fn nodes_alike(
    nodes: &[NodeReport],
    variables: &[&[Input]],
    finding: Option<&Finding>,
    indent: &str,
    style: TextStyle,
) -> String {
    let mut out = String::new();
    let mut told = vec![false; nodes.len()];
    for (first, node) in nodes.iter().enumerate() {
        if told[first] {
            continue;
        }
        let alike =
            |other: &NodeReport| (&other.status, &other.stack) == (&node.status, &node.stack);
        let group: Vec<usize> = (first..nodes.len()).filter(|at| alike(&nodes[*at])).collect();
        group.iter().for_each(|at| told[*at] = true);
        let is_blamed = |at: usize| finding.is_some_and(|finding| finding.node == nodes[at].name);
        // The stack of a violated invariant is that of the exposure, and not of what the node does now.
        let is_alone = group.len() == 1 && is_blamed(first);
        let is_above = finding.is_some_and(|finding| finding.stack == node.stack);
        let _ = writeln!(out, "{indent}{} {}", style.paint.strong(&node.name), node.status);
        let has_stack_above = is_above && group.iter().any(|at| is_blamed(*at));
        if !is_alone && !has_stack_above {
            out.push_str(&stack_text(&node.stack, &format!("{indent}  "), style));
        }
        let mut silent: Vec<String> = Vec::new();
        for at in group {
            let details = match is_blamed(at) {
                true => String::new(),
                false => details_text(&nodes[at].inputs, variables.get(at).copied(), indent, style),
            };
            let name = style.paint.strong(&nodes[at].name);
            match (at == first, details.is_empty()) {
                (true, _) => {}
                (false, true) => silent.push(name),
                (false, false) => {
                    let _ = writeln!(out, "{indent}{name} likewise");
                }
            }
            out.push_str(&details);
        }
        if !silent.is_empty() {
            let _ = writeln!(out, "{indent}{} likewise", silent.join(", "));
        }
    }
    out
}

/// Inputs of a node, and with titles its variables.
fn details_text(
    inputs: &[Input],
    variables: Option<&[Input]>,
    indent: &str,
    style: TextStyle,
) -> String {
    let Some(variables) = variables else {
        return inputs_text(inputs, &format!("{indent}  "));
    };
    let mut out = String::new();
    for (title, values) in [("variables", variables), ("inputs", inputs)] {
        if !values.is_empty() {
            let _ = writeln!(out, "{indent}  {}", style.paint.strong(title));
            out.push_str(&inputs_text(values, &format!("{indent}    ")));
        }
    }
    out
}

/// Returns the faults that had happened, one a line.
pub(crate) fn faults_text(finding: &Finding) -> String {
    let mut out = String::new();
    let several = !finding.world.is_empty();
    for entry in entries(&finding.faults) {
        let fault = match entry {
            FaultEntry::Single(fault) => fault,
            FaultEntry::Barrier(barrier) => {
                let _ = writeln!(out, "    {}", barrier.text());
                continue;
            }
        };
        let FaultReport { kind: _, point: _, choice: _, node, what, time_ns, place } = fault;
        let who = if several { format!("{node}: ") } else { String::new() };
        let at = place.as_ref().map(|place| format!(", {}", place_in_function(place)));
        let at = at.unwrap_or_default();
        let _ = writeln!(out, "    {who}{what} at {}{at}", seconds(*time_ns));
    }
    out
}

/// Messages of a finding that its text has: the last ones. Its page and its JSON have more.
const MESSAGES_SHOWN: usize = 40;

/// The last messages, one a line.
pub(crate) fn messages_text(finding: &Finding) -> String {
    let mut out = String::new();
    let left_out = finding.messages.len().saturating_sub(MESSAGES_SHOWN);
    let omitted = finding.messages_omitted + left_out as u64;
    if omitted > 0 {
        let _ = writeln!(out, "    ... {} earlier ones", grouped(omitted));
    }
    let shown = &finding.messages[left_out..];
    lines(shown).into_iter().for_each(|line| out.push_str(&format!("    {line}\n")));
    out
}

/// Everything that happened in a world in the order of time.
pub fn trace_text(
    messages: &[MessageReport],
    faults: &[FaultReport],
    preemptions: &[PreemptionReport],
) -> String {
    let messages = messages.iter().zip(lines(messages));
    let mut all: Vec<(u64, String)> = messages.map(|(of, line)| (of.time_ns, line)).collect();
    let mut add = |time_ns: u64, what: &str, place: &Option<SourcePlace>| {
        let (seconds, micros) = (time_ns / 1_000_000_000, time_ns / 1_000 % 1_000_000);
        let at = place.as_ref().map(|place| format!(", {}", place_in_function(place)));
        let at = at.unwrap_or_default();
        all.push((time_ns, format!("{seconds}.{micros:06}      {what}{at}")));
    };
    for entry in entries(faults) {
        match entry {
            FaultEntry::Single(fault) => {
                let FaultReport { kind, node, what, time_ns, place, point, choice: _ } = fault;
                add(*time_ns, &format!("{node}: {what} ({} {point})", kind.name()), place);
            }
            FaultEntry::Barrier(barrier) => {
                let which = barrier.connections().map(|line| format!("\n                {line}"));
                let text = barrier.text() + &which.collect::<String>();
                add(barrier.first_ns, &text, &None);
            }
        }
    }
    for PreemptionReport { node, point, from, to, time_ns, place } in preemptions {
        let what = format!("{node}: thread {to} runs instead of {from} (preemption {point})");
        add(*time_ns, &what, place);
    }
    // Faults behind the messages of the same time: what is lost was sent before.
    all.sort_by_key(|(time, _)| *time);
    all.into_iter().map(|(_, line)| line + "\n").collect()
}

/// Returns the activities of nodes, with their stacks, the variables of each, and inputs.
pub fn nodes_text(nodes: &[NodeReport], variables: &[Vec<Input>], style: TextStyle) -> String {
    let of_node = |at: usize| variables.get(at).map_or(&[][..], |variables| variables);
    let variables: Vec<&[Input]> = (0..nodes.len()).map(of_node).collect();
    nodes_alike(nodes, &variables, None, "  ", style)
}

/// Messages as lines without ends.
fn lines(messages: &[MessageReport]) -> Vec<String> {
    let mut lines = Vec::with_capacity(messages.len());
    let width = |f: fn(&MessageReport) -> usize| messages.iter().map(f).max().unwrap_or(0);
    let (from_width, to_width) = (width(|m| m.from.len()), width(|m| m.to.len()));
    for message in messages {
        let mut out = String::new();
        let MessageReport {
            time_ns,
            round,
            from,
            to,
            kind,
            addresses,
            size,
            bytes,
            received,
            received_at: _,
            words,
        } = message;
        let (seconds, micros) = (time_ns / 1_000_000_000, time_ns / 1_000 % 1_000_000);
        let fate = if *received { "" } else { " (not received)" };
        let _ = write!(
            out,
            "{seconds}.{micros:06} +{round:<3} {from:from_width$} -> {to:to_width$}  \
             {kind} {} -> {}{fate}",
            addresses.0, addresses.1
        );
        if *size > 0 {
            let said = match words {
                Some(words) => format!(": {}", words_text(words)),
                None => preview(bytes, *size),
            };
            let _ = write!(out, ", {}{said}", count_of(*size, "byte"));
        }
        lines.push(out);
    }
    lines
}

/// The words of a decoder, or why there are none.
pub(crate) fn words_text(words: &MessageWords) -> String {
    let MessageWords { decoder, text, failed } = words;
    match failed {
        true => format!("{decoder} failed: {text}"),
        false => format!("{decoder}: {text}"),
    }
}

/// Bytes of a payload that are shown at most.
const PREVIEW_BYTES_MAX: usize = 64;

/// The beginning of a payload, as text where it is one.
fn preview(bytes: &[u8], size: u64) -> String {
    let bytes = &bytes[..bytes.len().min(PREVIEW_BYTES_MAX)];
    let more = if (bytes.len() as u64) < size { "..." } else { "" };
    let printable = |byte: &u8| byte.is_ascii_graphic() || b" \r\n\t\0".contains(byte);
    if bytes.iter().all(printable) {
        return format!(": {:?}{more}", String::from_utf8_lossy(bytes));
    }
    let hex: Vec<String> = bytes.iter().take(24).map(|byte| format!("{byte:02x}")).collect();
    let more = if size > 24 { " ..." } else { "" };
    format!(": {}{more}", hex.join(" "))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::{in_a_system, place};

    #[test]
    fn a_world_shows_every_node_and_what_was_said() {
        let finding = in_a_system();
        let text = faults_text(&finding)
            + &world_text(&finding, TextStyle::PLAIN)
            + &messages_text(&finding);
        expect![[r#"
            client: lost UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes) at 1.500 s
            server runs
            client waits in recvfrom
              #0 main  client.c:7:3
              key  1 byte  ff  |.|  = -1 or 255
            ... 12 earlier ones
            0.000000 +1   client -> server  udp data 10.0.0.2:40000 -> 10.0.0.1:7, 5 bytes: "hello"
            1.500000 +0   server -> client  udp data 10.0.0.1:7 -> 10.0.0.2:40000 (not received), 2 bytes: ff 00
        "#]]
        .assert_eq(&unindented(&text));
        assert_eq!(place("main", "client.c", 7, 3), finding.world[1].stack[0]);
    }

    #[test]
    fn nodes_that_do_the_same_are_told_once() {
        let mut finding = in_a_system();
        let [server, client] = &finding.world[..] else { panic!("there are two nodes") };
        let node = |of: &NodeReport, name: &str| NodeReport { name: name.to_owned(), ..of.clone() };
        let idle = NodeReport { inputs: Vec::new(), ..client.clone() };
        finding.world = vec![
            node(client, "a"),
            server.clone(),
            node(&idle, "b"),
            node(client, "c"),
            node(&idle, "d"),
            node(server, "e"),
        ];
        expect![[r#"
            a waits in recvfrom
              #0 main  client.c:7:3
              key  1 byte  ff  |.|  = -1 or 255
            c likewise
              key  1 byte  ff  |.|  = -1 or 255
            b, d likewise
            server runs
              #0 main  server.c:9:5
            e likewise
        "#]]
        .assert_eq(&unindented(&world_text(&finding, TextStyle::PLAIN)));
        // The stack of the finding is above.
        finding.stack = vec![place("main", "server.c", 9, 5)];
        let text = world_text(&finding, TextStyle::PLAIN);
        assert!(!text.contains("server.c"), "{text}");
    }

    fn unindented(text: &str) -> String {
        text.lines()
            .fold(String::new(), |out, line| out + line.strip_prefix("    ").unwrap_or(line) + "\n")
    }

    #[test]
    fn a_trace_has_all_that_happened_in_the_order_of_time() {
        let finding = in_a_system();
        let preemptions = [PreemptionReport {
            node: "server".to_owned(),
            point: 3,
            from: 100,
            to: 101,
            time_ns: 1_000_000_000,
            place: Some(place("main", "server.c", 9, 5)),
        }];
        expect![[r#"
            0.000000 +1   client -> server  udp data 10.0.0.2:40000 -> 10.0.0.1:7, 5 bytes: "hello"
            1.000000      server: thread 101 runs instead of 100 (preemption 3), server.c:9:5 in main
            1.500000 +0   server -> client  udp data 10.0.0.1:7 -> 10.0.0.2:40000 (not received), 2 bytes: ff 00
            1.500000      client: lost UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes) (loss 2)
        "#]]
        .assert_eq(&trace_text(&finding.messages, &finding.faults, &preemptions));
    }

    #[test]
    fn nodes_are_shown_with_stacks_variables_and_inputs() {
        let variable =
            |name: &str, bytes: &[u8]| Input { name: name.to_owned(), bytes: bytes.to_vec() };
        let variables =
            [vec![variable("main: n", &[7]), variable("main: word", b"hi")], Vec::new()];
        expect![[r#"
              server runs
                #0 main  server.c:9:5
                variables
                  main: n     1 byte   07  |.|  = 7
                  main: word  2 bytes  68 69  |hi|  = 26984
              client waits in recvfrom
                #0 main  client.c:7:3
                inputs
                  key  1 byte  ff  |.|  = -1 or 255
            stopped
        "#]]
        .assert_eq(&(nodes_text(&in_a_system().world, &variables, TextStyle::PLAIN) + "stopped\n"));
    }
}
