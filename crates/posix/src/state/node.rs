//! The state of one simulated host.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::plist::List;
use everett_base::rng::Rng;
use everett_base::{Apart, Copies, RadixMap};
use everett_expr::TermId;
use everett_fs::{Credentials, Fs, InodeId};
use everett_memory::ByteValue;
use syscalls::Errno;

use crate::config::{FaultKind, ThreadMode};
use crate::state::faults::NodeFaults;
use crate::state::file::OpenFile;
use crate::state::file::descriptor::Descriptor;
use crate::state::file::inotify::InotifyTable;
use crate::state::file::locks::LockTable;
use crate::state::file::pipes::PipeTable;
use crate::state::file::seals::SealTable;
use crate::state::file::specials::SpecialInodes;
use crate::state::file::terminal::TerminalTable;
use crate::state::ids::{FileId, NOBODY, Pid, ThreadKey, Tid, Time};
use crate::state::ipc::IpcObjects;
use crate::state::order_mark::OrderMark;
use crate::state::pending::PendingMessages;
use crate::state::process::rare::{Rare, rare};
use crate::state::process::status::WaitStatus;
use crate::state::process::{Process, Thread};
use crate::state::races::event_log::EventLog;
use crate::state::races::{RaceDetector, RacingPair};
use crate::state::recording::NodeRecorder;
use crate::state::sockets::Net;
use crate::state::sockets::message::SharedMessage;
use crate::state::standstill::{NodeRestart, NodeStandstill};
use crate::state::switches::{ThreadPreemption, ThreadSwitch};
use crate::state::thread_event::SleepingThread;

/// Everything of a simulated host that can differ between two branches, but for the running thread
/// and the memory of its process, which the interpreter's state holds.
///
/// Its parts differ in what a crash leaves of them. So each part is a type, and a new field is
/// placed by the question whether it survives:
///
/// - [`DiskState`] survives as far as it was synced;
/// - [`VolatileState`] is lost, as a whole;
/// - [`Net`] loses its sockets, but not what is on the wire;
/// - [`NodeClock`] and [`PathState`] go on: they belong to the run and not to the machine.
#[derive(Clone)]
pub struct Node {
    pub(crate) disk: DiskState,
    pub(crate) volatile: VolatileState,
    pub(crate) net: Net,
    pub(crate) clock: NodeClock,
    pub(crate) path: PathState,
    /// The recorder of what its programs do with the outside, if there is one.
    pub(crate) record: Option<Box<NodeRecorder>>,
}

everett_base::portable!(struct Node { disk, volatile, net, clock, path, record });

/// The disk of a node.
#[derive(Clone)]
pub(crate) struct DiskState {
    /// The file system, which knows by itself what of it was synced.
    pub(crate) fs: Fs<ByteValue>,
    /// Times of files that may be anything.
    pub(crate) times: SymbolicFileTimes,
    /// Symbolic path names that were given one value, as they are now; newest first.
    pub(crate) chosen_names: List<Arc<[u8]>>,
}

everett_base::portable!(struct DiskState { fs, times, chosen_names });

/// The times that files were given: when they were changed last, and what programs are told instead.
pub(crate) type SymbolicFileTimes = Arc<BTreeMap<InodeId, (i64, Arc<[ByteValue]>)>>;

