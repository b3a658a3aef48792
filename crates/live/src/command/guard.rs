//! [`PeerGuard`]: ends a peer whose owner is not there any more, however that has ended.
//!
//! A shell waits for a word on a pipe that only this process can write to. If the pipe is closed without
//! that word, then this process has ended without having ended the peer: it was killed, say. The shell
//! does it then.

use std::io::{PipeWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

/// What the shell does with the number of a process group and a folder.
const SCRIPT: &str = r#"read -r word && exit; kill -s KILL -- "-$1"; rm -rf -- "$2""#;

/// A process that ends a peer together with this process.
pub(super) struct PeerGuard {
    shell: Child,
    pipe: PipeWriter,
}

impl PeerGuard {
    /// Watches over the process group of a peer, and its folder. There is no guard where there is no shell.
    pub(super) fn new(group: Pid, folder: &Path) -> Option<PeerGuard> {
        let (reader, pipe) = std::io::pipe().ok()?;
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", SCRIPT, "sh"]).arg(group.to_string()).arg(folder);
        // What a terminal tells its foreground processes is not meant for the guard.
        shell.current_dir("/").process_group(0);
        shell.stdin(reader).stdout(Stdio::null()).stderr(Stdio::null());
        Some(PeerGuard { shell: shell.spawn().ok()?, pipe })
    }
}

impl Drop for PeerGuard {
    /// Lets the guard go without doing anything.
    fn drop(&mut self) {
        let _ = self.pipe.write_all(b"done\n");
        let _ = self.shell.wait();
    }
}
