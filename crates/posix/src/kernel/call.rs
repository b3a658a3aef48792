//! A system call in progress: its arguments, the program's memory, the node.

use everett_expr::TermId;
use everett_interp::{AccessPurpose, Interp, Reg, State, ValueUse};
use everett_memory::{ByteValue, MemoryFault};
use smallvec::SmallVec;
use syscalls::{Errno, Sysno};

use crate::config::FaultKind;
use crate::kernel::reply::{Answer, CallHalt};
use crate::kernel::{Guest, Kernel};
use crate::state::file::descriptor::Descriptor;
use crate::state::ids::{FileId, Time};
use crate::state::node::Node;
use crate::state::wait::EndedWait;

/// Longest path name, with its terminator.
pub(crate) const PATH_MAX: usize = 4096;

/// The handler of a system call.
pub(crate) type Handler<X> = fn(&mut Call<'_, '_, X>) -> Answer;

/// A system call in progress: everything that its handler works with.
pub(crate) struct Call<'c, 'a, X> {
    pub(crate) kernel: &'c mut Kernel,
    pub(crate) cx: &'c mut Interp<'a, X>,
    pub(crate) st: &'c mut State<X>,
    pub(crate) sysno: Sysno,
    /// Name of the call, for messages.
    pub(crate) name: &'static str,
    pub(crate) args: [Reg; 6],
    /// Kinds of faults that this execution of the call has asked for.
    pub(crate) asked: SmallVec<[FaultKind; 4]>,
}

impl<X: Guest> Call<'_, '_, X> {
    /// The node.
    pub(crate) fn node(&self) -> &Node {
        self.st.extra.node()
    }

    /// The node, to change it.
    pub(crate) fn node_mut(&mut self) -> &mut Node {
        self.st.extra.node_mut()
    }

    // ---- arguments -------------------------------------------------------------------------

    /// Argument `index` as it was passed; it may be symbolic.
    pub(crate) fn reg(&self, index: usize) -> Reg {
        self.args[index]
    }

    /// Argument `index`; a symbolic one forks over its values.
    pub(crate) fn arg(&mut self, index: usize) -> Result<u64, CallHalt> {
        self.settle(self.args[index])
    }

    /// Argument `index` as an `int` or `unsigned`: its low 32 bits.
    pub(crate) fn arg32(&mut self, index: usize) -> Result<u32, CallHalt> {
        Ok(self.arg(index)? as u32)
    }

    /// A value; a symbolic one forks over its values, each of which executes the call again. So
    /// nothing may have been changed before.
    pub(crate) fn settle(&mut self, value: Reg) -> Result<u64, CallHalt> {
        let value = self.cx.use_reg(self.st, value, ValueUse::Kernel(self.name));
        Ok(self.cx.fork_over(self.st, value, self.cx.config.max_targets)?)
    }

    /// Returns true if a condition holds; where it can be either, the paths on which it holds are split off
    /// and execute the call again.
    pub(crate) fn decide(&mut self, condition: TermId) -> Result<bool, CallHalt> {
        let condition = self.cx.use_term(self.st, condition, ValueUse::Kernel(self.name));
        Ok(self.cx.split_sibling(self.st, condition)?)
    }

    /// A length that matters only up to `most`: larger values are all the same and give `most`; a
    /// symbolic one forks over the smaller values.
    pub(crate) fn length(&mut self, value: Reg, most: u64) -> Result<u64, CallHalt> {
        let Some(term) = value.term() else { return Ok(value.bits().min(most)) };
        let pool = self.cx.pool;
        let width = pool.width(term);
        let enough = pool.uge(term, pool.constant(width, most));
        if self.decide(enough)? {
            return Ok(most);
        }
        self.settle(value)
    }

    /// The open file of the descriptor in argument `index`.
    pub(crate) fn file_arg(&mut self, index: usize) -> Result<FileId, CallHalt> {
        Ok(self.descriptor_arg(index)?.file)
    }

    /// The entry of the descriptor in argument `index`. A symbolic descriptor forks over the open
    /// ones; all that are not open are one path.
    pub(crate) fn descriptor_arg(&mut self, index: usize) -> Result<Descriptor, CallHalt> {
        let value = self.args[index];
        let Some(term) = value.term() else {
            return Ok(self.node().descriptor(value.bits() as u32)?);
        };
        let pool = self.cx.pool;
        let low = self.cx.resize(term, 32);
        let open: Vec<(u32, Descriptor)> = self.node().process().descriptors.iter().collect();
        for (number, entry) in open {
            if self.decide(pool.eq(low, pool.constant(32, number.into())))? {
                return Ok(entry);
            }
        }
        Err(Errno::EBADF.into())
    }

    // ---- waiting ---------------------------------------------------------------------------

    /// The end of the thread's wait, when the call is executed again after one.
    pub(crate) fn resumed(&self) -> Option<EndedWait> {
        self.node().thread().resumed
    }

