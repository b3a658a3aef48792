//! Two hosts, whose messages are carried by hand.

use std::net::{Ipv4Addr, SocketAddrV4};

use everett_expr::Pool;
use everett_fs::{Fs, FsOptions};
use everett_memory::ByteValue;
use everett_net::{HostId, HostSpec, MessageKind, TopologyBuilder};
use linux_raw_sys::general::{POLLERR, POLLHUP, POLLIN, POLLOUT, POLLPRI, POLLRDNORM};
use linux_raw_sys::net as linux;
use syscalls::{Errno, Sysno};

use crate::config::KernelConfig;
use crate::net::tcp;
use crate::state::data::ByteData;
use crate::state::sockets::message::Payload;
use crate::state::sockets::options::{ADMITS, DECIDES, FIRST_REQUEST};
use crate::state::wait::WaitEvent;
use crate::sys::poll;
use crate::testing::{Outcome, Tester};

const SERVER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const PORT: u16 = 7000;
/// A host that nobody is.
const NOBODY: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 99);
const NONBLOCK: u64 = linux_raw_sys::general::O_NONBLOCK as u64;
const STREAM: u64 = linux::SOCK_STREAM as u64;
const DATAGRAM: u64 = linux::SOCK_DGRAM as u64;

/// The two hosts: the server is host 0, the client host 1.
struct Hosts {
    hosts: [Tester; 2],
}

impl Hosts {
    fn new() -> Hosts {
        Hosts::with_buffer(KernelConfig::default().socket_buffer)
    }

    fn with_buffer(socket_buffer: u32) -> Hosts {
        let mut builder = TopologyBuilder::new();
        builder.node(HostSpec::new("server")).node(HostSpec::new("client"));
        let topology = builder.build().expect("two hosts have addresses");
        let host = |host| {
            let topology = Some(topology.clone());
            let config = KernelConfig { host, topology, socket_buffer, ..KernelConfig::default() };
            Tester::with(config, Fs::new(FsOptions::default()))
        };
        Hosts { hosts: [host(HostId(0)), host(HostId(1))] }
    }

    fn server(&mut self) -> &mut Tester {
        &mut self.hosts[0]
    }

    fn client(&mut self) -> &mut Tester {
        &mut self.hosts[1]
    }

    /// Carries messages to and fro until there are none; says how many there were.
    fn carry(&mut self) -> usize {
        let mut count = 0;
        loop {
            let sent: Vec<_> = self.hosts.iter_mut().map(|h| h.node_mut().take_sent()).collect();
            if sent.iter().all(Vec::is_empty) {
                return count;
            }
            for (to, message) in sent.into_iter().flatten() {
                count += 1;
                self.hosts[to.index()].node_mut().receive(&message);
            }
        }
    }

    /// Carries what one host has sent to the other one; says how many messages there were.
    fn carry_from(&mut self, host: usize) -> usize {
        let sent = self.hosts[host].node_mut().take_sent();
        for (to, message) in &sent {
            self.hosts[to.index()].node_mut().receive(message);
        }
        sent.len()
    }

    /// A server that listens, and a client that is connected: their descriptors, and the one that
    /// listens.
    fn connected(&mut self) -> (u64, u64, u64) {
        let listener = listener(self.server(), 5);
        let client = socket(self.client(), STREAM);
        let begun = connect(self.client(), client, SERVER, PORT);
        assert!(matches!(begun, Outcome::Waits(_)), "{begun:?}");
        assert_eq!(self.carry(), 3, "a request, its answer, and that it has come");
        assert!(matches!(connect(self.client(), client, SERVER, PORT), Outcome::Value(0)));
        let server = self.server().call(Sysno::accept, &[listener, 0, 0]).expect("it waits");
        (server, client, listener)
    }
}

fn socket(host: &mut Tester, kind: u64) -> u64 {
    host.call(Sysno::socket, &[linux::AF_INET.into(), kind, 0]).expect("a socket")
}

