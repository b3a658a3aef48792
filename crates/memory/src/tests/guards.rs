//! Parts of objects with rights of their own.

use super::*;
use crate::{AccessRights, GUARD_BYTES};

/// An object of some pages of 4 KiB.
fn pages(space: &mut AddressSpace, count: u64) -> u64 {
    space.alloc(count * GUARD_BYTES, GUARD_BYTES, ObjectKind::External, SiteId(1)).unwrap()
}

#[test]
fn a_guard_page_stops_reads_and_writes() {
    let (pool, mut space) = (Pool::new(), space());
    let base = pages(&mut space, 3);
    assert!(space.store_concrete(base + 4096, 8, 7), "it is in the cache now");
    space.protect(base + 4096, 4096, AccessRights::Nothing);
    assert_eq!(space.load_concrete(base + 4096, 8), None);
    assert!(!space.store_concrete(base + 4096 + 4088, 8, 1));
    let fault = space.read(&pool, base + 4096, 8).unwrap_err();
    assert!(matches!(fault, MemoryFault::Protected { rights: AccessRights::Nothing, .. }));
    assert!(fault.to_string().ends_with("in memory that mprotect made inaccessible"));
    assert!(space.store_concrete(base, 8, 1) && space.store_concrete(base + 8192, 8, 1));
    assert!(space.check(base + 4092, 8).is_err(), "an access that reaches into it");
    space.protect(base + 4096, 4096, AccessRights::ReadWrite);
    assert_eq!(space.load_concrete(base + 4096, 8), Some(7), "the bytes were kept");
}

#[test]
fn a_read_only_part_can_be_read_through_the_cache() {
    let mut space = space();
    let base = pages(&mut space, 2);
    assert!(space.store_concrete(base, 4, 5));
    space.protect(base, 4096, AccessRights::ReadOnly);
    assert_eq!(space.load_concrete(base, 4), Some(5));
    assert!(!space.store_concrete(base, 4, 6));
    assert!(matches!(
        space.check_write(base + 8, 1),
        Err(MemoryFault::Protected { rights: AccessRights::ReadOnly, .. })
    ));
    assert!(space.store_concrete(base + 4096, 4, 6));
    assert_eq!(space.load_concrete(base, 4), Some(5));
}

#[test]
fn a_symbolic_write_does_not_make_a_read_only_page_writable() {
    let (pool, mut space) = (Pool::new(), space());
    let base = pages(&mut space, 2);
    space.protect(base, 4096, AccessRights::ReadOnly);
    assert_eq!(space.load_concrete(base + 8, 4), Some(0));
    let index = offset(&pool, "i", 255);
    let target = object(&space, base);
    let at = pool.add(index, pool.constant(64, 4096));
    space.write_at_term(&pool, target, at, pool.constant(8, 1), Some((4096, 4351))).unwrap();
    space.write_bytes(base + 8000, &[1]).unwrap();
    assert!(!space.store_concrete(base + 8, 4, 1));
}

#[test]
fn rights_are_a_step_function_without_needless_steps() {
    let mut space = space();
    let base = pages(&mut space, 8);
    let parts = |space: &AddressSpace| -> Vec<(u64, u64, AccessRights)> {
        let parts = space.parts(object(space, base)).into_iter();
        parts.map(|(from, to, rights)| (from / 4096, to / 4096, rights)).collect()
    };
    assert_eq!(parts(&space), [(0, 8, AccessRights::ReadWrite)]);
    space.protect(base, 8 * 4096, AccessRights::Nothing);
    space.protect(base + 4096, 7 * 4096, AccessRights::ReadWrite);
    assert_eq!(parts(&space), [(0, 1, AccessRights::Nothing), (1, 8, AccessRights::ReadWrite)]);
    space.protect(base + 3 * 4096, 2 * 4096, AccessRights::Unmapped);
    space.protect(base + 2 * 4096, 4096, AccessRights::Unmapped);
    assert_eq!(
        parts(&space),
        [
            (0, 1, AccessRights::Nothing),
            (1, 2, AccessRights::ReadWrite),
            (2, 5, AccessRights::Unmapped),
            (5, 8, AccessRights::ReadWrite)
        ]
    );
    space.protect(base, 8 * 4096, AccessRights::ReadOnly);
    assert_eq!(parts(&space), [(0, 8, AccessRights::ReadOnly)]);
    assert_eq!(space.rights(base + 5), Some(AccessRights::ReadOnly));
    assert_eq!(space.rights(base - 1), None);
}

#[test]
fn an_object_is_as_long_as_its_rights_allow() {
    let mut space = space();
    let base = pages(&mut space, 4);
    let end = |space: &AddressSpace, address, write| {
        (space.allowed(object(space, base), address, write).end() - base) / 4096
    };
    assert_eq!(end(&space, base, true), 4);
    space.protect(base + 4096, 4096, AccessRights::ReadOnly);
    space.protect(base + 3 * 4096, 4096, AccessRights::Nothing);
    assert_eq!((end(&space, base, false), end(&space, base, true)), (3, 1));
    assert_eq!((end(&space, base + 8192, false), end(&space, base + 8192, true)), (3, 3));
}