/// The memory of a kernel. A crash replaces it as a whole ([`VolatileState::new`]), so no
/// field of it survives one by accident.
#[derive(Clone)]
pub(crate) struct VolatileState {
    pub(crate) processes: BTreeMap<Pid, Arc<Process>>,
    pub(crate) running: (Pid, Tid),
    pub(crate) next_pid: u32,
    /// Wait status of the first process, once it has ended.
    pub(crate) first_status: Option<WaitStatus>,
    pub(crate) files: RadixMap<OpenFile>,
    pub(crate) next_file: u32,
    /// True once a program has made an instance of epoll, so that closed files may be watched.
    pub(crate) has_epoll: bool,
    pub(crate) pipes: PipeTable,
    pub(crate) locks: LockTable,
    /// Shared memory, semaphores and message queues.
    pub(crate) ipc: Rare<IpcObjects>,
    /// The operations that files of memory refuse (`F_ADD_SEALS`).
    pub(crate) seals: Rare<SealTable>,
    /// Instances of inotify.
    pub(crate) inotify: Rare<InotifyTable>,
    pub(crate) terminals: Rare<TerminalTable>,
    /// The meaning of inodes in `/proc` and `/dev`, which are made anew at each boot.
    pub(crate) specials: SpecialInodes,
    pub(crate) hostname: Arc<[u8]>,
    /// Bytes of standard input that were read.
    pub(crate) input_position: usize,
    /// Time of the last boot.
    pub(crate) booted: Time,
    /// The reason why no thread may run, if there is one.
    pub(crate) standstill: NodeStandstill,
    /// Packets that came while the node was down, and come again.
    pub(crate) repeated: Vec<SharedMessage>,
    /// Messages that have come, and that no thread has observed.
    pub(crate) pending: Rare<PendingMessages>,
    /// The end of the running thread's turn, in instructions of the path.
    pub(crate) slice_end: u64,
    /// The thread that has performed the last event, where orders of threads are explored.
    pub(crate) turn: ThreadKey,
    /// Threads whose next event comes first on other paths.
    pub(crate) asleep: Vec<SleepingThread>,
    /// The accesses of threads that later ones may race with.
    pub(crate) races: Rare<RaceDetector>,
    /// Events of threads, as far as those of other threads may conflict with them.
    pub(crate) events: Rare<EventLog>,
    /// The accesses of threads and of their handlers, where these may run at any place.
    pub(crate) handler_races: Rare<RaceDetector>,
}

everett_base::portable!(struct VolatileState {
    processes, running, next_pid, first_status, files, next_file, has_epoll, pipes, locks, ipc,
    seals, inotify, terminals, specials,
    hostname, input_position, booted, standstill, repeated, pending, slice_end, turn, asleep, races,
    events, handler_races,
});

/// The clocks of a node: hardware, which runs through a crash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeClock {
    /// Virtual time since the start.
    pub(crate) now: Time,
    /// The time that `CLOCK_REALTIME` shows at time 0, in nanoseconds; `clock_settime` changes it.
    pub(crate) epoch_ns: i128,
}

everett_base::portable!(struct NodeClock { now, epoch_ns });

/// Clocks whose times are symbolic, with their last readings; none where the virtual time is the least that a
/// clock can show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SymbolicClocks {
    /// Programs are told symbolic times.
    pub(crate) are_on: bool,
    pub(crate) realtime: Option<ClockReading>,
    /// It begins anew when the node is up again after a crash.
    pub(crate) monotonic: Option<ClockReading>,
}

everett_base::portable!(struct SymbolicClocks { are_on, realtime, monotonic });

/// A time that a clock has shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockReading {
    /// 64 bits.
    pub(crate) seconds: TermId,
    /// 32 bits.
    pub(crate) nanoseconds: TermId,
}

everett_base::portable!(struct ClockReading { seconds, nanoseconds });

/// The random numbers of a node that are symbolic inputs.
#[derive(Clone, Copy)]
pub(crate) struct SymbolicChance {
    /// Random bytes of the kernel.
    pub(crate) bytes: bool,
    /// Numbers that the C library's generators draw.
    pub(crate) draws: bool,
}

everett_base::portable!(struct SymbolicChance { bytes, draws });

