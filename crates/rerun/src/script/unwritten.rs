//! Bytes of a script that come from memory that a program has never written.
//!
//! In the engine such memory holds the same in every run; natively it holds anything. A test is run
//! twice, with different bytes in fresh memory: what differs between the two scripts depends on it.
//!
//! Not here: undefined values that are never in memory, as those of local variables that the compiler
//! keeps in registers. They are zero in the engine.

use std::collections::BTreeSet;

use everett_replay::script::{ApiKind, Script, ScriptApi, ScriptEvent};
use everett_report::count_of;

/// The content of fresh memory in the second run; the first one has zeros.
pub(super) const OTHER_BYTE: u8 = 0xa5;

/// Marks the bytes that differ in another run of the same test, as far as both make the same calls.
/// Returns a note about each for people.
pub(super) fn mark(script: &mut Script, other: &Script) -> Vec<String> {
    let mut notes = Vec::new();
    let mut told = BTreeSet::new();
    let name = |script: &Script, event: &ScriptEvent| {
        let node = script.threads[event.thread as usize].node;
        script.nodes[node as usize].name.clone()
    };
    let parts = script.events.iter().zip(&other.events).position(|pair| !is_same_call(pair));
    let both = script.events.len().min(other.events.len());
    for at in 0..parts.unwrap_or(both) {
        let unwritten = differences(&script.events[at].data, &other.events[at].data);
        let event = &script.events[at];
        if !unwritten.is_empty() && gives_away(event) && told.insert(event.site.clone()) {
            let bytes: u32 = unwritten.iter().map(|(_, count)| count).sum();
            let (first, call) = (unwritten[0].0, event.api.name());
            notes.push(format!(
                "node {}: {call}{} gives {} away that the program has never written (uninitialised, from \
                 byte {first} on); natively they are something else, and are not compared",
                name(script, event),
                place(event),
                count_of(bytes.into(), "byte"),
            ));
        }
        script.events[at].unwritten = unwritten;
    }
    let end = parts.or((script.events.len() != other.events.len()).then_some(both));
    if let Some(event) = end.and_then(|end| script.events.get(end)) {
        notes.push(format!(
            "node {}: what it does at {}{} depends on memory that the program has never written \
             (uninitialised); natively it may do something else",
            name(script, event),
            event.api.name(),
            place(event),
        ));
    }
    notes
}

fn place(event: &ScriptEvent) -> String {
    if event.site.is_empty() { String::new() } else { format!(" at {}", event.site) }
}

/// Returns `true` if two events are the same except for their data.
fn is_same_call((one, other): (&ScriptEvent, &ScriptEvent)) -> bool {
    let shape = |event: &ScriptEvent| {
        let ScriptEvent { thread, api, flags, result, errno, fd, ordinal, .. } = *event;
        (thread, api, flags, result, errno, fd, ordinal, event.data.len(), event.data2.len())
    };
    shape(one) == shape(other)
}

/// Returns `true` if others see the data of an event.
fn gives_away(event: &ScriptEvent) -> bool {
    use ScriptApi::{Send, Sendmmsg, Sendmsg, Sendto, Write, Writev};
    matches!(event.api, Send | Sendto | Sendmsg | Sendmmsg | Write | Writev | ScriptApi::EventPut)
        || (event.api.kind() == ApiKind::Expose && event.api != ScriptApi::Input)
}

/// Returns the runs in which two lists of the same length differ, as start and length.
fn differences(one: &[u8], other: &[u8]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for (at, _) in (0..).zip(one.iter().zip(other)).filter(|(_, (one, other))| one != other) {
        match found.last_mut() {
            Some((from, count)) if *from + *count == at => *count += 1,
            _ => found.push((at, 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use everett_replay::script::{ScriptNode, ScriptThread};

    use super::*;

    fn script(sent: &[&[u8]]) -> Script {
        let send = |data: &&[u8]| ScriptEvent {
            data: data.to_vec(),
            result: data.len() as i64,
            site: "a.c:7 in main".to_owned(),
            ..ScriptEvent::new(0, ScriptApi::Send)
        };
        let thread = ScriptThread {
            node: 0,
            process: 0,
            pid: 1,
            tid: 1,
            parent_pid: 0,
            maker: None,
            boot: 0,
        };
        Script {
            nodes: vec![ScriptNode { name: "client".to_owned(), ..ScriptNode::default() }],
            threads: vec![thread],
            events: sent.iter().map(send).collect(),
        }
    }

    #[test]
    fn what_differs_between_two_runs_is_marked_and_named_once() {
        let mut first = script(&[b"ab\0\0cd\0", b"ab\0\0cd\0"]);
        let notes = mark(&mut first, &script(&[b"ab\xa5\xa5cd\xa5", b"ab\0\0cd\0"]));
        assert_eq!(first.events[0].unwritten, [(2, 2), (6, 1)]);
        assert_eq!(first.events[1].unwritten, []);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].contains("send at a.c:7 in main gives 3 bytes away"), "{notes:?}");
    }

    #[test]
    fn what_follows_another_call_is_not_compared() {
        let mut first = script(&[b"a", b"b"]);
        let notes = mark(&mut first, &script(&[b"a", b"bb"]));
        assert!(first.events.iter().all(|event| event.unwritten.is_empty()));
        assert!(notes[0].contains("depends on memory that the program has never written"));
    }
}
