//! Faults as lines of a report: what a broken network swallows is one entry, everything else is one each.
//!
//! A partition is decided about message by message, and is recorded so. A reader wants to know that there was
//! one, how long it was seen, and what it swallowed: [`entries`] puts that together.
//!
//! Not here: the files for programs, which have each message.

use std::collections::BTreeMap;

use everett_engine::{FaultReport, severed_parts};

use crate::number::count_of;

/// Messages of one connection that are named at most.
const NAMED: usize = 8;

/// A fault as far as it may be one of a barrier.
pub(crate) trait SeveredMessage {
    /// What has happened, in the words of the kernel.
    fn what(&self) -> &str;
    /// When it has, in virtual time.
    fn time_ns(&self) -> u64;
}

impl SeveredMessage for FaultReport {
    fn what(&self) -> &str {
        &self.what
    }

    fn time_ns(&self) -> u64 {
        self.time_ns
    }
}

/// One entry of a list of faults.
pub(crate) enum FaultEntry<'a, F> {
    /// A fault by itself.
    Single(&'a F),
    /// Two messages or more that the same barrier has swallowed.
    Barrier(SeveredBarrier<'a>),
}

/// A barrier between nodes, with the messages that it has swallowed.
pub(crate) struct SeveredBarrier<'a> {
    /// `partition a|b`, `link of a down`.
    what: &'a str,
    /// The times at which it is first and last seen.
    pub(crate) first_ns: u64,
    last_ns: u64,
    /// The number of times that each message does not get through, by the noun and the connection of
    /// messages.
    messages: BTreeMap<(&'a str, &'a str), BTreeMap<u64, u64>>,
}

/// The faults in their order; a barrier stands where it is first seen.
pub(crate) fn entries<F: SeveredMessage>(faults: &[F]) -> Vec<FaultEntry<'_, F>> {
    let mut entries: Vec<FaultEntry<'_, F>> = Vec::with_capacity(faults.len());
    for fault in faults {
        let Some((what, message)) = parts(fault) else {
            entries.push(FaultEntry::Single(fault));
            continue;
        };
        let same = |entry: &&mut FaultEntry<'_, F>| match entry {
            FaultEntry::Single(other) => parts::<F>(other).is_some_and(|(other, _)| other == what),
            FaultEntry::Barrier(other) => other.what == what,
        };
        match entries.iter_mut().find(same) {
            None => entries.push(FaultEntry::Single(fault)),
            Some(FaultEntry::Barrier(barrier)) => barrier.add(fault, message),
            Some(entry) => {
                let FaultEntry::Single(first) = *entry else { continue };
                let (first_ns, messages) = (first.time_ns(), BTreeMap::new());
                let mut barrier = SeveredBarrier { what, first_ns, last_ns: first_ns, messages };
                if let Some((_, message)) = parts(first) {
                    barrier.add(first, message);
                }
                barrier.add(fault, message);
                *entry = FaultEntry::Barrier(barrier);
            }
        }
    }
    entries
}

/// A message in the words of the kernel, such as `UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes)`.
struct Message<'a> {
    noun: &'a str,
    number: u64,
    connection: &'a str,
}

fn parts<F: SeveredMessage>(fault: &F) -> Option<(&str, Message<'_>)> {
    let (what, message) = severed_parts(fault.what())?;
    let (name, inside) = message.split_once(" (")?;
    let (noun, number) = name.rsplit_once(' ')?;
    let (connection, _) = inside.rsplit_once(", ")?;
    Some((what, Message { noun, number: number.parse().ok()?, connection }))
}

impl<'a> SeveredBarrier<'a> {
    fn add<F: SeveredMessage>(&mut self, fault: &'a F, message: Message<'a>) {
        let Message { noun, number, connection } = message;
        self.first_ns = self.first_ns.min(fault.time_ns());
        self.last_ns = self.last_ns.max(fault.time_ns());
        let numbers = self.messages.entry((connection, noun)).or_default();
        *numbers.entry(number).or_insert(0) += 1;
    }

