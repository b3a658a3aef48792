//! Rules for `ite`.

use super::Rewriter;
use crate::id::TermId;
use crate::node::TermNode;
use crate::op::UnOp;

impl Rewriter<'_> {
    pub(super) fn ite(&self, c: TermId, t: TermId, e: TermId) -> TermId {
        match self.node(c) {
            // ite(true, t, e)  =>  t;  ite(false, t, e)  =>  e
            TermNode::Const(value) => return if value == 1 { t } else { e },
            // ite(!c, t, e)  =>  ite(c, e, t)
            TermNode::Unary(UnOp::Not, inner) => return self.ite(inner, e, t),
            _ => {}
        }
        // ite(c, t, t)  =>  t
        if t == e {
            return t;
        }
        if !self.spend() {
            return self.pool.raw_ite(c, t, e);
        }
        if self.width(t) == 1 {
            return self.ite_bool(c, t, e);
        }
        // ite(c, ite(c, x, y), e)  =>  ite(c, x, e);  ite(c, t, ite(c, x, y))  =>  ite(c, t, y)
        if let TermNode::Ite(d, x, _) = self.node(t)
            && d == c
        {
            return self.ite(c, x, e);
        }
        if let TermNode::Ite(d, _, y) = self.node(e)
            && d == c
        {
            return self.ite(c, t, y);
        }
        self.ite_of_flags(c, t, e)
            .or_else(|| self.ite_merge(c, t, e))
            .unwrap_or_else(|| self.pool.raw_ite(c, t, e))
    }

    /// Truth values: an `ite` with a decided side is a connective.
    fn ite_bool(&self, c: TermId, t: TermId, e: TermId) -> TermId {
        let (yes, no) = (self.pool.bool(true), self.pool.bool(false));
        // ite(c, true, e)  =>  c | e, also for t = c
        if t == yes || t == c {
            return self.or(c, e);
        }
        // ite(c, false, e)  =>  !c & e, also for t = !c
        if t == no || self.complementary(t, c) {
            return self.and(self.not(c), e);
        }
        // ite(c, t, false)  =>  c & t, also for e = c
        if e == no || e == c {
            return self.and(c, t);
        }
        // ite(c, t, true)  =>  !c | t, also for e = !c
        if e == yes || self.complementary(e, c) {
            return self.or(self.not(c), t);
        }
        // ite(c, t, !t)  =>  c == t
        if self.complementary(t, e) {
            return self.eq(c, t);
        }
        self.ite_merge(c, t, e).unwrap_or_else(|| self.pool.raw_ite(c, t, e))
    }

    /// Choices between 0 and 1, or 0 and -1, are extensions of the condition.
    fn ite_of_flags(&self, c: TermId, t: TermId, e: TermId) -> Option<TermId> {
        let width = self.width(t);
        if self.is_zero(e) {
            // ite(c, 1, 0)  =>  zext(c)
            if self.is_one(t) {
                return Some(self.zext(c, width));
            }
            // ite(c, -1, 0)  =>  sext(c)
            return self.is_ones(t).then(|| self.sext(c, width));
        }
        if self.is_zero(t) {
            // ite(c, 0, 1)  =>  zext(!c)
            if self.is_one(e) {
                return Some(self.zext(self.not(c), width));
            }
            // ite(c, 0, -1)  =>  sext(!c)
            return self.is_ones(e).then(|| self.sext(self.not(c), width));
        }
        None
    }

    /// Two nested choices with a common outcome are one choice.
    fn ite_merge(&self, c: TermId, t: TermId, e: TermId) -> Option<TermId> {
        if let TermNode::Ite(d, x, y) = self.node(t) {
            // ite(c, ite(d, x, e), e)  =>  ite(c & d, x, e)
            if y == e {
                return Some(self.ite(self.and(c, d), x, e));
            }
            // ite(c, ite(d, e, y), e)  =>  ite(c & !d, y, e)
            if x == e {
                return Some(self.ite(self.and(c, self.not(d)), y, e));
            }
        }
        if let TermNode::Ite(d, x, y) = self.node(e) {
            // ite(c, t, ite(d, t, y))  =>  ite(c | d, t, y)
            if x == t {
                return Some(self.ite(self.or(c, d), t, y));
            }
            // ite(c, t, ite(d, x, t))  =>  ite(c | !d, t, x)
            if y == t {
                return Some(self.ite(self.or(c, self.not(d)), t, x));
            }
        }
        None
    }
}
