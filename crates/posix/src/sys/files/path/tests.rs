//! Names, symbolic and concrete.

use everett_interp::{Omission, Reg};
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::kernel::Guest;
use crate::testing::{Outcome, Tester};

fn open(t: &mut Tester, path: &str, flags: u32, mode: u64) -> Result<u64, Errno> {
    let path = t.text(path);
    t.call(Sysno::open, &[path, flags.into(), mode])
}

fn mode_of(t: &mut Tester, path: &str) -> Result<u32, Errno> {
    let (path, room) = (t.text(path), t.room(144));
    t.call(Sysno::stat, &[path, room])?;
    Ok(u32::from_le_bytes(t.peek(room + 24, 4).try_into().expect("four bytes")))
}

/// What was opened on each path: `-` for nothing, else the kind.
fn opened(t: &mut Tester, path: u64, flags: u32) -> Vec<String> {
    let args = [path, flags.into(), 0o644].map(Reg::word);
    let mut all: Vec<String> = t
        .explore(Sysno::open, &args)
        .into_iter()
        .map(|(state, outcome)| match outcome {
            Outcome::Failed(errno) => errno.name().unwrap_or("?").to_owned(),
            Outcome::Value(number) => {
                let node = state.extra.node();
                let entry = node.descriptor(number as u32).expect("just opened");
                let inode = node.file(entry.file).inode().expect("a named file");
                let name = node.disk.fs.name_of(inode).expect("it has a name");
                let stat = node.disk.fs.stat(inode).expect("it is there");
                format!("{} {:?} {}", String::from_utf8_lossy(&name), stat.kind, stat.size)
            }
            other => format!("{other:?}"),
        })
        .collect();
    all.sort();
    all
}

/// Symbolic names that were given one of several values.
fn names_chosen(t: &Tester) -> u64 {
    let names = t.notes.omissions.iter().filter(|(what, ..)| *what == Omission::PathName);
    names.map(|(_, _, count)| count).sum()
}

#[test]
fn symbolic_name_that_is_the_only_one_left_is_not_chosen() {
    let mut t = Tester::new();
    assert_eq!(open(&mut t, "b", linux::O_CREAT | linux::O_WRONLY, 0o644), Ok(3));
    let path = t.symbolic_text("name", 1);
    t.assume_first("name", 1, b"bx");
    let found = opened(&mut t, path, linux::O_CREAT | linux::O_WRONLY);
    assert_eq!(found, ["/home/user/b File 0", "/home/user/x File 0"]);
    assert_eq!(names_chosen(&t), 0);
}

#[test]
fn symbolic_name_is_one_that_exists_or_one_of_a_few_things() {
    let mut t = Tester::new();
    assert_eq!(open(&mut t, "b", linux::O_CREAT | linux::O_WRONLY, 0o644), Ok(3));
    let path = t.symbolic_text("name", 1);
    let found = opened(&mut t, path, linux::O_RDONLY);
    let expected = [
        "/ Directory 4096",
        "/home/user Directory 4096",
        "/home/user/a Directory 4096",
        "/home/user/a File 0",
        "/home/user/a File 8",
        "/home/user/b File 0",
        "ENOENT",
    ];
    assert_eq!(found, expected);
    assert_eq!(names_chosen(&t), 1);
}

#[test]
fn symbolic_name_to_create_is_new_or_exists() {
    let mut t = Tester::new();
    let path = t.symbolic_text("name", 2);
    let found = opened(&mut t, path, linux::O_CREAT | linux::O_EXCL | linux::O_WRONLY);
    // The directory itself, the root (by one name or the other), and a new file.
    assert_eq!(found, ["/home/user/a File 0", "EEXIST", "EEXIST"]);
}

#[test]
fn symbolic_name_stays_what_it_was() {
    let mut t = Tester::new();
    let path = t.symbolic_text("name", 3);
    let args = [path, 0, 0].map(Reg::word);
    let paths = t.explore(Sysno::open, &args);
    let count = paths.len();
    assert!(count > 4, "{count}");
    for (state, outcome) in paths {
        t.state = state;
        let again = opened(&mut t, path, linux::O_RDONLY);
        assert_eq!(again.len(), 1, "{again:?}");
        assert_eq!(matches!(outcome, Outcome::Value(_)), again[0] != "ENOENT", "{again:?}");
    }
}

#[test]
fn names_in_a_known_directory_are_tried_first() {
    let mut t = Tester::new();
    for name in ["/tmp/x", "/tmp/yy"] {
        assert!(open(&mut t, name, linux::O_CREAT | linux::O_WRONLY, 0o644).is_ok());
    }
    let path = t.text("/tmp/??");
    let symbol = t.pool.symbol("tail", 2);
    for i in 0..2 {
        let byte = everett_memory::ByteValue::Symbolic(t.pool.byte(symbol, i as u32));
        t.state.mem.write_each(&t.pool, path + 5 + i, &[byte]).expect("it is there");
    }
    let found = opened(&mut t, path, linux::O_RDONLY);
    assert!(found.contains(&"/tmp/x File 0".to_owned()), "{found:?}");
    assert!(found.contains(&"/tmp/yy File 0".to_owned()), "{found:?}");
    assert!(found.contains(&"/tmp/a File 8".to_owned()), "{found:?}");
    assert_eq!(found.iter().filter(|name| *name == "ENOENT").count(), 1);
}

