//! From the records of a world to the script of its native replay.
//!
//! Each node knows its own part ([`everett_engine::RecordedEvent`]). Here they are put in one order; threads
//! get numbers that no other thread of the system has; a call that waits is tied to its end, and a datagram
//! that is received to the call that has sent it.
//!
//! Invariant: the same records give the same script, byte for byte.

mod unwritten;

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::sync::Arc;

use everett_engine::{FIRST_PID, ProgramLaunch, RecordedEvent, WITHIN_NODE, WorldTest};
use everett_ir::{Pc, Program};
use everett_net::{Host, Topology};
use everett_replay::script::{
    self, ApiKind, EventFlags, Script, ScriptAddress, ScriptApi, ScriptEvent, word_address,
};
use everett_replay::{DTest, KTest};

use crate::error::{LoadFailure, RerunError, Result};
use crate::rebuild::{self, SystemBuilder};
use crate::replay::{ReplayContext, ReplayResult, execute, instruction_limit};

/// Error numbers that are looked at.
const EINPROGRESS: i32 = 115;
const EISCONN: i32 = 106;
const ETIMEDOUT: i32 = 110;
/// The level and the option of the `getsockopt` that tells how an attempt to connect ended.
const SOL_SOCKET: u64 = 1;
const SO_ERROR: u64 = 4;
/// Events of `poll` that say that something went wrong.
const POLLERR: u32 = 8;
const POLLOUT: u32 = 4;

/// A test with its script.
#[derive(Debug)]
pub struct ScriptRecording {
    /// The test.
    pub test: DTest,
    /// The result of the test in the engine.
    pub replayed: ReplayResult,
    /// The calls by which its programs reach the outside.
    pub script: Script,
    /// The starts of the nodes' programs: the first one of each, then others in the order of the script.
    pub launches: Vec<NodeLaunch>,
    /// The reasons for which it cannot be reproduced natively; none if it can.
    pub troubles: Vec<String>,
    /// The most bytes that a stack may take.
    pub stack_bytes: u32,
    /// The results that depend on memory that a program has never written, for people.
    pub notes: Vec<String>,
}

/// A start of a node's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeLaunch {
    /// The node.
    pub node: u32,
    /// The first thread, by its place in the script.
    pub thread: u32,
    /// The arguments, the environment and the files that it begins with.
    pub with: ProgramLaunch,
}

