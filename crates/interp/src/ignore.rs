//! Bugs that the user knows of and wants to get past: [`IgnoredBugs`].
//!
//! Where it has a meaning, a path goes on behind such a bug ([`Interp::go_past_ignored`]): what it reads
//! where nothing is may be anything, what it writes there is left out, what overflows wraps, and a shift
//! takes its amount modulo the width. From there on it is not exactly what the machine does. A machine that
//! stops at such a place (a null pointer, a division by zero) has nothing to go on with, and the path
//! ends there; so it does at everything that the program itself ends with.
//!
//! Not here: what is told about ignored bugs at which paths end; the embedder sees those.

use std::fmt;

use everett_expr::TermId;
use everett_ir::{CallId, Callee, CopyKind, LocId, Op, Program, words};
use everett_memory::ByteValue;

use crate::bug::BugKind;
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding, SiblingCourse};
use crate::interp::Interp;
use crate::machine::Machine;
use crate::reg::Reg;
use crate::stack::Stack;
use crate::state::State;

/// Bytes of a block that are looked at one by one; longer ones are left out as a whole.
const MAX_BLOCK_BYTES: u64 = 1 << 16;

/// One of the things that are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IgnoredPlace {
    /// All bugs of a kind.
    Kind(BugKind),
    /// All bugs on a line of a file.
    Line {
        /// The end of its path.
        file: String,
        /// From 1.
        line: u32,
    },
    /// All bugs in a function.
    Function(String),
}

impl IgnoredPlace {
    /// The meaning of a word: a kind of bugs, `FILE:LINE`, or else a function.
    pub fn parse(text: &str) -> IgnoredPlace {
        if let Some(kind) = BugKind::ALL.into_iter().find(|kind| kind.name() == text) {
            return IgnoredPlace::Kind(kind);
        }
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            return IgnoredPlace::Line { file: file.to_owned(), line };
        }
        IgnoredPlace::Function(text.to_owned())
    }

    /// Returns true if a program has such a place; every program has every kind.
    pub fn exists_in(&self, program: &Program) -> bool {
        match self {
            IgnoredPlace::Kind(_) => true,
            IgnoredPlace::Line { file, .. } => {
                program.files.iter().any(|known| is_file(&known.name, file))
            }
            IgnoredPlace::Function(name) => {
                program.functions.iter().any(|function| function.name == *name)
                    || program.locations.iter().any(|loc| program.name(loc.function) == name)
            }
        }
    }

    fn covers(&self, kind: BugKind, function: &str, file: &str, line: u32) -> bool {
        match self {
            IgnoredPlace::Kind(ignored) => *ignored == kind,
            IgnoredPlace::Line { file: ignored, line: at } => *at == line && is_file(file, ignored),
            IgnoredPlace::Function(name) => name == function,
        }
    }
}

impl fmt::Display for IgnoredPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IgnoredPlace::Kind(kind) => f.write_str(kind.name()),
            IgnoredPlace::Line { file, line } => write!(f, "{file}:{line}"),
            IgnoredPlace::Function(name) => f.write_str(name),
        }
    }
}

/// Returns true if a path is that of a file, as far as the user has named it.
fn is_file(path: &str, named: &str) -> bool {
    path.strip_suffix(named).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// The bugs that a run ignores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredBugs {
    places: Vec<IgnoredPlace>,
}

impl IgnoredBugs {
    /// The places, in the order in which they were given.
    pub fn places(&self) -> &[IgnoredPlace] {
        &self.places
    }

    /// Returns true if nothing is ignored.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds a place.
    pub fn add(&mut self, place: IgnoredPlace) {
        if !self.places.contains(&place) {
            self.places.push(place);
        }
    }

    /// Returns true if a bug at a place of the source is ignored.
    pub fn covers(&self, kind: BugKind, function: &str, file: &str, line: u32) -> bool {
        self.places.iter().any(|place| place.covers(kind, function, file, line))
    }

    /// Returns true if a bug of the innermost frame of a stack is ignored. If that is in a library, the
    /// frames that lead to it count, too, up to the program's own.
    pub fn covers_stack(&self, kind: BugKind, program: &Program, stack: &Stack) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut inside = true;
        stack.frames().any(|frame| {
            let counts = inside;
            let function = program.function(frame.func);
            inside &= function.library;
            counts
                && (self.covers(kind, &function.name, "", 0)
                    || self.covers_location(kind, program, program.loc(frame.pc)))
        })
    }

    /// Returns true if a bug at a location, or where that was inlined, is ignored.
    fn covers_location(&self, kind: BugKind, program: &Program, id: LocId) -> bool {
        let mut next = program.location(id);
        while let Some(location) = next {
            let file = &program.files[location.file.index()].name;
            if self.covers(kind, program.name(location.function), file, location.line) {
                return true;
            }
            next = location.inlined_at.and_then(|id| program.location(id));
        }
        false
    }
}

