//! The conversations with live peers, as text and in `summary.json`.

use std::fmt::Write;

use everett_engine::LiveSummary;
use serde::Serialize;

use crate::number::{count_of, grouped};
use crate::paint::PaintMode;

/// The conversations with the peer of one node.
#[derive(Serialize)]
pub(crate) struct LiveJson<'a> {
    node: &'a str,
    answers_from_tree: u64,
    answers_from_peer: u64,
    answers_repeated: u64,
    bytes_repeated: u64,
    peers_started: u64,
    branches: u64,
    bytes: u64,
    differences: u64,
    /// Tests without the answers of the peer.
    tests_without_answers: u64,
    /// The first differences, in words.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    first_differences: &'a [String],
}

pub(crate) fn live_json(live: &[LiveSummary]) -> Vec<LiveJson<'_>> {
    let each = live.iter().map(|LiveSummary { node, statistics, differences }| LiveJson {
        node,
        answers_from_tree: statistics.answers_from_tree,
        answers_from_peer: statistics.answers_from_peer,
        answers_repeated: statistics.answers_repeated,
        bytes_repeated: statistics.bytes_repeated,
        peers_started: statistics.sessions_started,
        branches: statistics.strands,
        bytes: statistics.bytes,
        differences: statistics.differences,
        tests_without_answers: statistics.ways_unread,
        first_differences: differences,
    });
    each.collect()
}

/// A line for each peer, and the differences in what it has answered.
pub(crate) fn live_text(live: &[LiveSummary], paint: PaintMode) -> String {
    let mut out = String::new();
    if !live.is_empty() {
        let _ = writeln!(out, "  {}", paint.strong("live peers"));
    }
    for LiveSummary { node, statistics, differences } in live {
        let _ = writeln!(
            out,
            "    {node}: {} from the peer, {} from what it said before; it was started {}; {} sent again",
            count_of(statistics.answers_from_peer, "answer"),
            grouped(statistics.answers_from_tree),
            count_of(statistics.sessions_started, "time"),
            count_of(statistics.bytes_repeated, "byte"),
        );
        if statistics.ways_unread > 0 {
            let lacking = count_of(statistics.ways_unread, "test");
            let text = format!(
                "{lacking} without the answers of {node}: the file that holds them cannot be read"
            );
            let _ = writeln!(out, "    {}", paint.caution(&text));
        }
        if statistics.differences == 0 {
            continue;
        }
        let text = format!(
            "{node} is not deterministic: {} when a conversation was repeated",
            count_of(statistics.differences, "other answer")
        );
        let _ = writeln!(out, "    {}", paint.caution(&text));
        if let Some(first) = differences.first() {
            let _ = writeln!(out, "      {first}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_that_answers_otherwise_is_told_of() {
        let mut live = LiveSummary {
            node: "db".to_owned(),
            statistics: Default::default(),
            differences: vec!["it has answered \"b\" instead of \"a\"".to_owned()],
        };
        (live.statistics.answers_from_peer, live.statistics.sessions_started) = (1, 2);
        let text = live_text(std::slice::from_ref(&live), PaintMode::Plain);
        let line = "db: 1 answer from the peer, 0 from what it said before; it was started 2 times";
        assert!(text.contains(line), "{text}");
        assert!(!text.contains("deterministic"));
        live.statistics.differences = 1;
        let text = live_text(&[live], PaintMode::Plain);
        assert!(text.contains("not deterministic: 1 other answer"), "{text}");
        assert!(text.contains("\"b\" instead of \"a\""));
    }

    #[test]
    fn tests_that_lack_answers_are_told_of() {
        let mut live = LiveSummary {
            node: "db".to_owned(),
            statistics: Default::default(),
            differences: Vec::new(),
        };
        live.statistics.ways_unread = 2;
        let text = live_text(&[live], PaintMode::Plain);
        assert!(text.contains("2 tests without the answers of db"), "{text}");
    }
}
