//! Whether somebody listens at an endpoint, by the tables of the system (`proc(5)`).
//!
//! A connection that only finds out would be something that the peer hears.

use std::fs;
use std::time::{Duration, Instant};

use crate::clock::now;
use crate::peer::PeerError;
use crate::sockets::SocketEndpoint;

/// The state of a TCP socket that listens, in `/proc/net/tcp`.
const TCP_LISTEN: &str = "0A";
/// The flags of a UNIX socket that listens, in `/proc/net/unix`.
const UNIX_LISTEN: &str = "00010000";
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Returns true if a peer can be reached at an endpoint, or does not have to be.
pub(super) fn is_reachable(endpoint: &SocketEndpoint) -> bool {
    match endpoint {
        SocketEndpoint::Tcp(address) => {
            let is_listening = |fields: &[&str]| fields.get(3) == Some(&TCP_LISTEN);
            has_port(["/proc/net/tcp", "/proc/net/tcp6"], address.port(), is_listening)
        }
        SocketEndpoint::Udp(address) => {
            has_port(["/proc/net/udp", "/proc/net/udp6"], address.port(), |_| true)
        }
        SocketEndpoint::Unix(path) => {
            let text = fs::read_to_string("/proc/net/unix").unwrap_or_default();
            text.lines().skip(1).any(|line| {
                let is_listening = line.split_whitespace().nth(3) == Some(UNIX_LISTEN);
                is_listening && path.to_str().is_some_and(|path| line.ends_with(path))
            })
        }
        SocketEndpoint::TcpIncoming(_) | SocketEndpoint::UnixIncoming(_) => true,
    }
}

/// Waits until nobody uses the ports of a peer: the process before may take a moment to go.
pub(super) fn wait_until_free(endpoints: &[SocketEndpoint], end: Instant) -> Result<(), PeerError> {
    for endpoint in endpoints {
        let (SocketEndpoint::Tcp(address) | SocketEndpoint::Udp(address)) = endpoint else {
            continue;
        };
        while is_reachable(endpoint) {
            if now() >= end {
                return Err(PeerError::PortInUse { port: address.port() });
            }
            std::thread::sleep(PAUSE);
        }
    }
    Ok(())
}

/// Returns true if a table of sockets has a line with a local port that satisfies a condition.
fn has_port(tables: [&str; 2], port: u16, condition: impl Fn(&[&str]) -> bool) -> bool {
    let suffix = format!(":{port:04X}");
    tables.iter().any(|table| {
        let text = fs::read_to_string(table).unwrap_or_default();
        text.lines().skip(1).any(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            fields.get(1).is_some_and(|local| local.ends_with(&suffix)) && condition(&fields)
        })
    })
}
