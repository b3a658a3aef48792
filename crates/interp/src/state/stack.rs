//! The call stack of one thread.
//!
//! The innermost frames are *live*: their registers lie in one contiguous vector, so that a call
//! costs no allocation. Forking freezes every frame but the innermost into a persistent list that
//! both sides share; returning into a frozen frame thaws it. So a fork costs the innermost frame,
//! however deep the stack is.
//!
//! Invariant: at least one frame is live while the stack is not empty.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use everett_base::hash::FixedState;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Apart, Copies};
use everett_ir::{CallId, FuncId, Pc};

use crate::state::reg::Reg;

/// One activation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The next op to execute (of a caller: the call that it is in).
    pub pc: Pc,
    /// The creator of this frame.
    entry: FrameEntry,
    /// Address of the variable arguments, 0 where there are none. If it is odd, the address before it is that
    /// of a `va_list` to start with (`ops/varargs.rs`).
    pub var_args: u64,
    /// First register in the live vector.
    base: u32,
    /// First entry in the live list of stack objects.
    objects: u32,
    /// [`Stack::bytes`] without this frame.
    bytes_below: u32,
}

// Each call writes one: the size shows in the time of all programs.
const _: () = assert!(size_of::<Frame>() == 32);

everett_base::portable!(struct Frame { func, pc, entry, var_args, base, objects, bytes_below });

impl Frame {
    /// Bytes that a frame without variables takes natively: a return address, and what aligns it.
    pub(crate) const BYTES: u32 = 16;

    /// The creator of this frame.
    #[inline(always)]
    pub fn entered_by(&self) -> EnteredBy {
        match self.entry.0 {
            call if call & FrameEntry::MISMATCHED == 0 => EnteredBy::Call(CallId(call)),
            FrameEntry::ENGINE => EnteredBy::Engine,
            call => EnteredBy::MismatchedCall(CallId(call & !FrameEntry::MISMATCHED)),
        }
    }
}

/// The creator of a frame, in one word: the number of a call, or [`FrameEntry::ENGINE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FrameEntry(u32);

everett_base::portable!(struct FrameEntry(word));

impl FrameEntry {
    const ENGINE: u32 = u32::MAX;
    /// The bit that a call of another type has beside its number.
    const MISMATCHED: u32 = 1 << 31;

    #[inline(always)]
    fn new(by: EnteredBy) -> FrameEntry {
        FrameEntry(match by {
            EnteredBy::Engine => FrameEntry::ENGINE,
            EnteredBy::Call(call) => call.0,
            EnteredBy::MismatchedCall(call) => call.0 | FrameEntry::MISMATCHED,
        })
    }
}

/// The creator of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnteredBy {
    /// The engine.
    Engine,
    /// A call in the frame below, of the function as what it is.
    Call(CallId),
    /// A call in the frame below as another type: the result is not taken as it is returned.
    MismatchedCall(CallId),
}

/// A frame that several stacks share, with its registers and objects; a return into it makes it live again.
#[derive(Clone, Debug)]
struct FrozenFrame {
    frame: Frame,
    regs: Box<[Reg]>,
    objects: Box<[u64]>,
    parent: Option<Arc<FrozenFrame>>,
}

/// The frames of one thread.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    frozen: Option<Arc<FrozenFrame>>,
    regs: Vec<Reg>,
    /// Addresses of the stack objects of the live frames.
    objects: Vec<u64>,
    frames: Vec<Frame>,
    depth: u32,
    /// Bytes that the native stack has at least.
    bytes: u32,
}

/// A frame as seen from outside, for traces.
#[derive(Clone, Copy, Debug)]
pub struct FrameView {
    /// The function.
    pub func: FuncId,
    /// The op that it is at.
    pub pc: Pc,
}

everett_base::portable!(struct FrameView { func, pc });

impl Apart for Stack {
    fn apart(&mut self, copies: &mut Copies) {
        let Stack { frozen, regs: _, objects: _, frames: _, depth: _, bytes: _ } = self;
        frozen.apart(copies);
    }
}

/// The frame that is returned to next gets a place of its own; those below wait longer.
impl Apart for FrozenFrame {
    fn apart(&mut self, _: &mut Copies) {}
}

