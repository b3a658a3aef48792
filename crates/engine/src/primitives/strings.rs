//! Memory and string functions of the C library, at native speed.
//!
//! Concrete bytes are searched, compared and copied a page at a time. Where symbolic bytes decide
//! how far a function goes, its result is an expression over them, or the path forks over the places
//! at which it can stop: [`StringMode`] says which, and by default the number of places and the use
//! that the program makes of the result decide (`uses.rs`). Either way a byte is touched if and only if the
//! plain C loop touches it, so that reading past the end of an object is found exactly; the ranges of
//! `memcmp`, `memmem` and `memrchr` count as touched as a whole.
//!
//! A function is a method of [`StringCall`], by family: `compare.rs`, `find.rs`, `copy.rs`,
//! `substring.rs`. All of them rest on [`StopChain`]: the places at which a search can stop, in order.
//!
//! Invariant: nothing is written before the last point at which the path can fork, since a sibling
//! executes the whole call again.

mod chain;
mod compare;
mod copy;
mod find;
mod pair;
mod search;
mod set;
mod substring;
#[cfg(test)]
mod tests;
mod uses;
mod view;

use everett_expr::TermId;
use everett_interp::{AccessPurpose, BugKind, Flow, Halt, Reg, Stop};
use everett_ir::{CopyKind, FuncId};

use super::Primitives;
use super::call::PrimitiveCall;
use crate::api::config::StringMode;
use crate::state::node_state::{Interpreter, PathState};
use chain::StopChain;
use uses::ResultUse;
pub(crate) use uses::ResultUses;

macro_rules! functions {
    ($($name:literal => $variant:ident),* $(,)?) => {
        /// A memory or string function.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum StringFunction { $($variant),* }

        /// Names and what they stand for.
        pub(super) const TABLE: &[(&str, StringFunction)] = &[$(($name, StringFunction::$variant)),*];
        const NAMES: &[&str] = &[$($name),*];
    };
}

functions! {
    "memcpy" => Memcpy,
    "mempcpy" => Mempcpy,
    "memmove" => Memmove,
    "memset" => Memset,
    "bzero" => Bzero,
    "memcmp" => Memcmp,
    "bcmp" => Bcmp,
    "memchr" => Memchr,
    "memrchr" => Memrchr,
    "rawmemchr" => Rawmemchr,
    "memmem" => Memmem,
    "strlen" => Strlen,
    "strnlen" => Strnlen,
    "strcmp" => Strcmp,
    "strncmp" => Strncmp,
    "strcasecmp" => Strcasecmp,
    "strncasecmp" => Strncasecmp,
    "strchr" => Strchr,
    "strchrnul" => Strchrnul,
    "strrchr" => Strrchr,
    "strspn" => Strspn,
    "strcspn" => Strcspn,
    "strpbrk" => Strpbrk,
    "strstr" => Strstr,
    "strcpy" => Strcpy,
    "stpcpy" => Stpcpy,
    "strncpy" => Strncpy,
    "stpncpy" => Stpncpy,
    "strcat" => Strcat,
    "strncat" => Strncat,
    "strlcpy" => Strlcpy,
    "strlcat" => Strlcat,
    "strdup" => Strdup,
    "strndup" => Strndup,
}

/// The memory and string functions that the engine implements.
pub fn string_functions() -> &'static [&'static str] {
    NAMES
}

/// A call in progress.
pub(super) struct StringCall<'c, 'a> {
    cx: &'c mut Interpreter<'a>,
    st: &'c mut PathState,
    mode: StringMode,
    function: StringFunction,
    uses: &'c mut ResultUses,
}

impl StringCall<'_, '_> {
    /// The bytes from an address on that are concrete and lie one behind the other. None in a state whose
    /// accesses are watched: these are logged where they are made.
    fn at_hand(&self, address: u64) -> &[u8] {
        match self.st.watch() {
            None => self.st.mem.at_hand(address),
            Some(_) => &[],
        }
    }

    /// Copies bytes that are at hand. Returns false if they are not, or if accesses are watched.
    fn copy_at_hand(&mut self, to: u64, from: u64, bytes: u64) -> bool {
        self.st.watch().is_none() && self.st.mem.copy_at_hand(self.cx.pool, to, from, bytes)
    }