/// Runs a test in the engine, and records what its programs do with the outside. `load` makes a program
/// out of its file.
pub fn record(
    file: &Path,
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<ScriptRecording> {
    let test = DTest::read(file)?;
    let inputs = rebuild::inputs(file, &test)?;
    record_test(test, &inputs, load, context).map_err(|error| error.of_test(file))
}

/// The same for a test that is in no file, on these inputs of its nodes.
pub fn record_test(
    test: DTest,
    inputs: &[KTest],
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<ScriptRecording> {
    let mut builder = SystemBuilder::new(load);
    let mut stack_bytes = 0;
    let mut run = |fresh_memory: u8, most: Option<u64>| {
        let mut rebuilt = builder.rebuild(&test, inputs.to_vec())?;
        rebuilt.config.record = true;
        stack_bytes = rebuilt.config.exec.max_stack_bytes;
        rebuilt.config.fresh_memory = fresh_memory;
        let limit = &mut rebuilt.config.limits.instructions;
        *limit = limit.or(most);
        execute(rebuilt, &test, context)
    };
    let replayed = run(0, None)?;
    if let Some(difference) = &replayed.difference {
        return Err(RerunError::NotReproduced { difference: difference.clone() });
    }
    let world = replayed.world.as_ref().ok_or(RerunError::NoWorld)?;
    let (mut script, troubles) = of_world(world);
    let launches = launches(world, &script);
    let other = run(unwritten::OTHER_BYTE, Some(instruction_limit(replayed.instructions)))?;
    let other = other.world.as_ref().map(|world| of_world(world).0).unwrap_or_default();
    let notes = unwritten::mark(&mut script, &other);
    Ok(ScriptRecording { test, script, launches, troubles, stack_bytes, notes, replayed })
}

/// The script of a world, and the reasons for which it cannot be reproduced natively.
pub fn of_world(world: &WorldTest) -> (Script, Vec<String>) {
    let mut builder = ScriptBuilder::new(world);
    let mut notes: Vec<(u32, &RecordedEvent)> = Vec::new();
    let mut troubles = Vec::new();
    for (node, recorded) in (0..).zip(&world.recorded) {
        notes.extend(recorded.notes.iter().map(|note| (node, note)));
        let name = &world.nodes[node as usize].name;
        troubles.extend(recorded.troubles.iter().map(|why| format!("{name}: {why}")));
    }
    notes.sort_by_key(|(_, note)| note.order);
    for (node, note) in notes {
        builder.add(node, note);
    }
    (builder.finish(), troubles)
}

/// The starts of a world's programs.
fn launches(world: &WorldTest, script: &Script) -> Vec<NodeLaunch> {
    let first = (0..).zip(&script.nodes).map(|(number, node)| (number, node.first_thread));
    let again = script.events.iter().filter(|event| event.api == ScriptApi::Restart);
    let again = again.map(|event| (script.threads[event.thread as usize].node, event.thread));
    let launch = |(node, thread): (u32, u32)| {
        let boot = script.threads[thread as usize].boot;
        let noted = world.recorded.get(node as usize)?.launches.get(boot as usize)?;
        Some(NodeLaunch { node, thread, with: noted.clone() })
    };
    first.chain(again).filter_map(launch).collect()
}

/// A thread of a node, as the node numbers it: node, start of the node, thread.
type NodeThreadKey = (u32, u32, u32);

/// A script in the making.
struct ScriptBuilder<'w> {
    topology: Option<&'w Topology>,
    script: Script,
    threads: BTreeMap<NodeThreadKey, u32>,
    /// The call of its thread into the C library that each event belongs to.
    calls: Vec<u64>,
    /// The events that sent datagrams, by node and number.
    senders: BTreeMap<(u32, u64), u32>,
    /// Datagrams that were received, by the socket's node and descriptor, and their sender and number.
    received: BTreeMap<(u32, i32, u32, u64), u32>,
}

impl<'w> ScriptBuilder<'w> {
    fn new(world: &'w WorldTest) -> ScriptBuilder<'w> {
        let topology = world.topology.as_deref();
        let mut builder = ScriptBuilder {
            topology,
            script: Script::default(),
            threads: BTreeMap::new(),
            calls: Vec::new(),
            senders: BTreeMap::new(),
            received: BTreeMap::new(),
        };
        for (number, node) in (0..).zip(&world.nodes) {
            let host = topology.and_then(|topology| topology.nodes().get(number as usize));
            let addresses = host.map_or(Vec::new(), |host| script_addresses(number, host));
            let first_thread = builder.thread((number, 0, FIRST_PID), FIRST_PID, 1, None);
            builder.script.nodes.push(script::ScriptNode {
                name: node.name.clone(),
                addresses,
                first_thread,
            });
        }
        for thread in 0..builder.script.threads.len() as u32 {
            builder.push(ScriptEvent::new(thread, ScriptApi::Start), 0);
        }
        builder
    }

    /// The number of a thread, which may be new.
    fn thread(&mut self, key: NodeThreadKey, pid: u32, parent: u32, maker: Option<u32>) -> u32 {
        if let Some(number) = self.threads.get(&key) {
            return *number;
        }
        let number = self.script.threads.len() as u32;
        let (node, boot, tid) = key;
        let process = self.threads.get(&(node, boot, pid)).copied().unwrap_or(number);
        let thread =
            script::ScriptThread { node, process, pid, tid, parent_pid: parent, maker, boot };
        self.script.threads.push(thread);
        self.threads.insert(key, number);
        number
    }

    fn push(&mut self, event: ScriptEvent, call: u64) -> u32 {
        self.script.events.push(event);
        self.calls.push(call);
        self.script.events.len() as u32 - 1
    }

    fn add(&mut self, node: u32, note: &RecordedEvent) {
        let RecordedEvent { boot, pid, tid, parent, call, event, sent, got, order: _ } = note;
        let thread = self.thread((node, *boot, *tid), *pid, *parent, None);
        let mut event = ScriptEvent { thread, ..event.clone() };
        self.name_threads(node, note, &mut event);
        if let Some(got) = got {
            self.receive(node, got, &mut event);
        }
        let (starts, first) = (event.api == ScriptApi::Restart, event.aux[0]);
        let number = self.push(event, *call);
        for id in sent {
            self.senders.insert((node, *id), number);
        }
        if starts {
            self.push(ScriptEvent::new(first as u32, ScriptApi::Start), 0);
        }
    }

    /// Replaces the threads that an event names by their numbers in the script.
    fn name_threads(&mut self, node: u32, note: &RecordedEvent, event: &mut ScriptEvent) {
        let (boot, maker) = (note.boot, event.thread);
        match event.api {
            // The last three wait for the child, too.
            ScriptApi::Fork
            | ScriptApi::Vfork
            | ScriptApi::Daemon
            | ScriptApi::PosixSpawn
            | ScriptApi::System
            | ScriptApi::Popen
                if event.result > 0 && event.aux[1] == 0 =>
            {
                let pid = event.result as u32;
                event.aux[0] = self.thread((node, boot, pid), pid, note.pid, Some(maker)).into();
            }
            ScriptApi::PthreadCreate if event.result > 0 => {
                let tid = event.result as u32;
                let new = self.thread((node, boot, tid), note.pid, note.parent, Some(maker));
                (event.aux[0], event.result) = (new.into(), 0);
            }
            ScriptApi::Wait
            | ScriptApi::Waitpid
            | ScriptApi::Wait3
            | ScriptApi::Wait4
            | ScriptApi::Waitid
            | ScriptApi::PosixSpawn
            | ScriptApi::System
            | ScriptApi::Popen
            | ScriptApi::Pclose
                if event.aux[1] > 0 && !makes_pipe(event) =>
            {
                let ended = self.threads.get(&(node, boot, event.aux[1] as u32));
                event.aux[1] = ended.copied().unwrap_or(script::NONE).into();
            }
            ScriptApi::Race => {
                let earlier = self.threads.get(&(node, boot, event.aux[0] as u32));
                event.aux[0] = earlier.copied().unwrap_or(script::NONE).into();
            }
            ScriptApi::Exit => event.aux[0] = self.script.threads[maker as usize].process.into(),
            ScriptApi::Restart => {
                // The new start has the number of the note; its first thread is the one that begins.
                event.aux[0] = event.thread.into();
            }
            _ => {}
        }
    }

    /// Ties a datagram that is received to the call that has sent it.
    fn receive(
        &mut self,
        node: u32,
        got: &everett_engine::RecordedDatagram,
        event: &mut ScriptEvent,
    ) {
        let source = match got.id & WITHIN_NODE {
            0 => self.owner((*word_address(event.aux[0]).ip()).into()),
            _ => Some(node),
        };
        let Some(source) = source else { return };
        let Some(sender) = self.senders.get(&(source, got.id)).copied() else { return };
        event.partner = Some(sender);
        let whole = &self.script.events[sender as usize].data;
        if *whole != got.arrived {
            event.flags = event.flags.with(EventFlags::DAMAGED);
            event.data2.clone_from(whole);
        }
        let key = (node, event.fd, source, got.id);
        let before = self.received.get(&key).copied();
        let is_again = before
            .is_some_and(|before| !self.script.events[before as usize].flags.has(EventFlags::PEEK));
        if is_again {
            event.flags = event.flags.with(EventFlags::DUPLICATE);
        }
        self.received.insert(key, self.script.events.len() as u32);
    }

    /// The node that has an address.
    fn owner(&self, address: IpAddr) -> Option<u32> {
        let (host, _) = self.topology?.owner(address)?;
        Some(host.index() as u32)
    }

    fn finish(mut self) -> Script {
        self.drop_switches_at_calls();
        self.unite_waits();
        self.tie_ends_to_waits();
        self.mark_connections();
        self.script
    }

    /// Drops the events of threads that are switched before a system call, unless others are switched at an
    /// access: then the turn of such a thread comes with its call, and what it does before nobody can tell.
    fn drop_switches_at_calls(&mut self) {
        let events = &self.script.events;
        let is_at_call = |event: &ScriptEvent| {
            // Switches before anything else have 0 there.
            event.api == ScriptApi::Preempt && event.aux[1] == 1
        };
        if events.iter().any(|event| access_ops(event).next().is_some() && !is_at_call(event)) {
            return;
        }
        let mut paused = BTreeSet::new();
        let is_dropped = |event: &ScriptEvent| match event.api {
            ScriptApi::Pause => paused.remove(&event.thread),
            _ if is_at_call(event) => paused.insert(event.thread),
            _ => false,
        };
        let dropped: Vec<bool> = events.iter().map(is_dropped).collect();
        self.drop_events(&dropped);
    }

    /// Unites the events of a call that waits several times: it has one beginning and one end.
    fn unite_waits(&mut self) {
        let mut open: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        let mut timed_out: BTreeMap<(u32, u64), bool> = BTreeMap::new();
        let mut dropped = vec![false; self.script.events.len()];
        // The last end of each such call, which is none if it waits on.
        let mut ends: BTreeMap<(u32, u64), usize> = BTreeMap::new();
        for (at, event) in self.script.events.iter().enumerate() {
            let several = matches!(event.api.kind(), ApiKind::Sync | ApiKind::Local);
            if !several || event.flags.has(EventFlags::LOCAL) {
                continue;
            }
            let key = (event.thread, self.calls[at]);
            if event.flags.has(EventFlags::BLOCKS) {
                if open.insert(key, at).is_some() {
                    dropped[at] = true;
                    if let Some(end) = ends.remove(&key) {
                        dropped[end] = true;
                    }
                }
            } else if event.flags.has(EventFlags::RETURN) {
                *timed_out.entry(key).or_default() |= event.errno == ETIMEDOUT;
                ends.insert(key, at);
            }
        }
        for (key, end) in ends {
            let event = &mut self.script.events[end];
            if event.api.kind() != ApiKind::Sync {
                continue;
            }
            let late = timed_out.get(&key).copied().unwrap_or(false);
            (event.result, event.errno) = (0, if late { ETIMEDOUT } else { 0 });
            event.flags = event.flags.without(EventFlags::FED);
        }
        self.drop_events(&dropped);
    }

    /// Drops events, and the references of other events to them.
    fn drop_events(&mut self, dropped: &[bool]) {
        let mut numbers = Vec::with_capacity(dropped.len());
        let mut next = 0;
        for is_dropped in dropped {
            numbers.push((!is_dropped).then_some(next));
            next += u32::from(!is_dropped);
        }
        let events = std::mem::take(&mut self.script.events);
        let calls = std::mem::take(&mut self.calls);
        for ((mut event, call), number) in events.into_iter().zip(calls).zip(&numbers) {
            if number.is_some() {
                event.partner = event.partner.and_then(|partner| numbers[partner as usize]);
                self.script.events.push(event);
                self.calls.push(call);
            }
        }
    }

    /// Ties the end of a call that had to wait to its beginning.
    fn tie_ends_to_waits(&mut self) {
        let mut waits: BTreeMap<u32, u32> = BTreeMap::new();
        for at in 0..self.script.events.len() {
            let event = &mut self.script.events[at];
            if event.flags.has(EventFlags::BLOCKS) {
                waits.insert(event.thread, at as u32);
            } else if event.flags.has(EventFlags::RETURN) {
                let begun = waits.remove(&event.thread);
                event.partner = event.partner.or(begun);
            }
        }
    }

    /// Notes in each attempt to connect whether it leads to a connection, now or later.
    fn mark_connections(&mut self) {
        for at in 0..self.script.events.len() {
            if self.script.events[at].api != ScriptApi::Connect {
                continue;
            }
            let accepted = self.accepted(at);
            self.script.events[at].aux[2] = accepted.unwrap_or(script::NONE).into();
            if self.connects(at) {
                let event = &mut self.script.events[at];
                event.aux[3] = 1;
                if event.errno == EINPROGRESS {
                    event.flags = event.flags.without(EventFlags::FED);
                }
            }
        }
    }

    /// The event in which the other side accepts an attempt to connect.
    fn accepted(&self, at: usize) -> Option<u32> {
        let [peer, own, ..] = self.script.events[at].aux;
        let is_it = |event: &ScriptEvent| {
            matches!(event.api, ScriptApi::Accept | ScriptApi::Accept4)
                && own != 0
                && event.result >= 0
                && !event.flags.has(EventFlags::BLOCKS)
                && (event.aux[0], event.aux[1]) == (own, peer)
        };
        let later = self.script.events.iter().skip(at + 1).position(is_it);
        later.map(|later| (at + 1 + later) as u32)
    }

    /// Returns `true` if an attempt to connect that is under way leads to a connection.
    fn connects(&self, at: usize) -> bool {
        let ScriptEvent { thread, fd, flags, result, errno, aux, .. } = self.script.events[at];
        let is_over = !flags.has(EventFlags::BLOCKS);
        if is_over && result == 0 {
            return true;
        }
        if aux[2] != u64::from(script::NONE) {
            return true;
        }
        if is_over && errno != EINPROGRESS {
            return false;
        }
        let process = self.script.threads[thread as usize].process;
        let own = |event: &&ScriptEvent| {
            self.script.threads[event.thread as usize].process == process
                && (event.fd == fd || event.api.kind() == ApiKind::Wait)
        };
        for event in self.script.events[at + 1..].iter().filter(own) {
            let option = (event.aux[0], event.aux[1]) == (SOL_SOCKET, SO_ERROR);
            match event.api {
                ScriptApi::Getsockopt if option => return event.data.iter().all(|byte| *byte == 0),
                ScriptApi::Close => return false,
                ScriptApi::Connect if !event.flags.has(EventFlags::BLOCKS) => {
                    return event.errno == EISCONN || event.result == 0;
                }
                ScriptApi::Send
                | ScriptApi::Write
                | ScriptApi::Sendto
                | ScriptApi::Sendmsg
                | ScriptApi::Writev
                    if event.result > 0 =>
                {
                    return true;
                }
                ScriptApi::Recv
                | ScriptApi::Read
                | ScriptApi::Recvfrom
                | ScriptApi::Recvmsg
                | ScriptApi::Readv
                    if event.result > 0 =>
                {
                    return true;
                }
                _ if event.api.kind() == ApiKind::Wait => {
                    let (pairs, _) = event.data.as_chunks::<8>();
                    let ready = pairs.iter().map(|pair| u64::from_le_bytes(*pair));
                    let mut own = ready.filter(|pair| *pair as u32 == fd.cast_unsigned());
                    let is_up = |events: u32| events & POLLOUT != 0 && events & POLLERR == 0;
                    if own.any(|pair| is_up((pair >> 32) as u32)) {
                        return true;
                    }
                }
                _ => {}
            }
        }
        false
    }
}

/// The ops of the accesses that an event is about.
pub(crate) fn access_ops(event: &ScriptEvent) -> impl Iterator<Item = Pc> {
    let [function, _, op, earlier] = event.aux;
    let ops = match event.api {
        ScriptApi::Race => [Some(op), Some(earlier)],
        // Without an access it happens at the last event of the thread.
        ScriptApi::Preempt if function == 0 && (event.aux[1] == 0 || event.ordinal > 0) => {
            [Some(op), None]
        }
        _ => [None, None],
    };
    ops.into_iter().flatten().map(|op| op as Pc)
}

/// Returns `true` if a call of `popen` is at one of its two pipes.
fn makes_pipe(event: &ScriptEvent) -> bool {
    event.api == ScriptApi::Popen && event.result == 0
}

/// The addresses of a node, the one that stands for it first.
fn script_addresses(node: u32, host: &Host) -> Vec<ScriptAddress> {
    let mut all: Vec<(Ipv4Addr, Option<Ipv6Addr>)> = Vec::new();
    for (position, interface) in host.interfaces.iter().enumerate() {
        let ipv6 = interface.addresses.iter().find_map(|address| match address.ip {
            IpAddr::V6(ip) => Some(ip),
            IpAddr::V4(_) => None,
        });
        let of_ipv4 = interface.addresses.iter().filter_map(|address| match address.ip {
            IpAddr::V4(ip) => Some((ip, ipv6)),
            IpAddr::V6(_) => None,
        });
        let place = if position == host.primary { 0 } else { all.len() };
        all.splice(place..place, of_ipv4);
    }
    let all = all.into_iter().enumerate();
    all.map(|(at, (real, ipv6))| ScriptAddress { real, loopback: loopback(node, at), ipv6 })
        .collect()
}

/// The address of a node on one network stack that all share.
fn loopback(node: u32, at: usize) -> Ipv4Addr {
    Ipv4Addr::from_bits(Ipv4Addr::new(127, 1, 0, 1).to_bits() + (node << 8) + at as u32)
}