    /// Returns true if the deadline of this call has passed.
    pub(crate) fn timed_out(&self) -> bool {
        self.resumed().is_some_and(|resumed| resumed.timed_out)
    }

    /// The deadline of a call that waits for `timeout` nanoseconds at most, the same each time that
    /// the call is executed again.
    pub(crate) fn deadline(&self, timeout: Option<Time>) -> Option<Time> {
        match self.resumed() {
            Some(resumed) => resumed.deadline,
            None => timeout.map(|timeout| self.node().clock.now.saturating_add(timeout)),
        }
    }

    // ---- the program's memory --------------------------------------------------------------

    /// The outcome of an access that memory refuses: a pointer to nowhere is `EFAULT`; one that just
    /// misses an object, or whose object is gone, is a bug.
    fn refused(&self, fault: &MemoryFault, purpose: AccessPurpose) -> CallHalt {
        match fault {
            MemoryFault::Null { .. }
            | MemoryFault::Unmapped { .. }
            | MemoryFault::Code { .. }
            | MemoryFault::Protected { .. } => Errno::EFAULT.into(),
            fault => self.cx.fault(fault, purpose).into(),
        }
    }

    /// Checks that a range can be written, so that a call can be refused before it changes things.
    pub(crate) fn check_writable(&mut self, address: u64, len: u64) -> Result<(), CallHalt> {
        if len == 0 {
            return Ok(());
        }
        match self.st.mem.check_write(address, len) {
            Ok(_) => Ok(()),
            Err(fault) => Err(self.refused(&fault, AccessPurpose::Write)),
        }
    }

    /// Checks that a range can be read.
    pub(crate) fn check_readable(&mut self, address: u64, len: u64) -> Result<(), CallHalt> {
        if len == 0 {
            return Ok(());
        }
        match self.st.mem.check(address, len) {
            Ok(_) => Ok(()),
            Err(fault) => Err(self.refused(&fault, AccessPurpose::Read)),
        }
    }

    /// Reads bytes that may be symbolic.
    pub(crate) fn read(&mut self, address: u64, len: u64) -> Result<Vec<ByteValue>, CallHalt> {
        if len == 0 {
            return Ok(Vec::new());
        }
        self.check_readable(address, len)?;
        let mut known = vec![0; len as usize];
        if self.st.mem.read_bytes(address, &mut known) {
            return Ok(known.into_iter().map(ByteValue::Concrete).collect());
        }
        match self.st.mem.read_each(self.cx.pool, address, len) {
            Ok(bytes) => Ok(bytes),
            Err(fault) => Err(self.refused(&fault, AccessPurpose::Read)),
        }
    }

    /// Reads bytes if all of them are concrete.
    pub(crate) fn read_concrete(
        &mut self,
        address: u64,
        len: u64,
    ) -> Result<Option<Vec<u8>>, CallHalt> {
        self.check_readable(address, len)?;
        if len == 0 {
            return Ok(Some(Vec::new()));
        }
        Ok(self.st.mem.bytes(address, len))
    }

    /// Reads bytes and settles each: for structures, whose fields are rarely symbolic.
    pub(crate) fn read_settled(&mut self, address: u64, len: u64) -> Result<Vec<u8>, CallHalt> {
        if len > 0
            && let Some(known) = self.read_concrete(address, len)?
        {
            return Ok(known);
        }
        let bytes = self.read(address, len)?;
        bytes.into_iter().map(|byte| self.settle_byte(byte)).collect()
    }

    /// The same of a structure of which the kernel looks at some bytes only, as `looks_at` says of each. Of
    /// the others, those that were never written are as good as any.
    pub(crate) fn read_settled_partly(
        &mut self,
        address: u64,
        len: u64,
        looks_at: impl Fn(u64) -> bool,
    ) -> Result<Vec<u8>, CallHalt> {
        if len > 0
            && let Some(known) = self.read_concrete(address, len)?
        {
            return Ok(known);
        }
        let bytes = self.read(address, len)?;
        let settle = |(at, byte): (u64, ByteValue)| match byte {
            ByteValue::Symbolic(term) if !looks_at(at) => {
                let defined = self.cx.pool.without_undefined(term);
                self.settle_byte(ByteValue::of_term(self.cx.pool, defined))
            }
            byte => self.settle_byte(byte),
        };
        (0..).zip(bytes).map(settle).collect()
    }

    /// Bytes that leave the process. Those that were never written are a finding.
    pub(crate) fn hand_out(&mut self, mut bytes: Vec<ByteValue>) -> Vec<ByteValue> {
        let pool = self.cx.pool;
        let undefined = |byte: &ByteValue| match byte {
            ByteValue::Symbolic(term) => Some(*term).filter(|term| pool.mentions_undefined(*term)),
            ByteValue::Concrete(_) => None,
        };
        let terms: Vec<TermId> = bytes.iter().filter_map(undefined).collect();
        if !terms.is_empty() {
            self.cx.use_terms(self.st, &terms, ValueUse::Output(self.name));
            for byte in &mut bytes {
                if let Some(term) = undefined(byte) {
                    *byte = ByteValue::of_term(pool, pool.without_undefined(term));
                }
            }
        }
        bytes
    }