    /// Logs an access, if accesses are watched.
    fn log(&mut self, address: u64, bytes: u64, purpose: AccessPurpose) {
        if self.st.watch().is_some() {
            let is_write = purpose == AccessPurpose::Write;
            self.cx.log_access(self.st, address, bytes, is_write);
        }
    }
}

/// Outcomes of a function that the path forks over rather than carry them along, at most.
const FEW_CASES: usize = 16;

impl Primitives {
    /// Executes a memory or string function.
    pub(super) fn string_function(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        function: StringFunction,
    ) -> Result<Flow, Halt> {
        let args = [0, 1, 2, 3].map(|index| call.arg(index));
        let (cx, st, mode) = (&mut *call.cx, &mut *call.st, self.strings);
        let mut uses = std::mem::take(&mut self.result_uses);
        let result = StringCall { cx, st, mode, function, uses: &mut uses }.result(self, args);
        self.result_uses = uses;
        call.returns(result?)
    }

    /// Does what is left of a memory or string function that an ignored bug is in: copies and fills write
    /// what is there, or nothing, and lengths and comparisons may be anything.
    pub(super) fn pass_string_function(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        function: StringFunction,
        func: FuncId,
        kind: BugKind,
    ) -> Result<bool, Stop> {
        let (to, from, len) = (call.arg(0), call.arg(1), call.arg(2));
        let is_access =
            matches!(kind, BugKind::OutOfBounds | BugKind::UseAfterFree | BugKind::UseAfterReturn);
        let passes = match function {
            StringFunction::Memcpy if kind == BugKind::Overlap => {
                call.cx.pass_overlap(call.st, to, from, len)?
            }
            StringFunction::Memcpy | StringFunction::Memmove if is_access => {
                call.cx.pass_copy(self, call.st, to, from, len)?
            }
            StringFunction::Memset if is_access => {
                call.cx.pass_fill(call.st, to, from, len);
                true
            }
            StringFunction::Strcpy
            | StringFunction::Strncpy
            | StringFunction::Strcat
            | StringFunction::Strncat => is_access,
            StringFunction::Strlen
            | StringFunction::Strnlen
            | StringFunction::Strcmp
            | StringFunction::Strncmp
            | StringFunction::Strcasecmp
            | StringFunction::Strncasecmp
            | StringFunction::Memcmp
            | StringFunction::Bcmp
                if is_access =>
            {
                return Ok(Halt::flow_of(self.fresh_result(call, func))? == Flow::Next);
            }
            _ => false,
        };
        if passes {
            call.set_result(to);
        }
        Ok(passes)
    }
}

impl StringCall<'_, '_> {
    fn result(&mut self, machine: &mut Primitives, args: [Reg; 4]) -> Result<Reg, Halt> {
        let [a, b, c, d] = args;
        match self.function {
            StringFunction::Memcpy => self.memcpy(a, b, c, CopyKind::Disjoint),
            StringFunction::Mempcpy => self.mempcpy(a, b, c),
            StringFunction::Memmove => self.memcpy(a, b, c, CopyKind::Overlapping),
            StringFunction::Memset => self.memset(a, b, c),
            StringFunction::Bzero => self.memset(a, Reg::word(0), b),
            StringFunction::Memcmp => self.memcmp(a, b, c),
            StringFunction::Bcmp => self.bcmp(a, b, c),
            StringFunction::Memchr => self.memchr(a, b, c),
            StringFunction::Memrchr => self.memrchr(a, b, c),
            StringFunction::Rawmemchr => self.rawmemchr(a, b),
            StringFunction::Memmem => self.memmem(a, b, c, d),
            StringFunction::Strlen => self.strlen(a),
            StringFunction::Strnlen => self.strnlen(a, b),
            StringFunction::Strcmp => self.strcmp(a, b),
            StringFunction::Strncmp => self.strncmp(a, b, c),
            StringFunction::Strcasecmp => self.strcasecmp(a, b),
            StringFunction::Strncasecmp => self.strncasecmp(a, b, c),
            StringFunction::Strchr => self.strchr(a, b),
            StringFunction::Strchrnul => self.strchrnul(a, b),
            StringFunction::Strrchr => self.strrchr(a, b),
            StringFunction::Strspn => self.strspn(a, b),
            StringFunction::Strcspn => self.strcspn(a, b),
            StringFunction::Strpbrk => self.strpbrk(a, b),
            StringFunction::Strstr => self.strstr(a, b),
            StringFunction::Strcpy => self.strcpy(a, b),
            StringFunction::Stpcpy => self.stpcpy(a, b),
            StringFunction::Strncpy => self.strncpy(a, b, c),
            StringFunction::Stpncpy => self.stpncpy(a, b, c),
            StringFunction::Strcat => self.strcat(a, b),
            StringFunction::Strncat => self.strncat(a, b, c),
            StringFunction::Strlcpy => self.strlcpy(a, b, c),
            StringFunction::Strlcat => self.strlcat(a, b, c),
            StringFunction::Strdup => self.strdup(machine, a, None),
            StringFunction::Strndup => self.strdup(machine, a, Some(b)),
        }
    }

