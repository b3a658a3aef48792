//! Mappings, call by call.

use everett_memory::{AccessRights, MemoryFault};
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use super::{arrive, leave, share};
use crate::kernel::Guest;
use crate::state::ids::{Pid, Tid};
use crate::testing::{Outcome, Tester};

const PAGE: u64 = 4096;
const RW: u64 = (linux::PROT_READ | linux::PROT_WRITE) as u64;
const ANONYMOUS: u64 = (linux::MAP_PRIVATE | linux::MAP_ANONYMOUS) as u64;
const SHARED_MEMORY: u64 = (linux::MAP_SHARED | linux::MAP_ANONYMOUS) as u64;
const NO_FILE: u64 = u64::MAX;

fn map(tester: &mut Tester, pages: u64, protection: u64, flags: u64) -> u64 {
    let args = [0, pages * PAGE, protection, flags, NO_FILE, 0];
    tester.call(Sysno::mmap, &args).unwrap()
}

fn rights(tester: &Tester, address: u64) -> Option<AccessRights> {
    tester.state.mem.rights(address)
}

/// A file with this content, open for reading and writing.
fn file(tester: &mut Tester, content: &[u8]) -> u64 {
    let path = tester.text("/tmp/file");
    let flags = u64::from(linux::O_CREAT | linux::O_RDWR);
    let file = tester.call(Sysno::open, &[path, flags, 0o600]).unwrap();
    let address = tester.bytes(content);
    tester.call(Sysno::write, &[file, address, content.len() as u64]).unwrap();
    file
}

fn read_file(tester: &mut Tester, file: u64, at: u64, len: usize) -> Vec<u8> {
    let address = tester.room(len);
    let count = tester.call(Sysno::pread64, &[file, address, len as u64, at]).unwrap();
    tester.peek(address, count as usize)
}

#[test]
fn a_thread_s_stack_has_a_guard_page() {
    let mut tester = Tester::new();
    let stack = map(&mut tester, 10, linux::PROT_NONE.into(), ANONYMOUS);
    assert_eq!(rights(&tester, stack), Some(AccessRights::Nothing));
    tester.call(Sysno::mprotect, &[stack + PAGE, 9 * PAGE, RW]).unwrap();
    assert!(tester.state.mem.store_concrete(stack + PAGE, 8, 1));
    assert!(!tester.state.mem.store_concrete(stack + PAGE - 8, 8, 1));
    assert_eq!(tester.call(Sysno::munmap, &[stack, 10 * PAGE]), Ok(0));
    assert!(matches!(tester.state.mem.check(stack + PAGE, 8), Err(MemoryFault::Freed { .. })));
    assert_eq!(tester.call(Sysno::munmap, &[stack, 10 * PAGE]), Ok(0), "nothing is there");
}

#[test]
fn a_hole_can_be_filled_again() {
    let mut tester = Tester::new();
    let start = map(&mut tester, 4, RW, ANONYMOUS);
    assert!(tester.state.mem.store_concrete(start + PAGE, 8, 7));
    tester.call(Sysno::munmap, &[start + PAGE, PAGE]).unwrap();
    assert_eq!(rights(&tester, start + PAGE), Some(AccessRights::Unmapped));
    let protected = tester.call(Sysno::mprotect, &[start, 4 * PAGE, RW]);
    assert_eq!(protected, Err(Errno::ENOMEM));
    let fixed = ANONYMOUS | u64::from(linux::MAP_FIXED);
    let again = tester.call(Sysno::mmap, &[start + PAGE, PAGE, RW, fixed, NO_FILE, 0]);
    assert_eq!(again, Ok(start + PAGE));
    assert_eq!(tester.state.mem.load_concrete(start + PAGE, 8), Some(0));
    let no_replace = ANONYMOUS | u64::from(linux::MAP_FIXED_NOREPLACE);
    let args = [start, PAGE, RW, no_replace, NO_FILE, 0];
    assert_eq!(tester.call(Sysno::mmap, &args), Err(Errno::EEXIST));
    tester.call(Sysno::munmap, &[start, 4 * PAGE]).unwrap();
    assert_eq!(rights(&tester, start), None);
    assert_eq!(tester.node().process().mappings.iter().count(), 0);
}

