//! `everett replay --native` and `everett export` as users see them: what they say, and what they refuse.

mod switches;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::sandbox::{self, Sandbox};

const SERVER: &str = include_str!("replay/server.c");
const CLIENT: &str = include_str!("replay/client.c");

/// Copies more than there is room for.
const FORGETFUL: &str = r#"
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  bind(fd, (struct sockaddr *)&self, sizeof self);
  char request[4], *copy = malloc(2);
  while (recv(fd, request, sizeof request, 0) == 4)
    memcpy(copy, request, request[0] == 'x' ? 4 : 2);
  return copy[0];
}
"#;

/// Looks around in its files, by functions of the C library that open them themselves, too.
const CURIOUS: &str = r#"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
int main(void) {
  char text[256] = "";
  struct utsname names;
  struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found;
  struct stat about;
  sigset_t all;
  sigfillset(&all);
  assert(sigprocmask(SIG_BLOCK, &all, NULL) == 0);
  assert(uname(&names) == 0 && strcmp(names.nodename, "server") == 0);
  assert(getuid() == 1000 && getegid() == 1000);
  assert(getaddrinfo("client", NULL, &wanted, &found) == 0);
  assert(((struct sockaddr_in *)found->ai_addr)->sin_addr.s_addr == htonl(0x0a000002));
  assert(mkdir("/tmp/everett-rootless", 0700) == 0 && chdir("/tmp/everett-rootless") == 0);
  assert(strcmp(getcwd(text, sizeof text), "/tmp/everett-rootless") == 0);
  int fd = open("../../../tmp/everett-rootless/../everett-rootless/./note", O_CREAT | O_WRONLY, 0600);
  assert(fd >= 0 && write(fd, "note", 4) == 4 && close(fd) == 0);
  assert(rename("note", "/tmp/everett-rootless-note") == 0);
  assert(stat("/tmp/everett-rootless/../everett-rootless-note", &about) == 0 && about.st_size == 4);
  assert(symlink("note", "/tmp/everett-rootless-link") == 0);
  assert(readlink("/tmp/everett-rootless-link", text, sizeof text) == 4 && memcmp(text, "note", 4) == 0);
  assert(symlink("/etc/hostname", "/tmp/everett-rootless-name") == 0);
  assert(readlink("/tmp/everett-rootless-name", text, sizeof text) == 13);
  assert(memcmp(text, "/etc/hostname", 13) == 0);
  int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
  assert(folder >= 0 && fstatat(folder, "../../../tmp/everett-rootless-note", &about, 0) == 0);
  assert(chdir("/") == 0 && strcmp(getcwd(text, sizeof text), "/") == 0);
  assert(access("/etc/everett", F_OK) == -1 && errno == ENOENT);
  FILE *file = fopen("/tmp/everett-rootless-name", "r");
  assert(file && fgets(text, sizeof text, file) && strcmp(text, "server\n") == 0);
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  char request[4];
  while (recv(fd, request, sizeof request, 0) == 4)
    assert(request[0] != 'x');
  return 0;
}
"#;

/// Looks at what it has inherited.
const INHERITING: &str = r#"
#include <assert.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
int main(void) {
  struct sigaction action;
  sigset_t mask;
  struct rlimit files;
  for (int number = 1; number < 32; number++)
    assert(sigaction(number, 0, &action) != 0 || action.sa_handler == SIG_DFL);
  assert(sigprocmask(SIG_BLOCK, 0, &mask) == 0 && !sigismember(&mask, SIGTERM));
  assert(getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= 1024);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  char request[4];
  while (recv(fd, request, sizeof request, 0) == 4)
    assert(request[0] != 'x');
  return 0;
}
"#;

const SYSTEM: &str = r#"
[[node]]
name = "server"
program = "server"

[[node]]
name = "client"
program = "client"
start = 1
"#;

/// A system out of one program, which makes its nodes itself.
const BOOTING: &str = r#"
#include <assert.h>
#include <klee/klee.h>
#include <netklee.h>
#ifndef NETWORK
#define NETWORK "lan"
#endif
#ifndef TYPE
#define TYPE net_event_type_data
#endif
static int receive(void) {
  struct net_event mask = {.type = net_event_type_data}, event;
  assert(klee_net_will_get_events(&mask, 1, 1, 0, 0) == 1);
  assert(klee_net_events_get(&event, 1, &mask, 1) == 1);
  char *letter = klee_net_event_data_alloc(event.identifier, 0);
  assert(*letter != 'x');
  klee_net_event_data_free(letter);
  return 0;
}
int main(void) {
  klee_net_add_network(NETWORK);
  int node = klee_range(0, 2, "node");
  klee_net_add_interface(1, NETWORK, 0);
  klee_net_add_ipv4_address(klee_net_make_ipv4(10, 0, 0, node + 1), 0, 1, 1, 0);
  klee_net_host_setup(node ? "sender" : "receiver", 0, node);
  if (!node)
    return receive();
  char letter[1];
  klee_make_symbolic(letter, 1, "letter");
#ifdef LOUD
  letter[0] -= 'a' - 'A';
#endif
  struct net_event event = {.type = TYPE, .to_ip = klee_net_make_ipv4(10, 0, 0, 1)};
  return klee_net_event_put(&event, letter);
}
"#;

