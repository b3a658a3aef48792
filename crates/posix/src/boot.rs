//! The beginning of nodes and of their programs: the files that every node has, the first process, the
//! arguments in memory, the first frames; and a node that goes down, until it begins again.

mod down;
mod join;
pub(crate) mod saved;
pub(crate) mod tree;

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::plist::List;
use everett_base::rng::Rng;
use everett_fs::{Credentials, FollowLinks, Fs, FsContext, FsError, InodeId};
use everett_interp::{Interp, ProgramId, Reg, State};
use everett_ir::FuncId;
use everett_memory::{AddressSpace, ByteValue, ObjectKind, SiteId};
use linux_raw_sys::auxvec;
use linux_raw_sys::general as linux;

use crate::config::{KernelConfig, NodeIdentity};
use crate::kernel::Guest;
use crate::state::faults::NodeFaults;
use crate::state::file::{FileKind, OpenFile, StandardStream};
use crate::state::ids::{Pid, Tid};
use crate::state::node::{
    DiskState, FIRST_PID, Node, NodeClock, PathState, SymbolicChance, SymbolicClocks,
    SymbolicFileTimes, VolatileState,
};
use crate::state::order_mark::OrderMark;
use crate::state::process::limits::ResourceLimits;
use crate::state::process::signals::PendingSignals;
use crate::state::process::{Process, ProcessIds};
use crate::state::sockets::Net;
use crate::state::standstill::{NodeStandstill, ProgramStart};

impl Node {
    /// A node without processes, with the files that every node has.
    pub fn new(mut fs: Fs<ByteValue>, config: &KernelConfig) -> Result<Node, FsError> {
        let specials = tree::populate(&mut fs, config)?;
        let hostname = config.hostname.as_bytes().into();
        // Until its program begins, a host is as one that is paused: its kernel answers.
        let standstill = match config.start_after_ns {
            0 => NodeStandstill::No,
            begins => NodeStandstill::Paused(begins),
        };
        let mut faults = NodeFaults::new(&config.faults);
        if config.topology.as_ref().is_some_and(|topology| topology.has_several_latencies()) {
            faults.allow_latencies();
        }
        let volatile = VolatileState { specials, hostname, ..VolatileState::new(standstill) };
        Ok(Node {
            disk: DiskState { fs, times: SymbolicFileTimes::default(), chosen_names: List::new() },
            volatile,
            net: Net::new(config),
            clock: NodeClock { now: 0, epoch_ns: i128::from(config.epoch_s) * 1_000_000_000 },
            path: PathState {
                input: Arc::from([]),
                output: List::new(),
                output_bytes: 0,
                rng: Rng::new(config.seed),
                chance: SymbolicChance {
                    bytes: config.symbolic_random,
                    draws: config.symbolic_draws,
                },
                turns: 0,
                order_mark: OrderMark::default(),
                told_races: Vec::new(),
                race: None,
                thread_mode: config.thread_mode(),
                checks_locks: config.checks_locks,
                most_preemptions: config.preemptions,
                reduces_orders: config.preemptions == u32::MAX && config.reduces_orders,
                preemptions: config.preemptions,
                switch_points: 0,
                switches: List::new(),
                plan: None,
                is_beside_end: false,
                clocks: SymbolicClocks {
                    are_on: config.symbolic_clocks,
                    ..SymbolicClocks::default()
                },
                faults,
                restart: None,
                waits: 0,
                changes: 0,
                rounds: 0,
                exposed: 0,
            },
            record: None,
        })
    }
}

/// The C function that initialises the C library; it gets the address of `argc`.
const INIT: &str = "__everett_init";
/// The C function that calls `main` and `exit`.
const MAIN: &str = "__everett_main";

impl ProgramStart {
    /// Puts arguments and environment into memory and pushes the first frames: `entry`, and above it
    /// what initialises the C library. Without arguments of its own, `entry` gets those of `main`.
    pub fn enter<X: Guest>(
        &self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        entry: FuncId,
        arguments: Option<Vec<Reg>>,
    ) {
        let (vector, argv, envp) = self.place(cx, st);
        st.extra.node_mut().process_mut().arguments = self.known_arguments();
        let program = &cx.image.program;
        let argc = self.argv.len() as u64;
        let is_main = program.function(entry).name == "main";
        let wrapper = program.function_named(MAIN).filter(|_| is_main && arguments.is_none());
        let arguments = arguments.unwrap_or_else(|| [argc, argv, envp].map(Reg::word).to_vec());
        let init = program.function_named(INIT).filter(|init| program.function(*init).defined);
        cx.enter(st, wrapper.unwrap_or(entry), &arguments);
        match init {
            Some(init) => cx.enter(st, init, &[Reg::word(vector)]),
            None => {
                // Without a C library, nobody else calls them.
                for constructor in cx.image.program.constructors.iter().rev() {
                    cx.enter(st, *constructor, &[]);
                }
            }
        }
    }

    /// The arguments, if all of their bytes are concrete.
    fn known_arguments(&self) -> Option<Arc<[Vec<u8>]>> {
        let known = |text: &Vec<ByteValue>| {
            text.iter().map(|byte| u8::try_from(*byte).ok()).collect::<Option<Vec<u8>>>()
        };
        self.argv.iter().map(known).collect()
    }