fn address(host: &mut Tester, ip: Ipv4Addr, port: u16) -> u64 {
    let mut bytes = (linux::AF_INET as u16).to_le_bytes().to_vec();
    bytes.extend_from_slice(&port.to_be_bytes());
    bytes.extend_from_slice(&ip.octets());
    bytes.resize(16, 0);
    host.bytes(&bytes)
}

fn bind(host: &mut Tester, socket: u64, port: u16) {
    let any = address(host, Ipv4Addr::UNSPECIFIED, port);
    host.call(Sysno::bind, &[socket, any, 16]).expect("the port is free");
}

fn listener(host: &mut Tester, backlog: u64) -> u64 {
    let listener = socket(host, STREAM);
    bind(host, listener, PORT);
    host.call(Sysno::listen, &[listener, backlog]).expect("nobody else listens");
    listener
}

fn connect(host: &mut Tester, socket: u64, ip: Ipv4Addr, port: u16) -> Outcome {
    let to = address(host, ip, port);
    host.attempt(Sysno::connect, &[socket, to, 16])
}

fn send_to(host: &mut Tester, socket: u64, text: &[u8], ip: Ipv4Addr, port: u16) -> Outcome {
    let (to, bytes) = (address(host, ip, port), host.bytes(text));
    host.attempt(Sysno::sendto, &[socket, bytes, text.len() as u64, 0, to, 16])
}

fn write(host: &mut Tester, socket: u64, text: &[u8]) -> Result<u64, Errno> {
    let bytes = host.bytes(text);
    host.call(Sysno::write, &[socket, bytes, text.len() as u64])
}

fn read(host: &mut Tester, socket: u64, room: usize) -> Result<Vec<u8>, Errno> {
    let buffer = host.room(room);
    let got = host.call(Sysno::read, &[socket, buffer, room as u64])?;
    Ok(host.peek(buffer, got as usize))
}

fn events(host: &Tester, socket: u64) -> u32 {
    let node = host.node();
    let file = node.descriptor(socket as u32).expect("it is open").file;
    poll::events(node, node.volatile.running, file).into()
}

fn error_of(host: &mut Tester, socket: u64) -> u32 {
    let (value, len) = (host.room(4), host.bytes(&4u32.to_le_bytes()));
    let (level, name) = (linux::SOL_SOCKET.into(), linux::SO_ERROR.into());
    host.call(Sysno::getsockopt, &[socket, level, name, value, len]).expect("there is an error");
    u32::from_le_bytes(host.peek(value, 4).try_into().expect("four bytes"))
}

fn wait_of(outcome: Outcome) -> WaitEvent {
    match outcome {
        Outcome::Waits(wait) => wait.event,
        other => panic!("it does not wait: {other:?}"),
    }
}

fn errno_of(outcome: Outcome) -> Errno {
    match outcome {
        Outcome::Failed(errno) => errno,
        other => panic!("it does not fail: {other:?}"),
    }
}

#[test]
fn a_datagram_reaches_the_other_host() {
    let mut hosts = Hosts::new();
    let (server, client) = (socket(hosts.server(), DATAGRAM), socket(hosts.client(), DATAGRAM));
    bind(hosts.server(), server, PORT);
    let sent = send_to(hosts.client(), client, b"hello", SERVER, PORT);
    assert!(matches!(sent, Outcome::Value(5)), "{sent:?}");
    let outbox = hosts.client().node_mut().take_sent();
    let (to, message) = &outbox[0];
    assert_eq!((*to, message.kind, message.id), (HostId(0), MessageKind::DATA, 1));
    assert_eq!(message.source, SocketAddrV4::new(CLIENT, 32768).into());
    assert_eq!(message.destination, SocketAddrV4::new(SERVER, PORT).into());
    let changes = hosts.server().node().path.changes;
    hosts.server().node_mut().receive(message);
    assert_ne!(hosts.server().node().path.changes, changes);
    assert_eq!(read(hosts.server(), server, 9), Ok(b"hello".to_vec()));
    assert_eq!(hosts.carry(), 0);
}