const TEST: &str = "out/tests/test000001.dtest";

/// The system, its programs compiled with flags.
fn explored(flags: &[&str]) -> Sandbox {
    with(SERVER, flags)
}

/// The same with another server.
fn with(server: &str, flags: &[&str]) -> Sandbox {
    of(server, CLIENT, flags)
}

/// The same with another client as well.
fn of(server: &str, client: &str, flags: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("server.c"), server).unwrap();
    fs::write(sandbox.path("client.c"), client).unwrap();
    fs::write(sandbox.path("system.toml"), SYSTEM).unwrap();
    build(&sandbox, "server", flags);
    build(&sandbox, "client", flags);
    sandbox.said(&["run", "--workers", "1", "--out", "out", "system.toml"], 1);
    sandbox
}

fn build(sandbox: &Sandbox, program: &str, flags: &[&str]) {
    let source = format!("{program}.c");
    sandbox.said(&[&["cc", "-g"], flags, &[&source, "-o", program]].concat(), 0);
}

/// A command in whose path tools come first that are shell scripts.
fn with_tools(sandbox: &Sandbox, tools: &[(&str, &str)]) -> Command {
    let folder = sandbox.path("tools");
    fs::create_dir(&folder).unwrap();
    for (name, text) in tools {
        let tool = folder.join(name);
        fs::write(&tool, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let rest = std::env::var("PATH").unwrap();
    let mut command = Command::new("sh");
    command.env("PATH", format!("{}:{rest}", folder.display())).env("REST", rest);
    command
}

/// Exports the test, and returns its `replay.sh`.
fn exported(sandbox: &Sandbox, folder: &str) -> PathBuf {
    sandbox.said(&["export", TEST, folder], 0);
    sandbox.path(folder).join("replay.sh")
}

/// Everything that a command writes, which must end with this code.
fn said(command: &mut Command, code: i32) -> String {
    sandbox::output_of(command, code).all()
}

#[test]
fn a_finding_is_reproduced_by_the_native_programs() {
    let sandbox = explored(&[]);
    let said = sandbox.said(&["replay", "--native", TEST], 0);
    assert!(said.contains("reproduced: node server aborts"), "{said}");
    let said = sandbox.said(&["replay", "--native", "--loopback", TEST], 0);
    assert!(said.contains("reproduced: node server aborts"), "{said}");
}

#[test]
fn commands_and_script_are_shown_and_nothing_runs() {
    let sandbox = explored(&[]);
    let shown = sandbox.said(&["replay", "--native", "--dry-run", TEST], 0);
    for expected in [
        "addr add 10.0.0.2/24 brd + dev eth0",
        "link set n0-0 master br0 up",
        "# The script:",
        "server: recv(3) BLOCKS DATAGRAM",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains("reproduced:"), "{shown}");
}

#[test]
fn an_export_runs_without_everett() {
    let sandbox = explored(&[]);
    let script = exported(&sandbox, "bug");
    // Neither the programs nor the tests of the run are needed any more.
    for name in ["server", "client", "server.c", "client.c"] {
        fs::remove_file(sandbox.path(name)).unwrap();
    }
    fs::remove_dir_all(sandbox.path("out")).unwrap();
    for _ in 0..3 {
        let said = said(Command::new("sh").arg(&script).current_dir("/"), 0);
        assert!(said.contains("reproduced: node server aborts"), "{said}");
    }
    let printed = fs::read_to_string(sandbox.path("bug/last/server.err")).unwrap();
    assert!(printed.contains("Assertion failed: request[0] != 'x'"), "{printed}");
    let said = said(Command::new("sh").arg(&script).arg("--fast"), 2);
    assert!(said.contains("there is no option --fast"), "{said}");
}

#[test]
fn the_first_difference_names_node_call_and_place() {
    let sandbox = explored(&[]);
    let script = exported(&sandbox, "bug");
    let program = sandbox.path("bug/nodes/n1.0/.everett/program");
    build(&sandbox, "client", &["-DCURIOUS"]);
    fs::copy(sandbox.path("client"), &program).unwrap();
    let differs = said(Command::new("sh").arg(&script), 1);
    let expected = "node client: it calls time, but the script expects that it calls socket at \
                    client.c:14 in main";
    assert!(differs.contains("not reproduced: event "), "{differs}");
    assert!(differs.contains(expected), "{differs}");

    build(&sandbox, "client", &["-DLOUD"]);
    fs::copy(sandbox.path("client"), &program).unwrap();
    let differs = said(Command::new("sh").arg(&script), 1);
    let expected =
        "node client: it sends other bytes: the one at 3 is 21, expected 0 at client.c:22";
    assert!(differs.contains(expected), "{differs}");

    // One whose libraries the folder does not have.
    fs::copy("/bin/true", &program).unwrap();
    let differs = said(Command::new("sh").arg(&script), 2);
    assert!(differs.contains("node client: its program cannot be executed"), "{differs}");
}

#[test]
fn what_nodes_that_a_program_makes_say_is_compared() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("nodes.c"), BOOTING).unwrap();
    build(&sandbox, "nodes", &[]);
    sandbox.said(&["run", "--workers", "1", "--out", "out", "nodes"], 1);
    let findings = || fs::read_dir(sandbox.path("out/tests")).unwrap().flatten();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let test = findings().map(name).find(|name| name.ends_with(".dtest")).unwrap();
    sandbox.said(&["export", &format!("out/tests/{test}"), "bug"], 0);
    let script = sandbox.path("bug/replay.sh");
    let reproduced = said(Command::new("sh").arg(&script), 0);
    assert!(reproduced.contains("reproduced: node receiver aborts"), "{reproduced}");

    let program = sandbox.path("bug/nodes/n1.0/.everett/program");
    for (flag, expected) in [
        (
            "-DNETWORK=\"wan\"",
            "sender: it calls klee_net_add_network with wan, expected another name",
        ),
        (
            "-DTYPE=net_event_type_close",
            "sender: it calls klee_net_event_put with an event or mask that",
        ),
        ("-DLOUD", "sender: it puts an event with other data at nodes.c:"),
    ] {
        build(&sandbox, "nodes", &[flag]);
        fs::copy(sandbox.path("nodes"), &program).unwrap();
        let differs = said(Command::new("sh").arg(&script), 1);
        assert!(differs.contains(expected), "{expected}: {differs}");
    }

    let alone = said(&mut Command::new(sandbox.path("nodes")), 1);
    assert!(alone.contains("klee_net_add_network needs the engine"), "{alone}");
}

