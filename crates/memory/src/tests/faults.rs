//! Wrong uses of memory and what is said about them.

use super::*;
use crate::{AddressResolution, AllocError, ObjectNameId, Tombstone};

#[test]
fn out_of_bounds_accesses_name_the_object_and_the_distance() {
    let mut space = space();
    let base = heap(&mut space, 40);
    let text = |address, bytes| space.check(address, bytes).unwrap_err().to_string();
    assert_eq!(text(base + 44, 4), "4 bytes at 4 bytes past the end of a heap object of 40 bytes");
    assert_eq!(text(base + 40, 1), "1 bytes at the end of a heap object of 40 bytes");
    assert_eq!(text(base + 38, 4), "4 bytes at offset 38 of a heap object of 40 bytes");
    assert_eq!(
        text(base - 4, 4),
        "4 bytes at 4 bytes before the start of a heap object of 40 bytes"
    );
    assert_eq!(
        text(base + 2000, 1),
        "1 bytes at 1960 bytes past the end of a heap object of 40 bytes"
    );
    assert_eq!(text(8, 4), "4 bytes at address 0x8, in the null page");
    assert_eq!(text(0xdead_beef, 4), "4 bytes at address 0xdeadbeef, where no object ever was");
    assert_eq!(text(crate::code_address(3), 1), "1 bytes at address 0x40000000040, which is code");
    assert!(matches!(text(u64::MAX - 2, 8).as_str(), text if text.contains("no object ever was")));
}

#[test]
fn an_address_between_two_objects_belongs_to_the_nearer_one() {
    let mut space = space();
    let (first, second) = (heap(&mut space, 256), heap(&mut space, 16));
    assert_eq!(second - first, 4096);
    let nearest = |address| match space.resolve(address) {
        AddressResolution::Gap(object) => (object.base, object.distance(address)),
        other => panic!("{other:?}"),
    };
    assert_eq!(nearest(second - 1), (second, 1));
    assert_eq!(nearest(first + 256), (first, 0));
    assert_eq!(nearest(first + 3000), (second, 1096));
    assert_eq!(nearest(first + 1000), (first, 744));
}

#[test]
fn freed_objects_are_remembered_with_their_sites() {
    let mut space = space();
    let base = space.alloc(24, 8, ObjectKind::Heap, SiteId(11)).unwrap();
    space.set_name(base, ObjectNameId(5));
    space.free(base, SiteId(12)).unwrap();
    assert_eq!(space.load_concrete(base, 4), None);
    assert!(!space.store_concrete(base, 4, 1));
    let Err(MemoryFault::Freed { tombstone: Some(found), .. }) = space.check(base + 8, 4) else {
        panic!("freed")
    };
    let Tombstone { base: where_it_was, object, freed } = found;
    assert_eq!((where_it_was, object.site, freed), (base, SiteId(11), SiteId(12)));
    assert_eq!((object.size, object.name), (24, ObjectNameId(5)));
    assert!(matches!(
        space.free(base, SiteId(13)),
        Err(MemoryFault::DoubleFree { tombstone: Some(_), .. })
    ));
}

#[test]
fn freed_addresses_are_not_used_again() {
    let mut space = space();
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..5000u64 {
        let base = heap(&mut space, round % 400);
        assert!(seen.insert(base), "used twice");
        space.free(base, SiteId(0)).unwrap();
    }
    let first = *seen.iter().next().unwrap();
    assert!(matches!(space.resolve(first), AddressResolution::Freed(_)));
}

#[test]
fn large_slots_go_round_and_skip_live_objects() {
    let mut space = space();
    let size = 1 << 39;
    let first = heap(&mut space, size);
    for _ in 0..20 {
        let other = heap(&mut space, size);
        assert_ne!(first, other);
        space.free(other, SiteId(0)).unwrap();
    }
    let second = heap(&mut space, size);
    assert_ne!(first, second);
    let full = space.alloc(size, 16, ObjectKind::Heap, SiteId(0));
    assert_eq!(full, Err(AllocError::Exhausted { size }));
    let too_large = space.alloc(u64::MAX, 16, ObjectKind::Heap, SiteId(0));
    assert!(matches!(too_large, Err(AllocError::TooLarge { .. })));
}