#[test]
fn descriptors_are_seen_in_proc() {
    let mut t = Tester::new();
    let room = t.room(64);
    for (path, text) in [
        ("/proc/self", "100"),
        ("/proc/self/cwd", "/home/user"),
        ("/proc/self/exe", "/bin/test"),
        ("/proc/self/fd/0", "pipe:[1]"),
        ("/dev/stdout", "/proc/self/fd/1"),
    ] {
        let path = t.text(path);
        assert_eq!(t.call(Sysno::readlink, &[path, room, 64]), Ok(text.len() as u64));
        assert_eq!(t.peek(room, text.len()), text.as_bytes());
    }
    assert_eq!(open(&mut t, "/etc/passwd", linux::O_RDONLY, 0), Ok(3));
    let path = t.text("/proc/self/fd/3");
    assert_eq!(t.call(Sysno::readlink, &[path, room, 64]), Ok(11));
    assert_eq!(t.peek(room, 11), b"/etc/passwd");
    assert_eq!(mode_of(&mut t, "/dev/stdin"), Ok(0o10600));
    assert_eq!(open(&mut t, "/dev/stdout", linux::O_WRONLY, 0), Ok(4));
    let text = t.bytes(b"x");
    assert_eq!(t.call(Sysno::write, &[4, text, 1]), Ok(1));
    assert_eq!(t.kernel.written, [(1, b"x".to_vec())]);
    assert_eq!(open(&mut t, "/proc/self/status", linux::O_RDONLY, 0), Ok(5));
    let status = t.room(64);
    assert_eq!(t.call(Sysno::read, &[5, status, 10]), Ok(10));
    assert_eq!(t.peek(status, 10), b"Name:\ttest");
    assert_eq!(open(&mut t, "/proc/77", linux::O_RDONLY, 0), Err(Errno::ENOENT));
    assert_eq!(open(&mut t, "/dev/tty", linux::O_RDWR, 0), Err(Errno::ENXIO));
}

#[test]
fn descriptor_directories_list_what_is_open() {
    let mut t = Tester::new();
    let names = |t: &mut Tester| {
        let number = open(t, "/proc/self/fd", linux::O_DIRECTORY, 0).expect("it is there");
        let room = t.room(1024);
        let len = t.call(Sysno::getdents64, &[number, room, 1024]).expect("it can be listed");
        let bytes = t.peek(room, len as usize);
        let (mut at, mut names) = (0, Vec::new());
        while at < bytes.len() {
            let len = usize::from(u16::from_le_bytes([bytes[at + 16], bytes[at + 17]]));
            let name = bytes[at + 19..at + len].split(|byte| *byte == 0).next();
            names.push(String::from_utf8_lossy(name.expect("a name")).into_owned());
            at += len;
        }
        names
    };
    assert_eq!(names(&mut t), [".", "..", "0", "1", "2", "3"]);
}

#[test]
fn names_that_cannot_be() {
    let mut t = Tester::new();
    let long = "x".repeat(256);
    let too_long = "y/".repeat(2048);
    for (path, errno) in [
        ("", Errno::ENOENT),
        ("none", Errno::ENOENT),
        ("/etc/passwd/x", Errno::ENOTDIR),
        ("/etc/passwd/", Errno::ENOTDIR),
        (&long, Errno::ENAMETOOLONG),
        (&too_long, Errno::ENAMETOOLONG),
    ] {
        assert_eq!(open(&mut t, path, linux::O_RDONLY, 0), Err(errno), "{path}");
    }
    assert_eq!(t.call(Sysno::open, &[8, 0, 0]), Err(Errno::EFAULT));
    let name = t.text("x");
    assert_eq!(t.call(Sysno::openat, &[77, name, 0, 0]), Err(Errno::EBADF));
    assert_eq!(t.call(Sysno::openat, &[0, name, 0, 0]), Err(Errno::ENOTDIR));
    let absolute = t.text("/etc/passwd");
    assert_eq!(t.call(Sysno::openat, &[77, absolute, 0, 0]), Ok(3));
}

#[test]
fn replayed_test_finds_what_the_name_led_to() {
    let mut t = Tester::new();
    let data = ("a-data".to_owned(), b"12345678".to_vec());
    t.state.extra.replayed = vec![data, ("a-kind".to_owned(), b"f".to_vec())];
    assert_eq!(open(&mut t, "b", linux::O_RDONLY, 0), Err(Errno::ENOENT));
    assert_eq!(open(&mut t, "a", linux::O_RDONLY, 0), Ok(3));
    let room = t.room(9);
    assert_eq!(t.call(Sysno::read, &[3, room, 9]), Ok(8));
    assert_eq!(t.peek(room, 8), b"12345678");
    assert!(t.state.extra.replayed.is_empty());
    t.state.extra.replayed = vec![("d-kind".to_owned(), b"d".to_vec())];
    assert_eq!(mode_of(&mut t, "d"), Ok(0o40755));
}

#[test]
fn a_host_s_root_is_shown_without_its_processes() {
    use everett_fs::{Fs, FsOptions, MountOptions};

    let root = std::env::temp_dir().join(format!("everett-root-{}", std::process::id()));
    for dir in ["proc/self", "proc/sys", "etc"] {
        std::fs::create_dir_all(root.join(dir)).expect("there is room");
    }
    std::fs::write(root.join("etc/passwd"), "mine").expect("there is room");
    let mut fs = Fs::new(FsOptions::default());
    fs.mount_host(&root, b"/", MountOptions::default(), 0).expect("it is there");
    let mut t = Tester::with(crate::KernelConfig::default(), fs);
    assert_eq!(open(&mut t, "/etc/passwd", linux::O_RDONLY, 0), Ok(3));
    let room = t.room(64);
    assert_eq!(t.call(Sysno::read, &[3, room, 64]), Ok(4));
    let path = t.text("/proc/self");
    assert_eq!(t.call(Sysno::readlink, &[path, room, 64]), Ok(3));
    assert_eq!(mode_of(&mut t, "/dev/null"), Ok(0o20666));
    std::fs::remove_dir_all(&root).expect("it was made here");
}