#[test]
fn what_cannot_be_run_natively_is_refused() {
    let sandbox = explored(&[]);
    let refused = |args: &[&str], expected: &str| {
        let said = sandbox.said(&[&["replay", "--native"], args].concat(), 2);
        assert!(said.contains(expected), "{expected}: {said}");
    };
    refused(&["--gdb", "nobody", TEST], "there is no node nobody");
    refused(&["missing.dtest"], "cannot read missing.dtest");
    refused(&["--until", "1", TEST], "cannot be used with");
    let said = sandbox.said(&["export", TEST, "out"], 2);
    assert!(said.contains("out is there, and not empty"), "{said}");

    let server = fs::read(sandbox.path("server")).unwrap();
    build(&sandbox, "server", &["-O2"]);
    refused(&[TEST], "has changed since the test was written");
    fs::remove_file(sandbox.path("server")).unwrap();
    refused(&[TEST], "node server: cannot read ");
    fs::write(sandbox.path("server"), server).unwrap();
    let inputs = sandbox.path("out/tests/test000001.client.ktest");
    fs::remove_file(inputs).unwrap();
    refused(&[TEST], "the test case of node client: cannot read ");
}

#[test]
fn programs_that_nothing_can_be_loaded_into_are_refused() {
    let sandbox = explored(&["-static"]);
    let said = sandbox.said(&["replay", "--native", TEST], 2);
    assert!(said.contains("server is linked statically"), "{said}");
    let sandbox = explored(&["-emit-llvm"]);
    let said = sandbox.said(&["replay", "--native", TEST], 2);
    assert!(said.contains("server is no native program"), "{said}");
    let said = sandbox.said(&["export", TEST, "bug"], 2);
    assert!(said.contains("build it with `everett cc -o prog`"), "{said}");
    assert!(!sandbox.path("bug").exists(), "nothing is left of an export that failed");
}