    /// The value of a byte; a symbolic one forks.
    pub(crate) fn settle_byte(&mut self, byte: ByteValue) -> Result<u8, CallHalt> {
        match byte {
            ByteValue::Concrete(byte) => Ok(byte),
            ByteValue::Symbolic(term) => Ok(self.settle(Reg::symbolic(term))? as u8),
        }
    }

    /// Reads a little-endian number of `bytes` bytes, which may be symbolic.
    pub(crate) fn read_reg(&mut self, address: u64, bytes: u64) -> Result<Reg, CallHalt> {
        self.check_readable(address, bytes)?;
        Ok(self.cx.read_word(self.st, Reg::word(address), bytes)?)
    }

    /// Reads a little-endian number of `bytes` bytes; a symbolic one forks over its values.
    pub(crate) fn read_number(&mut self, address: u64, bytes: u64) -> Result<u64, CallHalt> {
        let number = self.read_reg(address, bytes)?;
        self.settle(number)
    }

    /// The same of a number that the kernel only keeps: bytes that were never written are zero.
    pub(crate) fn read_kept(&mut self, address: u64, bytes: u64) -> Result<u64, CallHalt> {
        let number = match self.read_reg(address, bytes)?.term() {
            Some(term) => self.cx.term_reg(self.cx.pool.without_undefined(term)),
            None => return self.read_number(address, bytes),
        };
        self.settle(number)
    }

    pub(crate) fn read_u32(&mut self, address: u64) -> Result<u32, CallHalt> {
        Ok(self.read_number(address, 4)? as u32)
    }

    pub(crate) fn read_u64(&mut self, address: u64) -> Result<u64, CallHalt> {
        self.read_number(address, 8)
    }

    /// Writes bytes that may be symbolic.
    pub(crate) fn write(&mut self, address: u64, bytes: &[ByteValue]) -> Result<(), CallHalt> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.st.mem.write_each(self.cx.pool, address, bytes) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.refused(&fault, AccessPurpose::Write)),
        }
    }

    /// Writes concrete bytes.
    pub(crate) fn write_concrete(&mut self, address: u64, bytes: &[u8]) -> Result<(), CallHalt> {
        if bytes.is_empty() {
            return Ok(());
        }
        match self.st.mem.write_bytes(address, bytes) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.refused(&fault, AccessPurpose::Write)),
        }
    }

    pub(crate) fn write_u32(&mut self, address: u64, value: u32) -> Result<(), CallHalt> {
        self.write_concrete(address, &value.to_le_bytes())
    }

    pub(crate) fn write_u64(&mut self, address: u64, value: u64) -> Result<(), CallHalt> {
        self.write_concrete(address, &value.to_le_bytes())
    }

    /// Reads a C string of at most `most` bytes with its terminator; `None` if it is longer. Bytes
    /// may be symbolic: one that can be the terminator forks.
    pub(crate) fn read_string(
        &mut self,
        address: u64,
        most: usize,
    ) -> Result<Option<Vec<ByteValue>>, CallHalt> {
        let mut text = Vec::new();
        while text.len() < most {
            let at = address.wrapping_add(text.len() as u64);
            self.check_readable(at, 1)?;
            // What is left of the object, in steps that are not too large.
            let object =
                self.st.mem.check(at, 1).map_err(|f| self.refused(&f, AccessPurpose::Read))?;
            let room = (object.end() - at).min(256).min((most - text.len()) as u64);
            for byte in self.read(at, room)? {
                match byte {
                    ByteValue::Concrete(0) => return Ok(Some(text)),
                    ByteValue::Concrete(_) => text.push(byte),
                    ByteValue::Symbolic(term) => {
                        let pool = self.cx.pool;
                        if self.decide(pool.eq(term, pool.constant(8, 0)))? {
                            return Ok(Some(text));
                        }
                        text.push(byte);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Reads a C string that is an ordinary argument, such as a program's; symbolic bytes fork.
    pub(crate) fn read_text(
        &mut self,
        address: u64,
        most: usize,
    ) -> Result<Option<Vec<u8>>, CallHalt> {
        let Some(text) = self.read_string(address, most)? else { return Ok(None) };
        text.into_iter().map(|byte| self.settle_byte(byte)).collect::<Result<_, _>>().map(Some)
    }

    // ---- ending ----------------------------------------------------------------------------

    /// The stop of a path at something that the kernel does not implement.
    pub(crate) fn unsupported(&self, what: impl std::fmt::Display) -> CallHalt {
        CallHalt::unsupported(self.name, what)
    }

    /// Fails with the flags that are left over when all known ones are taken away.
    pub(crate) fn reject_flags(&self, left: u64) -> Result<(), CallHalt> {
        if left == 0 { Ok(()) } else { Err(self.unsupported(format!("flags {left:#x}"))) }
    }
}