#[test]
fn symbolic_bytes_travel_as_they_are() {
    let mut hosts = Hosts::new();
    let (server, client, _) = hosts.connected();
    // Each host has a pool of its own; both have these terms.
    hosts.server().symbolic_text("x", 2);
    let text = hosts.client().symbolic_text("x", 2);
    let client_host = hosts.client();
    let before = client_host.state.mem.read_each(&client_host.pool, text, 2);
    assert_eq!(hosts.client().call(Sysno::write, &[client, text, 2]), Ok(2));
    let outbox = hosts.client().node_mut().take_sent();
    let payload = &outbox[0].1.payload;
    assert_eq!(payload.values().collect::<Vec<_>>(), before.expect("it is there"));
    assert_eq!(payload.terms().count(), 2);
    hosts.server().node_mut().receive(&outbox[0].1);
    assert_ne!(events(hosts.server(), server) & POLLIN, 0);
}

#[test]
fn nobody_at_a_port_is_told_to_those_who_are_connected() {
    let mut hosts = Hosts::new();
    let connected = socket(hosts.client(), DATAGRAM);
    let other = socket(hosts.client(), DATAGRAM);
    assert!(matches!(connect(hosts.client(), connected, SERVER, 9), Outcome::Value(0)));
    assert_eq!(write(hosts.client(), connected, b"x"), Ok(1));
    assert!(matches!(send_to(hosts.client(), other, b"x", SERVER, 9), Outcome::Value(1)));
    assert_eq!(hosts.carry(), 4, "two datagrams and two answers");
    assert_ne!(events(hosts.client(), connected) & POLLERR, 0);
    assert_eq!(events(hosts.client(), other) & POLLERR, 0);
    assert_eq!(write(hosts.client(), connected, b"x"), Err(Errno::ECONNREFUSED));
    assert_eq!(write(hosts.client(), connected, b"x"), Ok(1));
}

#[test]
fn a_connection_carries_both_streams_and_needs_no_acknowledgement_of_little() {
    let mut hosts = Hosts::new();
    let (server, client, _) = hosts.connected();
    assert_eq!(write(hosts.client(), client, b"question"), Ok(8));
    assert_eq!(hosts.carry(), 1);
    assert_eq!(read(hosts.server(), server, 4), Ok(b"ques".to_vec()));
    assert_eq!(read(hosts.server(), server, 9), Ok(b"tion".to_vec()));
    assert_eq!(write(hosts.server(), server, b"answer"), Ok(6));
    assert_eq!(hosts.carry(), 1);
    assert_eq!(read(hosts.client(), client, 9), Ok(b"answer".to_vec()));
    assert_eq!(hosts.carry(), 0);
}

#[test]
fn a_refused_connection_fails() {
    let mut hosts = Hosts::new();
    let client = socket(hosts.client(), STREAM);
    let event = wait_of(connect(hosts.client(), client, SERVER, 9));
    assert!(matches!(event, WaitEvent::Files(_)));
    assert_eq!(hosts.carry(), 2);
    let again = connect(hosts.client(), client, SERVER, 9);
    assert_eq!(errno_of(again), Errno::ECONNREFUSED);
    // The socket can be used again.
    listener(hosts.server(), 1);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    hosts.carry();
    assert!(matches!(connect(hosts.client(), client, SERVER, PORT), Outcome::Value(0)));
}

#[test]
fn an_attempt_that_does_not_wait_is_told_by_polling() {
    let mut hosts = Hosts::new();
    let client = socket(hosts.client(), STREAM | NONBLOCK);
    let connect = |hosts: &mut Hosts, port| errno_of(connect(hosts.client(), client, SERVER, port));
    assert_eq!(connect(&mut hosts, 9), Errno::EINPROGRESS);
    assert_eq!(connect(&mut hosts, 9), Errno::EALREADY);
    assert_eq!(events(hosts.client(), client), 0);
    hosts.carry();
    let found = events(hosts.client(), client);
    assert_eq!(found & (POLLOUT | POLLERR | POLLHUP), POLLOUT | POLLERR | POLLHUP);
    assert_eq!(error_of(hosts.client(), client), Errno::ECONNREFUSED.into_raw() as u32);
    assert_eq!(error_of(hosts.client(), client), 0);
}