#[test]
fn a_fixed_address_outside_all_objects_is_taken() {
    let mut tester = Tester::new();
    let fixed = ANONYMOUS | u64::from(linux::MAP_FIXED);
    let args = [0x10_0000, 3 * PAGE, RW, fixed, NO_FILE, 0];
    assert_eq!(tester.call(Sysno::mmap, &args), Ok(0x10_0000));
    assert!(tester.state.mem.write_bytes(0x10_1000, b"x").is_ok());
    tester.call(Sysno::munmap, &[0x10_0000, 3 * PAGE]).unwrap();
    assert!(tester.state.mem.write_bytes(0x10_1000, b"x").is_err());
}

#[test]
fn wrong_mappings_are_refused() {
    let mut tester = Tester::new();
    let mut refused = |args: [u64; 6]| tester.call(Sysno::mmap, &args).unwrap_err();
    assert_eq!(refused([0, 0, RW, ANONYMOUS, NO_FILE, 0]), Errno::EINVAL);
    assert_eq!(refused([0, PAGE, RW, ANONYMOUS, NO_FILE, 1]), Errno::EINVAL);
    assert_eq!(refused([0, PAGE, RW, linux::MAP_ANONYMOUS.into(), NO_FILE, 0]), Errno::EINVAL);
    assert_eq!(refused([0, PAGE, RW, linux::MAP_PRIVATE.into(), 77, 0]), Errno::EBADF);
    assert_eq!(refused([0, PAGE, RW, linux::MAP_PRIVATE.into(), 0, 0]), Errno::ENODEV);
    assert_eq!(refused([0, 1 << 50, RW, ANONYMOUS, NO_FILE, 0]), Errno::ENOMEM);
    assert_eq!(tester.call(Sysno::munmap, &[1, PAGE]), Err(Errno::EINVAL));
    let limit = tester.words(&[16 * PAGE, 16 * PAGE]);
    tester.call(Sysno::setrlimit, &[linux::RLIMIT_AS.into(), limit]).unwrap();
    let too_much = tester.call(Sysno::mmap, &[0, 17 * PAGE, RW, ANONYMOUS, NO_FILE, 0]);
    assert_eq!(too_much, Err(Errno::ENOMEM));
}

#[test]
fn a_private_mapping_shows_the_file_and_keeps_changes_to_itself() {
    let mut tester = Tester::new();
    let file = file(&mut tester, &[b'a'; 5000]);
    let private = u64::from(linux::MAP_PRIVATE);
    let start = tester.call(Sysno::mmap, &[0, 4 * PAGE, RW, private, file, 0]).unwrap();
    assert_eq!(tester.peek(start + 4999, 2), [b'a', 0]);
    assert_eq!(rights(&tester, start + 2 * PAGE), Some(AccessRights::PastEnd));
    assert!(tester.state.mem.store_concrete(start, 1, b'b'.into()));
    assert_eq!(read_file(&mut tester, file, 0, 1), b"a");
    tester.call(Sysno::madvise, &[start, PAGE, linux::MADV_DONTNEED.into()]).unwrap();
    assert_eq!(tester.peek(start, 1), b"a");
    tester.call(Sysno::mprotect, &[start, 4 * PAGE, linux::PROT_READ.into()]).unwrap();
    assert_eq!(rights(&tester, start + PAGE), Some(AccessRights::ReadOnly));
    assert_eq!(rights(&tester, start + 3 * PAGE), Some(AccessRights::PastEnd));
}