    /// Returns `true` if a fault, in the words of the kernel, is one of this barrier.
    pub(crate) fn is_of(&self, what: &str) -> bool {
        severed_parts(what).is_some_and(|(what, _)| what == self.what)
    }

    /// Describes the barrier: `partition a|b: 3 messages do not get through, 1.500 s to 4.000 s`.
    pub(crate) fn text(&self) -> String {
        let count: usize = self.messages.values().map(BTreeMap::len).sum();
        let verb = if count == 1 { "does" } else { "do" };
        let when = match (seconds(self.first_ns), seconds(self.last_ns)) {
            (first, last) if first == last => format!("at {first}"),
            (first, last) => format!("{first} to {last}"),
        };
        format!(
            "{}: {} {verb} not get through, {when}",
            self.what,
            count_of(count as u64, "message")
        )
    }

    /// Describes the messages, a line for each connection.
    pub(crate) fn connections(&self) -> impl Iterator<Item = String> + '_ {
        self.messages.iter().map(|((connection, noun), numbers)| {
            let one = |(number, times): (&u64, &u64)| match times {
                1 => number.to_string(),
                _ => format!("{number} ({times} times)"),
            };
            let named: Vec<String> = numbers.iter().take(NAMED).map(one).collect();
            let more = match numbers.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let plural = if numbers.len() == 1 { "" } else { "s" };
            format!("{connection}: {noun}{plural} {}{more}", named.join(", "))
        })
    }
}

/// A virtual time: `1.500 s`.
pub(crate) fn seconds(time_ns: u64) -> String {
    format!("{}.{:03} s", time_ns / 1_000_000_000, time_ns / 1_000_000 % 1_000)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use everett_engine::FaultKind;

    use super::*;

    fn fault(what: &str, time_ms: u64) -> FaultReport {
        FaultReport {
            kind: FaultKind::Partition,
            node: "b".to_owned(),
            point: 1,
            choice: 1,
            what: what.to_owned(),
            time_ns: time_ms * 1_000_000,
            place: None,
        }
    }

    #[test]
    fn a_partition_is_one_entry_with_what_it_swallows() {
        let lost = |noun: &str, id: u64, to: &str, time_ms: u64| {
            let message = format!("{noun} {id} (10.0.0.1:9 -> {to}, 12 bytes)");
            fault(&format!("partition a|b: {message} does not get through"), time_ms)
        };
        let faults = [
            lost("UDP packet", 2, "10.0.0.2:7", 1500),
            fault("crashes", 1600),
            lost("UDP packet", 4, "10.0.0.2:7", 2000),
            lost("TCP packet", 3, "10.0.0.3:7", 2500),
            lost("TCP packet", 3, "10.0.0.3:7", 3500),
            fault(
                "link of c down: event 1 (10.0.0.1:9 -> 10.0.0.4:7, 1 byte) does not get through",
                4,
            ),
        ];
        let text: String = entries(&faults)
            .iter()
            .map(|entry| match entry {
                FaultEntry::Single(fault) => format!("{}\n", fault.what),
                FaultEntry::Barrier(barrier) => {
                    let lines = barrier.connections().map(|line| format!("  {line}\n"));
                    format!("{}\n{}", barrier.text(), lines.collect::<String>())
                }
            })
            .collect();
        expect![[r#"
            partition a|b: 3 messages do not get through, 1.500 s to 3.500 s
              10.0.0.1:9 -> 10.0.0.2:7: UDP packets 2, 4
              10.0.0.1:9 -> 10.0.0.3:7: TCP packet 3 (2 times)
            crashes
            link of c down: event 1 (10.0.0.1:9 -> 10.0.0.4:7, 1 byte) does not get through
        "#]]
        .assert_eq(&text);
    }
}