#[test]
fn a_host_that_nobody_is_cannot_be_reached_after_three_seconds() {
    let mut hosts = Hosts::new();
    let client = socket(hosts.client(), STREAM);
    wait_of(connect(hosts.client(), client, NOBODY, PORT));
    assert!(hosts.client().node_mut().take_sent().is_empty());
    let file = hosts.client().node().descriptor(client as u32).expect("it is open").file;
    assert_eq!(poll::next_event(hosts.client().node(), file), Some(3_000_000_000));
    hosts.client().node_mut().clock.now = 3_000_000_000;
    let again = connect(hosts.client(), client, NOBODY, PORT);
    assert_eq!(errno_of(again), Errno::EHOSTUNREACH);
}

#[test]
fn no_way_is_told_at_once_and_no_answer_after_two_minutes() {
    let mut hosts = Hosts::new();
    let client = socket(hosts.client(), STREAM);
    let away = Ipv4Addr::new(192, 0, 2, 1);
    let outcome = connect(hosts.client(), client, away, PORT);
    assert_eq!(errno_of(outcome), Errno::ENETUNREACH);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    hosts.client().node_mut().clock.now = 127_000_000_000;
    let again = connect(hosts.client(), client, SERVER, PORT);
    assert_eq!(errno_of(again), Errno::ETIMEDOUT);
}

#[test]
fn the_end_of_a_stream_leaves_the_other_one() {
    let mut hosts = Hosts::new();
    let (server, client, _) = hosts.connected();
    assert_eq!(write(hosts.client(), client, b"last"), Ok(4));
    let shut = hosts.client().call(Sysno::shutdown, &[client, linux::SHUT_WR.into()]);
    assert_eq!(shut, Ok(0));
    assert_eq!(write(hosts.client(), client, b"x"), Err(Errno::EPIPE));
    assert_eq!(hosts.carry(), 2);
    assert_eq!(read(hosts.server(), server, 9), Ok(b"last".to_vec()));
    assert_eq!(read(hosts.server(), server, 9), Ok(Vec::new()));
    assert_eq!(write(hosts.server(), server, b"bye"), Ok(3));
    hosts.carry();
    assert_eq!(read(hosts.client(), client, 9), Ok(b"bye".to_vec()));
    hosts.server().call(Sysno::close, &[server]).expect("it is open");
    hosts.carry();
    assert_eq!(read(hosts.client(), client, 9), Ok(Vec::new()));
    assert_ne!(events(hosts.client(), client) & POLLHUP, 0);
}

#[test]
fn closing_with_unread_bytes_breaks_off() {
    let mut hosts = Hosts::new();
    let (server, client, _) = hosts.connected();
    assert_eq!(write(hosts.client(), client, b"unread"), Ok(6));
    hosts.carry();
    hosts.server().call(Sysno::close, &[server]).expect("it is open");
    assert_eq!(hosts.carry(), 1);
    assert_eq!(read(hosts.client(), client, 9), Err(Errno::ECONNRESET));
    assert_eq!(read(hosts.client(), client, 9), Ok(Vec::new()));
    assert_eq!(write(hosts.client(), client, b"x"), Err(Errno::EPIPE));
}

#[test]
fn sending_to_one_that_has_closed_breaks_off() {
    let mut hosts = Hosts::new();
    let (server, client, _) = hosts.connected();
    hosts.server().call(Sysno::close, &[server]).expect("it is open");
    hosts.carry();
    assert_eq!(read(hosts.client(), client, 9), Ok(Vec::new()));
    assert_eq!(write(hosts.client(), client, b"x"), Ok(1));
    assert_eq!(hosts.carry(), 2, "the byte and the reset");
    assert_eq!(write(hosts.client(), client, b"x"), Err(Errno::EPIPE));
    assert!(hosts.server().node().net.table.connections.is_empty());
}