#[test]
fn failing_allocations_change_nothing_until_an_object_is_freed() {
    let mut space = space();
    let size = 1 << 39;
    let first = heap(&mut space, size);
    heap(&mut space, size);
    let serial = space.next_serial;
    for _ in 0..100 {
        let full = space.alloc(size, 16, ObjectKind::Heap, SiteId(0));
        assert_eq!(full, Err(AllocError::Exhausted { size }));
    }
    assert_eq!(space.next_serial, serial, "each failure would make the next one slower");
    let small = heap(&mut space, 8);
    space.free(small, SiteId(0)).unwrap();
    assert!(space.alloc(size, 16, ObjectKind::Heap, SiteId(0)).is_err());
    space.free(first, SiteId(0)).unwrap();
    assert_eq!(heap(&mut space, size), first);
}

#[test]
fn a_small_object_in_a_large_slot_makes_room_when_it_is_freed() {
    let mut space = space();
    let align = 1 << 37;
    let aligned = |space: &mut AddressSpace| space.alloc(64, align, ObjectKind::Heap, SiteId(0));
    let first = aligned(&mut space).unwrap();
    while aligned(&mut space).is_ok() {}
    space.free(first, SiteId(0)).unwrap();
    assert_eq!(aligned(&mut space), Ok(first));
}

#[test]
fn constant_objects_cannot_be_written() {
    let (pool, mut space) = (Pool::new(), space());
    let base = space.alloc(8, 8, ObjectKind::Global, SiteId::NONE).unwrap();
    space.write_bytes(base, b"constant").unwrap();
    space.set_read_only(base, true);
    assert!(!space.store_concrete(base + 2, 1, 0));
    assert_eq!(space.load_concrete(base, 1), Some(u64::from(b'c')));
    assert!(!space.store_concrete(base + 2, 1, 0), "nor when its page is cached");
    let fault = space.write(&pool, base + 2, pool.constant(8, 0)).unwrap_err();
    assert_eq!(fault.to_string(), "1 bytes at offset 2 of a constant global object of 8 bytes");
    space.set_read_only(base, false);
    assert!(space.store_concrete(base + 2, 1, 0));
}

#[test]
fn only_starts_of_heap_objects_can_be_freed() {
    let mut space = space();
    let heap = heap(&mut space, 16);
    let stack = space.alloc(16, 16, ObjectKind::Stack, SiteId(0)).unwrap();
    let empty = self::heap(&mut space, 0);
    let text =
        |space: &mut AddressSpace, address| space.free(address, SiteId(1)).unwrap_err().to_string();
    assert_eq!(
        text(&mut space, heap + 4),
        "free of an address at offset 4 of a heap object of 16 bytes"
    );
    assert_eq!(text(&mut space, stack), "free of a stack object of 16 bytes");
    assert_eq!(text(&mut space, 0x1000), "free of address 0x1000, where no object ever was");
    space.free(empty, SiteId(1)).unwrap();
    space.free(heap, SiteId(1)).unwrap();
    space.release_stack(stack, SiteId(2));
    assert!(matches!(space.check(stack, 1), Err(MemoryFault::Freed { tombstone: Some(_), .. })));
    assert_eq!(space.object_count(), 0);
}

#[test]
fn realloc_moves_symbolic_and_concrete_bytes() {
    let (pool, mut space) = (Pool::new(), space());
    let old = heap(&mut space, 16);
    assert!(space.store_concrete(old, 4, 99));
    space.make_symbolic(&pool, old + 4, pool.symbol("x", 4)).unwrap();
    let Ok(ReadValue::Term(term)) = space.read(&pool, old + 4, 4) else { panic!("symbolic") };
    let new = space.realloc(&pool, old, 5000, SiteId(3)).unwrap().unwrap();
    assert_eq!(space.load_concrete(new, 4), Some(99));
    assert_eq!(space.read(&pool, new + 4, 4), Ok(ReadValue::Term(term)));
    assert!(matches!(space.check(old, 1), Err(MemoryFault::Freed { .. })));
    assert!(matches!(
        space.realloc(&pool, new + 1, 10, SiteId(3)),
        Err(MemoryFault::FreeInterior { .. })
    ));
    assert!(space.realloc(&pool, new, u64::MAX, SiteId(3)).unwrap().is_err());
    assert_eq!(space.load_concrete(new, 4), Some(99), "the old object lives on");
}