#[test]
fn a_shared_mapping_and_its_file_change_together() {
    let mut tester = Tester::new();
    let file = file(&mut tester, &[b'a'; 5000]);
    let shared = u64::from(linux::MAP_SHARED);
    let start = tester.call(Sysno::mmap, &[0, 2 * PAGE, RW, shared, file, 0]).unwrap();
    tester.call(Sysno::close, &[file]).unwrap();
    let path = tester.text("/tmp/file");
    let file = tester.call(Sysno::open, &[path, linux::O_RDWR.into(), 0]).unwrap();
    assert!(tester.state.mem.store_concrete(start + 4500, 1, b'b'.into()));
    assert!(tester.state.mem.store_concrete(start + 5500, 1, b'x'.into()), "beyond the end");
    leave(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(read_file(&mut tester, file, 4499, 3), b"aba");
    assert_eq!(read_file(&mut tester, file, 0, 9000).len(), 5000, "the file does not grow");
    let text = tester.bytes(b"new");
    tester.call(Sysno::pwrite64, &[file, text, 3, 10]).unwrap();
    arrive(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(tester.peek(start + 9, 5), b"anewa");
    assert_eq!(tester.peek(start + 4500, 1), b"b");
    tester.call(Sysno::ftruncate, &[file, 100]).unwrap();
    arrive(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(rights(&tester, start + PAGE), Some(AccessRights::PastEnd));
    assert_eq!(tester.peek(start + 99, 2), [b'a', 0]);
    let larger = tester.attempt(Sysno::mmap, &[0, 3 * PAGE, RW, shared, file, 0]);
    assert!(matches!(larger, Outcome::Other(_)), "not implemented");
    tester.call(Sysno::munmap, &[start, 2 * PAGE]).unwrap();
    assert!(!tester.node().process().mappings.has_files());
}

#[test]
fn two_shared_mappings_of_a_file_change_together() {
    let mut tester = Tester::new();
    let file = file(&mut tester, &[b'a'; 5000]);
    let shared = u64::from(linux::MAP_SHARED);
    let read = u64::from(linux::PROT_READ);
    let first = tester.call(Sysno::mmap, &[0, 2 * PAGE, RW, shared, file, 0]).unwrap();
    let second = tester.call(Sysno::mmap, &[0, PAGE, read, shared, file, PAGE]).unwrap();
    assert!(tester.state.mem.store_concrete(first + PAGE + 5, 1, b'b'.into()));
    assert_eq!(tester.peek(second + 4, 3), b"aba");
    assert!(!tester.state.mem.store_concrete(second, 1, 0));
    leave(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(read_file(&mut tester, file, PAGE + 4, 3), b"aba");
    let text = tester.bytes(b"new");
    tester.call(Sysno::pwrite64, &[file, text, 3, PAGE]).unwrap();
    arrive(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(
        (tester.peek(first + PAGE, 4), tester.peek(second, 4)),
        (b"newa".to_vec(), b"newa".to_vec())
    );
    tester.call(Sysno::munmap, &[first, 2 * PAGE]).unwrap();
    assert_eq!(tester.peek(second, 6), b"newaab");
    tester.call(Sysno::mprotect, &[second, PAGE, RW]).unwrap();
    assert!(tester.state.mem.store_concrete(second, 1, b'N'.into()));
    leave(&tester.pool, &mut tester.state).unwrap();
    assert_eq!(read_file(&mut tester, file, PAGE, 3), b"New");
}

#[test]
fn a_file_that_may_not_be_written_is_shared_only_for_reading() {
    let mut tester = Tester::new();
    file(&mut tester, b"abc");
    let path = tester.text("/tmp/file");
    let reader = tester.call(Sysno::open, &[path, 0, 0]).unwrap();
    let shared = u64::from(linux::MAP_SHARED);
    let refused = tester.call(Sysno::mmap, &[0, PAGE, RW, shared, reader, 0]);
    assert_eq!(refused, Err(Errno::EACCES));
    let read = u64::from(linux::PROT_READ);
    let start = tester.call(Sysno::mmap, &[0, PAGE, read, shared, reader, 0]).unwrap();
    assert_eq!(tester.call(Sysno::mprotect, &[start, PAGE, RW]), Err(Errno::EACCES));
    let private = u64::from(linux::MAP_PRIVATE);
    assert!(tester.call(Sysno::mmap, &[0, PAGE, RW, private, reader, 0]).is_ok());
}

#[test]
fn processes_see_what_others_write_to_memory_they_share() {
    let mut tester = Tester::new();
    let start = map(&mut tester, 2, RW, SHARED_MEMORY);
    let own = map(&mut tester, 1, RW, ANONYMOUS);
    assert!(tester.node().process().mappings.is_shared(start + PAGE));
    assert!(!tester.node().process().mappings.is_shared(own));
    // Two children, of which one does not run.
    let parent = tester.node().volatile.running.0;
    let mut memory = tester.state.mem.fork();
    let other = tester.state.mem.fork();
    let process = tester.node().process().clone();
    let node = tester.state.extra.node_mut();
    let (second, third) = (Pid(500), Pid(501));
    node.volatile.processes.insert(second, process.clone().into());
    let mut waiting = process;
    waiting.memory = Some(other);
    node.volatile.processes.insert(third, waiting.into());
    assert!(tester.state.mem.store_concrete(start, 8, 7));
    assert!(tester.state.mem.store_concrete(own, 8, 7));
    let state = &mut *tester.state;
    share(state.extra.node_mut(), (parent, &mut state.mem), (second, &mut memory));
    assert_eq!(memory.load_concrete(start, 8), Some(7));
    assert_eq!(memory.load_concrete(own, 8), Some(0));
    let node = state.extra.node_mut();
    let waiting = node.find_mut(third).and_then(|process| process.memory.as_mut()).unwrap();
    assert_eq!(waiting.load_concrete(start, 8), Some(7));
    let _ = Tid(0);
}

#[test]
fn a_mapping_grows_shrinks_and_moves() {
    let mut tester = Tester::new();
    let start = map(&mut tester, 2, RW, ANONYMOUS);
    assert!(tester.state.mem.store_concrete(start + PAGE, 8, 7));
    let may_move = u64::from(linux::MREMAP_MAYMOVE);
    let stuck = tester.call(Sysno::mremap, &[start, 2 * PAGE, 8 * PAGE, 0]);
    assert_eq!(stuck, Err(Errno::ENOMEM));
    let moved = tester.call(Sysno::mremap, &[start, 2 * PAGE, 8 * PAGE, may_move]).unwrap();
    assert_ne!(moved, start);
    assert_eq!(tester.state.mem.load_concrete(moved + PAGE, 8), Some(7));
    assert_eq!(rights(&tester, start), None);
    let shrunk = tester.call(Sysno::mremap, &[moved, 8 * PAGE, PAGE, 0]);
    assert_eq!(shrunk, Ok(moved));
    assert!(tester.state.mem.check(moved + PAGE, 1).is_err());
    let grown = tester.call(Sysno::mremap, &[moved, PAGE, 4 * PAGE, 0]);
    assert_eq!(grown, Ok(moved), "there is room where it was");
    assert_eq!(tester.state.mem.load_concrete(moved + PAGE, 8), Some(0));
}

#[test]
fn the_break_moves_up_and_down() {
    let mut tester = Tester::new();
    let start = tester.call(Sysno::brk, &[0]).unwrap();
    assert!(tester.state.mem.check(start, 1).is_err());
    let end = start + 5000;
    assert_eq!(tester.call(Sysno::brk, &[end]), Ok(end));
    assert!(tester.state.mem.store_concrete(end - 8, 8, 7));
    assert_eq!(tester.call(Sysno::brk, &[start + 10]), Ok(start + 10));
    assert!(tester.state.mem.check(start + PAGE, 1).is_err());
    assert_eq!(tester.call(Sysno::brk, &[end]), Ok(end));
    assert_eq!(tester.state.mem.load_concrete(end - 8, 8), Some(0));
    assert_eq!(tester.call(Sysno::brk, &[1]), Ok(end), "nowhere near");
}

#[test]
fn a_page_of_the_heap_can_be_protected() {
    let mut tester = Tester::new();
    let address = tester.state.mem.alloc(
        5000,
        PAGE,
        everett_memory::ObjectKind::Heap,
        everett_memory::SiteId::NONE,
    );
    let address = address.unwrap();
    let read = u64::from(linux::PROT_READ);
    assert_eq!(tester.call(Sysno::mprotect, &[address, 2 * PAGE, read]), Ok(0));
    assert!(!tester.state.mem.store_concrete(address + 4990, 1, 1));
    assert_eq!(tester.call(Sysno::mprotect, &[address, 3 * PAGE, read]), Err(Errno::ENOMEM));
    assert!(tester.state.mem.free(address, everett_memory::SiteId::NONE).is_ok());
}