#[test]
fn a_writer_waits_for_the_reader_to_make_room() {
    const BUFFER: usize = 1000;
    let mut hosts = Hosts::with_buffer(BUFFER as u32);
    let (server, client, _) = hosts.connected();
    let text = hosts.client().bytes(&[7; 3 * BUFFER]);
    let args = [client, text, 3 * BUFFER as u64];
    wait_of(hosts.client().attempt(Sysno::write, &args));
    assert_eq!(hosts.client().node().thread().done, BUFFER as u64);
    assert_eq!(events(hosts.client(), client) & POLLOUT, 0);
    hosts.carry();
    assert_eq!(read(hosts.server(), server, BUFFER / 2 - 1).map(|r| r.len()), Ok(BUFFER / 2 - 1));
    assert_eq!(hosts.carry(), 0, "less than half is not worth telling");
    assert_eq!(read(hosts.server(), server, 1).map(|r| r.len()), Ok(1));
    assert_eq!(hosts.carry(), 1);
    assert_ne!(events(hosts.client(), client) & POLLOUT, 0);
    let mut got = BUFFER / 2;
    while let Outcome::Waits(_) = hosts.client().attempt(Sysno::write, &args) {
        hosts.carry();
        got += read(hosts.server(), server, BUFFER).expect("something came").len();
        hosts.carry();
    }
    hosts.client().node_mut().thread_mut().done = 0;
    hosts.carry();
    while events(hosts.server(), server) & POLLIN != 0 {
        got += read(hosts.server(), server, BUFFER).expect("something came").len();
    }
    assert_eq!(got, 3 * BUFFER);
}

#[test]
fn a_full_backlog_holds_requests_until_there_is_room() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 0);
    let clients: Vec<u64> = (0..3).map(|_| socket(hosts.client(), STREAM | NONBLOCK)).collect();
    let request = |hosts: &mut Hosts, i: usize| {
        errno_of(connect(hosts.client(), clients[i], SERVER, PORT));
        hosts.carry();
    };
    let connected = |hosts: &mut Hosts, i: usize| events(hosts.client(), clients[i]) & POLLOUT != 0;
    request(&mut hosts, 0);
    request(&mut hosts, 1);
    assert!(connected(&mut hosts, 0) && !connected(&mut hosts, 1));
    hosts.server().call(Sysno::accept, &[listener, 0, 0]).expect("one waits");
    hosts.carry();
    request(&mut hosts, 2);
    assert!(connected(&mut hosts, 1) && !connected(&mut hosts, 2));
    hosts.server().call(Sysno::close, &[listener]).expect("it is open");
    hosts.carry();
    assert_eq!(error_of(hosts.client(), clients[1]), Errno::ECONNRESET.into_raw() as u32);
    assert_eq!(error_of(hosts.client(), clients[2]), Errno::ECONNREFUSED.into_raw() as u32);
}

#[test]
fn requests_that_come_together_find_the_backlog_as_it_is() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 0);
    let clients: Vec<u64> = (0..3).map(|_| socket(hosts.client(), STREAM | NONBLOCK)).collect();
    for client in &clients {
        errno_of(connect(hosts.client(), *client, SERVER, PORT));
    }
    hosts.carry();
    for client in clients {
        assert_ne!(events(hosts.client(), client) & POLLOUT, 0);
        hosts.server().call(Sysno::accept, &[listener, 0, 0]).expect("all of them wait");
    }
}

