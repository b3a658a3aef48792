//! Standstill of a node, and its restart: [`NodeStandstill`], [`NodeRestart`].

use everett_base::shares_nothing;
use everett_interp::ProgramId;
use everett_ir::FuncId;
use everett_memory::ByteValue;

use crate::config::KernelConfig;
use crate::state::ids::Time;

/// The reason why the threads of a node do not run, if there is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NodeStandstill {
    /// They may.
    #[default]
    No,
    /// There are none: the node has crashed, and begins again at this time, or never.
    Down(Option<Time>),
    /// Not before this time.
    Paused(Time),
}

everett_base::portable!(enum NodeStandstill { 0 = No, 1 = Down(value), 2 = Paused(value) });

shares_nothing!(NodeRestart);

/// The recipe for starting the first program of a node once more.
#[derive(Clone)]
pub struct NodeRestart {
    /// The program.
    pub program: ProgramId,
    /// Its first function.
    pub entry: FuncId,
    /// Absolute name of the program's file.
    pub executable: Vec<u8>,
    /// The arguments that it begins with.
    pub start: ProgramStart,
    /// The options of the node.
    pub config: KernelConfig,
}

everett_base::portable!(struct NodeRestart { program, entry, executable, start, config });

/// The beginning of a program: its arguments and environment.
#[derive(Clone, Debug, Default)]
pub struct ProgramStart {
    /// Arguments, the program's name first; bytes may be symbolic.
    pub argv: Vec<Vec<ByteValue>>,
    /// Environment, as `NAME=value`.
    pub envp: Vec<Vec<ByteValue>>,
    /// Sixteen random bytes for the C library.
    pub random: [u8; 16],
    /// User and group numbers, real and effective.
    pub ids: [u32; 4],
}

everett_base::portable!(struct ProgramStart { argv, envp, random, ids });
