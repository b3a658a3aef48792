//! A call of a primitive in progress: [`PrimitiveCall`].
//!
//! Not here: system calls, which have more to them (`everett-posix`); string functions, whose calls know
//! how their results are used (`strings.rs`).

use everett_interp::{AccessTarget, BugKind, CallArgs, Flow, Halt, Reg, Stop};
use everett_memory::ByteValue;

use crate::state::node_state::{Interpreter, PathState, bug};

/// Longest name that is read.
const MAX_NAME_BYTES: u64 = 1 << 16;

/// A call of a primitive in progress: everything that its handler works with.
///
/// Settling a value may fork, and the siblings execute the call again. So a handler settles its arguments
/// before it changes anything.
pub(super) struct PrimitiveCall<'c, 'a> {
    pub(super) cx: &'c mut Interpreter<'a>,
    pub(super) st: &'c mut PathState,
    pub(super) args: &'c CallArgs<'c>,
}

impl PrimitiveCall<'_, '_> {
    /// Argument `index` as it was passed; it may be symbolic.
    pub(super) fn arg(&self, index: usize) -> Reg {
        self.args.get(index)
    }

    /// Argument `index`; a symbolic one forks over its values.
    pub(super) fn settle(&mut self, index: usize) -> Result<u64, Stop> {
        self.settle_value(self.arg(index))
    }

    /// Argument `index` where it is a size or a switch, of which fewer values are worth a path.
    pub(super) fn settle_size(&mut self, index: usize) -> Result<u64, Stop> {
        self.cx.fork_over(self.st, self.args.get(index), self.cx.config.max_sizes)
    }

    /// A value; a symbolic one forks over its values.
    pub(super) fn settle_value(&mut self, value: Reg) -> Result<u64, Stop> {
        self.cx.fork_over(self.st, value, self.cx.config.max_targets)
    }

    /// The address that an access goes to; a symbolic offset forks.
    pub(super) fn settle_spot(&mut self, spot: AccessTarget) -> Result<u64, Stop> {
        match spot {
            AccessTarget::Known(address) => Ok(address),
            AccessTarget::Within { object, offset } => {
                Ok(object.base + self.settle_value(Reg::symbolic(offset))?)
            }
        }
    }

    /// Writes the result of the call.
    pub(super) fn set_result(&mut self, value: Reg) {
        self.cx.return_value(self.st, self.args, value);
    }

    /// Ends the call with a result.
    pub(super) fn returns(&mut self, value: Reg) -> Result<Flow, Halt> {
        self.set_result(value);
        Ok(Flow::Next)
    }

    /// The C string that a primitive is given as its `what`. Symbolic bytes fork. Anything else than a
    /// string is the user's error.
    pub(super) fn string(&mut self, what: &str, pointer: Reg) -> Result<String, Halt> {
        let wrong = |why: String| {
            let message = format!("the {what} is no string: {why}");
            Err(bug(BugKind::UserError, message).into())
        };
        let address = self.settle_value(pointer)?;
        let nothing = || format!("there is nothing at {address:#x}");
        let Ok(object) = self.st.mem.check(address, 1) else { return wrong(nothing()) };
        let len = (object.end() - address).min(MAX_NAME_BYTES);
        let Ok(bytes) = self.st.mem.read_each(self.cx.pool, address, len) else {
            return wrong(nothing());
        };
        let mut string = Vec::new();
        for byte in bytes {
            let byte = match byte {
                ByteValue::Concrete(byte) => byte,
                ByteValue::Symbolic(term) => self.settle_value(Reg::symbolic(term))? as u8,
            };
            if byte == 0 {
                return Ok(String::from_utf8_lossy(&string).into_owned());
            }
            string.push(byte);
        }
        wrong("its object ends before it does".to_owned())
    }

    /// The name of an input; one that has none is `unnamed`, as in KLEE.
    pub(super) fn input_name(&mut self, function: &str, pointer: Reg) -> Result<String, Halt> {
        let unnamed = || "unnamed".to_owned();
        if pointer == Reg::word(0) {
            return Ok(unnamed());
        }
        let name = self.string(&format!("name for {function}"), pointer)?;
        Ok(if name.is_empty() { unnamed() } else { name })
    }

    /// A C string for a message; memory that cannot be read is shown as a question mark.
    pub(super) fn text(&mut self, pointer: Reg) -> Result<String, Stop> {
        Ok(match self.cx.example_string(self.st, pointer)? {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => "?".to_owned(),
        })
    }
}