#[test]
fn a_connection_is_accepted_once_its_answer_was_acknowledged() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 5);
    let client = socket(hosts.client(), STREAM);
    let accept = |hosts: &mut Hosts| hosts.server().attempt(Sysno::accept, &[listener, 0, 0]);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    assert_eq!(hosts.carry_from(1), 1, "the request");
    wait_of(accept(&mut hosts));
    assert_eq!(hosts.carry_from(0), 1, "its answer");
    assert!(matches!(connect(hosts.client(), client, SERVER, PORT), Outcome::Value(0)));
    assert_eq!(write(hosts.client(), client, b"hello"), Ok(5));
    wait_of(accept(&mut hosts));
    assert_eq!(events(hosts.server(), listener) & POLLIN, 0);
    assert_eq!(hosts.carry_from(1), 2, "that it has come, and bytes right behind");
    assert_ne!(events(hosts.server(), listener) & POLLIN, 0);
    let server = hosts.server().call(Sysno::accept, &[listener, 0, 0]).expect("it waits");
    assert_eq!(read(hosts.server(), server, 9), Ok(b"hello".to_vec()));
}

#[test]
fn one_who_gives_up_before_the_answer_is_never_accepted() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 5);
    let client = socket(hosts.client(), STREAM | NONBLOCK);
    errno_of(connect(hosts.client(), client, SERVER, PORT));
    assert_eq!(hosts.carry_from(1), 1, "the request");
    hosts.client().call(Sysno::close, &[client]).expect("it is open");
    assert_eq!(hosts.carry(), 2, "the answer and a reset");
    assert_eq!(events(hosts.server(), listener) & POLLIN, 0);
    assert!(hosts.server().node().net.table.connections.is_empty());
}

#[test]
fn an_acknowledgement_finds_nobody_once_the_listener_is_closed() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 5);
    let client = socket(hosts.client(), STREAM);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    assert_eq!(hosts.carry_from(1), 1, "the request");
    hosts.server().call(Sysno::close, &[listener]).expect("it is open");
    assert!(hosts.server().node().net.table.connections.is_empty());
    assert_eq!(hosts.carry(), 3, "the answer, that it has come, and a reset");
    assert!(matches!(connect(hosts.client(), client, SERVER, PORT), Outcome::Failed(_)));
}

#[test]
fn a_lost_acknowledgement_leaves_one_side_connected() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 5);
    let client = socket(hosts.client(), STREAM);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    hosts.carry_from(1);
    hosts.carry_from(0);
    assert!(matches!(connect(hosts.client(), client, SERVER, PORT), Outcome::Value(0)));
    let lost = hosts.client().node_mut().take_sent();
    tcp::break_off(hosts.server().node_mut(), &lost[0].1, Errno::ETIMEDOUT);
    assert_eq!(hosts.carry(), 0, "nobody is told");
    wait_of(hosts.server().attempt(Sysno::accept, &[listener, 0, 0]));
    assert_eq!(write(hosts.client(), client, b"x"), Ok(1));
    assert_eq!(hosts.carry(), 2, "the byte and a reset");
    assert_eq!(read(hosts.client(), client, 9), Err(Errno::ECONNRESET));
}

#[test]
fn a_flood_of_datagrams_waits_for_the_next_round() {
    const BUFFER: usize = 1000;
    let mut hosts = Hosts::with_buffer(BUFFER as u32);
    let client = socket(hosts.client(), DATAGRAM);
    let flood = |hosts: &mut Hosts| send_to(hosts.client(), client, &[1; 600], SERVER, PORT);
    assert!(matches!(flood(&mut hosts), Outcome::Value(600)));
    assert!(matches!(flood(&mut hosts), Outcome::Value(600)));
    let rounds = hosts.client().node().path.rounds;
    assert_eq!(wait_of(flood(&mut hosts)), WaitEvent::Round(rounds));
    hosts.client().node_mut().path.rounds += 1;
    assert!(matches!(flood(&mut hosts), Outcome::Value(600)));
}