impl<X: Clone> Interp<'_, X> {
    /// Lets the state that has just executed an op, and those that branched off it there, go on behind
    /// bugs that are ignored, where that has a meaning.
    pub(crate) fn go_past_ignored<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        flow: &mut Flow,
    ) -> Result<(), Stop>
    where
        M: Machine<Extra = X>,
    {
        // More of them may come while one goes on.
        let mut siblings = std::mem::take(&mut self.siblings);
        for sibling in &mut siblings {
            let SiblingCourse::Ended(PathEnding::Bug(bug)) = &sibling.course else { continue };
            // One that the solver has no answer for ends where it is.
            if matches!(self.goes_past(machine, &mut sibling.state, bug.kind), Ok(true)) {
                let next = sibling.state.pc() + 1;
                sibling.state.jump(next);
                sibling.course = SiblingCourse::On;
            }
        }
        siblings.append(&mut self.siblings);
        self.siblings = siblings;
        if let Flow::End(PathEnding::Bug(bug)) = flow
            && self.goes_past(machine, st, bug.kind)?
        {
            *flow = Flow::Next;
        }
        Ok(())
    }

    fn goes_past<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let passes = self.is_ignored(st, kind) && self.pass_op(machine, st, kind)?;
        if passes {
            self.note_passed(st, kind);
        }
        Ok(passes)
    }

    /// Returns true if a bug of a kind at the op that a state is at is ignored.
    pub(crate) fn is_ignored(&self, st: &State<X>, kind: BugKind) -> bool {
        self.config.ignored.covers_stack(kind, &self.image.program, &st.stack)
    }

    pub(crate) fn note_passed(&mut self, st: &mut State<X>, kind: BugKind) {
        st.passed += 1;
        let (program, pc) = self.own_place(st).unwrap_or((st.program, st.pc()));
        *self.notes.passed.entry((kind, program, pc)).or_insert(0) += 1;
    }

    /// Does what is left of the op that a bug is in. False if nothing can take its place.
    fn pass_op<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let op = self.image.program.ops[st.pc() as usize];
        match (kind, op) {
            (_, Op::Call { site, .. }) => self.pass_call(machine, st, kind, site),
            (BugKind::Overlap, Op::MemCopy { to, from, len, .. }) => {
                let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
                self.pass_overlap(st, to, from, len)
            }
            (BugKind::OutOfBounds | BugKind::UseAfterFree | BugKind::UseAfterReturn, op) => {
                self.pass_access(machine, st, op)
            }
            _ => Ok(false),
        }
    }

    fn pass_call<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        kind: BugKind,
        site: CallId,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let site = self.image.program.call(site);
        let Callee::Direct(func) = site.callee else { return Ok(false) };
        if self.image.program.function(func).defined {
            return Ok(false);
        }
        let Ok(args) = self.outward_args(st, site, func) else { return Ok(false) };
        machine.pass_call(self, st, func, &args, kind)
    }

    /// An access outside of all objects: what it reads may be anything, what it writes is left out.
    fn pass_access<M>(&mut self, machine: &mut M, st: &mut State<X>, op: Op) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        match op {
            Op::Store { .. } | Op::StoreMany { .. } => Ok(true),
            Op::Load { bytes, w, dst, .. } => {
                let Some(read) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                let value = self.pool.extract(read, 0, w.into());
                self.put(st, dst, value);
                Ok(true)
            }
            Op::LoadMany { layout, dst, .. } => {
                let image = self.image;
                for (slot, piece) in (0..).zip(&image.program.layouts[layout.index()].pieces) {
                    let Some(read) = self.anything(machine, st, piece.bytes.into()) else {
                        return Ok(false);
                    };
                    let value = self.pool.extract(read, 0, piece.bits.into());
                    self.put(st, dst.plus(slot), value);
                }
                Ok(true)
            }
            Op::AtomicRmw { bytes, dst, .. } => {
                let Some(old) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                self.put_wide(st, dst, old);
                Ok(true)
            }
            Op::CompareExchange { bytes, dst, expected, .. } => {
                let Some(old) = self.anything(machine, st, bytes.into()) else { return Ok(false) };
                let bits = u32::from(bytes) * 8;
                let success = self.pool.eq(old, self.wide_term(st, expected, bits));
                self.put_wide(st, dst, old);
                self.put(st, dst.plus(words(bits)), success);
                Ok(true)
            }
            Op::MemCopy { to, from, len, .. } => {
                let (to, from, len) = (self.get(st, to), self.get(st, from), self.get(st, len));
                self.pass_copy(machine, st, to, from, len)
            }
            Op::MemSet { to, val, len } => {
                let (to, val, len) = (self.get(st, to), self.get(st, val), self.get(st, len));
                self.pass_fill(st, to, val, len);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// A `memcpy` of ranges that overlap: it is a `memmove`.
    pub fn pass_overlap(
        &mut self,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: Reg,
    ) -> Result<bool, Stop> {
        let Some(len) = self.known(st, len) else { return Ok(false) };
        match self.copy_block(st, CopyKind::Overlapping, to, from, len) {
            Ok(()) => Ok(true),
            Err(Halt::Flow(_)) => Ok(false),
            Err(Halt::Stop(stop)) => Err(stop),
        }
    }

    /// A copy of a block that is partly not there, byte by byte: what is not there may be anything, and
    /// what cannot be written is left out.
    pub fn pass_copy<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        to: Reg,
        from: Reg,
        len: Reg,
    ) -> Result<bool, Stop>
    where
        M: Machine<Extra = X>,
    {
        let (Some(to), Some(len)) = (self.known(st, to), self.known(st, len)) else {
            return Ok(true);
        };
        if len > MAX_BLOCK_BYTES {
            return Ok(true);
        }
        let from = self.known(st, from);
        let mut bytes = Vec::with_capacity(len as usize);
        for i in 0..len {
            let read = from.map(|from| st.mem.read(self.pool, from.wrapping_add(i), 1));
            let byte = match read {
                Some(Ok(value)) => Some(value.term(self.pool, 8)),
                _ => self.anything(machine, st, 1),
            };
            let Some(byte) = byte else { return Ok(false) };
            bytes.push(byte);
        }
        for (i, byte) in (0..).zip(bytes) {
            self.write_if_there(st, to.wrapping_add(i), byte);
        }
        Ok(true)
    }

    /// Fills of a block what is there with the lowest byte of a value.
    pub fn pass_fill(&mut self, st: &mut State<X>, to: Reg, val: Reg, len: Reg) {
        let value = match val.term() {
            None => self.pool.constant(8, val.bits() & 0xff),
            Some(term) => self.pool.extract(term, 0, 8),
        };
        if let (Some(to), Some(len @ ..=MAX_BLOCK_BYTES)) =
            (self.known(st, to), self.known(st, len))
        {
            (0..len).for_each(|i| self.write_if_there(st, to.wrapping_add(i), value));
        }
    }

    fn write_if_there(&mut self, st: &mut State<X>, address: u64, byte: TermId) {
        // A byte that is not there is left out.
        let _ = st.mem.write(self.pool, address, byte);
    }

    /// The only value of a register on this path, if that is plain to see.
    fn known(&self, st: &State<X>, reg: Reg) -> Option<u64> {
        match reg.term() {
            None => Some(reg.bits()),
            Some(term) => self.pool.as_const(st.path.simplify(self.pool, term)),
        }
    }

    /// Bytes that may be anything, as one value of that many.
    fn anything<M>(&mut self, machine: &mut M, st: &mut State<X>, bytes: u32) -> Option<TermId>
    where
        M: Machine<Extra = X>,
    {
        let read = machine.anything(self, st, bytes)?;
        let term = |byte: &ByteValue| match *byte {
            ByteValue::Concrete(byte) => self.pool.constant(8, byte.into()),
            ByteValue::Symbolic(term) => term,
        };
        // The first byte is the lowest.
        read.iter().map(term).reduce(|low, high| self.pool.concat(high, low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_for_kinds_lines_and_functions() {
        assert_eq!(IgnoredPlace::parse("leak"), IgnoredPlace::Kind(BugKind::Leak));
        let line = IgnoredPlace::Line { file: "src/a.c".to_owned(), line: 7 };
        assert_eq!(IgnoredPlace::parse("src/a.c:7"), line);
        assert_eq!(IgnoredPlace::parse("ns::f"), IgnoredPlace::Function("ns::f".to_owned()));
        for text in ["leak", "src/a.c:7", "ns::f"] {
            assert_eq!(IgnoredPlace::parse(text).to_string(), text);
        }
    }

    #[test]
    fn files_are_named_by_the_end_of_their_path() {
        assert!(is_file("/proj/src/a.c", "a.c") && is_file("a.c", "a.c"));
        assert!(is_file("/proj/src/a.c", "src/a.c"));
        assert!(!is_file("/proj/src/ba.c", "a.c") && !is_file("a.c", "src/a.c"));
    }

    #[test]
    fn nothing_is_ignored_but_what_was_named() {
        let mut ignored = IgnoredBugs::default();
        ignored.add(IgnoredPlace::parse("overlap"));
        ignored.add(IgnoredPlace::parse("a.c:3"));
        assert!(ignored.covers(BugKind::Overlap, "f", "b.c", 9));
        assert!(ignored.covers(BugKind::Leak, "f", "x/a.c", 3));
        assert!(!ignored.covers(BugKind::Leak, "f", "x/a.c", 4));
    }
}
