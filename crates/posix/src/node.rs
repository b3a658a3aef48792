//! The state of one simulated host.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::plist::List;
use everett_base::rng::Rng;
use everett_base::{Apart, Copies, RadixMap};
use everett_fs::{Credentials, Fs, FsError};
use everett_memory::ByteValue;
use everett_net::Event;
use syscalls::Errno;

use crate::config::KernelConfig;
use crate::descriptor::Descriptor;
use crate::down::{Restart, Standstill};
use crate::fault::{Faults, Times};
use crate::file::{FileId, OpenFile};
use crate::net::Net;
use crate::net::Payload;
use crate::process::{Pid, Process, Thread, Tid};
use crate::record::Record;
use crate::schedule::{Preempted, Switch};
use crate::status::WaitStatus;
use crate::sys::lock::Locks;
use crate::sys::pipe::Pipes;
use crate::tree::{self, Specials};
use crate::wait::Time;

/// Everything of a simulated host that can differ between two branches, but for the running thread
/// and the memory of its process, which the interpreter's state holds.
#[derive(Clone)]
pub struct Node {
    /// The file system.
    pub fs: Fs<ByteValue>,
    /// What standard input gives.
    pub(crate) input: Arc<[ByteValue]>,
    /// How much of it was read.
    pub(crate) input_position: usize,
    /// What is special about inodes.
    pub(crate) specials: Specials,
    /// Symbolic path names that were given one value, as they are now; newest first.
    pub(crate) chosen_names: List<Arc<[u8]>>,
    /// What was written to the standard streams, newest first.
    pub(crate) output: List<Output>,
    pub(crate) output_bytes: u64,
    /// Virtual time since the start.
    pub(crate) now: Time,
    /// When the machine was started.
    pub(crate) booted: Time,
    /// What `CLOCK_REALTIME` shows at time 0, in nanoseconds; `clock_settime` changes it.
    pub(crate) epoch_ns: i128,
    pub(crate) processes: BTreeMap<Pid, Arc<Process>>,
    pub(crate) running: (Pid, Tid),
    pub(crate) files: RadixMap<OpenFile>,
    pub(crate) next_file: u32,
    pub(crate) pipes: Pipes,
    pub(crate) locks: Locks,
    pub(crate) net: Net,
    pub(crate) rng: Rng,
    pub(crate) hostname: Arc<[u8]>,
    pub(crate) next_pid: u32,
    /// Wait status of the first process, once it has ended.
    pub(crate) first_status: Option<WaitStatus>,
    /// Preemptions that may still be explored on this path.
    pub(crate) preemptions: u32,
    /// Places so far where a preemption was possible.
    pub(crate) switch_points: u64,
    /// Preemptions on this path, newest first.
    pub(crate) switches: List<Preempted>,
    /// The preemptions to make, instead of exploring any.
    pub(crate) plan: Option<Arc<[Switch]>>,
    /// What bad has happened, and what still may.
    pub(crate) faults: Faults,
    /// Times of files that may be anything.
    pub(crate) times: Times,
    /// Whether its threads may run.
    pub(crate) standstill: Standstill,
    /// How its first program is started again after a crash, if it can be.
    pub(crate) restart: Option<Arc<Restart>>,
    /// Packets that came while the node was down, and come again.
    pub(crate) repeated: Vec<Arc<Event<Payload>>>,
    /// When the running thread has to let others run, in instructions of the path.
    pub(crate) slice_end: u64,
    /// Waits begun so far.
    pub(crate) waits: u64,
    /// Grows with each change that a thread may wait for.
    pub(crate) changes: u64,
    /// How often the node was woken.
    pub(crate) rounds: u64,
    /// What it has exposed to invariants so far.
    pub(crate) exposed: u64,
    /// What its programs do with the outside, if that is recorded.
    pub(crate) record: Option<Box<Record>>,
}

