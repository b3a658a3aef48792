//! Bytes that were never written, in objects in which they are undefined.

use super::*;
use crate::UndefinedByte;

fn checked() -> AddressSpace {
    AddressSpace::new(MemoryConfig { undefined: true, ..MemoryConfig::default() })
}

fn unwritten(space: &mut AddressSpace, size: u64) -> u64 {
    space.alloc_with(AllocRequest::new(size, ObjectKind::Heap, SiteId(3)).undefined()).unwrap()
}

/// The bytes that a read mentions, as their offsets.
fn offsets(pool: &Pool, read: ReadValue) -> Vec<u64> {
    let ReadValue::Term(term) = read else { return Vec::new() };
    let bytes = pool.support(term).iter().filter_map(|var| UndefinedByte::of(pool, var));
    bytes.map(|byte| byte.offset).collect()
}

#[test]
fn a_byte_is_undefined_until_it_is_written() {
    for size in [8, 200, 5000] {
        let (pool, mut space) = (Pool::new(), checked());
        let base = unwritten(&mut space, size);
        let at = base + size - 8;
        assert_eq!(space.load_concrete(at, 4), None);
        assert!(space.store_concrete(at, 4, 7));
        assert_eq!(space.load_concrete(at, 4), Some(7));
        assert_eq!(space.load_concrete(at, 8), None);
        let read = space.read(&pool, at, 8).unwrap();
        assert_eq!(offsets(&pool, read), [size - 4, size - 3, size - 2, size - 1]);
        assert!(space.store_concrete(at + 4, 4, 8));
        assert_eq!(space.load_concrete(at, 8), Some(8 << 32 | 7));
    }
}

#[test]
fn reads_of_the_same_byte_are_the_same_term_in_every_copy() {
    let (pool, mut space) = (Pool::new(), checked());
    let base = unwritten(&mut space, 16);
    let target = unwritten(&mut space, 16);
    assert!(space.store_concrete(base, 1, 1));
    space.copy(&pool, target, base, 16).unwrap();
    let mut child = space.fork();
    assert_eq!(child.read(&pool, base, 16), space.read(&pool, target, 16));
    let other = space.read(&pool, base + 4, 4).unwrap();
    assert_ne!(other, space.read(&pool, base + 8, 4).unwrap());
}

#[test]
fn records_with_padding_are_copied_from_line_to_line() {
    let (pool, mut space) = (Pool::new(), checked());
    let [a, b] = [200, 200].map(|size| unwritten(&mut space, size));
    for record in 0..8 {
        assert!(space.store_concrete(a + 24 * record, 1, record + 1));
        assert!(space.store_concrete(a + 24 * record + 8, 8, 1000 + record));
    }
    // The first copy looks up the symbol for the bytes that were never written.
    assert!(!space.copy_at_hand(&pool, b, a, 24));
    space.copy(&pool, b, a, 24).unwrap();
    // Ranges of several words, beginning at any bit; within one line, too.
    assert!(space.copy_at_hand(&pool, b + 7, a + 3, 190));
    assert_eq!(space.read(&pool, b + 7, 16), space.read(&pool, a + 3, 16));
    assert_eq!(space.load_concrete(b + 7 + 24 * 7 + 5, 8), Some(1007));
    assert_eq!(space.read(&pool, b + 181, 16), space.read(&pool, a + 177, 16));
    assert!(space.copy_at_hand(&pool, a + 24, a, 24));
    assert_eq!(space.read(&pool, a + 24, 24), space.read(&pool, a, 24));
    assert!(!space.copy_at_hand(&pool, a + 4, a, 24), "the ranges overlap");
    // A line without gaps gets them, and loses them again.
    let full = heap(&mut space, 24);
    space.bring(full);
    assert!(space.copy_at_hand(&pool, full, a, 24));
    assert_eq!(space.read(&pool, full, 24), space.read(&pool, a, 24));
    assert!(space.store_concrete(full, 8, 1) && space.store_concrete(full + 16, 8, 2));
    assert!(space.copy_at_hand(&pool, a, full, 24));
    assert_eq!(space.load_concrete(a + 16, 8), Some(2));
}

#[test]
fn other_objects_and_other_configurations_have_no_undefined_bytes() {
    let mut space = checked();
    let plain = heap(&mut space, 16);
    assert_eq!(space.load_concrete(plain, 8), Some(0));
    let request = AllocRequest::new(16, ObjectKind::Heap, SiteId(3)).undefined();
    let zeroed = space.alloc_with(request.zeroed()).unwrap();
    assert_eq!(space.load_concrete(zeroed, 8), Some(0));
    let mut space = super::space();
    let base = unwritten(&mut space, 16);
    assert_eq!(space.load_concrete(base, 8), Some(0));
}

#[test]
fn a_fill_is_the_value_where_the_symbol_is_zero() {
    let config = MemoryConfig { heap_fill: 0xaa, stack_fill: 0, undefined: true };
    let (pool, mut space) = (Pool::new(), AddressSpace::new(config));
    let base = unwritten(&mut space, 4);
    let ReadValue::Term(term) = space.read(&pool, base, 4).unwrap() else { panic!("undefined") };
    assert_eq!(pool.as_const(pool.without_undefined(term)), Some(0xaaaa_aaaa));
}

#[test]
fn realloc_keeps_what_was_written_and_adds_undefined_bytes() {
    let (pool, mut space) = (Pool::new(), checked());
    let base = unwritten(&mut space, 8);
    assert!(space.store_concrete(base, 4, 5));
    let moved = space.realloc(&pool, base, 12, SiteId(9)).unwrap().unwrap();
    assert_eq!(space.load_concrete(moved, 4), Some(5));
    let kept = space.read(&pool, moved + 4, 4).unwrap();
    let added = space.read(&pool, moved + 8, 4).unwrap();
    assert_eq!(
        (offsets(&pool, kept), offsets(&pool, added)),
        (vec![4, 5, 6, 7], vec![8, 9, 10, 11])
    );
}

#[test]
fn the_owner_of_a_byte_is_found_while_it_lives() {
    let (pool, mut space) = (Pool::new(), checked());
    let base = unwritten(&mut space, 8);
    let ReadValue::Term(term) = space.read(&pool, base + 3, 1).unwrap() else {
        panic!("undefined")
    };
    let var = pool.support(term).iter().next().unwrap();
    let byte = UndefinedByte::of(&pool, var).unwrap();
    assert_eq!((byte.kind, byte.site, byte.offset), (ObjectKind::Heap, SiteId(3), 3));
    assert_eq!(space.owner_of_undefined(&byte).map(|owner| owner.base), Some(base));
    space.free(base, SiteId(4)).unwrap();
    assert_eq!(space.owner_of_undefined(&byte), None);
}

#[test]
fn many_unwritten_bytes_are_told_from_others_at_a_symbolic_place() {
    let (pool, mut space) = (Pool::new(), checked());
    let base = unwritten(&mut space, 2000);
    space.write_bytes(base, &[7; 1000]).unwrap();
    let target = object(&space, base);
    let at = pool.add(offset(&pool, "x", 0xff), pool.constant(64, 900));
    let read = space.read_at_term(&pool, target, at, 1, None).unwrap().term(&pool, 8);
    let value = |x: u8, unwritten: u8| {
        pool.eval_u64(read, &|var: VarId| if pool.is_undefined(var) { unwritten } else { x })
    };
    assert_eq!((value(99, 0), value(99, 0xff)), (7, 7));
    assert_eq!((value(100, 0), value(100, 0xff)), (0, 0xff));
}