    /// The function's name.
    fn name(&self) -> &'static str {
        NAMES[self.function as usize]
    }

    /// The concrete value of an argument, forking over its values.
    fn settle(&mut self, value: Reg) -> Result<u64, Halt> {
        Ok(self.cx.fork_over(self.st, value, self.cx.config.max_targets)?)
    }

    /// The outcomes of a chain, or one of them: where the program goes on to use the result as a number,
    /// and few cases are possible, the path forks over them.
    fn settle_result<R: Copy + PartialEq>(
        &mut self,
        chain: StopChain<R>,
    ) -> Result<StopChain<R>, Halt> {
        if self.mode != StringMode::Auto || !self.is_worth_forks(&chain) {
            return Ok(chain);
        }
        let use_ = self.uses.of(self.st.program, &self.cx.image.program, self.st.pc());
        if use_ == ResultUse::Compared { Ok(chain) } else { self.settle_few(chain) }
    }

    /// The same for a chain that decides what memory holds afterwards, which is always used.
    fn settle_effect<R: Copy + PartialEq>(
        &mut self,
        chain: StopChain<R>,
    ) -> Result<StopChain<R>, Halt> {
        if self.mode != StringMode::Auto || !self.is_worth_forks(&chain) {
            return Ok(chain);
        }
        self.settle_few(chain)
    }

    fn settle_few<R: Copy>(&mut self, chain: StopChain<R>) -> Result<StopChain<R>, Halt> {
        Ok(StopChain { last: self.settle_chain(&chain)?, links: Vec::new() })
    }

    /// Returns `true` if a chain has few cases. Many that one byte decides, such as the places of a
    /// character in an alphabet, stay together: whatever is computed from one byte is decided without a
    /// solver.
    fn is_worth_forks<R: PartialEq>(&self, chain: &StopChain<R>) -> bool {
        let pool = self.cx.pool;
        let [(first, _), rest @ ..] = &chain.links[..] else { return false };
        if rest.len() <= 1 {
            return true;
        }
        let mut outcomes: Vec<&R> = Vec::new();
        for (_, outcome) in &chain.links {
            if !outcomes.contains(&outcome) {
                outcomes.push(outcome);
            }
            if outcomes.len() > FEW_CASES {
                return false;
            }
        }
        let support = pool.support_id(*first);
        let same = |(condition, _): &(TermId, R)| pool.support_id(*condition) == support;
        pool.support(*first).len() > 1 || !rest.iter().all(same)
    }

    /// The result of a chain: a word, or an expression of `width` bits.
    fn fold<R>(&self, chain: &StopChain<R>, width: u32, value: impl Fn(&R) -> Reg) -> Reg {
        if chain.links.is_empty() {
            return value(&chain.last);
        }
        let cx = &*self.cx;
        let term = |outcome: &R| cx.reg_term(value(outcome), width);
        let last = term(&chain.last);
        let folded = chain
            .links
            .iter()
            .rev()
            .fold(last, |rest, (stops, outcome)| cx.pool.ite(*stops, term(outcome), rest));
        cx.term_reg(folded)
    }
}
