//! Pipes and fifos, call by call.

use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::signal;
use crate::state::ids::Tid;
use crate::testing::{Outcome, Tester};

/// A machine with a pipe: the descriptors of both ends.
fn with_pipe(flags: u32) -> (Tester, u64, u64) {
    let mut tester = Tester::new();
    let ends = tester.room(8);
    tester.call(Sysno::pipe2, &[ends, flags.into()]).unwrap();
    let bytes = tester.peek(ends, 8);
    (tester, bytes[0].into(), bytes[4].into())
}

fn write(tester: &mut Tester, end: u64, bytes: &[u8]) -> Result<u64, Errno> {
    let address = tester.bytes(bytes);
    tester.call(Sysno::write, &[end, address, bytes.len() as u64])
}

fn read(tester: &mut Tester, end: u64, len: usize) -> Result<Vec<u8>, Errno> {
    let address = tester.room(len);
    let count = tester.call(Sysno::read, &[end, address, len as u64])?;
    Ok(tester.peek(address, count as usize))
}

#[test]
fn bytes_come_out_in_order_however_they_are_cut() {
    let (mut tester, reader, writer) = with_pipe(0);
    assert_eq!((reader, writer), (3, 4));
    for part in ["one ", "two ", "three"] {
        assert_eq!(write(&mut tester, writer, part.as_bytes()), Ok(part.len() as u64));
    }
    assert_eq!(read(&mut tester, reader, 6).unwrap(), b"one tw");
    assert_eq!(write(&mut tester, writer, b"!"), Ok(1));
    assert_eq!(read(&mut tester, reader, 100).unwrap(), b"o three!");
    let address = tester.room(1);
    assert!(matches!(tester.attempt(Sysno::read, &[reader, address, 1]), Outcome::Waits(_)));
}

#[test]
fn symbolic_bytes_stay_what_they_are() {
    let (mut tester, reader, writer) = with_pipe(0);
    write(&mut tester, writer, b"ab").unwrap();
    let text = tester.symbolic_text("s", 3);
    tester.call(Sysno::write, &[writer, text, 3]).unwrap();
    write(&mut tester, writer, b"c").unwrap();
    let address = tester.room(6);
    assert_eq!(tester.call(Sysno::read, &[reader, address, 6]), Ok(6));
    let before = tester.state.mem.read_each(&tester.pool, text, 3).unwrap();
    assert_eq!(tester.state.mem.read_each(&tester.pool, address + 2, 3).unwrap(), before);
    assert_eq!(tester.peek(address, 2), b"ab");
    assert_eq!(tester.peek(address + 5, 1), b"c");
}

#[test]
fn short_read_when_the_writer_closes() {
    let (mut tester, reader, writer) = with_pipe(0);
    write(&mut tester, writer, b"last").unwrap();
    tester.call(Sysno::close, &[writer]).unwrap();
    assert_eq!(read(&mut tester, reader, 10).unwrap(), b"last");
    assert_eq!(read(&mut tester, reader, 10).unwrap(), b"");
}

#[test]
fn a_writer_without_readers_gets_a_signal() {
    let (mut tester, reader, writer) = with_pipe(0);
    tester.call(Sysno::close, &[reader]).unwrap();
    assert_eq!(write(&mut tester, writer, b"x"), Err(Errno::EPIPE));
    let node = tester.node();
    assert_ne!(
        signal::pending(node, node.volatile.running)
            & crate::state::process::signals::bit(linux::SIGPIPE),
        0
    );
}

#[test]
fn a_full_pipe_takes_small_writes_whole_or_not_at_all() {
    let (mut tester, reader, writer) = with_pipe(linux::O_NONBLOCK);
    assert_eq!(write(&mut tester, writer, &[7; 70_000]), Ok(65536));
    assert_eq!(write(&mut tester, writer, b"x"), Err(Errno::EAGAIN));
    assert_eq!(read(&mut tester, reader, 100).unwrap(), [7; 100]);
    assert_eq!(write(&mut tester, writer, &[8; 101]), Err(Errno::EAGAIN), "not 100 of them");
    assert_eq!(write(&mut tester, writer, &[8; 5000]), Ok(100), "a large one is cut");
    let size = tester.call(Sysno::fcntl, &[writer, linux::F_GETPIPE_SZ.into(), 0]);
    assert_eq!(size, Ok(65536));
    let smaller = tester.call(Sysno::fcntl, &[writer, linux::F_SETPIPE_SZ.into(), 4096]);
    assert_eq!(smaller, Err(Errno::EBUSY));
    while read(&mut tester, reader, 65536).is_ok() {}
    let smaller = tester.call(Sysno::fcntl, &[writer, linux::F_SETPIPE_SZ.into(), 5000]);
    assert_eq!(smaller, Ok(8192));
    assert_eq!(write(&mut tester, writer, &[8; 10_000]), Ok(8192));
}

