//! Polling of every kind of file, call by call.

use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::state::wait::EndedWait;
use crate::testing::{Outcome, Tester};

fn pipe(tester: &mut Tester) -> (u64, u64) {
    let ends = tester.room(8);
    tester.call(Sysno::pipe, &[ends]).unwrap();
    let bytes = tester.peek(ends, 8);
    (bytes[0].into(), bytes[4].into())
}

fn put(tester: &mut Tester, file: u64, bytes: &[u8]) {
    let address = tester.bytes(bytes);
    let count = tester.call(Sysno::write, &[file, address, bytes.len() as u64]);
    assert_eq!(count, Ok(bytes.len() as u64));
}

fn get(tester: &mut Tester, file: u64, len: usize) -> Vec<u8> {
    let address = tester.room(len);
    let count = tester.call(Sysno::read, &[file, address, len as u64]).unwrap();
    tester.peek(address, count as usize)
}

/// Polls without waiting: what each descriptor is ready for.
fn poll(tester: &mut Tester, entries: &[(u64, u32)]) -> Vec<u32> {
    let bytes: Vec<u8> = entries
        .iter()
        .flat_map(|(file, events)| [*file as u32, *events].map(u32::to_le_bytes))
        .flatten()
        .collect();
    let address = tester.bytes(&bytes);
    let ready = tester.call(Sysno::poll, &[address, entries.len() as u64, 0]).unwrap();
    let after = tester.peek(address, bytes.len());
    let found: Vec<u32> =
        { after.chunks(8) }.map(|entry| u16::from_le_bytes([entry[6], entry[7]]).into()).collect();
    assert_eq!(ready as usize, found.iter().filter(|events| **events != 0).count());
    found
}

#[test]
fn pipes_are_ready_for_what_can_be_done() {
    let mut tester = Tester::new();
    let (reader, writer) = pipe(&mut tester);
    let (input, output) = (linux::POLLIN, linux::POLLOUT);
    let both = [(reader, input | output), (writer, input | output)];
    assert_eq!(poll(&mut tester, &both), [0, output]);
    put(&mut tester, writer, &[0; 62_000]);
    assert_eq!(poll(&mut tester, &both), [input, 0], "less than a page is free");
    get(&mut tester, reader, 2000);
    assert_eq!(poll(&mut tester, &both), [input, output]);
    tester.call(Sysno::close, &[writer]).unwrap();
    let hang_up = linux::POLLHUP;
    assert_eq!(poll(&mut tester, &both), [input | hang_up, linux::POLLNVAL]);
    get(&mut tester, reader, 65_000);
    assert_eq!(poll(&mut tester, &[(reader, 0), (u64::MAX, input)]), [hang_up, 0]);
}

#[test]
fn a_poll_ends_when_its_time_is_over() {
    let mut tester = Tester::new();
    let (reader, _) = pipe(&mut tester);
    let entry = tester.words(&[reader | u64::from(linux::POLLIN) << 32]);
    let Outcome::Waits(wait) = tester.attempt(Sysno::poll, &[entry, 1, 20]) else {
        panic!("ready")
    };
    assert_eq!(wait.deadline, Some(20_000_000));
    tester.node_mut().clock.now = 20_000_000;
    let resumed = EndedWait { deadline: wait.deadline, timed_out: true };
    tester.node_mut().thread_mut().resumed = Some(resumed);
    assert_eq!(tester.call(Sysno::poll, &[entry, 1, 20]), Ok(0));
    let forever = tester.attempt(Sysno::poll, &[entry, 1, u64::MAX]);
    tester.node_mut().thread_mut().resumed = None;
    assert!(matches!(forever, Outcome::Value(0)), "the deadline is the first execution's");
    let Outcome::Waits(wait) = tester.attempt(Sysno::poll, &[entry, 1, u64::MAX]) else { panic!() };
    assert_eq!(wait.deadline, None);
}

#[test]
fn select_leaves_only_ready_descriptors_in_its_sets() {
    let mut tester = Tester::new();
    let (reader, writer) = pipe(&mut tester);
    let bit = |file: u64| 1u64 << file;
    let (reads, writes) = (tester.words(&[bit(reader)]), tester.words(&[bit(writer)]));
    let timeout = tester.words(&[0, 0]);
    let args = [writer + 1, reads, writes, 0, timeout];
    assert_eq!(tester.call(Sysno::select, &args), Ok(1));
    assert_eq!((tester.peek_u64(reads), tester.peek_u64(writes)), (0, bit(writer)));
    put(&mut tester, writer, b"x");
    let reads = tester.words(&[bit(reader)]);
    assert_eq!(tester.call(Sysno::select, &[writer + 1, reads, writes, 0, timeout]), Ok(2));
    let closed = tester.words(&[bit(20)]);
    let bad = tester.call(Sysno::select, &[21, closed, 0, 0, timeout]);
    assert_eq!(bad, Err(Errno::EBADF));
    assert_eq!(tester.call(Sysno::select, &[u64::MAX, 0, 0, 0, timeout]), Err(Errno::EINVAL));
}

