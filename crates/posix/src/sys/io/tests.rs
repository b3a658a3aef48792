//! Reading and writing.

use linux_raw_sys::general as linux;
use linux_raw_sys::net;
use syscalls::{Errno, Sysno};

use crate::testing::Tester;

const CREATE: u64 = (linux::O_CREAT | linux::O_RDWR | linux::O_TRUNC) as u64;

#[test]
fn what_is_written_is_read_again() {
    let mut t = Tester::new();
    let (path, data) = (t.text("/tmp/a"), t.bytes(b"hello, world"));
    assert_eq!(t.call(Sysno::open, &[path, CREATE, 0o644]), Ok(3));
    assert_eq!(t.call(Sysno::write, &[3, data, 12]), Ok(12));
    assert_eq!(t.call(Sysno::lseek, &[3, 7, 0]), Ok(7));
    let buffer = t.room(100);
    assert_eq!(t.call(Sysno::read, &[3, buffer, 100]), Ok(5));
    assert_eq!(t.peek(buffer, 5), b"world");
    assert_eq!(t.call(Sysno::read, &[3, buffer, 100]), Ok(0));
    assert_eq!(t.call(Sysno::pread64, &[3, buffer, 4, 1]), Ok(4));
    assert_eq!(t.peek(buffer, 5), b"ello".iter().chain(b"d").copied().collect::<Vec<_>>());
}

#[test]
fn output_is_kept_in_order() {
    let mut t = Tester::new();
    let (a, b) = (t.bytes(b"out"), t.bytes(b"err"));
    assert_eq!(t.call(Sysno::write, &[1, a, 3]), Ok(3));
    assert_eq!(t.call(Sysno::write, &[2, b, 3]), Ok(3));
    assert_eq!(t.kernel.written, [(1, b"out".to_vec()), (2, b"err".to_vec())]);
    assert_eq!(t.node().output().len(), 2);
    assert_eq!(t.call(Sysno::read, &[1, a, 3]), Err(Errno::EBADF));
    assert_eq!(t.call(Sysno::write, &[0, a, 3]), Err(Errno::EBADF));
    assert_eq!(t.call(Sysno::write, &[9, a, 3]), Err(Errno::EBADF));
}

/// Reading a file of the host in small steps takes no memory to speak of, and little time: the test
/// is of the first, the second is for whoever looks at how long it takes.
#[test]
fn large_host_file_is_read_in_small_steps() {
    use everett_fs::{Fs, FsOptions, MountOptions};

    const SIZE: usize = 16 << 20;
    let directory = std::env::temp_dir().join(format!("everett-posix-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("there is room");
    let block: Vec<u8> = (0..=255).cycle().take(1 << 16).collect();
    std::fs::write(directory.join("large"), block.repeat(SIZE >> 16)).expect("there is room");
    let mut fs = Fs::new(FsOptions::default());
    fs.mount_host(&directory, b"/mnt", MountOptions::default(), 0).expect("it is there");
    let mut t = Tester::with(crate::KernelConfig::default(), fs);
    let (path, buffer) = (t.text("/mnt/large"), t.room(4096));
    assert_eq!(t.call(Sysno::open, &[path, 0, 0]), Ok(3));
    let mut total = 0;
    loop {
        match t.call(Sysno::read, &[3, buffer, 4096]) {
            Ok(0) => break,
            read => total += read.expect("it can be read") as usize,
        }
    }
    assert_eq!(total, SIZE);
    assert_eq!(t.peek(buffer, 3), [0, 1, 2]);
    std::fs::remove_dir_all(&directory).expect("it was made here");
}

#[test]
fn negative_length_is_cut_by_sockets_and_refused_by_files() {
    let mut t = Tester::new();
    let (pair, data, buffer) = (t.room(8), t.bytes(b"hello"), t.room(16));
    let (unix, stream) = (u64::from(net::AF_UNIX), u64::from(net::SOCK_STREAM));
    assert_eq!(t.call(Sysno::socketpair, &[unix, stream, 0, pair]), Ok(0));
    assert_eq!(t.call(Sysno::write, &[4, data, 5]), Ok(5));
    assert_eq!(t.call(Sysno::read, &[3, buffer, u64::MAX]), Err(Errno::EFAULT));
    assert_eq!(t.call(Sysno::recvfrom, &[3, buffer, 1 << 63, 0, 0, 0]), Ok(5));
    assert_eq!(t.peek(buffer, 5), b"hello");
}
