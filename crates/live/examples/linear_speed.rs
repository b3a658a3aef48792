//! The cost of a conversation that never branches: 100 MB to a peer that echoes them, in pieces of several
//! sizes.
//!
//! `cargo run --release -p everett-live --example linear_speed`

#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]
#![allow(clippy::print_stdout, reason = "an example prints what it has measured")]

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use everett_live::{
    ConversationTree, Endpoint, LiveError, PeerAction, PeerEvent, Position, ScriptedPeer, Source,
    TreeOptions,
};

const TOTAL_BYTES: usize = 100_000_000;
const LIMIT: Duration = Duration::from_secs(1);

fn main() -> Result<(), LiveError> {
    for (kind, is_echo) in [("echoed", true), ("sent only", false)] {
        for piece in [100, 1000, 10_000] {
            let start = Instant::now();
            let tree = converse(piece, is_echo)?;
            let seconds = start.elapsed().as_secs_f64();
            let statistics = tree.statistics();
            println!(
                "in pieces of {piece:>6} bytes, {kind}: {seconds:.2} s, {:.0} MB in the file, {} MB resident",
                statistics.spilled_bytes as f64 / 1e6,
                resident_kilobytes() / 1000,
            );
        }
    }
    Ok(())
}

fn converse(piece: usize, is_echo: bool) -> Result<ConversationTree, LiveError> {
    let peer = ScriptedPeer::new(move || {
        Box::new(move |action| match action {
            Some(PeerAction::Send(connection, bytes)) if is_echo => {
                vec![PeerEvent::Bytes(connection, bytes.to_vec())]
            }
            _ => Vec::new(),
        })
    });
    let options =
        TreeOptions { spill_folder: Some(std::env::temp_dir()), ..TreeOptions::default() };
    let tree = ConversationTree::new(Arc::new(peer), options);
    let mut position = tree.open(Position::ROOT, Endpoint(0))?;
    let connection = position.newest_connection().expect("a connection was begun");
    let source = Source::Connection(connection);
    position = tree.receive(position, source, LIMIT)?.position;
    let bytes = vec![7; piece];
    for _ in 0..TOTAL_BYTES / piece {
        position = tree.send(position, connection, &bytes)?;
        if is_echo {
            position = tree.receive(position, source, LIMIT)?.position;
        }
    }
    tree.tell(position)?;
    assert_eq!(tree.statistics().bytes_repeated, 0, "a single way is never repeated");
    Ok(tree)
}

/// Memory of this process.
fn resident_kilobytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