/// The part of a node that belongs to its path: inputs and outputs, plans, budgets, and counters that
/// never go back.
#[derive(Clone)]
pub(crate) struct PathState {
    /// The bytes of standard input, which are the same after each boot.
    pub(crate) input: Arc<[ByteValue]>,
    /// The output on the standard streams, newest first.
    pub(crate) output: List<OutputPiece>,
    pub(crate) output_bytes: u64,
    pub(crate) rng: Rng,
    /// The random numbers that are symbolic.
    pub(crate) chance: SymbolicChance,
    /// The attention that is paid to threads.
    pub(crate) thread_mode: ThreadMode,
    /// Misuse of locks is looked for.
    pub(crate) checks_locks: bool,
    /// Orders that differ only in events which commute are explored once.
    pub(crate) reduces_orders: bool,
    /// Preemptions that may still be explored on this path; `u32::MAX` for any number.
    pub(crate) preemptions: u32,
    /// The most preemptions that a region may ask for.
    pub(crate) most_preemptions: u32,
    /// Places so far where a preemption was possible.
    pub(crate) switch_points: u64,
    /// Preemptions on this path, newest first.
    pub(crate) switches: List<ThreadPreemption>,
    /// Races that are findings, each with the path to it: those of this path.
    pub(crate) told_races: Vec<RacingPair>,
    /// The race that the path is about: it ends there, or a test says that it does.
    pub(crate) race: Option<RacingPair>,
    /// The preemptions to make, instead of exploring any.
    pub(crate) plan: Option<Arc<[ThreadSwitch]>>,
    /// A thread is held before the end of another path. The others go on only so that races are noted.
    pub(crate) is_beside_end: bool,
    /// Symbolic times that clocks have shown.
    pub(crate) clocks: SymbolicClocks,
    /// The faults that have happened, and those that still may.
    pub(crate) faults: NodeFaults,
    /// The recipe for starting its first program again after a crash, if it can be.
    pub(crate) restart: Option<Arc<NodeRestart>>,
    /// Waits begun so far.
    pub(crate) waits: u64,
    /// Grows with each change that a thread may wait for.
    pub(crate) changes: u64,
    /// The number of times that the node was woken.
    pub(crate) rounds: u64,
    /// The number of exposures to invariants so far.
    pub(crate) exposed: u64,
    /// Turns of threads so far that have changed something, where orders of threads are explored.
    pub(crate) turns: u64,
    /// The last choice in an order of threads or messages.
    pub(crate) order_mark: OrderMark,
}

everett_base::portable!(struct PathState {
    input, output, output_bytes, rng, chance, thread_mode, checks_locks, reduces_orders, preemptions,
    most_preemptions, switch_points, switches, told_races, race, plan, is_beside_end, clocks, faults, restart,
    waits, changes, rounds, exposed, turns, order_mark,
});

rare!(RaceDetector, EventLog, PendingMessages);

impl Apart for Node {
    fn apart(&mut self, copies: &mut Copies) {
        // What is recorded is read only when the path is over.
        let Node { disk, volatile, net, clock: _, path, record: _ } = self;
        disk.apart(copies);
        volatile.apart(copies);
        net.apart(copies);
        path.apart(copies);
    }
}

impl Apart for DiskState {
    fn apart(&mut self, copies: &mut Copies) {
        let DiskState { fs, times, chosen_names: _ } = self;
        fs.apart(copies);
        times.apart(copies);
    }
}

impl Apart for VolatileState {
    fn apart(&mut self, copies: &mut Copies) {
        let VolatileState {
            processes,
            running: _,
            next_pid: _,
            first_status: _,
            files,
            next_file: _,
            has_epoll: _,
            pipes,
            locks: _,
            ipc: _,
            seals: _,
            inotify: _,
            terminals: _,
            specials,
            hostname,
            input_position: _,
            booted: _,
            standstill: _,
            repeated: _,
            pending: _,
            slice_end: _,
            turn: _,
            asleep: _,
            races: _,
            events: _,
            handler_races: _,
        } = self;
        processes.apart(copies);
        files.apart(copies);
        pipes.apart(copies);
        specials.apart(copies);
        hostname.apart(copies);
    }
}

impl Apart for PathState {
    fn apart(&mut self, copies: &mut Copies) {
        let PathState {
            input,
            output,
            output_bytes: _,
            rng: _,
            chance: _,
            thread_mode: _,
            checks_locks: _,
            reduces_orders: _,
            preemptions: _,
            most_preemptions: _,
            switch_points: _,
            switches: _,
            told_races: _,
            race: _,
            plan: _,
            is_beside_end: _,
            clocks: _,
            faults,
            restart,
            waits: _,
            changes: _,
            rounds: _,
            exposed: _,
            turns: _,
            order_mark: _,
        } = self;
        input.apart(copies);
        output.apart(copies);
        faults.apart(copies);
        restart.apart(copies);
    }
}

impl PathState {
    /// Returns true if threads are held at their events: orders are explored, or replayed.
    pub(crate) fn explores_threads(&self) -> bool {
        self.thread_mode == ThreadMode::Held
    }
}

