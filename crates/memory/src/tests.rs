//! Behaviour of whole address spaces: a reference model, faults, sharing, determinism.

mod faults;
mod guards;
mod interrupt;
mod model;
mod portable;
mod search;
mod sharing;
mod undefined;

use everett_expr::{Pool, TermId, VarId};

use crate::{
    AddressSpace, AllocRequest, ByteValue, MemoryConfig, MemoryFault, ObjRef, ObjectKind,
    ReadValue, SiteId,
};

fn space() -> AddressSpace {
    AddressSpace::new(MemoryConfig::default())
}

fn heap(space: &mut AddressSpace, size: u64) -> u64 {
    space.alloc(size, 16, ObjectKind::Heap, SiteId(1)).unwrap()
}

fn object(space: &AddressSpace, base: u64) -> ObjRef {
    space.object(base).unwrap()
}

/// A 64-bit offset that is one symbolic byte masked.
fn offset(pool: &Pool, name: &str, mask: u64) -> TermId {
    let byte = pool.byte(pool.symbol(name, 1), 0);
    pool.and(pool.zext(byte, 64), pool.constant(64, mask))
}

#[test]
fn a_stored_term_is_read_back_as_itself() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 16);
    let byte = pool.byte(pool.symbol("x", 1), 0);
    let term = pool.mul(pool.zext(byte, 32), pool.constant(32, 77));
    space.write(&pool, base + 4, term).unwrap();
    let before = pool.term_count();
    assert_eq!(space.read(&pool, base + 4, 4), Ok(ReadValue::Term(term)));
    assert_eq!(pool.term_count(), before, "no term is built");
    assert_eq!(space.load_concrete(base + 4, 4), None);
    assert_eq!(space.load_concrete(base, 4), Some(0));
    let expected = pool.extract(term, 8, 16);
    assert_eq!(space.read(&pool, base + 5, 2), Ok(ReadValue::Term(expected)));
    let mixed = pool.concat(pool.extract(term, 0, 16), pool.constant(16, 0));
    assert_eq!(space.read(&pool, base + 2, 4), Ok(ReadValue::Term(mixed)));
    assert!(space.store_concrete(base + 4, 4, 9));
    assert_eq!(space.load_concrete(base + 4, 4), Some(9));
}

#[test]
fn wide_values_are_read_and_written_whole() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 64);
    let wide = pool.big_constant(&everett_expr::BitVec::from_u128(128, 0x0123 << 100 | 7));
    space.write(&pool, base, wide).unwrap();
    assert_eq!(space.read(&pool, base, 16), Ok(ReadValue::Term(wide)));
    assert_eq!(space.load_concrete(base, 8), Some(7));
    let symbol = pool.symbol("w", 16);
    space.make_symbolic(&pool, base + 16, symbol).unwrap();
    let Ok(ReadValue::Term(term)) = space.read(&pool, base + 16, 16) else { panic!("symbolic") };
    space.write(&pool, base + 32, term).unwrap();
    assert_eq!(space.read(&pool, base + 32, 16), Ok(ReadValue::Term(term)));
}

#[test]
fn an_untouched_symbol_is_read_at_a_symbolic_offset_through_its_own_array() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 40);
    let symbol = pool.symbol("input", 32);
    space.make_symbolic(&pool, base + 8, symbol).unwrap();
    let index = offset(&pool, "i", 15);
    let target = object(&space, base);
    let at = pool.add(index, pool.constant(64, 8));
    let read = space.read_at_term(&pool, target, at, 1, Some((8, 23))).unwrap();
    assert_eq!(read, ReadValue::Term(pool.select(pool.symbol_array(symbol), index)));
}

#[test]
fn an_unchanged_table_becomes_an_array_once() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 256);
    let table: Vec<u8> = (0..=255).collect();
    space.write_bytes(base, &table).unwrap();
    let index = offset(&pool, "i", 255);
    let target = object(&space, base);
    let first = space.read_at_term(&pool, target, index, 1, None).unwrap();
    assert_eq!(first, ReadValue::Term(pool.select(pool.const_array(&table), index)));
    let count = pool.term_count();
    assert_eq!(space.read_at_term(&pool, target, index, 1, None).unwrap(), first);
    assert_eq!(pool.term_count(), count);
    assert_eq!(space.load_concrete(base + 3, 1), Some(3), "the bytes are still concrete");
    assert!(space.store_concrete(base + 3, 1, 200));
    let changed = space.read_at_term(&pool, target, index, 1, None).unwrap();
    assert_ne!(changed, first, "a write makes the array stale");
}

