//! Locks, call by call.

use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::state::ids::{Pid, Tid};
use crate::testing::{Outcome, Tester};

const READ: u32 = linux::F_RDLCK;
const WRITE: u32 = linux::F_WRLCK;
const NONE: u32 = linux::F_UNLCK;

/// A machine with a file open twice: both descriptors.
fn with_file() -> (Tester, u64, u64) {
    let mut tester = Tester::new();
    let path = tester.text("/tmp/locked");
    let flags = u64::from(linux::O_CREAT | linux::O_RDWR);
    let first = tester.call(Sysno::open, &[path, flags, 0o600]).unwrap();
    let second = tester.call(Sysno::open, &[path, flags, 0o600]).unwrap();
    (tester, first, second)
}

fn flock_bytes(kind: u32, start: i64, len: i64) -> Vec<u8> {
    let mut bytes = vec![0; 32];
    bytes[..2].copy_from_slice(&(kind as u16).to_le_bytes());
    bytes[8..16].copy_from_slice(&start.to_le_bytes());
    bytes[16..24].copy_from_slice(&len.to_le_bytes());
    bytes
}

fn lock(
    tester: &mut Tester,
    file: u64,
    command: u32,
    kind: u32,
    (start, len): (i64, i64),
) -> Outcome {
    let address = tester.bytes(&flock_bytes(kind, start, len));
    tester.attempt(Sysno::fcntl, &[file, command.into(), address])
}

fn works(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Value(0))
}

fn fails(outcome: Outcome, errno: Errno) -> bool {
    matches!(outcome, Outcome::Failed(failed) if failed == errno)
}

/// Goes on as a child of the first process.
fn as_child(tester: &mut Tester) -> (Pid, Tid) {
    let node = tester.node_mut();
    let before = node.volatile.running;
    let child = node.process().clone();
    let number = node.new_number();
    let files: Vec<_> = child.descriptors.iter().map(|(_, entry)| entry.file).collect();
    files.into_iter().for_each(|file| node.retain_file(file));
    let mut child = child;
    let thread = child.threads.pop_first().unwrap().1;
    child.threads.insert(Tid(number), thread);
    node.volatile.processes.insert(Pid(number), child.into());
    node.volatile.running = (Pid(number), Tid(number));
    before
}

#[test]
fn records_keep_other_processes_away_until_any_descriptor_is_closed() {
    let (mut tester, first, second) = with_file();
    assert!(works(lock(&mut tester, first, linux::F_SETLK, WRITE, (10, 10))));
    assert!(works(lock(&mut tester, second, linux::F_SETLK, WRITE, (0, 0))), "one's own");
    assert!(works(lock(&mut tester, first, linux::F_SETLK, NONE, (0, 10))));
    let parent = as_child(&mut tester);
    let child = tester.node().volatile.running;
    let set = linux::F_SETLK;
    assert!(fails(lock(&mut tester, first, set, READ, (15, 1)), Errno::EAGAIN));
    assert!(works(lock(&mut tester, first, set, WRITE, (0, 10))));
    let asked = tester.bytes(&flock_bytes(READ, 5, 0));
    tester.call(Sysno::fcntl, &[first, linux::F_GETLK.into(), asked]).unwrap();
    let answer = tester.peek(asked, 28);
    assert_eq!((answer[0], answer[8], answer[16]), (WRITE as u8, 10, 0));
    assert_eq!(answer[24], parent.0.0 as u8);
    let waits = lock(&mut tester, first, linux::F_SETLKW, READ, (15, 1));
    assert!(matches!(waits, Outcome::Waits(_)));
    tester.node_mut().volatile.running = parent;
    tester.call(Sysno::close, &[second]).unwrap();
    tester.node_mut().volatile.running = child;
    assert!(works(lock(&mut tester, first, linux::F_SETLKW, READ, (15, 1))));
}