/// Bytes written to a standard stream at once.
#[derive(Clone, Debug)]
pub struct OutputPiece {
    /// 1 for standard output, 2 for standard error.
    pub stream: u32,
    /// The bytes that were written.
    pub bytes: Arc<[ByteValue]>,
}

everett_base::portable!(struct OutputPiece { stream, bytes });

/// Number of the first process, an ordinary one: its parent is not simulated.
pub const FIRST_PID: u32 = 100;

/// Nanoseconds that the machine has been up for when the first process begins, at each boot: 100 seconds, as
/// booting a real machine takes time, too.
const UPTIME_AT_START_NS: u64 = 100_000_000_000;

/// Bytes of output that are kept along a path; what comes later is counted but not kept.
const MAX_OUTPUT_BYTES: u64 = 1 << 20;

impl VolatileState {
    /// The state of a kernel that knows of nothing: there are no processes, no open files and no names.
    pub(crate) fn new(standstill: NodeStandstill) -> VolatileState {
        VolatileState {
            processes: BTreeMap::new(),
            running: NOBODY,
            next_pid: FIRST_PID,
            first_status: None,
            files: RadixMap::new(),
            next_file: 0,
            has_epoll: false,
            pipes: PipeTable::default(),
            locks: LockTable::default(),
            ipc: Rare::default(),
            seals: Rare::default(),
            inotify: Rare::default(),
            terminals: Rare::default(),
            specials: SpecialInodes::default(),
            hostname: Arc::default(),
            input_position: 0,
            booted: 0,
            standstill,
            repeated: Vec::new(),
            pending: Rare::default(),
            slice_end: u64::MAX,
            turn: NOBODY,
            asleep: Vec::new(),
            races: Rare::default(),
            events: Rare::default(),
            handler_races: Rare::default(),
        }
    }
}

impl Node {
    /// The file system.
    pub fn fs(&self) -> &Fs<ByteValue> {
        &self.disk.fs
    }

    /// The file system, to change it.
    pub fn fs_mut(&mut self) -> &mut Fs<ByteValue> {
        &mut self.disk.fs
    }

    /// The rights of the running process.
    pub fn credentials(&self) -> Credentials {
        let ids = &self.process().ids;
        Credentials { uid: ids.effective_uid, gid: ids.effective_gid, groups: ids.groups.clone() }
    }

    /// Random bytes for the C library of a new program.
    pub fn random_bytes(&mut self) -> [u8; 16] {
        let (low, high) = (self.path.rng.next_u64(), self.path.rng.next_u64());
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    }

    /// Sets what standard input gives.
    pub fn set_input(&mut self, bytes: Vec<ByteValue>) {
        self.path.input = bytes.into();
        self.volatile.input_position = 0;
    }

    /// The preemptions on this path, oldest first.
    pub fn switches(&self) -> Vec<ThreadSwitch> {
        self.preempted().iter().map(|preempted| preempted.switch).collect()
    }

    /// The same, with what is known of them.
    pub fn preempted(&self) -> Vec<ThreadPreemption> {
        let mut preempted: Vec<ThreadPreemption> = self.path.switches.iter().copied().collect();
        preempted.reverse();
        preempted
    }

    /// The number of deviations from the fixed order along this path: of threads, and of what is seen of
    /// messages.
    pub fn deviations(&self) -> u32 {
        let faults = &self.path.faults;
        let messages = faults.count(FaultKind::Order) + faults.count(FaultKind::Late);
        messages + self.path.switches.len() as u32
    }

    /// The choice in an order by which a path with so many forks has forked last: its number along the path,
    /// and the name of the thread or of the flows that were chosen.
    pub fn order_choice(&self, forks: u32) -> Option<(u32, u64)> {
        self.path.order_mark.after(forks)
    }

    /// The race that the path ends at, if it does.
    pub fn race(&self) -> Option<RacingPair> {
        self.path.race
    }

    /// Returns true if a path has places before accesses to memory: threads are held there, or signals come.
    pub fn has_places_of_accesses(&self) -> bool {
        self.path.explores_threads() || self.path.faults.may_be_of(FaultKind::Signal)
    }

    /// Begins or ends a region in which the running thread is not preempted. Returns false if an end has no
    /// beginning.
    pub fn switch_preemption(&mut self, on: bool) -> bool {
        let regions = &mut self.thread_mut().events.unpreempted;
        let changed = if on { regions.checked_sub(1) } else { regions.checked_add(1) };
        *regions = changed.unwrap_or(*regions);
        changed.is_some()
    }

