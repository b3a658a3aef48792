//! Signals on their way, and what a process does about them.

use everett_expr::Pool;
use everett_interp::Reg;
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::Errno;

/// A set of signals: bit `n - 1` is signal `n`.
pub(crate) type SigSet = u64;

/// Highest signal number.
pub(crate) const SIGNALS: u32 = 64;

/// First real-time signal: from here on, each one that is sent is queued.
pub(crate) const FIRST_REAL_TIME: u32 = 32;

/// Signals that may wait for a process or thread at once.
pub(crate) const MAX_QUEUED: usize = 1024;

pub(crate) const SIG_DFL: u64 = 0;

pub(crate) const SIG_IGN: u64 = 1;

/// The set of one signal.
pub(crate) fn bit(signal: u32) -> SigSet {
    1 << (signal - 1)
}

/// Signals that can be neither blocked nor handled.
pub(crate) const UNSTOPPABLE: SigSet = (1 << (linux::SIGKILL - 1)) | (1 << (linux::SIGSTOP - 1));

/// The action of a process on a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SignalAction {
    pub(crate) handler: u64,
    pub(crate) flags: u64,
    pub(crate) restorer: u64,
    pub(crate) mask: SigSet,
}

everett_base::portable!(struct SignalAction { handler, flags, restorer, mask });

/// The actions of a process on all signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignalActions(pub(crate) [SignalAction; SIGNALS as usize]);

everett_base::portable!(struct SignalActions(value));

impl Default for SignalActions {
    fn default() -> SignalActions {
        SignalActions([SignalAction::default(); SIGNALS as usize])
    }
}

impl SignalActions {
    pub(crate) fn get(&self, signal: u32) -> SignalAction {
        self.0[signal as usize - 1]
    }

    pub(crate) fn set(&mut self, signal: u32, action: SignalAction) {
        self.0[signal as usize - 1] = action;
    }

    /// Returns true if the program handles some signal itself.
    pub(crate) fn has_handler(&self) -> bool {
        self.0.iter().any(|action| !matches!(action.handler, SIG_DFL | SIG_IGN))
    }

    /// The actions of another program that is executed: handlers are gone, ignored signals stay ignored.
    pub(crate) fn after_exec(&self) -> SignalActions {
        let keep = |action: &SignalAction| {
            let handler = if action.handler == SIG_IGN { SIG_IGN } else { SIG_DFL };
            SignalAction { handler, ..SignalAction::default() }
        };
        SignalActions(std::array::from_fn(|i| keep(&self.0[i])))
    }
}

/// A signal on its way, with what `siginfo_t` tells about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignalInfo {
    pub(crate) signal: u32,
    pub(crate) code: i32,
    pub(crate) pid: u32,
    pub(crate) uid: u32,
    /// A word or a term of 64 bits.
    pub(crate) value: Reg,
}

everett_base::portable!(struct SignalInfo { signal, code, pid, uid, value });

impl SignalInfo {
    /// The bytes of its value, the lowest first.
    pub(crate) fn value_bytes(&self, pool: &Pool) -> [ByteValue; 8] {
        match self.value.term() {
            Some(term) => std::array::from_fn(|i| {
                let byte = pool.extract(term, 8 * i as u32, 8);
                pool.as_const(byte).map_or(ByteValue::Symbolic(byte), |value| (value as u8).into())
            }),
            None => self.value.bits().to_le_bytes().map(ByteValue::Concrete),
        }
    }
}

/// Signals that wait, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PendingSignals(pub(crate) Vec<SignalInfo>);

everett_base::portable!(struct PendingSignals(value));

impl PendingSignals {
    pub(crate) fn set(&self) -> SigSet {
        self.0.iter().fold(0, |set, info| set | bit(info.signal))
    }

    /// Adds a signal; an ordinary one that waits already is not added again.
    pub(crate) fn add(&mut self, info: SignalInfo) -> Result<(), Errno> {
        if info.signal < FIRST_REAL_TIME && self.set() & bit(info.signal) != 0 {
            return Ok(());
        }
        if self.0.len() >= MAX_QUEUED {
            return Err(Errno::EAGAIN);
        }
        self.0.push(info);
        Ok(())
    }

    /// Takes the first signal of a set: the lowest number, of several the oldest.
    pub(crate) fn take(&mut self, set: SigSet) -> Option<SignalInfo> {
        let signal = self.0.iter().map(|i| i.signal).filter(|s| set & bit(*s) != 0).min()?;
        let at = self.0.iter().position(|info| info.signal == signal)?;
        Some(self.0.remove(at))
    }

    pub(crate) fn discard(&mut self, set: SigSet) {
        self.0.retain(|info| set & bit(info.signal) == 0);
    }
}

/// The set of signals of a `signalfd`.
#[derive(Clone, Debug, Default)]
pub(crate) struct SignalFile {
    pub(crate) set: SigSet,
}

everett_base::portable!(struct SignalFile { set });
