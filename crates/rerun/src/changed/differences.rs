//! Inputs and messages of a world, compared with those of a test.

use std::collections::BTreeMap;

use everett_engine::{FAULTS, RACE, RACING, RecordedEvent, SCHEDULE, UNINITIALIZED, WorldTest};
use everett_replay::dtest::{TestMessage, TestRecord};
use everett_replay::script::{EventFlags, ScriptApi, word_address};
use everett_replay::{DTest, KTest, KTestObject};
use everett_report::count_of;

/// A message: its kind, its size, and its first bytes.
type SentContents<'a> = (&'a str, u64, &'a [u8]);

/// The differences of a run from a test.
#[derive(Default)]
pub(super) struct RunDifferences {
    /// Differences that do not affect the verdict, in words.
    pub(super) notes: Vec<String>,
    /// The first difference after which the test no longer determines what happens.
    pub(super) first: Option<String>,
}

impl RunDifferences {
    /// Compares a world, whose nodes have asked for these inputs, with a test.
    pub(super) fn between(
        test: &DTest,
        record: &TestRecord,
        inputs: &[KTest],
        world: &WorldTest,
        asked: &[KTest],
    ) -> RunDifferences {
        let mut found = RunDifferences::default();
        for (at, node) in world.nodes.iter().enumerate() {
            let known = test.nodes.iter().position(|known| known.hostname == node.name);
            let known = known.and_then(|known| inputs.get(known));
            if let (Some(known), Some(asked)) = (known, asked.get(at)) {
                let notes = world.recorded.get(at).map_or(&[][..], |recorded| &recorded.notes);
                found.inputs(&node.name, known, asked, notes);
            }
        }
        found.messages(record, world);
        found
    }

    fn another_way(&mut self, why: String) {
        match self.first {
            None => self.first = Some(why),
            Some(_) => self.notes.push(why),
        }
    }

    fn inputs(&mut self, node: &str, known: &KTest, asked: &KTest, notes: &[RecordedEvent]) {
        let (known, asked) = (by_name(known), by_name(asked));
        for (name, objects) in &asked {
            let of_test = known.get(name).map_or(&[][..], |objects| objects);
            for (number, object) in objects.iter().enumerate() {
                let shown = numbered(name, number);
                let (size, place) =
                    (count_of(object.bytes.len() as u64, "byte"), asked_at(notes, name, number));
                match of_test.get(number) {
                    None => self.notes.push(format!(
                        "node {node}: the test has no input {shown} ({size}{place}); it is zero"
                    )),
                    Some(other) if other.bytes.len() != object.bytes.len() => {
                        let before = count_of(other.bytes.len() as u64, "byte");
                        self.another_way(format!(
                            "node {node}: input {shown} has {size}{place}, and {before} in the test"
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        for (name, objects) in &known {
            let used = asked.get(name).map_or(0, Vec::len);
            if used < objects.len() {
                let shown = numbered(name, used);
                self.another_way(format!(
                    "node {node}: it never asks for input {shown} of the test"
                ));
            }
        }
    }

    /// Messages between two nodes are the same as long as their kinds and sizes are.
    fn messages(&mut self, record: &TestRecord, world: &WorldTest) {
        let mut now: BTreeMap<(&str, &str), Vec<SentContents<'_>>> = BTreeMap::new();
        for message in world.messages.iter().skip(record.messages_omitted as usize) {
            let list = now.entry((&message.from, &message.to)).or_default();
            list.push((&message.kind, message.size, &message.bytes));
        }
        let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut has_other_bytes = false;
        for message in &record.messages {
            let TestMessage { from, to, kind, size, bytes, .. } = message;
            let number = seen.entry((from, to)).or_insert(0);
            *number += 1;
            let which = format!("message {number} from {from} to {to}");
            let before = format!("{kind} of {}", count_of(*size, "byte"));
            let list = now.get(&(from.as_str(), to.as_str())).map_or(&[][..], |list| list);
            match list.get(*number - 1) {
                None => {
                    let note = format!("{which} ({before} in the test) is never sent");
                    if !self.notes.iter().any(|other| other.ends_with("is never sent")) {
                        self.notes.push(note);
                    }
                }
                Some((other, length, _)) if (*other, *length) != (kind.as_str(), *size) => {
                    let now = format!("{other} of {}", count_of(*length, "byte"));
                    let place = sent_at(world, (from, to), *number);
                    self.another_way(format!("{which} is {now}{place}, and {before} in the test"));
                    return;
                }
                // Tests that were written before messages had their bytes have none.
                Some((.., other)) if other != bytes && !bytes.is_empty() && !has_other_bytes => {
                    has_other_bytes = true;
                    let place = sent_at(world, (from, to), *number);
                    self.notes.push(format!(
                        "{which} ({before}{place}) has other bytes than in the test"
                    ));
                }
                Some(_) => {}
            }
        }
    }
}

/// The inputs of a test by name; those of one name in their order.
fn by_name(test: &KTest) -> BTreeMap<&[u8], Vec<&KTestObject>> {
    let mut named: BTreeMap<&[u8], Vec<&KTestObject>> = BTreeMap::new();
    let is_input = |object: &&KTestObject| {
        ![FAULTS, RACE, RACING, SCHEDULE, UNINITIALIZED]
            .iter()
            .any(|name| name.as_bytes() == object.name)
    };
    for object in test.objects.iter().filter(is_input) {
        named.entry(&object.name).or_default().push(object);
    }
    named
}

/// An input by its name and number, from 0.
fn numbered(name: &[u8], number: usize) -> String {
    let name = String::from_utf8_lossy(name);
    match number {
        0 => format!("'{name}'"),
        number => format!("'{name}' number {}", number + 1),
    }
}

/// Returns the place at which a program has asked for an input, if that is recorded.
fn asked_at(notes: &[RecordedEvent], name: &[u8], number: usize) -> String {
    let own =
        |note: &&RecordedEvent| note.event.api == ScriptApi::Input && note.event.data2 == name;
    site(notes.iter().filter(own).nth(number))
}

/// Returns the place at which a node has sent a message to another one, from 1, if that is recorded.
fn sent_at(world: &WorldTest, (from, to): (&str, &str), number: usize) -> String {
    let place = |name: &str| world.nodes.iter().position(|node| node.name == name);
    let (Some(from), Some(to), Some(topology)) = (place(from), place(to), &world.topology) else {
        return String::new();
    };
    let sends = |note: &&RecordedEvent| {
        let is_sent = match note.event.flags.has(EventFlags::DATAGRAM) {
            true => !note.sent.is_empty(),
            false => note.event.result > 0,
        };
        let is_call = matches!(
            note.event.api,
            ScriptApi::Send
                | ScriptApi::Sendto
                | ScriptApi::Sendmsg
                | ScriptApi::Write
                | ScriptApi::Writev
        );
        let owner = topology.owner((*word_address(note.event.aux[0]).ip()).into());
        is_call && is_sent && owner.is_some_and(|(host, _)| host.index() == to)
    };
    let notes = world.recorded.get(from).map_or(&[][..], |recorded| &recorded.notes);
    site(notes.iter().filter(sends).nth(number - 1))
}

fn site(note: Option<&RecordedEvent>) -> String {
    match note.map(|note| &note.event.site) {
        Some(site) if !site.is_empty() => format!(", {site}"),
        _ => String::new(),
    }
}