#[test]
fn a_large_write_waits_until_all_of_it_is_read() {
    let (mut tester, reader, writer) = with_pipe(0);
    let bytes: Vec<u8> = (0..150_000u32).map(|i| (i % 251) as u8).collect();
    let address = tester.bytes(&bytes);
    let mut came = Vec::new();
    loop {
        match tester.attempt(Sysno::write, &[writer, address, bytes.len() as u64]) {
            Outcome::Value(count) => {
                assert_eq!(count, bytes.len() as u64);
                break;
            }
            Outcome::Waits(_) => {
                // Another thread reads meanwhile.
                let done = std::mem::take(&mut tester.node_mut().thread_mut().done);
                came.extend(read(&mut tester, reader, 50_000).unwrap());
                tester.node_mut().thread_mut().done = done;
            }
            other => panic!("{other:?}"),
        }
    }
    while came.len() < bytes.len() {
        came.extend(read(&mut tester, reader, 50_000).unwrap());
    }
    assert!(came == bytes);
}

#[test]
fn a_branch_does_not_see_what_the_other_writes() {
    let (mut tester, reader, writer) = with_pipe(linux::O_NONBLOCK);
    write(&mut tester, writer, b"both").unwrap();
    let before = tester.state.fork();
    write(&mut tester, writer, b" one").unwrap();
    assert_eq!(read(&mut tester, reader, 100).unwrap(), b"both one");
    tester.state = before;
    assert_eq!(read(&mut tester, reader, 100).unwrap(), b"both");
    assert_eq!(read(&mut tester, reader, 100), Err(Errno::EAGAIN));
}

#[test]
fn no_end_is_left_over_when_descriptors_run_out() {
    let mut tester = Tester::new();
    let limit = tester.words(&[4, 4]);
    tester.call(Sysno::setrlimit, &[linux::RLIMIT_NOFILE.into(), limit]).unwrap();
    let ends = tester.room(8);
    assert_eq!(tester.call(Sysno::pipe, &[ends]), Err(Errno::EMFILE));
    assert_eq!(tester.node().process().descriptors.iter().count(), 3);
    assert_eq!(tester.call(Sysno::pipe2, &[ends, 1]), Err(Errno::EINVAL));
}

fn fifo(tester: &mut Tester) -> u64 {
    let path = tester.text("/tmp/fifo");
    let mode = u64::from(linux::S_IFIFO | 0o600);
    tester.call(Sysno::mknod, &[path, mode, 0]).unwrap();
    path
}

#[test]
fn a_fifo_is_opened_without_waiting_if_that_is_asked_for() {
    let mut tester = Tester::new();
    let path = fifo(&mut tester);
    let nonblocking = u64::from(linux::O_NONBLOCK);
    let write_only = u64::from(linux::O_WRONLY);
    let alone = tester.call(Sysno::open, &[path, write_only | nonblocking, 0]);
    assert_eq!(alone, Err(Errno::ENXIO));
    let reader = tester.call(Sysno::open, &[path, nonblocking, 0]).unwrap();
    assert_eq!(read(&mut tester, reader, 1).unwrap(), b"", "no writer yet");
    let writer = tester.call(Sysno::open, &[path, write_only | nonblocking, 0]).unwrap();
    assert_eq!(read(&mut tester, reader, 1), Err(Errno::EAGAIN));
    write(&mut tester, writer, b"hello").unwrap();
    assert_eq!(read(&mut tester, reader, 10).unwrap(), b"hello");
    tester.call(Sysno::close, &[writer]).unwrap();
    tester.call(Sysno::close, &[reader]).unwrap();
    let alone = tester.call(Sysno::open, &[path, write_only | nonblocking, 0]);
    assert_eq!(alone, Err(Errno::ENXIO), "nobody reads any more");
    let both = tester.call(Sysno::open, &[path, linux::O_RDWR.into(), 0]).unwrap();
    write(&mut tester, both, b"x").unwrap();
    assert_eq!(read(&mut tester, both, 9).unwrap(), b"x", "the old content is gone");
}

#[test]
fn two_blocking_opens_of_a_fifo_meet() {
    let mut tester = Tester::new();
    let path = fifo(&mut tester);
    let open = |tester: &mut Tester, flags: u32| tester.attempt(Sysno::open, &[path, flags.into()]);
    let Outcome::Waits(wait) = open(&mut tester, linux::O_RDONLY) else { panic!("no writer") };
    tester.node_mut().thread_mut().blocked = Some(wait);
    // Another thread of the process opens the other end, writes, and closes it at once.
    let (pid, first) = tester.node().volatile.running;
    let second = Tid(first.0 + 1);
    tester.node_mut().process_mut().threads.insert(second, Default::default());
    tester.node_mut().volatile.running = (pid, second);
    let Outcome::Value(writer) = open(&mut tester, linux::O_WRONLY) else {
        panic!("a reader waits")
    };
    assert_eq!(write(&mut tester, writer, b"hi"), Ok(2));
    tester.call(Sysno::close, &[writer]).unwrap();
    tester.node_mut().volatile.running = (pid, first);
    tester.node_mut().thread_mut().blocked = None;
    let Outcome::Value(reader) = open(&mut tester, linux::O_RDONLY) else { panic!("it was there") };
    assert_eq!(read(&mut tester, reader, 10).unwrap(), b"hi");
    assert_eq!(read(&mut tester, reader, 10).unwrap(), b"");
}
