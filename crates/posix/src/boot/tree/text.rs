//! Contents of the files that a node makes up.

use std::fmt::Write;

use super::network;
use crate::config::{KernelConfig, NodeIdentity};
use crate::state::file::specials::GeneratedText;
use crate::state::ids::Pid;
use crate::state::node::Node;
use crate::state::process::Process;

/// The content of a file of `/proc` at this moment; `None` if its process is gone.
pub(crate) fn generate(node: &Node, text: GeneratedText) -> Option<Vec<u8>> {
    let seconds = node.clock.now / 1_000_000_000;
    let hundredths = node.clock.now / 10_000_000 % 100;
    let text = match text {
        GeneratedText::CommandLine(pid) => {
            let arguments = node.find(pid)?.arguments.as_deref()?;
            return Some(arguments.iter().flat_map(|text| [&text[..], &[0]].concat()).collect());
        }
        GeneratedText::HostName => return Some([&node.volatile.hostname[..], b"\n"].concat()),
        GeneratedText::Command(pid) => return Some([&node.find(pid)?.name[..], b"\n"].concat()),
        GeneratedText::Maps(pid) => return Some(maps(node.find(pid)?)),
        GeneratedText::Processors => PROCESSOR.to_owned(),
        GeneratedText::FileSystems => "nodev\tproc\n\text4\n".to_owned(),
        GeneratedText::Load => {
            format!("0.00 0.00 0.00 1/{} {}\n", node.thread_count(), node.volatile.next_pid - 1)
        }
        GeneratedText::Memory => MEMORY.to_owned(),
        GeneratedText::Machine => {
            let boot = node.clock.epoch_ns / 1_000_000_000;
            format!("cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nbtime {boot}\n")
        }
        GeneratedText::Uptime => format!("{seconds}.{hundredths:02} 0.00\n"),
        GeneratedText::Version => {
            format!("{SYSTEM} version {RELEASE} (everett) {BUILD}\n")
        }
        GeneratedText::Release => format!("{RELEASE}\n"),
        GeneratedText::System => format!("{SYSTEM}\n"),
        GeneratedText::LargestPid => "4194304\n".to_owned(),
        GeneratedText::Mounts(_) => MOUNTS.to_owned(),
        GeneratedText::Stat(pid) => stat(pid, node.find(pid)?),
        GeneratedText::StatMemory(_) => "1024 256 128 64 0 192 0\n".to_owned(),
        GeneratedText::Status(pid) => status(pid, node.find(pid)?),
        GeneratedText::Network(text) => network::generate(node, text),
    };
    Some(text.into_bytes())
}

/// As `uname` says it.
const SYSTEM: &str = "Linux";
const RELEASE: &str = "6.1.0";
const BUILD: &str = "#1 SMP";

const MOUNTS: &str = "/dev/root / ext4 rw,relatime 0 0\nproc /proc proc rw,relatime 0 0\n";

const PROCESSOR: &str = "processor\t: 0\nvendor_id\t: Everett\nmodel name\t: simulated x86-64\n\
    cpu MHz\t\t: 1000.000\ncache size\t: 0 KB\nflags\t\t: fpu sse sse2\nbogomips\t: 2000.00\n\n";

const MEMORY: &str = "MemTotal:        8388608 kB\nMemFree:         4194304 kB\n\
    MemAvailable:    4194304 kB\nBuffers:               0 kB\nCached:                0 kB\n\
    SwapTotal:             0 kB\nSwapFree:              0 kB\n";

/// The letter and the name of what a process does.
fn activity(process: &Process) -> (char, &'static str) {
    match process {
        process if process.is_zombie() => ('Z', "zombie"),
        process if process.stopped => ('T', "stopped"),
        process if process.threads.values().all(|t| t.blocked.is_some()) => ('S', "sleeping"),
        _ => ('R', "running"),
    }
}

/// The address of the program's code, as far as anybody asks.
fn maps(process: &Process) -> Vec<u8> {
    let mut text = b"00400000-00401000 r-xp 00000000 08:01 12 ".to_vec();
    text.resize(73, b' ');
    text.extend_from_slice(&process.executable);
    text.push(b'\n');
    text
}

