//! Faults of messages: what a host gets of datagrams that another one has sent.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use everett_base::Stamp;
use everett_fs::{Fs, FsOptions};
use everett_interp::State;
use everett_memory::ByteValue;
use everett_net::{HostId, HostSpec, Message, MessageKind, Protocol, TopologyBuilder};
use linux_raw_sys::net as linux;
use syscalls::Sysno;

use crate::config::{
    FaultBudgets, FaultConfig, FaultKind, KernelConfig, NetworkCut, NetworkFaults,
};
use crate::kernel::Guest;
use crate::net::datagram;
use crate::state::faults::decision::FaultDecision;
use crate::state::faults::messages::MessageDelay;
use crate::state::ids::SocketId;
use crate::state::sockets::message::{Payload, SharedMessage};
use crate::testing::{TestGuest, Tester};

const HERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1)), 7000);
const THERE: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 2)), 9);
const AT: Stamp = Stamp::new(5, 1);

/// The first of two hosts, with a socket at a port.
fn host(budgets: &[(FaultKind, u32)], network: NetworkFaults) -> Tester {
    let mut builder = TopologyBuilder::new();
    builder.node(HostSpec::new("here")).node(HostSpec::new("there"));
    let topology = Some(builder.build().expect("two hosts have addresses"));
    let mut faults = FaultConfig { network, ..FaultConfig::default() };
    faults.budgets = FaultBudgets::default();
    budgets.iter().for_each(|(kind, most)| faults.budgets.set(*kind, *most));
    let config = KernelConfig { topology, faults, ..KernelConfig::default() };
    let mut host = Tester::with(config, Fs::new(FsOptions::default()));
    let socket = host.call(Sysno::socket, &[linux::AF_INET.into(), linux::SOCK_DGRAM.into(), 0]);
    let address = host.bytes(&[2, 0, 0x1b, 0x58, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    host.call(Sysno::bind, &[socket.expect("there are sockets"), address, 16]).expect("it is free");
    host
}

fn datagram(id: u64, bytes: &[u8]) -> SharedMessage {
    let message = Message::new(MessageKind::DATA, Protocol::Udp, THERE, HERE);
    Arc::new(Message { id, payload: Payload::Known(bytes.into()), ..message })
}

/// What is in the queue of the socket; a symbolic byte is shown as `?`.
fn queue(state: &State<TestGuest>) -> Vec<String> {
    let mut node = state.extra.node().clone();
    let mut found = Vec::new();
    while let Some(next) = datagram::next(&mut node, SocketId(0), false) {
        let byte = |byte: &ByteValue| u8::try_from(*byte).map_or('?', char::from);
        found.push(next.data.to_values().iter().map(byte).collect());
    }
    found
}

/// What the socket gets of some datagrams that arrive together, on each path, and the faults there.
fn paths(host: &mut Tester, datagrams: &[&[u8]]) -> Vec<(Vec<String>, Vec<FaultDecision>)> {
    let messages: Vec<_> = (1..).zip(datagrams).map(|(id, bytes)| datagram(id, bytes)).collect();
    let arriving: Vec<_> = messages.iter().map(|message| (HostId(1), message)).collect();
    let of = |state: State<TestGuest>| {
        let taken = state.extra.node().path.faults.taken();
        (queue(&state), taken.iter().map(|taken| taken.decision).collect())
    };
    // Others of the same kind differ in what comes later.
    let waits = |state: &State<TestGuest>| {
        let held = &state.extra.node().path.faults.held;
        held.iter().any(|held| matches!(held.incoming.delay, MessageDelay::Behind(_)))
    };
    let states = host.arrive(AT, &arriving).into_iter().filter(|state| !waits(state));
    let mut found: Vec<_> = states.map(of).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Only what the socket gets.
fn queues(host: &mut Tester, datagrams: &[&[u8]]) -> Vec<String> {
    paths(host, datagrams).into_iter().map(|(queue, _)| queue.join(",")).collect()
}

#[test]
fn a_datagram_meets_with_one_fault_at_most() {
    let kinds = [
        FaultKind::Loss,
        FaultKind::Duplicate,
        FaultKind::Delay,
        FaultKind::Corrupt,
        FaultKind::Truncate,
    ];
    let mut host = host(&kinds.map(|kind| (kind, 1)), NetworkFaults::default());
    // Lost or late, cut to nothing, to half and by one, corrupted, as it was, twice.
    let expected = ["", "", "", "?????", "ab", "abcd", "abcde", "abcde,abcde"];
    assert_eq!(queues(&mut host, &[b"abcde"]), expected);
}

#[test]
fn orders_are_those_of_what_arrives() {
    let kinds = [(FaultKind::Reorder, 1), (FaultKind::Loss, 1)];
    let mut host = host(&kinds, NetworkFaults::default());
    let expected = ["a", "a,b", "b", "b,a"];
    assert_eq!(queues(&mut host, &[b"a", b"b"]), expected);
    // Equal ones are not told apart, whichever of them is lost.
    assert_eq!(queues(&mut host, &[b"a", b"a"]), ["a", "a,a"]);
}

/// All orders of some things.
fn permutations(things: &[String]) -> Vec<Vec<String>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let first = |at: usize| {
        let mut rest = things.to_vec();
        let first = rest.remove(at);
        permutations(&rest).into_iter().map(move |rest| [vec![first.clone()], rest].concat())
    };
    (0..things.len()).flat_map(first).collect()
}

/// The orders in which a socket gets datagrams that come one group after the other, on all paths.
fn orders_of_groups(groups: &[usize], network: NetworkFaults) -> Vec<Vec<String>> {
    let mut host = host(&[(FaultKind::Reorder, 100)], network);
    let mut names = b'a'..;
    let mut states: Option<Vec<State<TestGuest>>> = None;
    for (at, size) in groups.iter().enumerate() {
        let group: Vec<u8> = names.by_ref().take(*size).collect();
        let messages: Vec<_> =
            group.iter().map(|name| datagram((*name).into(), &[*name])).collect();
        let arriving: Vec<_> = messages.iter().map(|message| (HostId(1), message)).collect();
        let stamp = Stamp::new(AT.time + at as u64, 0);
        let next = match states.take() {
            None => host.arrive(stamp, &arriving),
            Some(before) => {
                let mut next = Vec::new();
                for state in before {
                    next.extend(host.arrive_at(state, stamp, &arriving));
                }
                next
            }
        };
        states = Some(next);
    }
    let whole = |state: &State<TestGuest>| state.extra.node().path.faults.held.is_empty();
    let mut orders: Vec<_> =
        states.unwrap_or_default().iter().filter(|state| whole(state)).map(queue).collect();
    orders.sort();
    orders
}

#[test]
fn every_order_of_a_window_is_reached_once_whenever_its_datagrams_come() {
    for groups in [&[1, 1][..], &[1, 1, 1], &[1, 1, 1, 1], &[2, 1], &[1, 2], &[2, 2], &[1, 2, 1]] {
        let count: usize = groups.iter().sum();
        let names: Vec<String> =
            (b'a'..).take(count).map(|name| char::from(name).to_string()).collect();
        let expected = permutations(&names);
        let network = NetworkFaults { reorder_ns: 100, ..NetworkFaults::default() };
        let found = orders_of_groups(groups, network);
        assert_eq!(found, expected, "{groups:?}");
    }
}

#[test]
fn what_is_late_comes_later() {
    let mut host =
        host(&[(FaultKind::Delay, 1)], NetworkFaults { delays_ns: vec![10], ..Default::default() });
    let message = datagram(1, b"a");
    let paths = host.arrive(AT, &[(HostId(1), &message)]);
    let [in_time, late] = &paths[..] else { panic!("{} paths", paths.len()) };
    assert_eq!((queue(in_time), in_time.extra.node().next_held()), (vec!["a".to_owned()], None));
    assert_eq!((queue(late), late.extra.node().next_held()), (vec![], Some(15)));
    let mut node = late.extra.node().clone();
    node.clock.now = 14;
    node.deliver(std::iter::empty());
    assert!(datagram::next(&mut node, SocketId(0), true).is_none() && !node.has_held(14));
    node.clock.now = 15;
    node.deliver(std::iter::empty());
    assert!(datagram::next(&mut node, SocketId(0), true).is_some() && node.next_held().is_none());
}

#[test]
fn each_of_several_delays_is_tried() {
    let delays = || NetworkFaults { delays_ns: vec![10, 20_000_000], ..Default::default() };
    let message = datagram(1, b"a");
    let ends = |host: &mut Tester| {
        let paths = host.arrive(AT, &[(HostId(1), &message)]);
        let of = |state: &State<TestGuest>| {
            let node = state.extra.node();
            let taken = node.path.faults.taken();
            (node.next_held(), taken.iter().map(|taken| taken.decision).collect::<Vec<_>>())
        };
        let words = paths.iter().flat_map(|state| state.extra.node().path.faults.taken());
        let lengths = words.map(|taken| taken.what.rsplit_once(" by ").unwrap().1.to_owned());
        (paths.iter().map(of).collect::<Vec<_>>(), lengths.collect::<Vec<_>>())
    };
    let (paths, words) = ends(&mut host(&[(FaultKind::Delay, 1)], delays()));
    let due: Vec<_> = paths.iter().map(|(due, _)| *due).collect();
    assert_eq!(due, [None, Some(20_000_005), Some(15)]);
    assert_eq!(words, ["0.02 s", "0.00000001 s"]);
    for (due, decisions) in paths {
        let mut host = host(&[], delays());
        host.node_mut().path.faults.set_plan(decisions.clone());
        assert_eq!(ends(&mut host).0, [(due, decisions)]);
    }
}

#[test]
fn a_plan_is_followed_for_each_path() {
    let kinds = [(FaultKind::Reorder, 1), (FaultKind::Duplicate, 1), (FaultKind::Truncate, 1)];
    let found = paths(&mut host(&kinds, NetworkFaults::default()), &[b"ab", b"c"]);
    for (queue, decisions) in &found {
        let mut host = host(&[], NetworkFaults::default());
        host.node_mut().path.faults.set_plan(decisions.clone());
        assert_eq!(paths(&mut host, &[b"ab", b"c"]), [(queue.clone(), decisions.clone())]);
    }
    // With one fate for each: nothing; "ab" twice, cut to 0 or to 1; "c" twice or cut to 0; one twice and the
    // other cut, 1 + 2. Each in all orders that can be told apart.
    let orders = [2, 3, 2, 2, 3, 2, 3, 3, 3];
    assert_eq!(found.len(), orders.iter().sum::<usize>());
}

#[test]
fn faults_are_only_where_they_are_wanted() {
    let only = |cut: &str| {
        let only = vec![NetworkCut::parse(cut).expect("that is one")];
        NetworkFaults { only, ..NetworkFaults::default() }
    };
    let loss = [(FaultKind::Loss, 1)];
    assert_eq!(queues(&mut host(&loss, only("there>here")), &[b"a"]), ["", "a"]);
    assert_eq!(queues(&mut host(&loss, only("here>there")), &[b"a"]), ["a"]);
}

#[test]
fn all_that_arrives_at_once_is_lost_in_a_partition_or_nothing() {
    let cuts = vec![NetworkCut::parse("here|there").expect("that is one")];
    let mut host = host(&[(FaultKind::Partition, 1)], NetworkFaults { cuts, ..Default::default() });
    assert_eq!(queues(&mut host, &[b"a", b"b"]), ["", "a,b"]);
    let kind = FaultKind::Partition;
    let counts = &host.kernel.fault_counts;
    // The sibling is asked about the second message as well.
    assert_eq!((counts.offered(kind), counts.taken(kind)), (3, 2));
}
