//! Everything that the kernel knows about a system call beside how it is executed: [`CallFacts`].
//!
//! All of it comes from one table (`calls/table.rs`), which has the handler of the call, too. Faults, signals
//! and the recorder ask here ([`facts`]) and have no lists of calls of their own.
//!
//! Not here: handlers and their dispatch (`sys.rs`); what faults, signals and the recorder make of it.

mod failures;
pub(crate) mod functions;
mod refused;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use syscalls::{Errno, Sysno};

pub(crate) use self::failures::{CallFailures, CallObject, RuledFailure};
pub(crate) use self::refused::refusal;

/// The argument that decides what a call works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallSubject {
    /// None that matters here.
    Other,
    /// The descriptor that is its first argument.
    Fd,
    /// The same; flags of a message (`MSG_DONTWAIT`) are in the argument of this number.
    Message(usize),
    /// A path to open; its flags (`O_CREAT`) are in the argument of this number.
    Open(usize),
    /// A path to open; the argument of this number points to a `struct open_how`, which begins with the
    /// flags.
    OpenHow(usize),
    /// A path to make a file at.
    Creates,
}

/// An effect of a call that others or a reboot can see. A node may crash at such calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrashPoint {
    /// Nothing.
    Nowhere,
    /// It changes files or names.
    Files,
    /// It makes changes of files durable.
    Sync,
    /// It has a connection made, which the other side accepts.
    Connects,
    /// It may end a stream, which the other side is told.
    Ending,
    /// It writes to the descriptor in the argument of this number, be it a file or a socket.
    Writes(usize),
    /// It reads from the descriptor that is its first argument; from a socket, that is seen.
    Receives,
}

/// The outcome of a call whose wait a handler with `SA_RESTART` interrupts (signal(7)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSignal {
    /// It ends with `EINTR`.
    Ends,
    /// It is executed again.
    Restarts,
    /// It is executed again unless it waits only for some time, as the option of its socket says.
    Untimed,
}

/// The parts that a call has in a script: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScriptClass(u16);

macro_rules! script_classes {
    ($($(#[doc = $what:literal])* $name:ident = $bit:literal;)*) => {
        impl ScriptClass {
            $($(#[doc = $what])* pub(crate) const $name: ScriptClass = ScriptClass(1 << $bit);)*
        }
    };
}

script_classes! {
    /// It makes a socket, pipe or the like, or works on one.
    SOCKETS = 0;
    /// It works on any descriptor.
    DESCRIPTORS = 1;
    /// It waits for several descriptors.
    WAITS = 2;
    /// It reads a clock.
    CLOCKS = 3;
    /// It lets time pass.
    SLEEPS = 4;
    /// It gives random bytes.
    CHANCE = 5;
    /// It makes a process, or waits for one.
    PROCESSES = 6;
    /// It sends a signal, or waits for one.
    SIGNALS = 7;
    /// The answer depends on time, so it is not asked for natively.
    FED = 8;
    /// The C library makes it for itself, within functions that are about something else.
    SILENT = 9;
}

impl ScriptClass {
    /// The class of calls that are no events by themselves.
    pub(crate) const UNSEEN: ScriptClass = ScriptClass(0);

    /// The classes of both.
    pub(crate) const fn with(self, other: ScriptClass) -> ScriptClass {
        ScriptClass(self.0 | other.0)
    }

    /// Returns true if the two have a class in common.
    pub(crate) const fn meets(self, other: ScriptClass) -> bool {
        self.0 & other.0 != 0
    }
}

/// A row of the table, without the handler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFacts {
    pub(crate) subject: CallSubject,
    pub(crate) failures: CallFailures,
    pub(crate) crash: CrashPoint,
    pub(crate) after_signal: AfterSignal,
    pub(crate) script: ScriptClass,
}

macro_rules! facts {
    ($(
        $call:ident: $handler:path, $subject:expr, $failures:expr, $crash:expr, $after:expr,
        $($script:ident)|+ $(=> $details:ident)?;
    )*) => {
        /// The calls that have a handler, in the order of the table.
        pub(crate) const CALLS: &[Sysno] = &[$(Sysno::$call),*];

        /// The facts about a call that has a handler.
        pub(crate) fn facts(call: Sysno) -> &'static CallFacts {
            use self::AfterSignal::*;
            use self::CallSubject::*;
            use self::CrashPoint::*;
            use self::failures::*;

            match call {
                $(Sysno::$call => {
                    const FACTS: CallFacts = CallFacts {
                        subject: $subject,
                        failures: $failures,
                        crash: $crash,
                        after_signal: $after,
                        script: ScriptClass::UNSEEN$(.with(ScriptClass::$script))+,
                    };
                    &FACTS
                })*
                _ => unreachable!("{} is executed and has no row in the table", call.name()),
            }
        }
    };
}

table::each_system_call!(facts);

impl CallFacts {
    /// Returns true if the first argument is the descriptor that the call is about.
    pub(crate) fn has_descriptor(&self) -> bool {
        matches!(self.subject, CallSubject::Fd | CallSubject::Message(_))
    }

    /// Returns true if it opens a file by its path.
    pub(crate) fn opens(&self) -> bool {
        matches!(
            self.subject,
            CallSubject::Open(_) | CallSubject::OpenHow(_) | CallSubject::Creates
        )
    }

    /// The number of the argument that holds flags.
    pub(crate) fn flags(&self) -> Option<usize> {
        match self.subject {
            CallSubject::Open(at) | CallSubject::Message(at) => Some(at),
            CallSubject::Other
            | CallSubject::Fd
            | CallSubject::OpenHow(_)
            | CallSubject::Creates => None,
        }
    }

    /// The number of the argument that is a descriptor to write to, unless that is the first.
    pub(crate) fn second_descriptor(&self) -> Option<usize> {
        match self.crash {
            CrashPoint::Writes(at) if at > 0 => Some(at),
            _ => None,
        }
    }
}

/// The calls that may fail by themselves.
pub(crate) fn failing() -> impl Iterator<Item = Sysno> {
    CALLS.iter().copied().filter(|call| facts(*call).failures.has_errors())
}

/// The errors that a call may fail with when it works on an object, the usual one first.
pub(crate) fn documented(call: Sysno, object: CallObject) -> &'static [Errno] {
    facts(call).failures.errors(object)
}