#[test]
fn two_processes_that_wait_for_each_other_are_told() {
    let (mut tester, file, _) = with_file();
    let parent = tester.node().volatile.running;
    assert!(works(lock(&mut tester, file, linux::F_SETLK, WRITE, (0, 1))));
    as_child(&mut tester);
    let child = tester.node().volatile.running;
    assert!(works(lock(&mut tester, file, linux::F_SETLK, WRITE, (1, 1))));
    let Outcome::Waits(wait) = lock(&mut tester, file, linux::F_SETLKW, WRITE, (0, 1)) else {
        panic!("the parent has it")
    };
    let thread = tester.node_mut().thread_mut();
    (thread.blocked, thread.blocked_in) = (Some(wait), Some(Sysno::fcntl));
    tester.node_mut().volatile.running = parent;
    let circle = lock(&mut tester, file, linux::F_SETLKW, WRITE, (1, 1));
    assert!(fails(circle, Errno::EDEADLK));
    // A signal takes the child out of its wait.
    tester.node_mut().volatile.running = child;
    tester.node_mut().thread_mut().blocked = None;
    tester.node_mut().volatile.running = parent;
    assert!(matches!(lock(&mut tester, file, linux::F_SETLKW, WRITE, (1, 1)), Outcome::Waits(_)));
}

#[test]
fn records_of_open_files_keep_each_other_away_in_one_process() {
    let (mut tester, first, second) = with_file();
    let set = linux::F_OFD_SETLK;
    assert!(works(lock(&mut tester, first, set, WRITE, (0, 0))));
    assert!(fails(lock(&mut tester, second, set, READ, (0, 1)), Errno::EAGAIN));
    let duplicate = tester.call(Sysno::dup, &[first]).unwrap();
    tester.call(Sysno::close, &[first]).unwrap();
    assert!(fails(lock(&mut tester, second, set, READ, (0, 1)), Errno::EAGAIN));
    tester.call(Sysno::close, &[duplicate]).unwrap();
    assert!(works(lock(&mut tester, second, set, READ, (0, 1))));
}

#[test]
fn wrong_ranges_and_modes_are_refused() {
    let (mut tester, file, _) = with_file();
    let set = linux::F_SETLK;
    assert!(fails(lock(&mut tester, file, set, 7, (0, 0)), Errno::EINVAL));
    assert!(fails(lock(&mut tester, file, set, READ, (-1, 0)), Errno::EINVAL));
    assert!(fails(lock(&mut tester, file, set, READ, (5, -6)), Errno::EINVAL));
    assert!(works(lock(&mut tester, file, set, READ, (5, -5))));
    assert!(fails(lock(&mut tester, file, set, READ, (i64::MAX, 2)), Errno::EOVERFLOW));
    let path = tester.text("/tmp/locked");
    let reader = tester.call(Sysno::open, &[path, 0, 0]).unwrap();
    assert!(fails(lock(&mut tester, reader, set, WRITE, (0, 0)), Errno::EBADF));
}

#[test]
fn whole_files_are_locked_by_open_files() {
    let (mut tester, first, second) = with_file();
    let (shared, exclusive) = (u64::from(linux::LOCK_SH), u64::from(linux::LOCK_EX));
    let now = u64::from(linux::LOCK_NB);
    assert_eq!(tester.call(Sysno::flock, &[first, shared]), Ok(0));
    assert_eq!(tester.call(Sysno::flock, &[second, shared]), Ok(0));
    assert_eq!(tester.call(Sysno::flock, &[first, exclusive | now]), Err(Errno::EAGAIN));
    assert_eq!(tester.call(Sysno::flock, &[second, exclusive | now]), Ok(0), "the first lost its");
    let waits = tester.attempt(Sysno::flock, &[first, shared]);
    assert!(matches!(waits, Outcome::Waits(_)));
    assert_eq!(tester.call(Sysno::flock, &[second, linux::LOCK_UN.into()]), Ok(0));
    assert_eq!(tester.call(Sysno::flock, &[first, shared]), Ok(0));
    assert_eq!(tester.call(Sysno::flock, &[first, 3]), Err(Errno::EINVAL));
    tester.call(Sysno::close, &[first]).unwrap();
    assert_eq!(tester.call(Sysno::flock, &[second, exclusive | now]), Ok(0));
}
