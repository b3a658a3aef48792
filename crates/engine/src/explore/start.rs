//! The first states of a run: the node with its files, the first process, its inputs.

use std::ops::Range;
use std::sync::Arc;

use everett_fs::{Credentials, FollowLinks, Fs, FsContext, FsError, OpenHow, StatFs};
use everett_interp::{BugKind, Halt, ProgramImages, Reg, Stop};
use everett_memory::{AddressSpace, ByteValue, ObjectKind, SiteId};
use everett_posix::{
    FaultDecision, Guest, Kernel, LearntOps, Node, NodeRestart, ProgramStart, RacingPair,
    ThreadSwitch,
};
use everett_replay::KTest;
use everett_world::NodeId;

use crate::api::config::{Argument, CommandArgument, FaultPlan, Stdin};
use crate::api::report::{FAULTS, RACE, RACING, SCHEDULE, UNINITIALIZED};
use crate::state::boot;
use crate::state::inputs::fresh_bytes;
use crate::state::node_state::{Interpreter, NodeState, PathNotebook, PathState, bug};
use crate::state::setup::{NodeSetup, executable_name};

/// A state at the beginning: ready to run, or over already.
pub(crate) struct FirstState {
    pub(crate) state: Box<PathState>,
    pub(crate) trouble: Option<Halt>,
}

/// The start of a node: everything that its first states are made from.
pub(crate) struct NodeStart<'a> {
    pub(crate) images: &'a ProgramImages,
    pub(crate) setup: &'a NodeSetup,
    pub(crate) id: NodeId,
    /// The beginning of the node's symbols.
    pub(crate) symbol_prefix: String,
    /// The dealings of its programs with the outside are recorded.
    pub(crate) record: bool,
    /// First states that limits did not allow to be made.
    pub(crate) left_out: u64,
}

impl NodeStart<'_> {
    /// The first states: one, or one for each number of symbolic arguments, or for each test case.
    pub(crate) fn states(&mut self, cx: &mut Interpreter<'_>) -> Vec<FirstState> {
        let config = &self.setup.config;
        if config.boot_replay.is_empty() {
            return self.states_on(cx, config.replay.as_ref());
        }
        let tests = config.boot_replay.iter();
        tests.flat_map(|test| self.states_on(cx, Some(test))).collect()
    }

    /// Those that run on a test case, or on symbolic inputs.
    fn states_on(&mut self, cx: &mut Interpreter<'_>, replay: Option<&KTest>) -> Vec<FirstState> {
        let NodeSetup { config, program, node, .. } = self.setup;
        let book = PathNotebook {
            replay: replay.cloned().map(Arc::new),
            given: config.fixed_inputs.then(Vec::new),
            symbol_prefix: self.symbol_prefix.clone(),
            ..PathNotebook::default()
        };
        let extra = NodeState::new(self.id, book, node.clone());
        let mut st = Box::new(PathState::new(self.images.memory(*program), extra));
        st.program = *program;
        let planned = replay.map_or(Ok(()), |test| plan(&mut st, test));
        match &config.faults {
            FaultPlan::Explore => {}
            FaultPlan::Survey(decisions) => {
                let own = st.extra.node_mut();
                if replay.is_none() {
                    own.set_plan(Vec::new(), false);
                }
                *own.faults_mut() = node.faults().clone();
                own.faults_mut().survey(decisions.clone());
            }
        }
        let argv = planned.map(|()| config.argv.iter().map(|arg| known(arg)).collect());
        let mut states = vec![(st, argv)];
        let mut next_arg = 0;
        for argument in &config.more_args {
            states = states
                .into_iter()
                .flat_map(|(st, argv)| match argv {
                    Ok(argv) => {
                        add_argument(cx, (st, argv), argument, next_arg, &mut self.left_out)
                    }
                    Err(ending) => vec![(st, Err(ending))],
                })
                .collect();
            next_arg += match argument {
                CommandArgument::Known(_) => 0,
                CommandArgument::Symbolic(_) => 1,
                CommandArgument::SymbolicMany { max, .. } => *max,
            };
        }
        let mut first = Vec::new();
        for (st, argv) in states {
            // A node has one state at least.
            if first.is_empty() || !cx.pool.interrupt().is_pressing() {
                first.push(self.finish(cx, st, argv));
            } else {
                self.left_out += 1;
            }
        }
        first
    }

    fn finish(
        &self,
        cx: &mut Interpreter<'_>,
        mut state: Box<PathState>,
        argv: Result<Vec<Vec<ByteValue>>, Halt>,
    ) -> FirstState {
        let done = argv.and_then(|argv| {
            self.fill_files(cx, &mut state)?;
            self.begin(cx, &mut state, argv)
        });
        let trouble = done.err();
        if trouble.is_some() {
            // The place of what is wrong is the beginning of the program.
            cx.enter(&mut state, self.setup.entry, &[]);
        }
        FirstState { state, trouble }
    }

    fn fill_files(&self, cx: &mut Interpreter<'_>, st: &mut PathState) -> Result<(), Halt> {
        for (name, content) in &self.setup.config.files {
            self.write_file(st, name, &known(content))?;
        }
        for (name, size) in &self.setup.config.symbolic_files {
            let shown = String::from_utf8_lossy(name);
            let last = shown.rsplit('/').next().unwrap_or(&shown);
            let bytes = fresh_bytes(cx, st, &format!("{last}-data"), *size)?;
            self.write_file(st, name, &bytes)?;
        }
        let input = match &self.setup.config.stdin {
            Stdin::Empty => Vec::new(),
            Stdin::Known(bytes) => known(bytes),
            Stdin::Symbolic(size) => fresh_bytes(cx, st, "stdin", *size)?,
        };
        let node = st.extra.node_mut();
        if let Some(bytes) = self.setup.config.kernel.faults.disk_bytes {
            let StatFs { blocks, blocks_free, block_bytes, .. } = node.fs().statfs();
            let used = (blocks - blocks_free) * block_bytes;
            node.fs_mut().set_quota(Some(used.saturating_add(bytes)));
        }
        if !input.is_empty() {
            node.set_input(input);
        }
        Ok(())
    }

    fn write_file(&self, st: &mut PathState, name: &[u8], bytes: &[ByteValue]) -> Result<(), Halt> {
        let node = st.extra.node_mut();
        write_file(node, &self.setup.config.kernel.cwd, name, bytes).map_err(|error| {
            let message =
                format!("cannot make the file {}: {error}", String::from_utf8_lossy(name));
            bug(BugKind::UserError, message).into()
        })
    }

    fn begin(
        &self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        argv: Vec<Vec<ByteValue>>,
    ) -> Result<(), Halt> {
        let arguments = match &self.setup.config.arguments {
            Some(arguments) => Some(self.chosen_arguments(cx, st, arguments)?),
            None => None,
        };
        let identity = &self.setup.config.kernel.identity;
        let start = ProgramStart {
            argv,
            envp: self.setup.config.envp.iter().map(|text| known(text)).collect(),
            random: st.extra.node_mut().random_bytes(),
            ids: [identity.uid, identity.uid, identity.gid, identity.gid],
        };
        let node = st.extra.node_mut();
        if node.faults().are_used() && arguments.is_none() && !boot::boots(&cx.image.program) {
            node.set_restart(NodeRestart {
                program: self.setup.program,
                entry: self.setup.entry,
                executable: executable_name(&self.setup.config),
                start: start.clone(),
                config: self.setup.config.kernel.clone(),
            });
        }
        if self.record {
            node.record();
            Kernel::note_launch(cx, st, &start, &self.setup.config.kernel);
        }
        st.plain_calls &= !st.extra.node().looks_at_calls();
        start.enter(cx, st, self.setup.entry, arguments);
        Ok(())
    }

    fn chosen_arguments(
        &self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        arguments: &[Argument],
    ) -> Result<Vec<Reg>, Halt> {
        let params =
            &self.images.image(self.setup.program).program.function(self.setup.entry).params;
        arguments
            .iter()
            .zip(params)
            .map(|(argument, width)| chosen_argument(cx, st, argument, (*width).into()))
            .collect()
    }
}