#[test]
fn random_changes_of_rights_agree_with_a_table() {
    let mut rng = everett_base::Rng::new(3);
    let mut space = space();
    let (first, second) = (pages(&mut space, 16), pages(&mut space, 16));
    let mut table = [AccessRights::ReadWrite; 16];
    let all = [
        AccessRights::ReadWrite,
        AccessRights::ReadOnly,
        AccessRights::Nothing,
        AccessRights::Unmapped,
    ];
    for _ in 0..500 {
        let from = rng.below(16);
        let to = from + 1 + rng.below(16 - from);
        let rights = all[rng.below(4) as usize];
        space.protect(first + from * 4096, (to - from) * 4096, rights);
        table[from as usize..to as usize].fill(rights);
        for (page, rights) in (0..).zip(table) {
            let address = first + page * 4096 + rng.below(4089);
            assert_eq!(space.rights(address), Some(rights));
            assert_eq!(space.load_concrete(address, 8).is_some(), rights.allow(false));
            assert_eq!(space.store_concrete(address, 8, 0), rights.allow(true));
        }
        assert_eq!(space.rights(second), Some(AccessRights::ReadWrite));
    }
}

#[test]
fn a_released_object_leaves_no_rights_behind() {
    let mut space = space();
    let base = pages(&mut space, 4);
    space.protect(base + 4096, 4096, AccessRights::Nothing);
    space.release(base, SiteId(2));
    assert!(matches!(space.check(base, 1), Err(MemoryFault::Freed { .. })));
    assert!(space.rare().unwrap().guards.is_empty());
}

#[test]
fn the_environment_reads_and_writes_whatever_the_rights() {
    let (pool, mut space) = (Pool::new(), space());
    let base = pages(&mut space, 2);
    space.protect(base, 8192, AccessRights::ReadOnly);
    assert_eq!(space.load_concrete(base + 300, 1), Some(0));
    assert!(space.put_bytes(base + 300, b"abc"));
    assert_eq!(space.load_concrete(base + 301, 1), Some(u64::from(b'b')));
    let byte = ByteValue::Symbolic(pool.byte(pool.symbol("b", 1), 0));
    assert!(space.put_each(&pool, base + 600, &[byte]));
    assert_eq!(space.peek(&pool, base + 600, 1), [byte]);
    space.reset_range(base + 301, 400);
    assert_eq!(space.peek(&pool, base + 300, 2), [b'a', 0].map(ByteValue::Concrete));
    assert_eq!(space.load_concrete(base + 600, 1), Some(0));
    assert!(!space.put_bytes(base + 8190, b"abc"));
}

#[test]
fn changes_are_told_since_a_snapshot() {
    let mut space = space();
    let base = pages(&mut space, 4);
    assert!(space.store_concrete(base, 8, 1));
    let snapshot = space.take_snapshot();
    assert_eq!(space.changed_since(&snapshot, base, base + 16384), []);
    assert!(space.store_concrete(base + 5000, 8, 1));
    assert_eq!(space.changed_since(&snapshot, base, base + 16384), [(base + 4864, 256)]);
    assert_eq!(space.changed_since(&snapshot, base, base + 4096), []);
    space.reset_range(base, 4096);
    assert_eq!(space.changed_since(&snapshot, base, base + 4096), [(base, 256)]);
}

#[test]
fn an_object_is_taken_over_from_another_address_space() {
    let (pool, mut first) = (Pool::new(), space());
    let base = pages(&mut first, 4);
    assert!(first.store_concrete(base + 4096, 8, 1));
    let mut second = first.fork();
    first.reset_range(base + 4096, 4096);
    assert!(first.store_concrete(base, 8, 2));
    let index = offset(&pool, "i", 15);
    let target = object(&first, base);
    first.write_at_term(&pool, target, index, pool.constant(8, 9), Some((0, 15))).unwrap();
    assert_eq!(second.load_concrete(base, 8), Some(0));
    second.copy_object_from(&mut first, base);
    assert_eq!(second.load_concrete(base + 4096, 8), Some(0));
    assert_eq!(second.read(&pool, base, 8), first.read(&pool, base, 8));
    assert_eq!(second.content_hash(&pool), first.content_hash(&pool));
}

#[test]
fn aliases_change_together() {
    let (pool, mut space) = (Pool::new(), space());
    let (first, second) = (pages(&mut space, 4), pages(&mut space, 2));
    assert!(space.store_concrete(first + 4096, 8, 1) && space.store_concrete(second, 8, 9));
    space.make_alias(second, first + 4096);
    assert_eq!(space.load_concrete(second, 8), Some(1));
    assert!(space.store_concrete(second + 300, 8, 2));
    assert_eq!(space.load_concrete(first + 4396, 8), Some(2));
    space.fill(&pool, first + 8000, ByteValue::Concrete(7), 500).unwrap();
    assert_eq!(space.peek(&pool, second + 4000, 1), [ByteValue::Concrete(7)]);
    let byte = ByteValue::Symbolic(pool.byte(pool.symbol("b", 1), 0));
    space.write_each(&pool, second + 20, &[byte]).unwrap();
    assert_eq!(space.read_each(&pool, first + 4116, 1).unwrap(), [byte]);
    space.protect(second, 4096, AccessRights::ReadOnly);
    assert!(!space.store_concrete(second, 8, 3) && space.store_concrete(first + 4096, 8, 3));
    assert_eq!(space.load_concrete(second, 8), Some(3));
    let target = object(&space, second);
    let index = offset(&pool, "i", 7);
    assert!(space.read_at_term(&pool, target, index, 1, Some((0, 7))).is_err());
    assert_eq!(space.aliases_of(first + 4096, first + 4097), [second]);
    assert_eq!(space.aliases_of(first, first + 4096), []);
    let mut branch = space.fork();
    space.separate_alias(second);
    assert!(space.store_concrete(first + 4096, 8, 4));
    assert_eq!(space.load_concrete(second, 8), Some(3));
    assert!(branch.is_alias(second) && !space.is_alias(second));
    assert!(branch.store_concrete(first + 4096, 8, 4));
    assert_eq!(branch.load_concrete(second, 8), Some(4));
    space.release(first, SiteId(1));
    assert_eq!(space.load_concrete(second + 300, 8), Some(2));
}