#[test]
fn a_full_queue_drops_datagrams_and_counts_them() {
    let mut hosts = Hosts::with_buffer(2000);
    let (server, client) =
        (socket(hosts.server(), DATAGRAM), socket(hosts.client(), DATAGRAM | NONBLOCK));
    bind(hosts.server(), server, PORT);
    for _ in 0..9 {
        send_to(hosts.client(), client, &[1; 600], SERVER, PORT);
    }
    hosts.carry();
    assert_eq!(hosts.server().node().net.dropped, 7);
    assert_eq!(read(hosts.server(), server, 999).map(|r| r.len()), Ok(600));
}

#[test]
fn the_side_that_closes_first_keeps_its_port_for_a_minute() {
    let mut hosts = Hosts::new();
    let (server, client, listener) = hosts.connected();
    hosts.server().call(Sysno::close, &[server]).expect("it is open");
    hosts.carry();
    hosts.client().call(Sysno::close, &[client]).expect("it is open");
    hosts.carry();
    hosts.server().call(Sysno::close, &[listener]).expect("it is open");
    let again = socket(hosts.server(), STREAM);
    let any = address(hosts.server(), Ipv4Addr::UNSPECIFIED, PORT);
    let bind = |hosts: &mut Hosts| hosts.server().call(Sysno::bind, &[again, any, 16]);
    assert_eq!(bind(&mut hosts), Err(Errno::EADDRINUSE));
    hosts.server().node_mut().clock.now = 60_000_000_000;
    assert_eq!(bind(&mut hosts), Ok(0));
    assert!(hosts.server().node().net.table.connections.is_empty());
    assert!(hosts.client().node().net.table.connections.is_empty());
}

#[test]
fn broadcasts_reach_all_and_need_leave() {
    let mut hosts = Hosts::new();
    let (server, client) = (socket(hosts.server(), DATAGRAM), socket(hosts.client(), DATAGRAM));
    let own = socket(hosts.client(), DATAGRAM);
    bind(hosts.server(), server, PORT);
    bind(hosts.client(), own, PORT);
    let all = Ipv4Addr::new(10, 0, 0, 255);
    let refused = send_to(hosts.client(), client, b"x", all, PORT);
    assert_eq!(errno_of(refused), Errno::EACCES);
    let on = hosts.client().bytes(&1u32.to_le_bytes());
    let (level, name) = (linux::SOL_SOCKET.into(), linux::SO_BROADCAST.into());
    hosts.client().call(Sysno::setsockopt, &[client, level, name, on, 4]).expect("a flag");
    assert!(matches!(send_to(hosts.client(), client, b"x", all, PORT), Outcome::Value(1)));
    assert_eq!(hosts.carry(), 1);
    assert_eq!(read(hosts.server(), server, 9), Ok(b"x".to_vec()));
    assert_eq!(read(hosts.client(), own, 9), Ok(b"x".to_vec()));
}

#[test]
fn a_host_answers_when_no_process_is_left() {
    let mut hosts = Hosts::new();
    hosts.server().node_mut().volatile.processes.clear();
    let client = socket(hosts.client(), STREAM);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    assert_eq!(hosts.carry(), 2);
    let refused = connect(hosts.client(), client, SERVER, PORT);
    assert_eq!(errno_of(refused), Errno::ECONNREFUSED);
}

#[test]
fn equal_bytes_are_equal_payloads() {
    let pool = Pool::new();
    let symbol = ByteValue::Symbolic(pool.byte(pool.symbol("x", 1), 0));
    let known = |bytes: &[u8]| Payload::Known(bytes.into());
    let mixed = Payload::from(&[1.into(), symbol, 3.into()][..]);
    assert_eq!(Payload::from(&[1.into(), 2.into()][..]), known(&[1, 2]));
    assert_eq!(mixed.first(1), known(&[1]));
    assert_eq!(mixed.replaced(1, &[2.into()]), known(&[1, 2, 3]));
    assert_eq!(known(&[1, 2, 3]).replaced(1, &[symbol]), mixed);
    assert_eq!(mixed.terms().count(), 1);
    assert_eq!(Payload::from(&ByteData::from(&mixed)), mixed);
}