#[test]
fn without_network_namespaces_all_nodes_are_on_one_stack() {
    let sandbox = explored(&[]);
    let script = exported(&sandbox, "bug");
    // Refuses namespaces of the network, and leaves others alone.
    let unshare = "case \"$*\" in *--net*) exit 1 ;; esac\nPATH=$REST exec unshare \"$@\"";
    let said = said(with_tools(&sandbox, &[("unshare", unshare)]).arg(&script), 0);
    assert!(said.contains("note: network namespaces are refused"), "{said}");
    assert!(said.contains("reproduced: node server aborts"), "{said}");
}

#[test]
fn without_any_permission_files_are_kept_apart_all_the_same() {
    for flags in [&[][..], &["--libc=glibc"]] {
        let sandbox = with(CURIOUS, flags);
        let script = exported(&sandbox, "bug");
        let tools = [("unshare", "exit 1"), ("chroot", "exit 1")];
        let said = said(with_tools(&sandbox, &tools).arg(&script), 0);
        assert!(said.contains("note: neither namespaces nor chroot are permitted"), "{said}");
        assert!(said.contains("reproduced: node server aborts"), "{said}");
        for name in [
            "/tmp/everett-rootless",
            "/tmp/everett-rootless-note",
            "/tmp/everett-rootless-link",
            "/tmp/everett-rootless-name",
        ] {
            assert!(fs::symlink_metadata(name).is_err(), "{name} is there");
        }
    }
}

#[test]
fn a_user_without_any_permission_replays_on_one_stack() {
    let sandbox = explored(&[]);
    let script = exported(&sandbox, "bug");
    // Another user, without capabilities, who may not make namespaces.
    let restrict = "echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --ambient-caps=-all \
                    --inh-caps=-all --bounding-set=-all sh \"$0\"";
    let may_make_some = Command::new("unshare").args(["--user", "true"]).status();
    if !may_make_some.is_ok_and(|status| status.success()) {
        // Whoever runs the tests is such a user.
        let said = said(Command::new("sh").arg(&script), 0);
        assert!(said.contains("reproduced: node server aborts"), "{said}");
        return;
    }
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-user=1000", "--map-group=1000", "--keep-caps", "sh", "-c"]);
    let said = said(command.arg(restrict).arg(&script), 0);
    assert!(said.contains("note: neither namespaces nor chroot are permitted"), "{said}");
    assert!(said.contains("reproduced: node server aborts"), "{said}");
}

#[test]
fn nodes_inherit_nothing_from_whoever_replays() {
    let sandbox = with(INHERITING, &[]);
    let script = exported(&sandbox, "bug");
    let surrounded = "ulimit -S -n 40; umask 077; exec env --ignore-signal=HUP,INT,USR1 \
                      --block-signal=TERM sh \"$0\" 7</dev/null";
    let said = said(Command::new("sh").args(["-c", surrounded]).arg(&script), 0);
    assert!(said.contains("reproduced: node server aborts"), "{said}");
}

#[test]
fn a_sanitizer_names_lines_of_the_source() {
    let sandbox = with(FORGETFUL, &["-fsanitize=address", "--libc=glibc"]);
    let script = exported(&sandbox, "bug");
    for said in
        [sandbox.said(&["replay", "--native", TEST], 0), said(Command::new("sh").arg(&script), 0)]
    {
        assert!(said.contains("SUMMARY: AddressSanitizer: heap-buffer-overflow"), "{said}");
        assert!(said.contains("called in main") && said.contains("server.c:12:"), "{said}");
    }
    let report = fs::read_to_string(sandbox.path("bug/last/server.err")).unwrap();
    assert!(report.contains(" in main ") && report.contains("server.c:10:"), "{report}");
}

/// Names of what is in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_replay_deletes_its_folder_and_nothing_else() {
    // Reports of sanitizers are looked through for places in programs, one after the other.
    let sandbox = with(FORGETFUL, &["-fsanitize=address", "--libc=glibc"]);
    let script = exported(&sandbox, "bug");
    let place = sandbox.path("a place");
    fs::create_dir(&place).unwrap();
    let log = sandbox.path("log");
    let noting =
        |name: &str| format!("echo {name} \"$*\" >>\"$LOG\"\nPATH=$REST exec {name} \"$@\"");
    let (rm, umount) = (noting("rm"), noting("umount"));
    let mut command = with_tools(&sandbox, &[("rm", &rm), ("umount", &umount)]);
    command.arg(&script).env("TMPDIR", &place).env("LOG", &log);
    said(&mut command, 0);
    assert_eq!(names_in(&place), [""; 0], "nothing is left");
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.lines().any(|line| line.starts_with("rm ")), "{log}");
    let own = format!("{}/everett-replay.", place.display());
    for line in log.lines() {
        let words = ["rm -rf -- ", "umount -l "];
        let rest = words.iter().find_map(|words| line.strip_prefix(words)).unwrap_or(line);
        assert!(rest.starts_with(&own) && !rest.contains(".."), "{line}");
    }
}