fn stat(pid: Pid, process: &Process) -> String {
    let name = String::from_utf8_lossy(&process.name);
    let (letter, _) = activity(process);
    let (parent, group, session) = (process.parent.0, process.group.0, process.session.0);
    let mut text = format!("{} ({name}) {letter} {parent} {group} {session} 0 -1 0", pid.0);
    // Faults, times and priority, then threads; the rest says nothing.
    text.push_str(" 0 0 0 0 0 0 0 0 20 0");
    let _ = write!(text, " {} 0 0 4194304 256 18446744073709551615", process.threads.len());
    text.push_str(&" 0".repeat(27));
    text.push('\n');
    text
}

fn status(pid: Pid, process: &Process) -> String {
    let ids = &process.ids;
    let (letter, activity) = activity(process);
    let name = String::from_utf8_lossy(&process.name);
    let groups: String = ids.groups.iter().map(|gid| format!("{gid} ")).collect();
    format!(
        "Name:\t{name}\nUmask:\t{:04o}\nState:\t{letter} ({activity})\nTgid:\t{pid}\nPid:\t{pid}\n\
         PPid:\t{}\nTracerPid:\t0\nUid:\t{}\t{}\t{}\t{}\nGid:\t{}\t{}\t{}\t{}\nFDSize:\t64\n\
         Groups:\t{groups}\nVmSize:\t    4096 kB\nVmRSS:\t    1024 kB\nThreads:\t{}\n",
        process.umask,
        process.parent.0,
        ids.real_uid,
        ids.effective_uid,
        ids.saved_uid,
        ids.effective_uid,
        ids.real_gid,
        ids.effective_gid,
        ids.saved_gid,
        ids.effective_gid,
        process.threads.len(),
        pid = pid.0,
    )
}

/// The files of `/etc`.
pub(super) fn etc(config: &KernelConfig) -> [(&'static str, String); 10] {
    let NodeIdentity { uid, gid } = config.identity;
    let (mut users, mut groups) = ("root:x:0:0:root:/root:/bin/sh\n".to_owned(), String::new());
    groups.push_str("root:x:0:\ntty:x:5:\n");
    if uid != 0 {
        let _ = writeln!(users, "user:x:{uid}:{gid}:User:/home/user:/bin/sh");
    }
    if gid != 0 {
        let _ = writeln!(groups, "user:x:{gid}:");
    }
    users.push_str("nobody:x:65534:65534:nobody:/:/bin/false\n");
    groups.push_str("nogroup:x:65534:\n");
    let name = &config.hostname;
    let hosts = match &config.topology {
        Some(topology) => topology.hosts_file(config.host),
        None => format!("127.0.0.1\tlocalhost\n127.0.1.1\t{name}\n::1\tlocalhost ip6-localhost\n"),
    };
    let sources = "passwd: files\ngroup: files\nhosts: files dns\nservices: files\n";
    [
        ("/etc/passwd", users),
        ("/etc/group", groups),
        ("/etc/hosts", hosts),
        ("/etc/hostname", format!("{name}\n")),
        ("/etc/host.conf", "multi on\n".to_owned()),
        ("/etc/nsswitch.conf", sources.to_owned()),
        ("/etc/protocols", "ip 0 IP\nicmp 1 ICMP\ntcp 6 TCP\nudp 17 UDP\n".to_owned()),
        ("/etc/resolv.conf", "nameserver 127.0.0.1\n".to_owned()),
        ("/etc/services", SERVICES.to_owned()),
        ("/etc/shells", "/bin/sh\n".to_owned()),
    ]
}

const SERVICES: &str = "echo\t7/tcp\necho\t7/udp\ndiscard\t9/tcp\tsink null\nftp\t21/tcp\nssh\t22/tcp\n\
    telnet\t23/tcp\nsmtp\t25/tcp\tmail\ntime\t37/tcp\ndomain\t53/tcp\ndomain\t53/udp\ntftp\t69/udp\n\
    http\t80/tcp\twww\npop3\t110/tcp\tpop-3\nntp\t123/udp\nimap2\t143/tcp\timap\nsnmp\t161/udp\n\
    https\t443/tcp\nhttps\t443/udp\nsyslog\t514/udp\nimaps\t993/tcp\npop3s\t995/tcp\n";