    /// Sets the most preemptions of threads from now on, and returns the old number. `u32::MAX` stands for
    /// any number; there are never more than the run explores.
    pub fn limit_preemptions(&mut self, most: u32) -> u32 {
        let limited = most.min(self.path.most_preemptions);
        if limited != u32::MAX {
            // With fewer preemptions, other paths may not do what sleeping threads would.
            self.volatile.asleep.clear();
        }
        std::mem::replace(&mut self.path.preemptions, limited)
    }

    /// Sets the race that a path with given preemptions ends at.
    pub fn set_race(&mut self, race: RacingPair) {
        self.path.thread_mode = self.path.thread_mode.max(ThreadMode::Watched);
        self.path.race = Some(race);
    }

    /// Sets the preemptions to make, instead of exploring any. Even if there are none, threads are held at
    /// their events if operations are known to race.
    pub fn set_plan(&mut self, switches: Vec<ThreadSwitch>, has_races: bool) {
        if has_races || !switches.is_empty() {
            self.path.thread_mode = ThreadMode::Held;
        }
        self.path.plan = Some(switches.into());
    }

    /// The faults that have happened on this path, and those that still may.
    pub fn faults(&self) -> &NodeFaults {
        &self.path.faults
    }

    /// The same, to change it.
    pub fn faults_mut(&mut self) -> &mut NodeFaults {
        &mut self.path.faults
    }

    /// The output on the standard streams, oldest first.
    pub fn output(&self) -> Vec<OutputPiece> {
        let mut output: Vec<OutputPiece> = self.path.output.iter().cloned().collect();
        output.reverse();
        output
    }

    /// Records output.
    pub(crate) fn wrote(&mut self, stream: u32, bytes: &[ByteValue]) {
        let room = MAX_OUTPUT_BYTES.saturating_sub(self.path.output_bytes);
        self.path.output_bytes += bytes.len() as u64;
        if room > 0 {
            let kept = &bytes[..bytes.len().min(room as usize)];
            self.path.output.push(OutputPiece { stream, bytes: kept.into() });
        }
    }

    /// The running process.
    pub(crate) fn process(&self) -> &Process {
        self.volatile.processes.get(&self.volatile.running.0).expect("the running process is there")
    }

    /// The running process, to change it.
    pub(crate) fn process_mut(&mut self) -> &mut Process {
        let process = self.volatile.processes.get_mut(&self.volatile.running.0);
        Arc::make_mut(process.expect("the running process is there"))
    }

    /// A process that has not been waited for.
    pub(crate) fn find(&self, pid: Pid) -> Option<&Process> {
        self.volatile.processes.get(&pid).map(|process| &**process)
    }