impl Apart for Node {
    fn apart(&mut self, copies: &mut Copies) {
        let Node {
            fs,
            input,
            specials,
            output,
            processes,
            files,
            pipes,
            net,
            hostname,
            faults,
            times,
            restart,
            ..
        } = self;
        fs.apart(copies);
        input.apart(copies);
        specials.apart(copies);
        output.apart(copies);
        processes.apart(copies);
        files.apart(copies);
        pipes.apart(copies);
        net.apart(copies);
        hostname.apart(copies);
        faults.apart(copies);
        times.apart(copies);
        restart.apart(copies);
    }
}

/// When a node in which no thread can run goes on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Never: only an event from outside helps.
    Never,
    /// As soon as everybody else had a turn.
    NextRound,
    /// At this time.
    At(u64),
}

/// Bytes written to a standard stream at once.
#[derive(Clone, Debug)]
pub struct Output {
    /// 1 for standard output, 2 for standard error.
    pub stream: u32,
    /// What was written.
    pub bytes: Arc<[ByteValue]>,
}

/// Number of the first process, an ordinary one: its parent is not simulated.
pub const FIRST_PID: u32 = 100;

/// Bytes of output that are kept along a path; what comes later is counted but not kept.
const MAX_OUTPUT_BYTES: u64 = 1 << 20;

impl Node {
    /// A node without processes, with the files that every node has.
    pub fn new(mut fs: Fs<ByteValue>, config: &KernelConfig) -> Result<Node, FsError> {
        let specials = tree::populate(&mut fs, config)?;
        Ok(Node {
            fs,
            input: Arc::from([]),
            input_position: 0,
            specials,
            chosen_names: List::new(),
            output: List::new(),
            output_bytes: 0,
            now: 0,
            booted: 0,
            epoch_ns: i128::from(config.epoch_s) * 1_000_000_000,
            processes: BTreeMap::new(),
            running: (Pid(0), Tid(0)),
            files: RadixMap::new(),
            next_file: 0,
            pipes: Pipes::default(),
            locks: Locks::default(),
            net: Net::new(config),
            rng: Rng::new(config.seed),
            hostname: config.hostname.as_bytes().into(),
            next_pid: FIRST_PID,
            first_status: None,
            preemptions: config.preemptions,
            switch_points: 0,
            switches: List::new(),
            plan: None,
            faults: Faults::new(&config.faults),
            times: Times::default(),
            standstill: Standstill::No,
            restart: None,
            repeated: Vec::new(),
            slice_end: u64::MAX,
            waits: 0,
            changes: 0,
            rounds: 0,
            exposed: 0,
            record: None,
        })
    }

    /// The rights of the running process.
    pub fn credentials(&self) -> Credentials {
        let ids = &self.process().ids;
        Credentials { uid: ids.effective_uid, gid: ids.effective_gid, groups: ids.groups.clone() }
    }

    /// Random bytes for the C library of a new program.
    pub fn random_bytes(&mut self) -> [u8; 16] {
        let (low, high) = (self.rng.next_u64(), self.rng.next_u64());
        (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
    }

    /// Sets what standard input gives.
    pub fn set_input(&mut self, bytes: Vec<ByteValue>) {
        self.input = bytes.into();
        self.input_position = 0;
    }

    /// The preemptions on this path, oldest first.
    pub fn switches(&self) -> Vec<Switch> {
        self.preempted().iter().map(|preempted| preempted.switch).collect()
    }

    /// The same, with what is known of them.
    pub fn preempted(&self) -> Vec<Preempted> {
        let mut preempted: Vec<Preempted> = self.switches.iter().copied().collect();
        preempted.reverse();
        preempted
    }

    /// Sets the preemptions to make, instead of exploring any.
    pub fn set_plan(&mut self, switches: Vec<Switch>) {
        self.plan = Some(switches.into());
    }

    /// What bad has happened on this path, and what still may.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// The same, to change it.
    pub fn faults_mut(&mut self) -> &mut Faults {
        &mut self.faults
    }

    /// What was written to the standard streams, oldest first.
    pub fn output(&self) -> Vec<Output> {
        let mut output: Vec<Output> = self.output.iter().cloned().collect();
        output.reverse();
        output
    }

    /// Records output.
    pub(crate) fn wrote(&mut self, stream: u32, bytes: &[ByteValue]) {
        let room = MAX_OUTPUT_BYTES.saturating_sub(self.output_bytes);
        self.output_bytes += bytes.len() as u64;
        if room > 0 {
            let kept = &bytes[..bytes.len().min(room as usize)];
            self.output.push(Output { stream, bytes: kept.into() });
        }
    }

    /// The running process.
    pub(crate) fn process(&self) -> &Process {
        self.processes.get(&self.running.0).expect("the running process is there")
    }

    /// The running process, to change it.
    pub(crate) fn process_mut(&mut self) -> &mut Process {
        let process = self.processes.get_mut(&self.running.0);
        Arc::make_mut(process.expect("the running process is there"))
    }

    /// A process that has not been waited for.
    pub(crate) fn find(&self, pid: Pid) -> Option<&Process> {
        self.processes.get(&pid).map(|process| &**process)
    }

    /// A process, to change it.
    pub(crate) fn find_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        self.processes.get_mut(&pid).map(Arc::make_mut)
    }

