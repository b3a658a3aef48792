//! Random operations against plain memory under several assignments of the symbols.
//!
//! The model holds, for every object, the bytes it has under each of a few assignments. Whatever
//! the address space answers must evaluate to those bytes.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::access::bulk::overlap;

const SIZES: [u64; 8] = [1, 4, 16, 20, 256, 300, 1000, 5000];
const ASSIGNMENTS: usize = 3;

/// The value of bytes that were never written under each assignment.
const UNWRITTEN: [u8; ASSIGNMENTS] = [0, 0, 0xff];

/// The value of a symbolic byte under an assignment.
fn assigned(pool: &Pool, which: usize) -> impl Fn(VarId) -> u8 + '_ {
    move |var: VarId| match pool.is_undefined(var) {
        true => UNWRITTEN[which],
        false => (var.index() as u8).wrapping_mul(91).wrapping_add(which as u8 * 57) ^ 0x2c,
    }
}

#[derive(Clone)]
struct ModelWorld {
    space: AddressSpace,
    model: BTreeMap<u64, Vec<[u8; ASSIGNMENTS]>>,
    symbols: u32,
    undefined: bool,
}

/// One operation: what to do, and numbers to choose the details by.
#[derive(Clone, Copy, Debug)]
struct ModelOp {
    what: u8,
    object: u8,
    offset: u16,
    len: u8,
    value: u64,
}

fn ops() -> impl Strategy<Value = Vec<ModelOp>> {
    let op = (0..13u8, any::<u8>(), any::<u16>(), any::<u8>(), any::<u64>()).prop_map(
        |(what, object, offset, len, value)| ModelOp { what, object, offset, len, value },
    );
    proptest::collection::vec(op, 1..60)
}

impl ModelWorld {
    fn new(undefined: bool) -> ModelWorld {
        let space = AddressSpace::new(MemoryConfig { undefined, ..MemoryConfig::default() });
        ModelWorld { space, model: BTreeMap::new(), symbols: 0, undefined }
    }

    fn apply(&mut self, pool: &Pool, op: ModelOp, kept: &mut Vec<ModelWorld>) {
        match op.what {
            0 => return self.alloc(op),
            1 if op.value.is_multiple_of(3) => return self.free(op),
            2 if op.value.is_multiple_of(2) => {
                let space = if op.len > 99 { self.space.fork() } else { self.space.clone() };
                return kept.push(ModelWorld { space, model: self.model.clone(), ..*self });
            }
            _ => {}
        }
        let Some((base, size)) = self.pick(op.object) else { return self.alloc(op) };
        let len = (u64::from(op.len) % 8 + 1).min(size);
        let offset = u64::from(op.offset) % (size - len + 1);
        match op.what {
            3 | 4 => self.store(base, offset, len, op.value),
            5 => self.write_term(pool, base, offset, len.min(4), op.value),
            6 => self.make_symbolic(pool, base, offset, u64::from(op.len) % 40 + 1),
            7 => self.write_at_term(pool, base, size, op),
            8 => self.read_at_term(pool, base, size, op),
            9 => self.copy(pool, op, base, size),
            10 => self.fill(pool, base, size, op),
            11 => self.write_bytes(base, size, op),
            _ => self.read(pool, base, offset, len),
        }
    }

    fn pick(&self, number: u8) -> Option<(u64, u64)> {
        let position = usize::from(number) % self.model.len().max(1);
        self.model.iter().nth(position).map(|(base, bytes)| (*base, bytes.len() as u64))
    }

    fn alloc(&mut self, op: ModelOp) {
        let size = SIZES[usize::from(op.object) % SIZES.len()];
        let kind = if op.len > 128 { ObjectKind::Heap } else { ObjectKind::Stack };
        let request = AllocRequest::new(size, kind, SiteId(0)).aligned(8).undefined();
        let base = self.space.alloc_with(request).unwrap();
        let fresh = if self.undefined { UNWRITTEN } else { [0; ASSIGNMENTS] };
        assert!(self.model.insert(base, vec![fresh; size as usize]).is_none());
    }

    fn free(&mut self, op: ModelOp) {
        if let Some((base, _)) = self.pick(op.object) {
            self.model.remove(&base);
            self.space.release_stack(base, SiteId(1));
            if self.space.object(base).is_some() {
                self.space.free(base, SiteId(1)).unwrap();
            }
            assert!(self.space.load_concrete(base, 1).is_none());
        }
    }

    fn bytes(&mut self, base: u64) -> &mut Vec<[u8; ASSIGNMENTS]> {
        self.model.get_mut(&base).unwrap()
    }

