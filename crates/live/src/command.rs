//! [`CommandPeer`]: a peer that is started as a command, anew for each session.
//!
//! The command runs in a folder and a process group of its own. When the session is dropped, the whole
//! group is killed, and the folder is removed. A guard does that if this process is killed before. The
//! command has to stay in the foreground.

mod guard;
mod listening;
mod process;

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::now;
use crate::event::{Closing, PeerEvent, Source};
use crate::ids::{ConnectionId, Endpoint};
use crate::peer::{Peer, PeerError, PeerSession};
use crate::sockets::{SocketEndpoint, SocketSession};
use process::PeerProcess;

/// The time between two looks at whether the process still runs.
const LOOK_PAUSE: Duration = Duration::from_millis(20);

/// The address of a socket that takes a free port.
const ANY_PORT: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

/// The port that a command uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortChoice {
    /// Always the same. Only one session can exist at the same time.
    Fixed(u16),
    /// A free one, which each session finds out for itself and tells the command.
    Free,
    /// A free one, which is found out once: the command may tell its port to others, and says the same in
    /// each session. Only one session can exist at the same time.
    FreeOnce,
}

/// A place at which a command is reached, or at which it reaches us, on the loopback interface or in its
/// folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandEndpoint {
    /// The command listens for TCP connections.
    Tcp(PortChoice),
    /// The command makes TCP connections to this port.
    TcpIncoming(PortChoice),
    /// The command receives datagrams.
    Udp(PortChoice),
    /// The command listens on a UNIX socket, which has this path in its folder.
    Unix(PathBuf),
    /// The command makes connections to a UNIX socket, which has this path in its folder.
    UnixIncoming(PathBuf),
}

impl CommandEndpoint {
    fn port(&self) -> Option<PortChoice> {
        match self {
            CommandEndpoint::Tcp(port)
            | CommandEndpoint::TcpIncoming(port)
            | CommandEndpoint::Udp(port) => Some(*port),
            CommandEndpoint::Unix(_) | CommandEndpoint::UnixIncoming(_) => None,
        }
    }
}

/// The sign that a command is ready to be talked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It runs. This is enough for a command that connects to us.
    Running,
    /// It listens at all of its endpoints, as the system says: no connection is made to find out.
    Listening,
    /// It has printed a line that contains this text.
    Line(String),
    /// It has run for this time.
    Delay(Duration),
}

/// A peer that is started as a command.
///
/// In arguments and variables, `{port0}` is the port of endpoint 0, and so on, and `{folder}` is the
/// folder that the command has for itself.
///
/// ```no_run
/// use everett_live::{CommandEndpoint, CommandPeer, PortChoice, Readiness};
///
/// let command = ["redis-server", "--port", "{port0}", "--save", ""];
/// let endpoints = vec![CommandEndpoint::Tcp(PortChoice::Free)];
/// let peer = CommandPeer::new(command, endpoints, Readiness::Listening, "everett-out");
/// ```
#[derive(Debug)]
pub struct CommandPeer {
    command: Vec<String>,
    endpoints: Vec<CommandEndpoint>,
    readiness: Readiness,
    variables: Vec<(String, String)>,
    folder: PathBuf,
    /// The ports that are found out once.
    found_ports: Mutex<BTreeMap<Endpoint, FoundPort>>,
}

/// A port that was free.
#[derive(Debug)]
enum FoundPort {
    /// The command listens there.
    OfCommand(u16),
    /// We listen there, also while there is no session: so nobody else can take it.
    Bound(TcpListener),
}

/// The sockets of a session: its endpoints, and the listeners that are there already.
type SessionSockets = (Vec<SocketEndpoint>, BTreeMap<Endpoint, TcpListener>);