#[test]
fn a_concrete_write_overrides_a_symbolic_one() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 64);
    let target = object(&space, base);
    let index = offset(&pool, "i", 31);
    let value = pool.constant(8, 5);
    space.write_at_term(&pool, target, index, value, Some((0, 31))).unwrap();
    assert!(matches!(space.read(&pool, base + 3, 1), Ok(ReadValue::Term(_))));
    assert_eq!(space.load_concrete(base + 40, 4), Some(0), "outside the window all is concrete");
    assert!(space.store_concrete(base + 3, 1, 8));
    assert_eq!(space.read(&pool, base + 3, 1), Ok(ReadValue::Concrete(8)));
    let Ok(ReadValue::Term(read)) = space.read_at_term(&pool, target, index, 1, Some((0, 31)))
    else {
        panic!("symbolic")
    };
    assert_eq!(pool.eval_u64(read, &|_: VarId| 3), 8);
    assert_eq!(pool.eval_u64(read, &|_: VarId| 4), 5);
}

#[test]
fn bytes_are_handed_out_one_by_one() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 3);
    let byte = ByteValue::Symbolic(pool.byte(pool.symbol("b", 1), 0));
    let values = [ByteValue::Concrete(4), byte, ByteValue::Concrete(6)];
    space.write_each(&pool, base, &values).unwrap();
    assert_eq!(space.read_each(&pool, base, 3).unwrap(), values);
    assert!(matches!(space.read_each(&pool, base, 4), Err(MemoryFault::OutOfBounds { .. })));
}

#[test]
fn a_huge_object_costs_what_is_written_of_it() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 1 << 40);
    assert_eq!(space.load_concrete(base + (1 << 40) - 8, 8), Some(0));
    assert!(space.store_concrete(base + (1 << 39), 8, 0x77));
    assert_eq!(space.load_concrete(base + (1 << 39), 1), Some(0x77));
    let target = object(&space, base);
    assert_eq!(space.words(target), [0x77]);
    assert!(space.content_hash(&pool) != 0);
    let index = offset(&pool, "i", 7);
    assert!(space.read_at_term(&pool, target, index, 8, None).is_err());
    assert!(space.read_at_term(&pool, target, index, 8, Some((0, 7))).is_ok());
    space.free(base, SiteId(2)).unwrap();
    assert!(space.pages.is_empty() && space.objects.is_empty());
}

#[test]
fn objects_are_listed_in_address_order() {
    let mut space = space();
    let sizes = [1, 0, 300, 20, 70_000, 256, 16];
    let mut bases: Vec<u64> = sizes.iter().map(|size| heap(&mut space, *size)).collect();
    let stack = space.alloc(8, 8, ObjectKind::Stack, SiteId(0)).unwrap();
    bases.sort_unstable();
    let found: Vec<u64> = space.heap_objects().map(|object| object.base).collect();
    assert_eq!(found, bases);
    assert_eq!(space.object_count(), sizes.len() + 1);
    let large = *bases.iter().find(|base| object(&space, **base).object.size == 70_000).unwrap();
    let within: Vec<u64> =
        space.objects_in(large + 60_000, large + 60_001).map(|o| o.base).collect();
    assert_eq!(within, [large]);
    let none: Vec<ObjRef> = space.objects_in(large + 70_000, large + 70_001).collect();
    assert_eq!(none, []);
    let last: Vec<u64> = space.objects_in(stack + 7, u64::MAX).map(|o| o.base).collect();
    assert_eq!(last, [stack]);
}

#[test]
fn fresh_memory_holds_what_the_configuration_says() {
    let mut space =
        AddressSpace::new(MemoryConfig { heap_fill: 0xaa, stack_fill: 0x55, undefined: false });
    let heap = heap(&mut space, 1000);
    let stack = space.alloc(4, 4, ObjectKind::Stack, SiteId(0)).unwrap();
    let global = space.alloc(4, 4, ObjectKind::Global, SiteId::NONE).unwrap();
    assert_eq!(space.load_concrete(heap + 996, 4), Some(0xaaaa_aaaa));
    assert_eq!(space.load_concrete(stack, 4), Some(0x5555_5555));
    assert_eq!(space.load_concrete(global, 4), Some(0));
    assert!(space.store_concrete(heap, 1, 0));
    assert_eq!(space.load_concrete(heap, 2), Some(0xaa00));
}

#[test]
fn an_object_can_be_placed_at_a_fixed_address() {
    let pool = Pool::new();
    let mut mem = AddressSpace::new(MemoryConfig::default());
    mem.place(0x1000_0000, 16, SiteId(1)).unwrap();
    assert!(mem.store_concrete(0x1000_0004, 4, 7));
    assert_eq!(mem.read(&pool, 0x1000_0004, 4), Ok(ReadValue::Concrete(7)));
    assert!(matches!(mem.check(0x1000_0010, 1), Err(MemoryFault::OutOfBounds { .. })));
    assert!(matches!(mem.check(0x1000_1000, 1), Err(MemoryFault::Unmapped { .. })));
    assert_eq!(mem.objects_in(0, 1 << 42).count(), 1);
    for (address, size) in
        [(0x1000_0000, 1), (0x0fff_ff00, 300), (0x2000_0001, 1), (16, 1), (1 << 43, 1)]
    {
        assert!(mem.place(address, size, SiteId(1)).is_err(), "{address:#x}");
    }
}