/// Lets a state do what a test case has recorded beside its inputs.
fn plan(st: &mut PathState, test: &KTest) -> Result<(), Halt> {
    let recorded = |name: &str| {
        let object = test.objects.iter().find(|object| object.name == name.as_bytes());
        object.map(|object| &object.bytes[..])
    };
    if let Some(uses) = recorded(UNINITIALIZED) {
        *st.path.undefined_uses_mut() = everett_solver::UndefinedUses::of_test(uses);
    }
    let node = st.extra.node_mut();
    let switches = recorded(SCHEDULE).map_or(Vec::new(), ThreadSwitch::read_all);
    node.set_plan(switches, recorded(RACING).is_some());
    if let Some([earlier, later]) = recorded(RACE).map(LearntOps::read_all).as_deref() {
        node.set_race(RacingPair { earlier: *earlier, later: *later });
    }
    let faults = recorded(FAULTS).map_or(Ok(Vec::new()), FaultDecision::read_all);
    let wrong = |error| Halt::from(bug(BugKind::UserError, format!("the test case: {error}")));
    node.faults_mut().set_plan(faults.map_err(wrong)?);
    Ok(())
}

/// Adds one argument of the command line to a state, or makes several states where the number of
/// arguments is open.
#[allow(clippy::type_complexity)]
fn add_argument(
    cx: &mut Interpreter<'_>,
    (mut st, mut argv): (Box<PathState>, Vec<Vec<ByteValue>>),
    argument: &CommandArgument,
    number: u32,
    left_out: &mut u64,
) -> Vec<(Box<PathState>, Result<Vec<Vec<ByteValue>>, Halt>)> {
    let (min, max, size) = match argument {
        CommandArgument::Known(bytes) => {
            argv.push(known(bytes));
            return vec![(st, Ok(argv))];
        }
        CommandArgument::Symbolic(size) => {
            let argv = symbolic_args(cx, &mut st, argv, number..number + 1, *size);
            return vec![(st, argv)];
        }
        CommandArgument::SymbolicMany { min, max, size } => (*min, *max, *size),
    };
    let count = match fresh_bytes(cx, &mut st, "n_args", 4) {
        Ok(bytes) => bytes,
        Err(flow) => return vec![(st, Err(flow.into()))],
    };
    let mut states = Vec::new();
    for n in min..=max {
        if n > min && cx.pool.interrupt().is_pressing() {
            *left_out += u64::from(max - n + 1);
            break;
        }
        let mut one = st.fork();
        let mut bytes = count.iter().zip(n.to_le_bytes());
        let possible: Result<bool, Stop> =
            bytes.try_fold(true, |possible, (byte, value)| match byte {
                ByteValue::Concrete(byte) => Ok(possible && *byte == value),
                ByteValue::Symbolic(term) => {
                    let equal = cx.pool.eq(*term, cx.pool.constant(8, value.into()));
                    Ok(possible && one.path.assume(cx.solver, cx.pool, equal)?)
                }
            });
        match possible {
            Ok(false) => {}
            Ok(true) => {
                let argv = symbolic_args(cx, &mut one, argv.clone(), number..number + n, size);
                states.push((one, argv));
            }
            Err(stop) => states.push((one, Err(Halt::Stop(stop)))),
        }
    }
    if states.is_empty() {
        let message = format!("the number of arguments in the test case is not {min} to {max}");
        states.push((st, Err(bug(BugKind::UserError, message).into())));
    }
    states
}

