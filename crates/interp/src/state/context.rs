//! [`ThreadContext`]: a thread that does not run.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_ir::GlobalId;

use crate::state::State;
use crate::state::rare::RareThreadData;
use crate::state::stack::Stack;

/// A thread that waits for its turn: everything of it that a [`State`] holds while it runs.
///
/// Cloning costs what the innermost frame holds: a waiting thread's callers are shared.
#[derive(Clone, Debug, Default)]
pub struct ThreadContext {
    stack: Stack,
    thread_pointer: u64,
    rare: Option<Arc<RareThreadData>>,
}

everett_base::portable!(struct ThreadContext { stack, thread_pointer, rare });

impl Apart for ThreadContext {
    fn apart(&mut self, copies: &mut Copies) {
        let ThreadContext { stack, thread_pointer: _, rare } = self;
        stack.apart(copies);
        rare.apart(copies);
    }
}

impl ThreadContext {
    /// A thread without frames.
    pub fn new() -> ThreadContext {
        ThreadContext::default()
    }

    /// Returns true if it has instances of thread-local variables of its own.
    pub fn has_own_locals(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| !rare.locals.is_empty())
    }

    /// Gives it more instances of thread-local variables of its own.
    pub fn add_locals(&mut self, locals: BTreeMap<GlobalId, u64>) {
        Arc::make_mut(self.rare.get_or_insert_default()).locals.extend(locals);
    }

    /// Its call stack.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }
}

impl<X: Clone> State<X> {
    /// Exchanges the running thread with another one of the same process.
    pub fn swap_thread(&mut self, other: &mut ThreadContext) {
        let ThreadContext { stack, thread_pointer, rare } = other;
        self.stack.share();
        std::mem::swap(&mut self.stack, stack);
        std::mem::swap(&mut self.thread_pointer, thread_pointer);
        std::mem::swap(&mut self.rare, rare);
    }

    /// A copy of the running thread, for a process that begins as a copy of this one.
    pub fn copy_thread(&mut self) -> ThreadContext {
        ThreadContext {
            stack: self.stack.fork(),
            thread_pointer: self.thread_pointer,
            rare: self.rare.clone(),
        }
    }
}