    /// The addresses of the whole vector, of `argv` and of `envp`.
    fn place<X: Guest>(&self, cx: &Interp<'_, X>, st: &mut State<X>) -> (u64, u64, u64) {
        let mut words = vec![self.argv.len() as u64];
        words.extend(self.argv.iter().map(|text| string(cx, &mut st.mem, text)));
        words.push(0);
        let envp = words.len() as u64 * 8;
        words.extend(self.envp.iter().map(|text| string(cx, &mut st.mem, text)));
        words.push(0);
        let random = external(&mut st.mem, &self.random);
        let name = words.get(1).copied().unwrap_or(0);
        let [uid, euid, gid, egid] = self.ids;
        let auxiliary = [
            (auxvec::AT_PAGESZ, 4096),
            (auxvec::AT_CLKTCK, 100),
            (auxvec::AT_UID, uid.into()),
            (auxvec::AT_EUID, euid.into()),
            (auxvec::AT_GID, gid.into()),
            (auxvec::AT_EGID, egid.into()),
            (auxvec::AT_SECURE, 0),
            (auxvec::AT_RANDOM, random),
            (auxvec::AT_EXECFN, name),
            (auxvec::AT_NULL, 0),
        ];
        words.extend(auxiliary.iter().flat_map(|(key, value)| [u64::from(*key), *value]));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let vector = external(&mut st.mem, &bytes);
        (vector, vector + 8, vector + envp)
    }
}

impl ProcessIds {
    /// The numbers that a program is told at its start.
    pub(crate) fn for_start(&self) -> [u32; 4] {
        [self.real_uid, self.effective_uid, self.real_gid, self.effective_gid]
    }
}

/// A C string in an object of its own, so that what runs over its end is found.
fn string<X: Guest>(cx: &Interp<'_, X>, mem: &mut AddressSpace, text: &[ByteValue]) -> u64 {
    let address = external(mem, &vec![0; text.len() + 1]);
    if !text.is_empty() {
        mem.write_each(cx.pool, address, text).expect("just allocated");
    }
    address
}

fn external(mem: &mut AddressSpace, bytes: &[u8]) -> u64 {
    let size = bytes.len() as u64;
    let address =
        mem.alloc(size, 16, ObjectKind::External, SiteId::NONE).expect("arguments are small");
    if size > 0 {
        mem.write_bytes(address, bytes).expect("just allocated");
    }
    address
}

/// The first process of a node, which has only its standard streams open.
pub struct FirstProcess {
    /// The program.
    pub program: ProgramId,
    /// Absolute name of the program's file.
    pub executable: Vec<u8>,
}

impl FirstProcess {
    /// Adds the process to the node and makes it the running one. The working directory is made if
    /// it is not there.
    pub fn begin(self, node: &mut Node, config: &KernelConfig) -> Result<(), FsError> {
        let NodeIdentity { uid, gid } = config.identity;
        let now = node.stamp();
        let cwd = working_directory(node, config, now)?;
        node.disk.fs.hold(cwd);
        let root = node.disk.fs.root();
        node.disk.fs.hold(root);
        let number = node.new_number();
        let name = self.executable.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let process = Process {
            api_calls: Default::default(),
            // An ordinary process that some shell has started.
            parent: SHELL,
            group: SHELL,
            session: SHELL,
            program: self.program,
            memory: None,
            threads: BTreeMap::from([(Tid(number), Arc::default())]),
            descriptors: Arc::default(),
            cwd,
            root,
            umask: 0o022,
            ids: ProcessIds {
                real_uid: uid,
                effective_uid: uid,
                saved_uid: uid,
                real_gid: gid,
                effective_gid: gid,
                saved_gid: gid,
                groups: vec![gid],
            },
            limits: ResourceLimits::with(config.faults.open_files, config.faults.processes),
            actions: Arc::default(),
            pending: PendingSignals::default(),
            mappings: Arc::default(),
            alarm: None,
            timers: Default::default(),
            settings: Default::default(),
            ended: None,
            exit_signal: 17,
            name: name[..name.len().min(NAME_BYTES)].to_vec(),
            executable: self.executable.into(),
            arguments: Some([].into()),
            news: None,
            executed: true,
            stopped: false,
        };
        node.volatile.processes.insert(Pid(number), Arc::new(process));
        node.volatile.running = (Pid(number), Tid(number));
        for (stream, flags) in [
            (StandardStream::In, linux::O_RDONLY),
            (StandardStream::Out(1), linux::O_WRONLY),
            (StandardStream::Out(2), linux::O_WRONLY),
        ] {
            let opened = node.open(OpenFile::new(FileKind::Stream(stream), flags), false);
            opened.expect("the first three descriptors are free");
        }
        Ok(())
    }
}

/// The process that has started the first one; it is not simulated.
const SHELL: Pid = Pid(FIRST_PID - 1);

/// Longest name of a process.
const NAME_BYTES: usize = 15;

fn working_directory(node: &mut Node, config: &KernelConfig, now: i64) -> Result<InodeId, FsError> {
    let NodeIdentity { uid, gid } = config.identity;
    let cred = Credentials::root();
    let ctx = FsContext { now, ..FsContext::new(node.disk.fs.root(), &cred) };
    match node.disk.fs.resolve(&ctx, &config.cwd, FollowLinks::Yes) {
        Ok(cwd) => Ok(cwd),
        Err(FsError::NotFound) => {
            let cwd = node.disk.fs.make_dirs(&config.cwd, 0o755, now)?;
            node.disk.fs.chown(&ctx, cwd, Some(uid), Some(gid))?;
            Ok(cwd)
        }
        Err(error) => Err(error),
    }
}