/// The frozen frames are the number of the shared frames that they go on with (0 for none), and the others,
/// the outermost first, each of which makes a shared frame: stacks may be deep.
impl Portable for Stack {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let Stack { frozen, regs, objects, frames, depth, bytes } = self;
        let (mut own, mut rest) = (Vec::new(), frozen.as_ref());
        let mut known = None;
        while let Some(frame) = rest {
            known = to.known(Arc::as_ptr(frame));
            if known.is_some() {
                break;
            }
            own.push(frame);
            rest = frame.parent.as_ref();
        }
        to.number(known.map_or(0, |known| known + 1));
        to.number(own.len() as u64);
        for shared in own.into_iter().rev() {
            let FrozenFrame { frame, regs, objects, parent: _ } = &**shared;
            frame.write(to);
            regs.write(to);
            objects.write(to);
            to.note(Arc::as_ptr(shared));
        }
        regs.write(to);
        objects.write(to);
        frames.write(to);
        depth.write(to);
        bytes.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let mut frozen = match from.number()?.checked_sub(1) {
            Some(known) => Some(from.known::<Arc<FrozenFrame>>(known)?),
            None => None,
        };
        for _ in 0..from.count()? {
            let frame = Arc::new(FrozenFrame {
                frame: Portable::read(from)?,
                regs: Portable::read(from)?,
                objects: Portable::read(from)?,
                parent: frozen,
            });
            from.note(frame.clone());
            frozen = Some(frame);
        }
        let stack = Stack {
            frozen,
            regs: Portable::read(from)?,
            objects: Portable::read(from)?,
            frames: Portable::read(from)?,
            depth: Portable::read(from)?,
            bytes: Portable::read(from)?,
        };
        let begins_inside = |frame: &Frame| {
            frame.base as usize <= stack.regs.len() && frame.objects as usize <= stack.objects.len()
        };
        match stack.frames.iter().all(begins_inside) {
            true => Ok(stack),
            false => Err(from.unexpected("frames inside of their stack")),
        }
    }
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Stack {
        Stack::default()
    }

    /// Number of frames.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Bytes that the native stack has at least.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> u32 {
        self.bytes
    }

    /// Returns true if no frame is left.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The innermost frame.
    #[inline(always)]
    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a running thread has a frame")
    }

    /// The innermost frame, to change.
    #[inline(always)]
    pub fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a running thread has a frame")
    }

    /// The registers of the innermost frame.
    #[inline(always)]
    pub fn regs_mut(&mut self) -> &mut [Reg] {
        let base = self.top().base as usize;
        &mut self.regs[base..]
    }

    /// The registers of the innermost frame.
    #[inline(always)]
    pub fn regs(&self) -> &[Reg] {
        &self.regs[self.top().base as usize..]
    }

    /// Enters a function: its frame becomes the innermost one, all registers zero.
    #[inline]
    pub fn push(&mut self, func: FuncId, entry: Pc, entered_by: EnteredBy, slots: u32) {
        let base = self.regs.len();
        self.regs.resize(base + slots as usize, Reg::word(0));
        self.frames.push(Frame {
            func,
            pc: entry,
            entry: FrameEntry::new(entered_by),
            var_args: 0,
            base: base as u32,
            objects: self.objects.len() as u32,
            bytes_below: self.bytes,
        });
        self.depth += 1;
        // The stack is aligned where a function is called.
        self.bytes = self.bytes.wrapping_add(2 * Frame::BYTES - 1) & !(Frame::BYTES - 1);
    }

    /// Counts a variable of the innermost frame, and returns the bytes that the native stack has at least.
    pub(crate) fn add_variable(&mut self, size: u64) -> u32 {
        self.bytes = self.bytes.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        self.bytes
    }

    /// Takes bytes of variables off again that ended before the innermost frame.
    pub(crate) fn subtract_variables(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_sub(u32::try_from(bytes).unwrap_or(u32::MAX));
    }

    /// The registers of the innermost frame and those of its caller below it, for passing
    /// arguments. The caller must be live, which it is right after [`Stack::push`].
    #[inline(always)]
    pub fn callee_and_caller(&mut self) -> (&mut [Reg], &[Reg]) {
        let callee_base = self.top().base as usize;
        let caller_base = match self.frames.len() {
            0 | 1 => callee_base,
            n => self.frames[n - 2].base as usize,
        };
        let (below, callee) = self.regs.split_at_mut(callee_base);
        (callee, &below[caller_base..])
    }

    /// Leaves the innermost frame. The caller, if any, is live afterwards. The frame's stack
    /// objects must have been released first with [`Stack::take_objects`].
    #[inline]
    pub fn pop(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a running thread has a frame");
        debug_assert_eq!(self.objects.len(), frame.objects as usize);
        self.regs.truncate(frame.base as usize);
        self.depth -= 1;
        self.bytes = frame.bytes_below;
        if self.frames.is_empty() {
            self.thaw();
        }
        frame
    }

    fn thaw(&mut self) {
        let Some(frozen) = self.frozen.take() else { return };
        let base = self.regs.len() as u32;
        let objects = self.objects.len() as u32;
        self.regs.extend_from_slice(&frozen.regs);
        self.objects.extend_from_slice(&frozen.objects);
        self.frames.push(Frame { base, objects, ..frozen.frame });
        self.frozen = frozen.parent.clone();
    }

    /// Records a stack object that dies with the innermost frame.
    #[inline]
    pub fn own_object(&mut self, address: u64) {
        self.objects.push(address);
    }

    /// The stack objects of the innermost frame, oldest first.
    pub fn own_objects(&self) -> &[u64] {
        &self.objects[self.top().objects as usize..]
    }

    /// Takes the stack objects of the innermost frame that were created after the first `keep`.
    #[inline]
    pub fn take_objects(&mut self, keep: usize, mut release: impl FnMut(u64)) {
        let first = self.top().objects as usize + keep;
        while self.objects.len() > first {
            release(self.objects.pop().expect("longer than `first`"));
        }
    }

    /// A second stack with the same frames. All but the innermost become shared.
    pub fn fork(&mut self) -> Stack {
        self.freeze_callers();
        Stack {
            frozen: self.frozen.clone(),
            regs: self.regs.clone(),
            objects: self.objects.clone(),
            frames: self.frames.clone(),
            depth: self.depth,
            bytes: self.bytes,
        }
    }

    /// Makes every frame but the innermost one shared, so that a clone is cheap.
    pub fn share(&mut self) {
        self.freeze_callers();
        self.compact();
    }

    fn freeze_callers(&mut self) {
        let Some((top, callers)) = self.frames.split_last() else { return };
        if callers.is_empty() {
            return;
        }
        let mut ends = callers.iter().skip(1).chain(std::iter::once(top));
        for frame in callers {
            let next = ends.next().expect("one end for each caller");
            self.frozen = Some(Arc::new(FrozenFrame {
                frame: *frame,
                regs: self.regs[frame.base as usize..next.base as usize].into(),
                objects: self.objects[frame.objects as usize..next.objects as usize].into(),
                parent: self.frozen.take(),
            }));
        }
        let top = *top;
        self.regs.drain(..top.base as usize);
        self.objects.drain(..top.objects as usize);
        self.frames.clear();
        self.frames.push(Frame { base: 0, objects: 0, ..top });
    }

    /// Drops spare capacity: a state that waits for its turn keeps only what it needs.
    pub fn compact(&mut self) {
        self.regs.shrink_to_fit();
        self.objects.shrink_to_fit();
        self.frames.shrink_to_fit();
    }

    /// A number that two stacks have in common if they have the same frames with the same registers.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = FixedState.build_hasher();
        let mut add = |frame: &Frame, regs: &[Reg]| {
            (frame.func.0, frame.pc).hash(&mut hasher);
            regs.iter().for_each(|reg| (reg.bits(), reg.term()).hash(&mut hasher));
        };
        let ends = self.frames.iter().skip(1).map(|next| next.base as usize);
        let ends: Vec<usize> = ends.chain([self.regs.len()]).collect();
        for (frame, end) in self.frames.iter().zip(ends).rev() {
            add(frame, &self.regs[frame.base as usize..end]);
        }
        for frozen in std::iter::successors(self.frozen.as_deref(), |f| f.parent.as_deref()) {
            add(&frozen.frame, &frozen.regs);
        }
        hasher.finish()
    }

    /// The frames, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = FrameView> + '_ {
        let live = self.frames.iter().rev().copied();
        let frozen = std::iter::successors(self.frozen.as_deref(), |f| f.parent.as_deref());
        live.chain(frozen.map(|f| f.frame)).map(|f| FrameView { func: f.func, pc: f.pc })
    }

    /// The frames that wait for a call of theirs which the innermost frame is in, with their depths: the next
    /// one first, up to one that was not left by a call.
    pub(crate) fn callers(&self) -> impl Iterator<Item = (u32, FrameView)> + '_ {
        let live = self.frames.iter().rev().copied();
        let frozen = std::iter::successors(self.frozen.as_deref(), |f| f.parent.as_deref());
        let frames = live.chain(frozen.map(|f| f.frame));
        let mut depth = self.depth;
        let mut was_called = true;
        let calling = frames.map_while(move |frame| {
            let waits = std::mem::replace(&mut was_called, frame.entered_by() != EnteredBy::Engine);
            depth -= 1;
            waits.then_some((depth + 1, FrameView { func: frame.func, pc: frame.pc }))
        });
        calling.skip(1)
    }

    /// The stack objects of each frame, oldest first; the innermost frame first.
    pub fn objects(&self) -> impl Iterator<Item = (FrameView, &[u64])> + '_ {
        let ends = self.frames.iter().skip(1).map(|next| next.objects as usize);
        let ends: Vec<usize> = ends.chain([self.objects.len()]).collect();
        let live = self.frames.iter().zip(ends).rev();
        let live = live.map(|(f, end)| (*f, &self.objects[f.objects as usize..end]));
        let frozen = std::iter::successors(self.frozen.as_deref(), |f| f.parent.as_deref());
        let all = live.chain(frozen.map(|f| (f.frame, &*f.objects)));
        all.map(|(f, objects)| (FrameView { func: f.func, pc: f.pc }, objects))
    }
}