    fn store(&mut self, base: u64, offset: u64, len: u64, value: u64) {
        assert!(self.space.store_concrete(base + offset, len as u8, value));
        let new = value.to_le_bytes();
        for (at, byte) in new[..len as usize].iter().enumerate() {
            self.bytes(base)[offset as usize + at] = [*byte; ASSIGNMENTS];
        }
    }

    fn write_bytes(&mut self, base: u64, size: u64, op: ModelOp) {
        let offset = u64::from(op.offset) % size;
        let len = (u64::from(op.len) * 5 + 1).min(size - offset);
        let new: Vec<u8> =
            (0..len).map(|i| (i as u8).wrapping_mul(op.len) ^ op.value as u8).collect();
        self.space.write_bytes(base + offset, &new).unwrap();
        for (at, byte) in new.iter().enumerate() {
            self.bytes(base)[offset as usize + at] = [*byte; ASSIGNMENTS];
        }
    }

    /// A term of `len` bytes over one of the symbols.
    fn term(&self, pool: &Pool, len: u64, value: u64) -> TermId {
        let width = len as u32 * 8;
        let byte = pool.byte(pool.symbol("t", 8), value as u32 % 8);
        pool.mul(pool.zext(byte, width), pool.constant(width, value >> 8 & ((1 << width) - 1) | 1))
    }

    fn write_term(&mut self, pool: &Pool, base: u64, offset: u64, len: u64, value: u64) {
        let term = self.term(pool, len, value);
        self.space.write(pool, base + offset, term).unwrap();
        for which in 0..ASSIGNMENTS {
            let known = pool.eval_u64(term, &assigned(pool, which)).to_le_bytes();
            for (at, byte) in known[..len as usize].iter().enumerate() {
                self.bytes(base)[offset as usize + at][which] = *byte;
            }
        }
        assert_eq!(
            self.space.read(pool, base + offset, len as u32).unwrap(),
            ReadValue::Term(term)
        );
    }

    fn make_symbolic(&mut self, pool: &Pool, base: u64, offset: u64, len: u64) {
        let len = len.min(self.bytes(base).len() as u64 - offset);
        self.symbols += 1;
        let symbol = pool.symbol(&format!("s{}", self.symbols), len as u32);
        self.space.make_symbolic(pool, base + offset, symbol).unwrap();
        for at in 0..len {
            let var = pool.symbol_var(symbol, at as u32);
            let values = std::array::from_fn(|which| assigned(pool, which)(var));
            self.bytes(base)[(offset + at) as usize] = values;
        }
    }

    /// A symbolic offset into an object, with room for `len` bytes, and its range.
    fn offset_term(
        &self,
        pool: &Pool,
        size: u64,
        len: u64,
        op: ModelOp,
    ) -> (TermId, Option<(u64, u64)>) {
        let room = size - len;
        // All ones, within the room, at most 255.
        // A window with many bytes that were never written would take them as written.
        let bits = if self.undefined { 8 } else { 9 };
        let mask = (1 << (u64::from(op.len) % bits).min(u64::from((room + 1).ilog2()))) - 1;
        let low = u64::from(op.offset) % (room - mask + 1);
        let byte = pool.byte(pool.symbol("o", 4), op.object as u32 % 4);
        let masked = pool.and(pool.zext(byte, 64), pool.constant(64, mask));
        let range = (self.undefined || op.value.is_multiple_of(2)).then_some((low, low + mask));
        (pool.add(masked, pool.constant(64, low)), range)
    }

    fn write_at_term(&mut self, pool: &Pool, base: u64, size: u64, op: ModelOp) {
        let len = (u64::from(op.object) % 4 + 1).min(size);
        let (offset, range) = self.offset_term(pool, size, len, op);
        let term = self.term(pool, len, op.value);
        let target = object(&self.space, base);
        self.space.write_at_term(pool, target, offset, term, range).unwrap();
        for which in 0..ASSIGNMENTS {
            let at = pool.eval_u64(offset, &assigned(pool, which)) as usize;
            let known = pool.eval_u64(term, &assigned(pool, which)).to_le_bytes();
            for (i, byte) in known[..len as usize].iter().enumerate() {
                self.bytes(base)[at + i][which] = *byte;
            }
        }
    }

    fn read_at_term(&mut self, pool: &Pool, base: u64, size: u64, op: ModelOp) {
        let len = (u64::from(op.object) % 4 + 1).min(size);
        let (offset, range) = self.offset_term(pool, size, len, op);
        let target = object(&self.space, base);
        let read = self.space.read_at_term(pool, target, offset, len as u32, range).unwrap();
        let term = read.term(pool, len as u32 * 8);
        for which in 0..ASSIGNMENTS {
            let at = pool.eval_u64(offset, &assigned(pool, which)) as usize;
            let expected = little_endian(&self.bytes(base)[at..at + len as usize], which);
            assert_eq!(pool.eval_u64(term, &assigned(pool, which)), expected);
        }
    }

