//! Bugs: what a path did wrong, in the terms of the program.

pub(crate) mod ignored;
pub(crate) mod text;

use everett_memory::SiteId;

/// The kinds of bugs that are reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum BugKind {
    Assert,
    Abort,
    OutOfBounds,
    NullPointer,
    UseAfterFree,
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    ReadOnlyWrite,
    Overlap,
    DivideByZero,
    Overshift,
    Overflow,
    UnsignedOverflow,
    Narrowing,
    Misaligned,
    InvalidValue,
    FloatCast,
    PointerOverflow,
    NullArgument,
    MissingReturn,
    ArraySize,
    Unreachable,
    StackOverflow,
    Leak,
    UndefinedFunction,
    UndefinedVariable,
    CallMismatch,
    UserError,
    InvalidJump,
    LockMisuse,
    DataRace,
    Deadlock,
    Hang,
    Invariant,
    Trojan,
    UncaughtException,
    Uninitialized,
    InformationLeak,
    Panic,
}

everett_base::portable!(enum BugKind {
    0 = Assert, 1 = Abort, 2 = OutOfBounds, 3 = NullPointer, 4 = UseAfterFree, 5 = UseAfterReturn,
    6 = DoubleFree, 7 = InvalidFree, 8 = ReadOnlyWrite, 9 = Overlap, 10 = DivideByZero,
    11 = Overshift, 12 = Overflow, 13 = Unreachable, 14 = StackOverflow, 15 = Leak,
    16 = UndefinedFunction, 17 = UndefinedVariable, 18 = CallMismatch, 19 = UserError,
    20 = InvalidJump, 21 = DataRace, 22 = Deadlock, 23 = Hang, 24 = Invariant,
    25 = Trojan, 26 = UnsignedOverflow, 27 = Narrowing, 28 = Misaligned, 29 = InvalidValue,
    30 = FloatCast, 31 = PointerOverflow, 32 = NullArgument, 33 = MissingReturn, 34 = ArraySize,
    35 = LockMisuse, 36 = UncaughtException, 37 = Uninitialized, 38 = InformationLeak, 39 = Panic,
});

impl BugKind {
    /// All kinds, in the order of declaration.
    pub const ALL: [BugKind; 40] = [
        BugKind::Assert,
        BugKind::Abort,
        BugKind::OutOfBounds,
        BugKind::NullPointer,
        BugKind::UseAfterFree,
        BugKind::UseAfterReturn,
        BugKind::DoubleFree,
        BugKind::InvalidFree,
        BugKind::ReadOnlyWrite,
        BugKind::Overlap,
        BugKind::DivideByZero,
        BugKind::Overshift,
        BugKind::Overflow,
        BugKind::UnsignedOverflow,
        BugKind::Narrowing,
        BugKind::Misaligned,
        BugKind::InvalidValue,
        BugKind::FloatCast,
        BugKind::PointerOverflow,
        BugKind::NullArgument,
        BugKind::MissingReturn,
        BugKind::ArraySize,
        BugKind::Unreachable,
        BugKind::StackOverflow,
        BugKind::Leak,
        BugKind::UndefinedFunction,
        BugKind::UndefinedVariable,
        BugKind::CallMismatch,
        BugKind::UserError,
        BugKind::InvalidJump,
        BugKind::LockMisuse,
        BugKind::DataRace,
        BugKind::Deadlock,
        BugKind::Hang,
        BugKind::Invariant,
        BugKind::Trojan,
        BugKind::UncaughtException,
        BugKind::Uninitialized,
        BugKind::InformationLeak,
        BugKind::Panic,
    ];

    /// The name that reports and tests use.
    pub fn name(self) -> &'static str {
        match self {
            BugKind::Assert => "assert",
            BugKind::Abort => "abort",
            BugKind::OutOfBounds => "out-of-bounds",
            BugKind::NullPointer => "null-pointer",
            BugKind::UseAfterFree => "use-after-free",
            BugKind::UseAfterReturn => "use-after-return",
            BugKind::DoubleFree => "double-free",
            BugKind::InvalidFree => "invalid-free",
            BugKind::ReadOnlyWrite => "read-only-write",
            BugKind::Overlap => "overlap",
            BugKind::DivideByZero => "divide-by-zero",
            BugKind::Overshift => "overshift",
            BugKind::Overflow => "overflow",
            BugKind::UnsignedOverflow => "unsigned-overflow",
            BugKind::Narrowing => "narrowing",
            BugKind::Misaligned => "misaligned",
            BugKind::InvalidValue => "invalid-value",
            BugKind::FloatCast => "float-cast",
            BugKind::PointerOverflow => "pointer-overflow",
            BugKind::NullArgument => "null-argument",
            BugKind::MissingReturn => "missing-return",
            BugKind::ArraySize => "array-size",
            BugKind::Unreachable => "unreachable",
            BugKind::StackOverflow => "stack-overflow",
            BugKind::Leak => "leak",
            BugKind::UndefinedFunction => "undefined-function",
            BugKind::UndefinedVariable => "undefined-variable",
            BugKind::CallMismatch => "call-mismatch",
            BugKind::UserError => "user-error",
            BugKind::InvalidJump => "invalid-jump",
            BugKind::LockMisuse => "lock-misuse",
            BugKind::DataRace => "data-race",
            BugKind::Deadlock => "deadlock",
            BugKind::Hang => "hang",
            BugKind::Invariant => "invariant",
            BugKind::Trojan => "trojan",
            BugKind::UncaughtException => "uncaught-exception",
            BugKind::Uninitialized => "uninitialized",
            BugKind::InformationLeak => "information-leak",
            BugKind::Panic => "panic",
        }
    }
}

impl std::fmt::Display for BugKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A bug on a path. Where it is follows from the state's stack.
#[derive(Clone, Debug, PartialEq)]
pub struct Bug {
    /// The kind.
    pub kind: BugKind,
    /// The event, in a sentence without its place.
    pub message: String,
    /// The objects concerned.
    pub objects: Vec<ObjectNote>,
}

everett_base::portable!(struct Bug { kind, message, objects });

impl Bug {
    /// A bug that concerns no object.
    pub fn new(kind: BugKind, message: impl Into<String>) -> Bug {
        Bug { kind, message: message.into(), objects: Vec::new() }
    }

    /// The same bug with one more object.
    pub fn about(mut self, object: ObjectNote) -> Bug {
        self.objects.push(object);
        self
    }
}

/// An object as a report shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectNote {
    /// Its description: `local variable 'buf'`, `heap object`, `global 'table'`.
    pub what: String,
    /// Its first address.
    pub address: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The op that created it.
    pub allocated: Option<SiteId>,
    /// The op that released it, if one did.
    pub freed: Option<SiteId>,
}

everett_base::portable!(struct ObjectNote { what, address, size, allocated, freed });