impl CommandPeer {
    /// A peer that is this command with its arguments. Endpoints are numbered in their order. Each session
    /// makes a folder of its own in `folder`.
    pub fn new<S: Into<String>>(
        command: impl IntoIterator<Item = S>,
        endpoints: Vec<CommandEndpoint>,
        readiness: Readiness,
        folder: impl Into<PathBuf>,
    ) -> CommandPeer {
        CommandPeer {
            command: command.into_iter().map(Into::into).collect(),
            endpoints,
            readiness,
            variables: Vec::new(),
            folder: folder.into(),
            found_ports: Mutex::default(),
        }
    }

    /// The same peer, with an environment variable. All others are as in this process.
    pub fn with_variable(
        mut self,
        name: impl Into<String>,
        value: impl Into<String>,
    ) -> CommandPeer {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The sockets of a session whose folder is this one.
    fn session_sockets(&self, folder: &Path) -> Result<SessionSockets, PeerError> {
        let mut bound = BTreeMap::new();
        let mut endpoints = Vec::with_capacity(self.endpoints.len());
        for (number, endpoint) in self.endpoints.iter().enumerate() {
            let number = Endpoint::from_index(number);
            endpoints.push(match endpoint {
                CommandEndpoint::Tcp(port) => {
                    let free = || TcpListener::bind(ANY_PORT)?.local_addr();
                    SocketEndpoint::Tcp(self.address_of_command(number, *port, free)?)
                }
                CommandEndpoint::Udp(port) => {
                    let free = || UdpSocket::bind(ANY_PORT)?.local_addr();
                    SocketEndpoint::Udp(self.address_of_command(number, *port, free)?)
                }
                CommandEndpoint::TcpIncoming(PortChoice::Fixed(port)) => {
                    SocketEndpoint::TcpIncoming((Ipv4Addr::LOCALHOST, *port).into())
                }
                CommandEndpoint::TcpIncoming(port) => {
                    let listener = self.listener(number, *port).map_err(no_free_port)?;
                    let address = listener.local_addr().map_err(no_free_port)?;
                    bound.insert(number, listener);
                    SocketEndpoint::TcpIncoming(address)
                }
                CommandEndpoint::Unix(path) => SocketEndpoint::Unix(folder.join(path)),
                CommandEndpoint::UnixIncoming(path) => {
                    SocketEndpoint::UnixIncoming(folder.join(path))
                }
            });
        }
        Ok((endpoints, bound))
    }

    /// The address at which the command listens in one session. Somebody else may take a free port before the
    /// command does: the system offers others first.
    fn address_of_command(
        &self,
        number: Endpoint,
        port: PortChoice,
        free: impl FnOnce() -> io::Result<SocketAddr>,
    ) -> Result<SocketAddr, PeerError> {
        let free = || Ok(free().map_err(no_free_port)?.port());
        let port = match port {
            PortChoice::Fixed(port) => port,
            PortChoice::Free => free()?,
            PortChoice::FreeOnce => {
                let mut found = self.lock_found_ports();
                match found.get(&number) {
                    Some(FoundPort::OfCommand(port)) => *port,
                    _ => {
                        let port = free()?;
                        found.insert(number, FoundPort::OfCommand(port));
                        port
                    }
                }
            }
        };
        Ok((Ipv4Addr::LOCALHOST, port).into())
    }

    /// A socket that listens for the command in one session, at a port that was free.
    fn listener(&self, number: Endpoint, port: PortChoice) -> io::Result<TcpListener> {
        if port == PortChoice::Free {
            return TcpListener::bind(ANY_PORT);
        }
        let mut found = self.lock_found_ports();
        if let Some(FoundPort::Bound(listener)) = found.get(&number) {
            let listener = listener.try_clone()?;
            // Nobody has accepted these connections of the session before.
            listener.set_nonblocking(true)?;
            while listener.accept().is_ok() {}
            return Ok(listener);
        }
        let listener = TcpListener::bind(ANY_PORT)?;
        found.insert(number, FoundPort::Bound(listener.try_clone()?));
        Ok(listener)
    }

    fn lock_found_ports(&self) -> MutexGuard<'_, BTreeMap<Endpoint, FoundPort>> {
        self.found_ports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_free_port(error: io::Error) -> PeerError {
    PeerError::System { doing: "find a free port", error }
}

impl Peer for CommandPeer {
    fn start(&self, limit: Duration) -> Result<Box<dyn PeerSession>, PeerError> {
        let end = now() + limit;
        let system = |error| PeerError::System { doing: "make a folder for the peer", error };
        // The command runs in the folder, where a relative path would mean something else.
        let folder = std::path::absolute(&self.folder)
            .and_then(|folder| tempfile::Builder::new().prefix("live-").tempdir_in(folder))
            .map_err(system)?;
        let (endpoints, bound) = self.session_sockets(folder.path())?;
        listening::wait_until_free(&endpoints, end)?;
        let sockets = SocketSession::new(endpoints.clone(), bound)?;
        let command = fill_in(&self.command, &endpoints, folder.path());
        let (names, values): (Vec<_>, Vec<_>) = self.variables.iter().cloned().unzip();
        let values = fill_in(&values, &endpoints, folder.path());
        let variables: Vec<_> = names.into_iter().zip(values).collect();
        let mut process = PeerProcess::start(&command, &variables, folder)?;
        process.wait_until_ready(&self.readiness, &endpoints, (end, limit))?;
        Ok(Box::new(CommandSession { sockets, process }))
    }

    fn sessions_max(&self) -> usize {
        let mut ports = self.endpoints.iter().filter_map(CommandEndpoint::port);
        if ports.all(|port| port == PortChoice::Free) { usize::MAX } else { 1 }
    }
}

/// Arguments or values of variables with the ports and the folder of a session.
fn fill_in(texts: &[String], endpoints: &[SocketEndpoint], folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy();
    let fill = |text: &String| {
        let mut text = text.replace("{folder}", &folder);
        for (number, endpoint) in endpoints.iter().enumerate() {
            if let Some(address) = endpoint.address() {
                let port = address.port().to_string();
                text = text.replace(&format!("{{port{number}}}"), &port);
            }
        }
        text
    };
    texts.iter().map(fill).collect()
}

/// A session with a process of its own. The sockets are closed before the process is killed.
struct CommandSession {
    sockets: SocketSession,
    process: PeerProcess,
}

impl PeerSession for CommandSession {
    fn open(
        &mut self,
        connection: ConnectionId,
        endpoint: Endpoint,
        limit: Duration,
    ) -> Result<PeerEvent, PeerError> {
        self.sockets.open(connection, endpoint, limit)
    }

    fn accept(&mut self, connection: ConnectionId, endpoint: Endpoint) -> Result<(), PeerError> {
        self.sockets.accept(connection, endpoint)
    }

    fn send(
        &mut self,
        connection: ConnectionId,
        bytes: &[u8],
        limit: Duration,
    ) -> Result<usize, PeerError> {
        self.sockets.send(connection, bytes, limit)
    }

    fn send_datagram(&mut self, connection: ConnectionId, bytes: &[u8]) -> Result<(), PeerError> {
        self.sockets.send_datagram(connection, bytes)
    }

    fn close(&mut self, connection: ConnectionId, how: Closing) -> Result<(), PeerError> {
        self.sockets.close(connection, how)
    }

    fn wait(&mut self, source: Source, limit: Duration) -> Result<PeerEvent, PeerError> {
        let end = now() + limit;
        loop {
            // What a process has sent before it has ended is there when it has.
            let has_ended = self.process.exit_status()?.is_some();
            let left = end.saturating_duration_since(now());
            let pause = if has_ended { Duration::ZERO } else { left.min(LOOK_PAUSE) };
            match self.sockets.wait(source, pause)? {
                PeerEvent::Silence if has_ended => return Ok(PeerEvent::Gone),
                PeerEvent::Silence if left <= LOOK_PAUSE => return Ok(PeerEvent::Silence),
                PeerEvent::Silence => {}
                event => return Ok(event),
            }
        }
    }
}
