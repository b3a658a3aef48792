//! Panics of Rust.
//!
//! A function of Rust's standard library goes by the name `rust_panic` in every version, so that debuggers
//! find it: each panic comes through it after its message was printed, be it that the stack unwinds or that
//! the program ends. The loader lets it call [`PANIC`](everett_llvm::PANIC) first.

use everett_interp::{BugKind, Flow, Halt};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::node_state::{bug, written};

/// What the standard library prints before a message.
const BEFORE: &str = "panicked at ";
/// What it prints behind one.
const BEHIND: &str = "\nnote: run with `RUST_BACKTRACE";

impl Primitives {
    /// `__everett_panic()`: behind an ignored one, the program goes on with what a panic does.
    pub(super) fn panic(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let said = written(call.cx.pool, call.st, &call.st.path);
        Ok(bug(BugKind::Panic, message(&String::from_utf8_lossy(&said))))
    }
}

/// The message of the last panic that a program has printed. A program with a hook of its own may print none.
fn message(said: &str) -> String {
    let Some((_, last)) = said.rsplit_once(BEFORE) else { return "a panic".to_owned() };
    let last = last.split_once(BEHIND).map_or(last, |(last, _)| last).trim_end();
    // Older versions print `'message', file:line:column`, newer ones `file:line:column:` and a line for the
    // message.
    let message = match last.strip_prefix('\'') {
        Some(quoted) => quoted.rsplit_once("', ").map(|(message, _)| message),
        None => last.split_once(":\n").map(|(_, message)| message),
    };
    message.unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_all_versions_are_found() {
        let old = "thread 'main' panicked at 'no\nroom', src/main.rs:8:20\nnote: run with `RUST_BACKTRACE=1`";
        assert_eq!(message(old), "no\nroom");
        let new = "thread 'main' panicked at a.rs:1:2:\nfirst\n\nthread 'x' panicked at b.rs:8:20:\n\
                   no\nroom\nnote: run with `RUST_BACKTRACE=1` environment variable\n";
        assert_eq!(message(new), "no\nroom");
        assert_eq!(message("thread 'main' panicked at b.rs:8:20:\nno room\n"), "no room");
        assert_eq!(message("nothing of the kind"), "a panic");
    }
}
