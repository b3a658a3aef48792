//! [`DecoderRunner`]: runs functions of programs on the bytes of messages.
//!
//! A function runs on a copy of the state of its node as the finding left it, in a thread of its own, and the
//! copy is dropped afterwards. It may compute, and nothing else: it has no system calls, and meets no faults
//! and no other threads. Bytes of the node that are symbolic have the values that the finding shows.

use everett_interp::{
    BugKind, CallArgs, Coverage, ExecutionNotes, Flow, Halt, Interp, InterpConfig, InterpParts,
    Machine, PathEnding, ProgramId, Reg, RunPause, ThreadContext,
};
use everett_ir::FuncId;
use everett_memory::{AllocError, ByteValue, ObjectKind, SiteId};
use everett_posix::{Guest, Kernel};
use everett_solver::{PathCondition, SolverChain};

use super::Decoded;
use crate::parallel::context::RunContext;
use crate::primitives::Primitives;
use crate::state::node_state::{Interpreter, NodeState, PathState, bug};

/// Instructions of a decoder for a message, and of all decoders for the messages of a finding.
const MESSAGE_INSTRUCTIONS_MAX: u64 = 1_000_000;
const FINDING_INSTRUCTIONS_MAX: u64 = 20_000_000;
/// The room for the text, its terminator included.
const TEXT_BYTES: u64 = 512;
/// The room for the data of the C library about a thread where the memory of a node has none.
const THREAD_BYTES: u64 = 4096;
const ALIGN: u64 = 16;

/// The parameters that a decoder has: bytes, their number, the text, its room.
const PARAMETERS: usize = 4;

/// Runs decoders for the messages of a finding.
pub(super) struct DecoderRunner<'c, 'a> {
    context: &'c RunContext<'a>,
    solver: &'c mut SolverChain,
    /// The condition of the world, with the model that the finding shows.
    path: &'c PathCondition,
    /// Made when the first decoder runs.
    machine: Option<DecoderMachine>,
    /// Instructions of all decoders so far.
    executed: u64,
}

impl<'c, 'a> DecoderRunner<'c, 'a> {
    pub(super) fn new(
        context: &'c RunContext<'a>,
        solver: &'c mut SolverChain,
        path: &'c PathCondition,
    ) -> DecoderRunner<'c, 'a> {
        DecoderRunner { context, solver, path, machine: None, executed: 0 }
    }

    /// A function of a program that has a body.
    pub(super) fn function_named(&self, program: ProgramId, name: &str) -> Option<FuncId> {
        let program = &self.context.images.image(program).program;
        program.function_named(name).filter(|func| program.function(*func).defined)
    }

    /// Runs a function of a program on the state of a node.
    pub(super) fn run(
        &mut self,
        st: &PathState,
        program: ProgramId,
        function: FuncId,
        bytes: &[u8],
    ) -> Decoded {
        let image = self.context.images.image(program);
        let called = image.program.function(function);
        if called.params.len() != PARAMETERS || called.results.len() != 1 {
            let name = &called.name;
            let expected = "int (const void *, size_t, char *, size_t)";
            return Some(Err(format!("{name} is no function of the type {expected}")));
        }
        if self.executed >= FINDING_INSTRUCTIONS_MAX {
            return Some(Err("decoders have used up the instructions for a finding".to_owned()));
        }
        let mut scratch = self.scratch(st, program);
        let Ok(buffers) = Buffers::new(&mut scratch, bytes) else {
            return Some(Err("there is no memory for the message".to_owned()));
        };
        let before = scratch.instructions;
        let answer = self.execute(&mut scratch, function, &buffers);
        self.executed += scratch.instructions - before;
        match answer {
            Err(why) => Some(Err(why)),
            Ok(value) if value <= 0 => None,
            Ok(_) => Some(self.text(&scratch, &buffers)),
        }
    }

    /// A copy of a state, on which nothing runs yet.
    fn scratch(&self, st: &PathState, program: ProgramId) -> Box<PathState> {
        let mut scratch = st.copy_of_kept();
        // The running process has another program, or a crash has left none of it.
        if scratch.program != program {
            scratch.mem = self.context.images.memory(program);
            scratch.program = program;
        }
        scratch.swap_thread(&mut ThreadContext::default());
        scratch.path = self.path.clone();
        scratch.thread_pointer = st.thread_pointer;
        let has_thread_data = scratch.mem.check(scratch.thread_pointer, 8).is_ok();
        if !has_thread_data {
            let (size, site) = (THREAD_BYTES, SiteId(0));
            let data = scratch.mem.alloc(size, ALIGN, ObjectKind::Global, site).unwrap_or(0);
            let zeros = [0; THREAD_BYTES as usize];
            // Without it, the C library does not find `errno`, and the decoder fails.
            let _ = scratch.mem.write_bytes(data, &zeros);
            scratch.thread_pointer = data + THREAD_BYTES / 2;
        }
        (scratch.forking, scratch.plain_calls) = (false, true);
        scratch.extra.node_mut().faults_mut().switch(false);
        scratch
    }