#[test]
fn timers_and_counters_become_ready() {
    let mut tester = Tester::new();
    let timer = tester.call(Sysno::timerfd_create, &[1, linux::TFD_NONBLOCK.into()]).unwrap();
    let setting = tester.words(&[0, 1000, 0, 5000]);
    tester.call(Sysno::timerfd_settime, &[timer, 0, setting, 0]).unwrap();
    let counter = tester.call(Sysno::eventfd2, &[0, linux::EFD_NONBLOCK.into()]).unwrap();
    let input = linux::POLLIN;
    let both = [(timer, input), (counter, input)];
    assert_eq!(poll(&mut tester, &both), [0, 0]);
    tester.node_mut().clock.now += 7000;
    put(&mut tester, counter, &5u64.to_le_bytes());
    put(&mut tester, counter, &2u64.to_le_bytes());
    assert_eq!(poll(&mut tester, &both), [input, input]);
    let left = tester.room(32);
    tester.call(Sysno::timerfd_gettime, &[timer, left]).unwrap();
    assert_eq!((tester.peek_u64(left + 8), tester.peek_u64(left + 24)), (1000, 1000));
    assert_eq!(get(&mut tester, timer, 8), 3u64.to_le_bytes());
    assert_eq!(get(&mut tester, counter, 8), 7u64.to_le_bytes());
    assert_eq!(poll(&mut tester, &both), [0, 0]);
}

/// An instance and its calls.
struct Instance {
    file: u64,
}

impl Instance {
    fn new(tester: &mut Tester) -> Instance {
        Instance { file: tester.call(Sysno::epoll_create1, &[0]).unwrap() }
    }

    fn control(
        &self,
        tester: &mut Tester,
        operation: u32,
        file: u64,
        events: u32,
    ) -> Result<u64, Errno> {
        let mut event = events.to_le_bytes().to_vec();
        event.extend_from_slice(&(file * 100).to_le_bytes());
        let address = tester.bytes(&event);
        tester.call(Sysno::epoll_ctl, &[self.file, operation.into(), file, address])
    }

    fn add(&self, tester: &mut Tester, file: u64, events: u32) {
        assert_eq!(self.control(tester, linux::EPOLL_CTL_ADD, file, events), Ok(0));
    }

    /// What is ready now: events and descriptors.
    fn wait(&self, tester: &mut Tester, most: u64) -> Vec<(u32, u64)> {
        let address = tester.room(120);
        let count = tester.call(Sysno::epoll_wait, &[self.file, address, most, 0]).unwrap();
        let events = tester.peek(address, count as usize * 12);
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
        events.chunks(12).map(|e| (word(&e[..8]) as u32, word(&e[4..]) / 100)).collect()
    }
}

#[test]
fn level_triggered_events_come_again_and_edges_once() {
    let mut tester = Tester::new();
    let (level, level_in) = pipe(&mut tester);
    let (edge, edge_in) = pipe(&mut tester);
    let input = linux::EPOLLIN;
    let epoll = Instance::new(&mut tester);
    epoll.add(&mut tester, level, input);
    epoll.add(&mut tester, edge, input | linux::EPOLLET);
    assert_eq!(epoll.wait(&mut tester, 8), []);
    put(&mut tester, level_in, b"ab");
    put(&mut tester, edge_in, b"ab");
    assert_eq!(epoll.wait(&mut tester, 8), [(input, level), (input, edge)]);
    assert_eq!(epoll.wait(&mut tester, 8), [(input, level)]);
    get(&mut tester, edge, 1);
    assert_eq!(epoll.wait(&mut tester, 8), [(input, level)], "what is left is no new edge");
    put(&mut tester, edge_in, b"c");
    assert_eq!(epoll.wait(&mut tester, 8), [(input, edge), (input, level)]);
    tester.call(Sysno::close, &[edge_in]).unwrap();
    assert_eq!(epoll.wait(&mut tester, 1), [(input | linux::EPOLLHUP, edge)]);
    tester.call(Sysno::close, &[edge]).unwrap();
    tester.call(Sysno::close, &[level]).unwrap();
    assert_eq!(epoll.wait(&mut tester, 8), [], "closed files are not watched");
}

#[test]
fn a_one_shot_is_silent_until_it_is_set_again() {
    let mut tester = Tester::new();
    let (reader, writer) = pipe(&mut tester);
    let epoll = Instance::new(&mut tester);
    let events = linux::EPOLLIN | linux::EPOLLONESHOT;
    epoll.add(&mut tester, reader, events);
    put(&mut tester, writer, b"ab");
    assert_eq!(epoll.wait(&mut tester, 8), [(linux::EPOLLIN, reader)]);
    put(&mut tester, writer, b"ab");
    assert_eq!(epoll.wait(&mut tester, 8), []);
    epoll.control(&mut tester, linux::EPOLL_CTL_MOD, reader, events).unwrap();
    assert_eq!(epoll.wait(&mut tester, 8), [(linux::EPOLLIN, reader)]);
}

