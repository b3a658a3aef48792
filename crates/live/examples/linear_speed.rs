//! The cost of a conversation that never branches: 100 MB to a peer that echoes them, in pieces of several
//! sizes.
//!
//! `cargo run --release -p everett-live --example linear_speed`

#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]
#![allow(clippy::print_stdout, reason = "an example prints what it has measured")]

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use everett_live::{
    ConversationTree, Endpoint, Peer, PeerAction, PeerEvent, PeerMemory, Position, Reach, Script,
    ScriptedPeer, SocketEndpoint, SocketPeer, Source, TreeOptions,
};

const TOTAL_BYTES: usize = 100_000_000;
const LIMIT: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
    let scripted = |is_echo| Arc::new(ScriptedPeer::new(move || script(is_echo))) as Arc<dyn Peer>;
    let server = echo_server()?;
    let endpoint = || vec![SocketEndpoint::Tcp(server)];
    for piece in [100, 1000, 10_000] {
        let tcp = SocketPeer::new(endpoint(), PeerMemory::Keeps, Reach::Loopback)?;
        let seconds = measured(|| converse_natively(server, piece))?;
        println!("in pieces of {piece:>6} bytes, echoed over TCP without a tree: {seconds:.2} s");
        converse("echoed over TCP", Arc::new(tcp), (piece, true))?;
        converse("echoed by a function", scripted(true), (piece, true))?;
        converse("sent to a function", scripted(false), (piece, false))?;
    }
    Ok(())
}

fn script(is_echo: bool) -> Script {
    Box::new(move |action| match action {
        Some(PeerAction::Send(connection, bytes)) if is_echo => {
            vec![PeerEvent::Bytes(connection, bytes.to_vec())]
        }
        _ => Vec::new(),
    })
}

fn echo_server() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut buffer = vec![0; 1 << 16];
            let _ = stream.set_nodelay(true);
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                if stream.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
        }
    });
    Ok(address)
}

/// The seconds that something takes.
fn measured(work: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn converse_natively(server: SocketAddr, piece: usize) -> Result<(), Box<dyn Error>> {
    let mut stream = TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    let (bytes, mut answer) = (vec![7; piece], vec![0; piece]);
    for _ in 0..TOTAL_BYTES / piece {
        stream.write_all(&bytes)?;
        stream.read_exact(&mut answer)?;
    }
    Ok(())
}

/// Sends everything in pieces of a size, and waits for each to come back if the peer echoes them.
fn converse(
    kind: &str,
    peer: Arc<dyn Peer>,
    (piece, is_echo): (usize, bool),
) -> Result<(), Box<dyn Error>> {
    let options =
        TreeOptions { spill_folder: Some(std::env::temp_dir()), ..TreeOptions::default() };
    let tree = ConversationTree::new(peer, options);
    let seconds = measured(|| {
        let mut position = tree.open(Position::ROOT, Endpoint(0))?;
        let connection = position.newest_connection().expect("a connection was begun");
        let source = Source::Connection(connection);
        position = tree.receive(position, source, LIMIT)?.position;
        let bytes = vec![7; piece];
        for _ in 0..TOTAL_BYTES / piece {
            position = tree.send(position, connection, &bytes)?;
            let mut missing = if is_echo { piece } else { 0 };
            while missing > 0 {
                let heard = tree.receive(position, source, LIMIT)?;
                missing -= heard.event.bytes().len();
                position = heard.position;
            }
        }
        Ok(tree.tell(position)?)
    })?;
    let statistics = tree.statistics();
    assert_eq!(statistics.bytes_repeated, 0, "a single way is never repeated");
    println!(
        "in pieces of {piece:>6} bytes, {kind}: {seconds:.2} s, {:.0} MB in the file, {} MB resident",
        statistics.spilled_bytes as f64 / 1e6,
        resident_kilobytes() / 1000,
    );
    Ok(())
}

/// Memory of this process.
fn resident_kilobytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB"));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