/// A server that decides about requests: its listener.
fn deciding_listener(hosts: &mut Hosts) -> u64 {
    let server = hosts.server();
    let listener = socket(server, STREAM);
    bind(server, listener, PORT);
    set(server, listener, DECIDES, 1).expect("a TCP socket has the option");
    server.call(Sysno::listen, &[listener, 5]).expect("nobody else listens");
    listener
}

fn set(host: &mut Tester, socket: u64, option: u32, value: u32) -> Result<u64, Errno> {
    let value = host.bytes(&value.to_le_bytes());
    host.call(Sysno::setsockopt, &[socket, linux::SOL_TCP.into(), option.into(), value, 4])
}

/// What the program is told about the first request, and the port that it comes from.
fn first_request(host: &mut Tester, socket: u64) -> (u8, u16) {
    let (value, len) = (host.room(20), host.bytes(&20u32.to_le_bytes()));
    let (level, name) = (linux::SOL_TCP.into(), FIRST_REQUEST.into());
    host.call(Sysno::getsockopt, &[socket, level, name, value, len]).expect("it is told");
    let told = host.peek(value, 20);
    (told[0], u16::from_be_bytes([told[6], told[7]]))
}

#[test]
fn a_program_that_decides_refuses_one_connection_and_admits_another() {
    let mut hosts = Hosts::new();
    let listener = deciding_listener(&mut hosts);
    let client = socket(hosts.client(), STREAM);
    wait_of(connect(hosts.client(), client, SERVER, PORT));
    assert_eq!(hosts.carry(), 1, "nothing is answered yet");
    assert_eq!(events(hosts.server(), listener), POLLPRI);
    assert_eq!(first_request(hosts.server(), listener), (1, 32768));
    assert_eq!(set(hosts.server(), listener, ADMITS, 0), Ok(0));
    assert_eq!((events(hosts.server(), listener), hosts.carry()), (0, 1));
    let refused = connect(hosts.client(), client, SERVER, PORT);
    assert_eq!(errno_of(refused), Errno::ECONNREFUSED);

    wait_of(connect(hosts.client(), client, SERVER, PORT));
    hosts.carry();
    assert_eq!(first_request(hosts.server(), listener), (1, 32769));
    assert_eq!(set(hosts.server(), listener, ADMITS, 1), Ok(0));
    assert_eq!(hosts.carry(), 2, "the answer, and that it has come");
    assert!(matches!(connect(hosts.client(), client, SERVER, PORT), Outcome::Value(0)));
    assert_eq!(events(hosts.server(), listener), POLLIN | POLLRDNORM);
    hosts.server().call(Sysno::accept, &[listener, 0, 0]).expect("it waits");
    assert_eq!(first_request(hosts.server(), listener), (0, 0));
    assert_eq!(set(hosts.server(), listener, ADMITS, 1), Err(Errno::EAGAIN));
}

#[test]
fn a_program_that_decides_learns_that_a_connection_comes_to_nothing() {
    let mut hosts = Hosts::new();
    let listener = deciding_listener(&mut hosts);
    let client = socket(hosts.client(), STREAM | NONBLOCK);
    assert_eq!(errno_of(connect(hosts.client(), client, SERVER, PORT)), Errno::EINPROGRESS);
    hosts.carry();
    hosts.client().call(Sysno::close, &[client]).expect("it is open");
    assert_eq!(set(hosts.server(), listener, ADMITS, 1), Ok(0));
    assert_eq!(hosts.carry(), 2, "the answer, and a reset");
    assert_eq!(events(hosts.server(), listener), POLLPRI);
    assert_eq!(first_request(hosts.server(), listener), (2, 32768));
    assert_eq!(first_request(hosts.server(), listener), (0, 0));
    assert_eq!(events(hosts.server(), listener), 0);
}

#[test]
fn only_a_socket_that_decides_has_requests() {
    let mut hosts = Hosts::new();
    let listener = listener(hosts.server(), 5);
    assert_eq!(set(hosts.server(), listener, ADMITS, 1), Err(Errno::ENOPROTOOPT));
}