    /// Runs the function to its end; gives what it returns.
    fn execute(
        &mut self,
        scratch: &mut PathState,
        function: FuncId,
        buffers: &Buffers,
    ) -> Result<i32, String> {
        let (context, program) = (self.context, scratch.program);
        let machine = self.machine.get_or_insert_with(|| DecoderMachine::new(context));
        let config = InterpConfig { ignored: Default::default(), ..context.config.exec.clone() };
        let (mut notes, mut coverage) =
            (ExecutionNotes::default(), Coverage::new(&context.images.image(program).program));
        let mut cx = Interp::new(InterpParts {
            images: context.images,
            program,
            pool: context.pool,
            solver: self.solver,
            config: &config,
            coverage: &mut coverage,
            notes: &mut notes,
        });
        let Buffers { bytes, length, text } = *buffers;
        let args = [bytes, length, text, TEXT_BYTES].map(Reg::word);
        cx.enter(scratch, function, &args);
        let end = scratch.instructions + MESSAGE_INSTRUCTIONS_MAX;
        loop {
            let left = end.saturating_sub(scratch.instructions);
            if left == 0 {
                return Err(format!("not done after {MESSAGE_INSTRUCTIONS_MAX} instructions"));
            }
            match cx.run(machine, scratch, left).map_err(|stop| stop.to_string())? {
                RunPause::Fuel => {}
                RunPause::Asked if context.pool.interrupt().is_raised() => {
                    return Err("the run is being stopped".to_owned());
                }
                RunPause::Asked => {}
                // Whatever else there could be: the values that the finding shows go here.
                RunPause::Forked => cx.siblings.clear(),
                RunPause::Switched | RunPause::Idle => return Err("it waits".to_owned()),
                RunPause::End(PathEnding::Exit(value)) => {
                    let value = value.term().map_or(value.bits(), |term| {
                        context.pool.eval_u64(term, scratch.path.model())
                    });
                    return Ok(value as i32);
                }
                RunPause::End(PathEnding::Bug(bug)) => {
                    return Err(match bug.kind {
                        BugKind::UserError => bug.message,
                        kind => format!("{kind}: {}", bug.message),
                    });
                }
                RunPause::End(PathEnding::Silent | PathEnding::Redundant(_)) => {
                    return Err("it ends without an answer".to_owned());
                }
            }
        }
    }

    /// The text that a decoder has written.
    fn text(&self, scratch: &PathState, buffers: &Buffers) -> Result<String, String> {
        let pool = self.context.pool;
        let value = |byte: ByteValue| match byte {
            ByteValue::Concrete(byte) => byte,
            ByteValue::Symbolic(term) => pool.eval_u64(term, scratch.path.model()) as u8,
        };
        let bytes: Vec<u8> = scratch
            .mem
            .peek(pool, buffers.text, TEXT_BYTES)
            .into_iter()
            .map(value)
            .take_while(|byte| *byte != 0)
            .collect();
        match bytes.len() as u64 {
            0 => Err("it says that it knows the message, and gives no text".to_owned()),
            TEXT_BYTES => Err("its text has no end".to_owned()),
            _ => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }
}

/// The addresses of what a decoder gets.
struct Buffers {
    bytes: u64,
    length: u64,
    text: u64,
}

impl Buffers {
    fn new(scratch: &mut PathState, bytes: &[u8]) -> Result<Buffers, AllocError> {
        let (site, length) = (SiteId(0), bytes.len() as u64);
        let message = scratch.mem.alloc(length, ALIGN, ObjectKind::Heap, site)?;
        let text = scratch.mem.alloc(TEXT_BYTES, ALIGN, ObjectKind::Heap, site)?;
        scratch.mem.write_bytes(message, bytes).expect("the object has its size");
        scratch.mem.write_bytes(text, &[0; TEXT_BYTES as usize]).expect("the object has its size");
        scratch.mem.set_read_only(message, true);
        Ok(Buffers { bytes: message, length, text })
    }
}

/// The machine of decoders: functions of the engine that only compute.
struct DecoderMachine(Primitives);

impl DecoderMachine {
    fn new(context: &RunContext<'_>) -> DecoderMachine {
        let kernel = Kernel::new(Default::default(), Box::new(context.library.clone()));
        DecoderMachine(Primitives::new(context.config, kernel))
    }
}

impl Machine for DecoderMachine {
    type Extra = NodeState;

    fn call(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Halt> {
        if self.0.only_computes(cx, st, func) {
            return self.0.call(cx, st, func, args);
        }
        let name = &cx.image.program.function(func).name;
        let what = match name.as_str() {
            "__everett_syscall" => "it makes a system call".to_owned(),
            name => format!("it calls {name}"),
        };
        Err(bug(BugKind::UserError, what).into())
    }
}