    /// A process, to change it.
    pub(crate) fn find_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        self.volatile.processes.get_mut(&pid).map(Arc::make_mut)
    }

    /// The running thread.
    pub(crate) fn thread(&self) -> &Thread {
        let thread = self.process().thread(self.volatile.running.1);
        thread.expect("the running thread is there")
    }

    /// The running thread, to change it.
    pub(crate) fn thread_mut(&mut self) -> &mut Thread {
        let tid = self.volatile.running.1;
        let thread = self.process_mut().thread_mut(tid);
        thread.expect("the running thread is there")
    }

    /// A new number for a process or thread.
    pub(crate) fn new_number(&mut self) -> u32 {
        let number = self.volatile.next_pid;
        self.volatile.next_pid += 1;
        number
    }

    /// Threads of all processes that have not ended.
    pub(crate) fn thread_count(&self) -> usize {
        self.volatile.processes.values().map(|process| process.threads.len()).sum()
    }

    /// Returns true if there are several threads, or one whose events could have come before those of others
    /// that have ended, and races between them are looked for.
    pub(crate) fn follows_threads(&self) -> bool {
        let has_others = || self.thread_count() > 1 || self.volatile.events.count() > 0;
        self.path.thread_mode != ThreadMode::Unwatched && has_others()
    }

    /// Returns true if other threads go on beside the end of another path.
    pub fn is_beside_end(&self) -> bool {
        self.path.is_beside_end
    }

    /// Returns true if other threads may have more to do than what they come to before the path ends, and
    /// all their orders are explored.
    pub fn has_threads_beside_end(&self) -> bool {
        let PathState { preemptions, plan, .. } = &self.path;
        self.path.explores_threads()
            && *preemptions == u32::MAX
            && plan.is_none()
            && self.thread_count() > 1
    }

    /// The running thread wakes another one: what that one does next comes after what this one has done.
    pub(crate) fn order_events(&mut self, woken: Tid) {
        if self.path.explores_threads() {
            let running = self.volatile.running.1;
            self.volatile.events.order(running, woken);
        }
    }

    /// Notes that something changed that a thread may wait for.
    pub(crate) fn changed(&mut self) {
        self.path.changes += 1;
    }

    /// `CLOCK_REALTIME` in nanoseconds since 1970.
    pub(crate) fn wall_clock_ns(&self) -> i128 {
        self.clock.epoch_ns + i128::from(self.clock.now)
    }

    /// `CLOCK_MONOTONIC` in nanoseconds.
    pub(crate) fn monotonic_ns(&self) -> i128 {
        i128::from(self.clock.now - self.volatile.booted) + i128::from(UPTIME_AT_START_NS)
    }

    /// The time that files are stamped with: nanoseconds since 1970.
    pub fn stamp(&self) -> i64 {
        i64::try_from(self.wall_clock_ns()).unwrap_or(i64::MAX)
    }

    /// Signals that the running thread blocks: bit `n - 1` is signal `n`.
    pub fn signal_mask(&self) -> u64 {
        self.thread().mask
    }

    /// The end of the running thread's turn, in instructions of the path.
    pub fn slice_end(&self) -> u64 {
        self.volatile.slice_end
    }

    // ---- open files ------------------------------------------------------------------------

    /// An open file.
    pub(crate) fn file(&self, id: FileId) -> &OpenFile {
        self.volatile
            .files
            .get(id.0.into())
            .expect("an open file is there while something refers to it")
    }

    /// An open file, to change it.
    pub(crate) fn file_mut(&mut self, id: FileId) -> &mut OpenFile {
        let file = self.volatile.files.get_mut(id.0.into());
        file.expect("an open file is there while something refers to it")
    }

    /// The entry of a descriptor of the running process.
    pub(crate) fn descriptor(&self, number: u32) -> Result<Descriptor, Errno> {
        self.process().descriptors.get(number).ok_or(Errno::EBADF)
    }

    /// Adds an open file, whose one reference is the caller's to keep.
    pub(crate) fn add_file(&mut self, file: OpenFile) -> FileId {
        let id = FileId(self.volatile.next_file);
        self.volatile.next_file += 1;
        self.volatile.files.insert(id.0.into(), file);
        id
    }

    /// Gives a file the lowest free descriptor of the running process; the descriptor takes over the
    /// caller's reference. On failure the reference stays the caller's.
    pub(crate) fn add_descriptor(
        &mut self,
        file: FileId,
        close_on_exec: bool,
    ) -> Result<u32, Errno> {
        let limit = self.process().limits.open_files();
        let number = self.process().descriptors.lowest_free(0, limit)?;
        let table = Arc::make_mut(&mut self.process_mut().descriptors);
        table.set(number, Descriptor { file, close_on_exec });
        Ok(number)
    }

    /// Opens a file and gives it the lowest free descriptor.
    pub(crate) fn open(&mut self, file: OpenFile, close_on_exec: bool) -> Result<u32, Errno> {
        // Nothing is left behind if there is no free number.
        let limit = self.process().limits.open_files();
        self.process().descriptors.lowest_free(0, limit)?;
        let id = self.add_file(file);
        self.add_descriptor(id, close_on_exec)
    }

    /// One more reference to an open file.
    pub(crate) fn retain_file(&mut self, id: FileId) {
        self.file_mut(id).references += 1;
    }
}

pub(crate) fn thread_of(node: &Node, who: ThreadKey) -> Option<&Thread> {
    node.find(who.0)?.thread(who.1)
}

pub(crate) fn thread_mut(node: &mut Node, who: ThreadKey) -> Option<&mut Thread> {
    node.find_mut(who.0)?.thread_mut(who.1)
}
