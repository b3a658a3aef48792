//! [`WaitStatus`]: the end of a process, or its stop, as its parent learns of it.
//!
//! The code that a process exits with may be symbolic and stays so: it is one byte of what the parent
//! reads, and nothing in the kernel depends on it.

use everett_expr::Pool;
use everett_interp::Reg;
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;

/// Values of `si_code` in what a parent is told.
const CLD_EXITED: i32 = 1;
const CLD_KILLED: i32 = 2;
const CLD_DUMPED: i32 = 3;
pub(crate) const CLD_STOPPED: i32 = 5;
pub(crate) const CLD_CONTINUED: i32 = 6;

/// The end of a process, its stop, or that it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitStatus {
    /// It exited by itself, with this code.
    Exited(ByteValue),
    /// A signal ended it.
    Killed {
        signal: u32,
        /// True if the signal leaves a core dump.
        core: bool,
    },
    /// A signal stopped it.
    Stopped(u32),
    /// It goes on.
    Continued,
}

everett_base::portable!(enum WaitStatus {
    0 = Exited(value), 1 = Killed { signal, core }, 2 = Stopped(value), 3 = Continued,
});

impl WaitStatus {
    /// The word that `wait4` writes (wait(2)).
    pub(crate) fn word(self) -> [ByteValue; 4] {
        const CORE: u8 = 0x80;
        const STOPPED: u8 = 0x7f;
        let (low, high) = match self {
            WaitStatus::Exited(code) => (0, code),
            WaitStatus::Killed { signal, core } => {
                (signal as u8 | if core { CORE } else { 0 }, ByteValue::Concrete(0))
            }
            WaitStatus::Stopped(signal) => (STOPPED, ByteValue::Concrete(signal as u8)),
            WaitStatus::Continued => (0xff, ByteValue::Concrete(0xff)),
        };
        [ByteValue::Concrete(low), high, ByteValue::Concrete(0), ByteValue::Concrete(0)]
    }

    /// `si_code` and `si_status` of the signal that tells the parent.
    pub(crate) fn info(self, pool: &Pool) -> (i32, Reg) {
        match self {
            WaitStatus::Exited(ByteValue::Concrete(code)) => (CLD_EXITED, Reg::word(code.into())),
            WaitStatus::Exited(ByteValue::Symbolic(code)) => {
                (CLD_EXITED, Reg::symbolic(pool.zext(code, 64)))
            }
            WaitStatus::Killed { signal, core: false } => (CLD_KILLED, Reg::word(signal.into())),
            WaitStatus::Killed { signal, core: true } => (CLD_DUMPED, Reg::word(signal.into())),
            WaitStatus::Stopped(signal) => (CLD_STOPPED, Reg::word(signal.into())),
            WaitStatus::Continued => (CLD_CONTINUED, Reg::word(linux::SIGCONT.into())),
        }
    }

    /// The number that a shell would show; a symbolic one has 8 bits.
    pub(crate) fn shell_code(self) -> Reg {
        match self {
            WaitStatus::Exited(ByteValue::Concrete(code)) => Reg::word(code.into()),
            WaitStatus::Exited(ByteValue::Symbolic(code)) => Reg::symbolic(code),
            WaitStatus::Killed { signal, .. } | WaitStatus::Stopped(signal) => {
                Reg::word(128 + u64::from(signal))
            }
            WaitStatus::Continued => Reg::word(128 + u64::from(linux::SIGCONT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_that_the_macros_of_wait_take_apart() {
        let word = |status: WaitStatus| {
            u32::from_le_bytes(status.word().map(|byte| u8::try_from(byte).unwrap()))
        };
        assert_eq!(word(WaitStatus::Exited(ByteValue::Concrete(42))), 42 << 8);
        assert_eq!(word(WaitStatus::Killed { signal: 9, core: false }), 9);
        assert_eq!(word(WaitStatus::Killed { signal: 6, core: true }), 0x86);
        assert_eq!(word(WaitStatus::Stopped(19)), 19 << 8 | 0x7f);
        assert_eq!(word(WaitStatus::Continued), 0xffff);
    }

    #[test]
    fn a_symbolic_code_stays_symbolic() {
        let pool = Pool::new();
        let code = pool.byte(pool.symbol("code", 1), 0);
        let status = WaitStatus::Exited(ByteValue::Symbolic(code));
        assert_eq!(status.word()[1], ByteValue::Symbolic(code));
        assert_eq!(status.info(&pool), (CLD_EXITED, Reg::symbolic(pool.zext(code, 64))));
        assert_eq!(status.shell_code(), Reg::symbolic(code));
    }
}
