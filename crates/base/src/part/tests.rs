//! Values are the same after reading, share what they shared, and garbage is an error.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use smallvec::SmallVec;

use super::file::{PartFileError, sections, to_bytes};
use super::{PartError, PartReader, PartWriter, Portable};
use crate::rng::Rng;
use crate::{List, NextWake, RadixMap, Stamp, portable};

fn bytes_of<T: Portable>(value: &T) -> Vec<u8> {
    let mut to = PartWriter::new(&[]);
    value.write(&mut to);
    to.into_bytes()
}

fn read_all<T: Portable>(bytes: &[u8]) -> Result<T, PartError> {
    let mut from = PartReader::new(bytes, &[]);
    let value = T::read(&mut from)?;
    from.end().map(|()| value)
}

/// Checks that the value comes back, and that no beginning of its bytes is taken for a value.
#[track_caller]
fn check<T: Portable + PartialEq + std::fmt::Debug>(value: T) {
    let bytes = bytes_of(&value);
    assert_eq!(read_all::<T>(&bytes).as_ref(), Ok(&value));
    for end in 0..bytes.len() {
        assert!(read_all::<T>(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Shape {
    corners: Vec<(i32, i64)>,
    kind: Kind<u16>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind<T> {
    Plain,
    Named(String, T),
    Both { left: Box<Option<T>>, right: bool },
}

portable!(struct Shape { corners, kind });
portable!([T: Portable] enum Kind<T> { 0 = Plain, 1 = Named(name, value), 2 = Both { left, right } });

#[test]
fn values_come_back() {
    check((0u8, 300u16, u32::MAX, u64::MAX));
    check((usize::MAX, i32::MIN, i64::MIN, true));
    check((0.1f64, f32::MIN_POSITIVE));
    check((i128::MIN, i128::MAX, -1i128));
    check((Stamp::NEVER, NextWake::At(5), NextWake::Never));
    check(vec![Some(String::from("ä")), None]);
    check((syscalls::Errno::EAGAIN, syscalls::Sysno::openat));
    check([[1u32, 2], [3, 4]]);
    check(BTreeMap::from([(3u32, BTreeSet::from([5u64, 6])), (4, BTreeSet::new())]));
    check(crate::Map::from_iter([(3u32, Some(1u8)), (1, None)]));
    check(crate::Set::from_iter([9u32, 2, 5]));
    check(SmallVec::<[u32; 2]>::from_slice(&[1, 2, 3]));
    check(("10.0.0.1:80".parse::<std::net::SocketAddr>().unwrap(), Box::<str>::from("x")));
    check("[fd00::1]:80".parse::<std::net::SocketAddr>().unwrap());
    let mut rng = Rng::new(5);
    rng.next_u64();
    check(rng);
    for kind in [
        Kind::Plain,
        Kind::Named("n".into(), 7),
        Kind::Both { left: Box::new(Some(1)), right: false },
    ] {
        check(Shape { corners: vec![(-1, 1), (64, -65)], kind });
    }
}

#[test]
fn small_numbers_are_short() {
    assert_eq!(bytes_of(&127u64), [127]);
    assert_eq!(bytes_of(&128u64), [0x80, 1]);
    assert_eq!(bytes_of(&-1i64), [1]);
    assert_eq!(bytes_of(&u64::MAX).len(), 10);
}

#[test]
fn errors_name_the_place() {
    let wrong = read_all::<(u8, bool)>(&[9, 2]).unwrap_err();
    assert_eq!(wrong.to_string(), "at byte 2: expected a truth value");
    let too_long = read_all::<Vec<u64>>(&[200, 1, 1]).unwrap_err();
    assert_eq!(
        too_long.to_string(),
        "at byte 2: expected the bytes of as many values as there should be"
    );
    assert!(read_all::<u64>(&[0xff; 11]).is_err());
    assert!(read_all::<u16>(&[0xff, 0xff, 0x7f]).is_err());
    assert!(read_all::<Kind<u16>>(&[3]).unwrap_err().to_string().contains("a variant of Kind"));
}

#[test]
fn what_is_shared_is_written_once_and_shared_again() {
    let common = Arc::new(vec![7u64; 100]);
    let lean = triomphe::Arc::new(5u32);
    let slice: Arc<[u8]> = Arc::from(&b"abc"[..]);
    let values = ((common.clone(), common), (lean.clone(), lean), (slice.clone(), slice));
    let bytes = bytes_of(&values);
    assert!(bytes.len() < 120, "{}", bytes.len());
    let (a, b, c) = read_all::<(
        (Arc<Vec<u64>>, Arc<Vec<u64>>),
        (triomphe::Arc<u32>, triomphe::Arc<u32>),
        (Arc<[u8]>, Arc<[u8]>),
    )>(&bytes)
    .unwrap();
    assert!(Arc::ptr_eq(&a.0, &a.1) && a.0.len() == 100);
    assert!(triomphe::Arc::ptr_eq(&b.0, &b.1) && *b.0 == 5);
    assert!(Arc::ptr_eq(&c.0, &c.1) && *c.0 == *b"abc");
}

#[test]
fn lists_share_their_tails_again() {
    let common: List<u32> = (0..1000).collect();
    let (mut a, mut b) = (common.clone(), common.clone());
    a.push(1);
    b.push(2);
    let bytes = bytes_of(&(a, (b, common)));
    assert!(bytes.len() < 2000, "{}", bytes.len());
    let (a, (b, common)) = read_all::<(List<u32>, (List<u32>, List<u32>))>(&bytes).unwrap();
    assert!(a.rest().ptr_eq(&common) && b.rest().ptr_eq(&common));
    assert_eq!((a.first(), b.first(), common.len()), (Some(&1), Some(&2), 1000));
    assert!(common.iter().copied().eq((0..1000).rev()));
}

#[test]
fn a_list_of_a_million_needs_no_stack() {
    let list: List<u8> = (0..1_000_000u32).map(|number| number as u8).collect();
    assert_eq!(read_all::<List<u8>>(&bytes_of(&list)).unwrap(), list);
}

#[test]
fn maps_share_their_nodes_again() {
    let map: RadixMap<u64> = (0..1000).map(|key| (key * 3, key)).collect();
    let mut other = map.clone();
    other.insert(500, 1);
    let (alone, both) = (bytes_of(&map), bytes_of(&(map.clone(), (other.clone(), map.clone()))));
    assert!(both.len() < alone.len() + 60, "{} and {}", alone.len(), both.len());
    let read = read_all::<(RadixMap<u64>, (RadixMap<u64>, RadixMap<u64>))>(&both).unwrap();
    assert!(read.0.iter().eq(map.iter()) && read.1.0.iter().eq(other.iter()));
    assert!(read.0.ptr_eq(&read.1.1));
    assert_eq!((read.0.len(), read.1.0.len()), (map.len(), other.len()));
    // What was read can be changed like any other map.
    let (mut changed, mut expected) = (read.1.0, other);
    for key in (0..3000).step_by(7) {
        assert_eq!(changed.remove(key), expected.remove(key));
        assert_eq!(changed.insert(key + 1, key), expected.insert(key + 1, key));
    }
    assert!(changed.iter().eq(expected.iter()) && changed.len() == expected.len());
}

#[test]
fn a_file_is_refused_by_what_is_wrong_with_it() {
    let run = [7; 32];
    let bytes = to_bytes(&run, &[b"one", b"", b"three"]);
    assert_eq!(sections::<3>(&run, &bytes).unwrap(), [&b"one"[..], b"", b"three"]);
    assert_eq!(sections::<3>(&[8; 32], &bytes), Err(PartFileError::OtherRun));
    assert_eq!(sections::<2>(&run, &bytes), Err(PartFileError::Damaged));
    for end in 0..bytes.len() {
        assert!(sections::<3>(&run, &bytes[..end]).is_err(), "{end} bytes");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let expected = match at {
            0..8 => PartFileError::NotAPart,
            8..12 => {
                PartFileError::OtherVersion { found: super::file::VERSION ^ 1 << (8 * (at - 8)) }
            }
            _ => PartFileError::Damaged,
        };
        assert_eq!(sections::<3>(&run, &changed), Err(expected), "byte {at}");
    }
}

type Everything = (Vec<Shape>, List<Arc<[u16]>>, RadixMap<(Arc<u32>, i32)>, BTreeMap<u8, Arc<str>>);

proptest! {
    #[test]
    fn maps_come_back(keys in proptest::collection::vec((any::<u64>(), 0..65u32), 0..200)) {
        let map: RadixMap<u32> = keys.iter().map(|&(key, bits)| (key >> (bits % 64), bits)).collect();
        let read = read_all::<RadixMap<u32>>(&bytes_of(&map)).unwrap();
        prop_assert!(read.iter().eq(map.iter()));
        prop_assert_eq!(read.len(), map.len());
    }

    #[test]
    fn garbage_is_an_error_or_a_value(bytes in proptest::collection::vec(0..20u8, 0..300)) {
        if let Ok((_, _, mut map, _)) = read_all::<Everything>(&bytes) {
            let keys: Vec<u64> = map.iter().map(|(key, _)| key).collect();
            prop_assert!(keys.is_sorted_by(|a, b| a < b));
            prop_assert!(keys.iter().all(|&key| map.remove(key).is_some()) && map.is_empty());
        }
    }

    #[test]
    fn garbage_of_a_map_is_an_error_or_a_map(bytes in proptest::collection::vec(0..12u8, 0..60)) {
        if let Ok(mut map) = RadixMap::<u8>::read(&mut PartReader::new(&bytes, &[])) {
            let keys: Vec<u64> = map.iter().map(|(key, _)| key).collect();
            prop_assert!(keys.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(keys.len(), map.len());
            prop_assert!(keys.iter().all(|&key| map.remove(key).is_some()) && map.is_empty());
        }
    }
}
