//! Memory is the same after it was written as bytes and read again.

use everett_base::part::{PartReader, PartWriter, Portable};
use everett_expr::TermTable;

use super::*;
use crate::AccessRights;

/// Everything that can be told of the bytes of an object.
fn contents(pool: &Pool, space: &mut AddressSpace, base: u64) -> Vec<String> {
    let size = object(space, base).object.size;
    let byte = |at| match space.read(pool, base + at, 1) {
        Ok(ReadValue::Concrete(value)) => value.to_string(),
        Ok(ReadValue::Term(term)) => pool.display(term).to_string(),
        Err(fault) => fault.to_string(),
    };
    (0..size).map(byte).collect()
}

fn written(pool: &Pool, spaces: &mut (AddressSpace, AddressSpace)) -> [Vec<u8>; 2] {
    spaces.0.flush();
    spaces.1.flush();
    let mut to = PartWriter::new(&[]);
    spaces.write(&mut to);
    [TermTable::write(pool, &to), to.into_bytes()]
}

fn read(pool: &Pool, [terms, values]: &[Vec<u8>; 2]) -> (AddressSpace, AddressSpace) {
    let table = TermTable::read(pool, terms).unwrap();
    let mut from = PartReader::new(values, &[&table]);
    let spaces = Portable::read(&mut from).unwrap();
    from.end().unwrap();
    spaces
}

#[test]
fn memory_is_the_same_after_reading() {
    let (pool, mut space) = (Pool::new(), space());
    let bases: Vec<u64> =
        [1, 15, 40, 100, 256, 3000, 9000].map(|size| heap(&mut space, size)).into();
    for (step, &base) in (1u64..).zip(&bases) {
        assert!(space.store_concrete(base, 1, step));
    }
    let x = pool.byte(pool.symbol("x", 1), 0);
    let product = pool.mul(pool.zext(x, 32), pool.constant(32, 3));
    AddressSpace::write(&mut space, &pool, bases[3] + 5, product).unwrap();
    let found = object(&space, bases[5]);
    space.write_at_term(&pool, found, offset(&pool, "at", 63), x, None).unwrap();
    let guarded = heap(&mut space, 8192);
    space.protect(guarded, 4096, AccessRights::ReadOnly);
    space.free(bases[1], SiteId(9)).unwrap();
    let stack = space.alloc(24, 16, ObjectKind::Stack, SiteId(2)).unwrap();
    space.release_stack(stack, SiteId(3));
    let mut other = space.fork();
    assert!(other.store_concrete(bases[6] + 8000, 8, u64::MAX));

    let alone = written(&pool, &mut (space.fork(), AddressSpace::new(MemoryConfig::default())));
    let mut spaces = (space, other);
    let bytes = written(&pool, &mut spaces);
    assert!(bytes[1].len() < alone[1].len() + 700, "what both have is written once");
    let fresh = Pool::new();
    let mut now = read(&fresh, &bytes);
    for (old, new) in [(&mut spaces.0, &mut now.0), (&mut spaces.1, &mut now.1)] {
        for base in bases.iter().copied().filter(|base| *base != bases[1]).chain([guarded]) {
            assert_eq!(contents(&pool, old, base), contents(&fresh, new, base));
            assert_eq!(old.rights(base), new.rights(base));
        }
        for address in [bases[1], stack, bases[0] + 1, 0, 1 << 41] {
            assert_eq!(old.resolve(address), new.resolve(address));
        }
        assert_eq!(heap(old, 77), heap(new, 77), "objects are placed where they would have been");
    }
    let values = &bytes[1];
    let table = TermTable::read(&fresh, &bytes[0]).unwrap();
    for end in (0..values.len()).step_by(7) {
        let mut from = PartReader::new(&values[..end], &[&table]);
        assert!(<(AddressSpace, AddressSpace)>::read(&mut from).is_err(), "{end} bytes");
    }
}