    fn copy(&mut self, pool: &Pool, op: ModelOp, base: u64, size: u64) {
        let (from, from_size) = self.pick(op.value as u8).unwrap();
        let len = (u64::from(op.len) * 20 + 1).min(size).min(from_size);
        let to_offset = u64::from(op.offset) % (size - len + 1);
        let from_offset = (op.value >> 8) % (from_size - len + 1);
        let (to, source) = (base + to_offset, from + from_offset);
        let is_at_hand = op.len.is_multiple_of(2)
            && !overlap(to, source, len)
            && self.space.copy_at_hand(pool, to, source, len);
        if !is_at_hand {
            self.space.copy(pool, to, source, len).unwrap();
        }
        assert!(overlap(base, base, len));
        let source = self.bytes(from)[from_offset as usize..][..len as usize].to_vec();
        self.bytes(base)[to_offset as usize..][..len as usize].copy_from_slice(&source);
    }

    fn fill(&mut self, pool: &Pool, base: u64, size: u64, op: ModelOp) {
        let offset = u64::from(op.offset) % size;
        let len = (u64::from(op.len) * 9 + 1).min(size - offset);
        let term = pool.byte(pool.symbol("f", 1), 0);
        let (value, known): (_, [u8; ASSIGNMENTS]) = if op.value.is_multiple_of(2) {
            let byte = op.value as u8 & 4;
            (ByteValue::Concrete(byte), [byte; ASSIGNMENTS])
        } else {
            let known = std::array::from_fn(|i| pool.eval_u64(term, &assigned(pool, i)) as u8);
            (ByteValue::Symbolic(term), known)
        };
        self.space.fill(pool, base + offset, value, len).unwrap();
        self.bytes(base)[offset as usize..][..len as usize].fill(known);
    }

    fn read(&mut self, pool: &Pool, base: u64, offset: u64, len: u64) {
        let read = self.space.read(pool, base + offset, len as u32).unwrap();
        let expected: [u64; ASSIGNMENTS] = std::array::from_fn(|which| {
            little_endian(&self.model[&base][offset as usize..][..len as usize], which)
        });
        match read {
            ReadValue::Concrete(value) => assert_eq!([value; ASSIGNMENTS], expected),
            ReadValue::Term(term) => {
                assert_eq!(pool.width(term), len as u32 * 8);
                for (which, expected) in expected.iter().enumerate() {
                    assert_eq!(pool.eval_u64(term, &assigned(pool, which)), *expected);
                }
            }
        }
    }

    fn check_all(&mut self, pool: &Pool) {
        for (base, bytes) in &self.model {
            let size = bytes.len() as u64;
            let found = self.space.read_each(pool, *base, size).unwrap();
            // Each byte may be behind a long chain of stores: of a large object, some are looked at.
            let step = if size > 300 { 13 } else { 1 };
            for (at, value) in found.iter().enumerate().step_by(step) {
                let expected = bytes[at];
                let found = std::array::from_fn(|which| match value {
                    ByteValue::Concrete(byte) => *byte,
                    ByteValue::Symbolic(term) => pool.eval_u64(*term, &assigned(pool, which)) as u8,
                });
                assert_eq!(expected, found, "byte {at} of {size}");
            }
            assert!(
                self.space.check(base + size, 1).is_err() && self.space.check(base - 1, 1).is_err()
            );
        }
        let found: Vec<u64> = self.space.objects_in(0, u64::MAX).map(|found| found.base).collect();
        assert_eq!(found, self.model.keys().copied().collect::<Vec<_>>());
    }
}

fn little_endian(bytes: &[[u8; ASSIGNMENTS]], which: usize) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(byte[which]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn evaluates_to_plain_memory_under_every_assignment(ops in ops(), undefined: bool) {
        let pool = Pool::new();
        let mut world = ModelWorld::new(undefined);
        let mut kept = Vec::new();
        for op in ops {
            world.apply(&pool, op, &mut kept);
        }
        world.check_all(&pool);
        // The states left behind go on a little, which must not disturb anyone.
        for other in &mut kept {
            other.check_all(&pool);
            let store = ModelOp { what: 3, object: 1, offset: 2, len: 3, value: 4 };
            other.apply(&pool, store, &mut Vec::new());
            other.check_all(&pool);
        }
        world.check_all(&pool);
    }
}