#[test]
fn each_entry_gets_its_turn_when_there_is_little_room() {
    let mut tester = Tester::new();
    let epoll = Instance::new(&mut tester);
    let counters: Vec<u64> =
        (0..3).map(|_| tester.call(Sysno::eventfd2, &[1, 0]).unwrap()).collect();
    counters.iter().for_each(|file| epoll.add(&mut tester, *file, linux::EPOLLIN));
    let order: Vec<u64> = (0..6).map(|_| epoll.wait(&mut tester, 1)[0].1).collect();
    assert_eq!(order, [&counters[..], &counters[..]].concat());
}

#[test]
fn instances_watch_one_another_but_not_in_a_circle() {
    let mut tester = Tester::new();
    let (inner, outer) = (Instance::new(&mut tester), Instance::new(&mut tester));
    let counter = tester.call(Sysno::eventfd2, &[0, 0]).unwrap();
    inner.add(&mut tester, counter, linux::EPOLLIN);
    outer.add(&mut tester, inner.file, linux::EPOLLIN);
    assert_eq!(outer.wait(&mut tester, 8), []);
    put(&mut tester, counter, &1u64.to_le_bytes());
    assert_eq!(outer.wait(&mut tester, 8), [(linux::EPOLLIN, inner.file)]);
    let circle = inner.control(&mut tester, linux::EPOLL_CTL_ADD, outer.file, linux::EPOLLIN);
    assert_eq!(circle, Err(Errno::ELOOP));
    let own = outer.control(&mut tester, linux::EPOLL_CTL_ADD, outer.file, linux::EPOLLIN);
    assert_eq!(own, Err(Errno::EINVAL));
}

#[test]
fn wrong_uses_of_an_instance_are_refused() {
    let mut tester = Tester::new();
    let epoll = Instance::new(&mut tester);
    let path = tester.text("/tmp/file");
    let flags = u64::from(linux::O_CREAT | linux::O_RDWR);
    let regular = tester.call(Sysno::open, &[path, flags, 0o600]).unwrap();
    let (add, delete, change) = (linux::EPOLL_CTL_ADD, linux::EPOLL_CTL_DEL, linux::EPOLL_CTL_MOD);
    assert_eq!(epoll.control(&mut tester, add, regular, 1), Err(Errno::EPERM));
    assert_eq!(epoll.control(&mut tester, add, 77, 1), Err(Errno::EBADF));
    assert_eq!(epoll.control(&mut tester, change, 0, 1), Err(Errno::ENOENT));
    assert_eq!(epoll.control(&mut tester, delete, 0, 1), Err(Errno::ENOENT));
    epoll.add(&mut tester, 0, 1);
    assert_eq!(epoll.control(&mut tester, add, 0, 1), Err(Errno::EEXIST));
    assert_eq!(epoll.control(&mut tester, delete, 0, 1), Ok(0));
    let room = tester.room(12);
    assert_eq!(tester.call(Sysno::epoll_wait, &[epoll.file, room, 0, 0]), Err(Errno::EINVAL));
    assert_eq!(tester.call(Sysno::epoll_wait, &[0, room, 1, 0]), Err(Errno::EINVAL));
}

#[test]
fn a_signal_file_gives_the_signals_of_its_set() {
    let mut tester = Tester::new();
    let usr1 = 1u64 << (linux::SIGUSR1 - 1);
    let set = tester.words(&[usr1]);
    tester.call(Sysno::rt_sigprocmask, &[0, set, 0, 8]).unwrap();
    let flags = u64::from(linux::O_NONBLOCK);
    let file = tester.call(Sysno::signalfd4, &[u32::MAX.into(), set, 8, flags]).unwrap();
    let room = tester.room(256);
    assert_eq!(tester.call(Sysno::read, &[file, room, 128]), Err(Errno::EAGAIN));
    let pid = tester.call(Sysno::getpid, &[]).unwrap();
    tester.call(Sysno::kill, &[pid, linux::SIGUSR1.into()]).unwrap();
    assert_eq!(poll(&mut tester, &[(file, linux::POLLIN)]), [linux::POLLIN]);
    assert_eq!(tester.call(Sysno::read, &[file, room, 127]), Err(Errno::EINVAL));
    assert_eq!(tester.call(Sysno::read, &[file, room, 256]), Ok(128));
    let info = tester.peek(room, 16);
    assert_eq!((info[0], info[12]), (linux::SIGUSR1 as u8, pid as u8));
    assert_eq!(poll(&mut tester, &[(file, linux::POLLIN)]), [0]);
}
