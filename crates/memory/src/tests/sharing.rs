//! Sharing between branches; the same operations give the same memory.

use super::*;

#[test]
fn branches_do_not_see_each_other() {
    let mut parent = space();
    let bases: Vec<u64> =
        [4, 100, 300, 70_000].iter().map(|size| heap(&mut parent, *size)).collect();
    for base in &bases {
        assert!(parent.store_concrete(*base, 4, 1));
    }
    let mut cloned = parent.clone();
    let mut forked = parent.fork();
    for base in &bases {
        assert!(cloned.store_concrete(*base, 4, 2));
        assert!(forked.store_concrete(*base, 4, 3));
    }
    for base in &bases {
        assert_eq!(parent.load_concrete(*base, 4), Some(1));
        assert_eq!(cloned.load_concrete(*base, 4), Some(2));
        assert_eq!(forked.load_concrete(*base, 4), Some(3));
    }
    let own = forked.alloc(8, 8, ObjectKind::Heap, SiteId(0)).unwrap();
    assert_eq!(
        parent.alloc(8, 8, ObjectKind::Heap, SiteId(0)).unwrap(),
        own,
        "addresses follow the path"
    );
    parent.free(bases[1], SiteId(0)).unwrap();
    assert_eq!(forked.load_concrete(bases[1], 4), Some(3));
}

#[test]
fn the_cache_can_move_to_another_state() {
    let mut first = space();
    let base = heap(&mut first, 32);
    assert!(first.store_concrete(base, 8, 5));
    let mut second = first.fork();
    let cache = first.release_cache().unwrap();
    second.adopt_cache(cache);
    assert!(second.store_concrete(base, 8, 6));
    assert_eq!(first.load_concrete(base, 8), Some(5));
    assert_eq!(second.load_concrete(base, 8), Some(6));
}

#[test]
fn equal_content_has_equal_hashes_however_it_came_about() {
    let pool = Pool::new();
    let build = |order: [u64; 3]| {
        let mut space = space();
        let base = heap(&mut space, 700);
        for at in order {
            assert!(space.store_concrete(base + at * 200, 8, at + 1));
        }
        space.make_symbolic(&pool, base + 8, pool.symbol("x", 4)).unwrap();
        (space, base)
    };
    let (mut a, base) = build([0, 1, 2]);
    let (mut b, _) = build([2, 0, 1]);
    assert_eq!(a.content_hash(&pool), b.content_hash(&pool));
    assert!(b.store_concrete(base + 699, 1, 0), "writing what is there changes nothing");
    assert_eq!(a.content_hash(&pool), b.content_hash(&pool));
    assert!(b.store_concrete(base + 699, 1, 1));
    assert_ne!(a.content_hash(&pool), b.content_hash(&pool));
    let fork = a.fork().content_hash(&pool);
    assert_eq!(fork, a.content_hash(&pool));
    let other = pool.symbol("y", 4);
    a.make_symbolic(&pool, base + 8, other).unwrap();
    assert_ne!(a.content_hash(&pool), fork);
}

#[test]
fn an_address_space_is_small() {
    assert!(size_of::<AddressSpace>() <= 88, "{}", size_of::<AddressSpace>());
}

#[test]
fn states_can_move_between_threads() {
    fn assert_send<T: Send + Sync>() {}
    assert_send::<AddressSpace>();
    assert_send::<crate::PageCache>();
}