#[test]
fn a_replay_that_is_interrupted_leaves_nothing_behind() {
    let sandbox = explored(&[]);
    let script = exported(&sandbox, "bug");
    build(&sandbox, "client", &["-DSTUCK"]);
    fs::copy(sandbox.path("client"), sandbox.path("bug/nodes/n1.0/.everett/program")).unwrap();
    let place = sandbox.path("place");
    fs::create_dir(&place).unwrap();
    for (signal, flags) in [("TERM", &[][..]), ("HUP", &["--loopback"]), ("INT", &["--times", "9"])]
    {
        // A shell cannot trap what is ignored when it starts, as SIGINT is behind the `&` of a script.
        let mut command = Command::new("env");
        command.args(["--default-signal", "sh"]).arg(&script).args(["--patience", "60000"]);
        command.args(flags).env("TMPDIR", &place);
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let conductor = || process_with(&sandbox.path("bug/conductor"));
        while conductor().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let kill = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(2), "{signal}");
        assert_eq!(names_in(&place), [""; 0], "{signal}");
        assert_eq!(conductor(), None, "{signal}");
    }
}

/// A process whose command line begins with a program.
fn process_with(program: &Path) -> Option<String> {
    let begins = |pid: &String| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.starts_with(program.as_os_str().as_encoded_bytes())
    };
    names_in(Path::new("/proc")).into_iter().find(begins)
}

#[test]
fn bytes_that_were_never_written_are_named_and_not_compared() {
    let client = CLIENT.replace("char request[4];", "struct { char letter; int number; } request;");
    let client = client.replace(
        "klee_make_symbolic(request, sizeof request, \"request\");",
        "request.letter = 'x';",
    );
    let client = client.replace("sendto(fd, request,", "sendto(fd, &request,");
    let server = SERVER.replace("char request[4]", "char request[8]").replace("== 4", "== 8");
    let sandbox = of(&server, &client, &[]);
    let said = sandbox.said(&["replay", "--native", TEST], 0);
    let expected = "note: node client: sendto at client.c:";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("gives 7 bytes away that the program has never written"), "{said}");
    assert!(said.contains("reproduced: node server aborts"), "{said}");
}

/// A program whose variable fits on the usual stack for a small number.
const STACK: &str = "#include <klee/klee.h>\n\
    int main(void) {\n\
    \x20 unsigned size = klee_choose(3) * 300000 + 1;\n\
    \x20 volatile char bytes[size];\n\
    \x20 for (unsigned at = 0; at < size; at += 1000) bytes[at] = 1;\n\
    \x20 return bytes[0] == 0;\n\
    }\n";

#[test]
fn a_stack_has_the_size_of_the_run() {
    let sandbox = Sandbox::new();
    sandbox.write("stack.c", STACK);
    sandbox.write("system.toml", "[[node]]\nname = 'node'\nprogram = 'stack'\n");
    sandbox.run(&["cc", "-O0", "-g", "stack.c", "-o", "stack"], 0);
    sandbox.run(&["run", "system.toml"], 0);
    for size in ["512K", "256K"] {
        sandbox.run(&["run", "--max-stack", size, "--out", size, "system.toml"], 1);
        let finding = &sandbox.json(&format!("{size}/summary.json"))["findings"][0];
        assert_eq!((&finding["kind"], &finding["line"]), (&"stack-overflow".into(), &4.into()));
        let test = format!("{size}/{}", finding["dtest"].as_str().unwrap());
        let said = sandbox.said(&["replay", &test], 0);
        assert!(said.contains("reproduced"), "{said}");
        let said = sandbox.said(&["replay", "--native", &test], 0);
        assert!(said.contains("reproduced: node node is killed by signal"), "{said}");
    }
    // The test of a program on its own knows the size, too.
    sandbox.run(&["run", "--max-stack", "256K", "--out", "alone", "stack"], 1);
    let finding = &sandbox.json("alone/summary.json")["findings"][0];
    let test = format!("alone/{}", finding["test"].as_str().unwrap());
    sandbox.run(&["run", "--ktest", &test, "stack"], 1);
    let said = sandbox.run(&["run", "--max-stack", "3K", "stack"], 2).err;
    assert!(said.contains("a stack has at least 4K and less than 2G"), "{said}");
}