impl Drop for FrozenFrame {
    fn drop(&mut self) {
        // A deep recursion makes a long list: unlink it in a loop, not recursively.
        let mut next = self.parent.take();
        while let Some(frozen) = next {
            match Arc::try_unwrap(frozen) {
                Ok(mut only) => next = only.parent.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enter(stack: &mut Stack, n: u32) {
        stack.push(FuncId(n), n * 10, EnteredBy::Engine, 2);
        stack.regs_mut()[0] = Reg::word(n.into());
    }

    #[test]
    fn forked_stacks_return_independently_through_shared_frames() {
        let mut a = Stack::new();
        (1..=4).for_each(|n| enter(&mut a, n));
        let mut b = a.fork();
        a.regs_mut()[1] = Reg::word(99);
        assert_eq!(b.regs()[1], Reg::word(0));
        for n in (1..=3).rev() {
            a.pop();
            b.pop();
            assert_eq!(a.regs()[0], Reg::word(n));
            a.regs_mut()[0] = Reg::word(7);
            assert_eq!(b.regs()[0], Reg::word(n));
        }
        assert_eq!((a.depth(), b.depth()), (1, 1));
    }

    #[test]
    fn stack_objects_follow_their_frame_through_a_fork() {
        let mut a = Stack::new();
        enter(&mut a, 1);
        a.own_object(0x10);
        enter(&mut a, 2);
        a.own_object(0x20);
        let mut b = a.fork();
        b.own_object(0x30);
        let seen = |stack: &Stack| -> Vec<Vec<u64>> {
            stack.objects().map(|(_, objects)| objects.to_vec()).collect()
        };
        assert_eq!(seen(&a), [vec![0x20], vec![0x10]]);
        assert_eq!(seen(&b), [vec![0x20, 0x30], vec![0x10]]);
        b.take_objects(1, |o| assert_eq!(o, 0x30));
        for stack in [&mut a, &mut b] {
            let mut released = Vec::new();
            stack.take_objects(0, |o| released.push(o));
            stack.pop();
            stack.take_objects(0, |o| released.push(o));
            assert_eq!(released, [0x20, 0x10]);
        }
    }

    #[test]
    fn stacks_share_frozen_frames_again_after_reading() {
        let mut a = Stack::new();
        (0..100_000).for_each(|n| enter(&mut a, n));
        a.own_object(0x10);
        a.regs_mut()[1] = Reg::poison(17);
        let mut stacks = (a.fork(), a);
        enter(&mut stacks.1, 7);
        let mut to = PartWriter::new(&[]);
        stacks.write(&mut to);
        let bytes = to.into_bytes();
        let mut from = PartReader::new(&bytes, &[]);
        let (mut a, mut b) = <(Stack, Stack)>::read(&mut from).unwrap();
        from.end().unwrap();
        assert_eq!((a.depth(), b.depth(), b.pop().func), (100_000, 100_001, FuncId(7)));
        let shared = |stack: &Stack| stack.frozen.as_ref().map(Arc::as_ptr);
        assert!(shared(&a).is_some() && shared(&a) == shared(&b));
        for stack in [&mut a, &mut b] {
            assert_eq!(stack.regs(), [Reg::word(99_999), Reg::poison(17)]);
            assert_eq!(stack.own_objects(), [0x10]);
            stack.take_objects(0, |_| {});
            stack.pop();
            assert_eq!((stack.regs()[0], stack.top().pc), (Reg::word(99_998), 999_980));
        }
        for end in (0..bytes.len()).step_by(bytes.len() / 19) {
            let mut from = PartReader::new(&bytes[..end], &[]);
            assert!(<(Stack, Stack)>::read(&mut from).is_err(), "{end} bytes");
        }
    }

    #[test]
    fn callers_end_where_the_engine_has_entered() {
        let mut stack = Stack::new();
        enter(&mut stack, 1);
        enter(&mut stack, 2);
        for n in 3..=5 {
            stack.push(FuncId(n), n * 10, EnteredBy::Call(CallId(n)), 2);
        }
        for _ in 0..2 {
            let callers: Vec<_> = stack.callers().map(|(depth, f)| (depth, f.func.0)).collect();
            assert_eq!(callers, [(4, 4), (3, 3), (2, 2)]);
            stack.share();
        }
    }

    #[test]
    fn a_very_deep_frozen_stack_is_dropped_without_recursion() {
        let mut a = Stack::new();
        (0..200_000).for_each(|n| enter(&mut a, n));
        let b = a.fork();
        assert_eq!(b.frames().count(), 200_000);
        drop(a);
        drop(b);
    }
}