    /// The running thread.
    pub(crate) fn thread(&self) -> &Thread {
        let thread = self.process().thread(self.running.1);
        thread.expect("the running thread is there")
    }

    /// The running thread, to change it.
    pub(crate) fn thread_mut(&mut self) -> &mut Thread {
        let tid = self.running.1;
        let thread = self.process_mut().thread_mut(tid);
        thread.expect("the running thread is there")
    }

    /// A new number for a process or thread.
    pub(crate) fn new_number(&mut self) -> u32 {
        let number = self.next_pid;
        self.next_pid += 1;
        number
    }

    /// Threads of all processes that have not ended.
    pub(crate) fn thread_count(&self) -> usize {
        self.processes.values().map(|process| process.threads.len()).sum()
    }

    /// Notes that something changed that a thread may wait for.
    pub(crate) fn changed(&mut self) {
        self.changes += 1;
    }

    /// `CLOCK_REALTIME` in nanoseconds since 1970.
    pub(crate) fn wall_clock_ns(&self) -> i128 {
        self.epoch_ns + i128::from(self.now)
    }

    /// The time that files are stamped with: nanoseconds since 1970.
    pub fn stamp(&self) -> i64 {
        i64::try_from(self.wall_clock_ns()).unwrap_or(i64::MAX)
    }

    /// Signals that the running thread blocks: bit `n - 1` is signal `n`.
    pub fn signal_mask(&self) -> u64 {
        self.thread().mask
    }

    /// When the running thread has to let others run, in instructions of the path.
    pub fn slice_end(&self) -> u64 {
        self.slice_end
    }

    // ---- open files ------------------------------------------------------------------------

    /// An open file.
    pub(crate) fn file(&self, id: FileId) -> &OpenFile {
        self.files.get(id.0.into()).expect("an open file is there while something refers to it")
    }

    /// An open file, to change it.
    pub(crate) fn file_mut(&mut self, id: FileId) -> &mut OpenFile {
        let file = self.files.get_mut(id.0.into());
        file.expect("an open file is there while something refers to it")
    }

    /// The entry of a descriptor of the running process.
    pub(crate) fn descriptor(&self, number: u32) -> Result<Descriptor, Errno> {
        self.process().descriptors.get(number).ok_or(Errno::EBADF)
    }

    /// Adds an open file, whose one reference is the caller's to keep.
    pub(crate) fn add_file(&mut self, file: OpenFile) -> FileId {
        let id = FileId(self.next_file);
        self.next_file += 1;
        self.files.insert(id.0.into(), file);
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

    /// Gives up a reference; the last one closes the file.
    pub(crate) fn release_file(&mut self, id: FileId) {
        if self.file(id).references > 1 {
            self.file_mut(id).references -= 1;
        } else if let Some(file) = self.files.remove(id.0.into()) {
            crate::sys::close::last_close(self, id, &file);
            self.changed();
        }
    }
}