fn symbolic_args(
    cx: &mut Interpreter<'_>,
    st: &mut PathState,
    mut argv: Vec<Vec<ByteValue>>,
    numbers: Range<u32>,
    size: u32,
) -> Result<Vec<Vec<ByteValue>>, Halt> {
    for number in numbers {
        argv.push(fresh_bytes(cx, st, &format!("arg{number:02}"), size)?);
    }
    Ok(argv)
}

fn known(bytes: &[u8]) -> Vec<ByteValue> {
    bytes.iter().copied().map(ByteValue::Concrete).collect()
}

fn write_file(
    node: &mut Node,
    cwd: &[u8],
    name: &[u8],
    bytes: &[ByteValue],
) -> Result<(), FsError> {
    let now = node.stamp();
    let start = node.fs_mut().make_dirs(cwd, 0o755, now)?;
    let cred = node.credentials();
    let ctx = FsContext { start, now, ..FsContext::new(node.fs().root(), &cred) };
    if let Some(at) = name.iter().rposition(|byte| *byte == b'/').filter(|at| *at > 0) {
        make_folder(node.fs_mut(), &ctx, cwd, &name[..at])?;
    }
    let how = OpenHow { write: true, create: true, mode: 0o644, ..OpenHow::default() };
    let file = node.fs_mut().open(&ctx, name, &how)?.inode;
    node.fs_mut().write(&ctx, file, 0, bytes)?;
    Ok(())
}

/// Makes the folder of a file unless it is there. The user whose file it is may make others in it.
fn make_folder(
    fs: &mut Fs<ByteValue>,
    ctx: &FsContext<'_>,
    cwd: &[u8],
    folder: &[u8],
) -> Result<(), FsError> {
    if fs.resolve(ctx, folder, FollowLinks::Yes) != Err(FsError::NotFound) {
        return Ok(());
    }
    let path = match folder {
        [b'/', ..] => folder.to_vec(),
        relative => [cwd, b"/", relative].concat(),
    };
    let made = fs.make_dirs(&path, 0o755, ctx.now)?;
    let root = Credentials::root();
    fs.chown(&FsContext { cred: &root, ..*ctx }, made, Some(ctx.cred.uid), Some(ctx.cred.gid))
}

fn chosen_argument(
    cx: &mut Interpreter<'_>,
    st: &mut PathState,
    argument: &Argument,
    width: u32,
) -> Result<Reg, Halt> {
    Ok(match argument {
        Argument::Word(word) => Reg::word(word & (u64::MAX >> (64 - width))),
        Argument::Symbolic(name) => {
            let bytes = width.div_ceil(8);
            let bytes = fresh_bytes(cx, st, name, bytes)?;
            let address = external(&mut st.mem, bytes.len() as u64);
            st.mem.write_each(cx.pool, address, &bytes).expect("just allocated");
            let value = st.mem.read(cx.pool, address, bytes.len() as u32).expect("just written");
            let term = value.term(cx.pool, 8 * bytes.len() as u32);
            cx.term_reg(cx.resize(term, width))
        }
        Argument::Bytes(bytes) => {
            let address = external(&mut st.mem, bytes.len() as u64);
            if !bytes.is_empty() {
                st.mem.write_bytes(address, bytes).expect("just allocated");
            }
            Reg::word(address)
        }
        Argument::SymbolicBytes { name, size } => {
            let address = external(&mut st.mem, (*size).into());
            if *size > 0 {
                let bytes = fresh_bytes(cx, st, name, *size)?;
                st.mem.write_each(cx.pool, address, &bytes).expect("just allocated");
            }
            Reg::word(address)
        }
    })
}

fn external(mem: &mut AddressSpace, size: u64) -> u64 {
    mem.alloc(size, 16, ObjectKind::External, SiteId::NONE).expect("arguments are small")
}
