//! The search over faults as users see it: the table, its tests, exit codes; and `--search faults`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use serde_json::Value;

use crate::sandbox::Sandbox;

pub(crate) fn compile(sandbox: &Sandbox, name: &str, source: &str) {
    sandbox.write(&format!("{name}.c"), source);
    sandbox.run(&["cc", "-O1", "-g", &format!("{name}.c"), "-o", name], 0);
}

/// The table of a search.
fn search_table(sandbox: &Sandbox, folder: &str) -> Value {
    sandbox.json(&format!("{folder}/faults.json"))
}

/// All files of a folder but the command line that has made it, by name.
pub(crate) fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    files.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
    }
    files.remove(&folder.join("run.txt"));
    files
}

/// Searches with one, two and three workers, and compares what is printed and stored.
fn same_with_all_workers(sandbox: &Sandbox, args: &[&str], code: i32) {
    let search = |workers: &str| {
        let flags = ["--out", "compared", "--workers", workers];
        let said = sandbox.printed(&[&["faults"], args, &flags[..]].concat(), code);
        let folder = sandbox.path("compared");
        let files = files_below(&folder);
        fs::remove_dir_all(folder).unwrap();
        (said, files)
    };
    let (said, files) = search("1");
    assert!(files.keys().any(|name| name.ends_with("faults.json")), "{files:?}");
    for workers in ["2", "3"] {
        let (other, other_files) = search(workers);
        assert_eq!(said, other, "{workers} workers");
        let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&files), names(&other_files), "{workers} workers");
        for (name, content) in &files {
            assert!(*content == other_files[name], "{workers} workers: {}", name.display());
        }
    }
}

/// One call is checked, one is not, and one does not matter.
const NOTES: &str = r#"#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  int fd = open("notes", O_WRONLY | O_CREAT, 0600);
  if (fd < 0) return 1;
  char *text = malloc(8);
  text[0] = 'x';
  assert(write(fd, text, 1) == 1);
  close(fd);
  return 0;
}
"#;

#[test]
fn faults_are_ranked_by_what_they_do() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "notes", NOTES);
    let kinds = ["--max-sys-fail", "1", "--max-malloc-fail", "1"];
    let args = [&["faults", "notes", "--out", "out"], &kinds[..]].concat();
    let said = sandbox.printed(&args, 1);
    expect![[r#"
        reaching no other code
           1  node0: write of descriptor 3 fails with ENOSPC, notes.c:11:3 in main
              assert on node0: assertion failed: write(fd, text, 1) == 1, notes.c:11:3 in main
              everett run --ktest out/tests/test000001.ktest notes --max-sys-fail 1 --max-malloc-fail 1
           2  node0: an allocation of 8 bytes fails, notes.c:9:16 in main
              null-pointer on node0: write of 1 byte through a null pointer (address 0x0), notes.c:10:11 in main
              everett run --ktest out/tests/test000002.ktest notes --max-sys-fail 1 --max-malloc-fail 1
           3  node0: open fails with EACCES, notes.c:7:12 in main
              node0 exits with 1
              everett run --ktest out/tests/test000003.ktest notes --max-sys-fail 1 --max-malloc-fail 1

        4 faults tried of 4 (fitness), 3 with an effect: 2 distinct failures, 0 lines that normal runs do not reach
        results in out
    "#]]
    .assert_eq(&said);
    let table = search_table(&sandbox, "out");
    assert_eq!((&table["possible"], &table["tried"]), (&Value::from(4), &Value::from(4)));
    assert_eq!(table["clusters"][0]["tests"][0], "tests/test000001.ktest");
    assert!(sandbox.path("out/findings/001-assert.txt").exists());
    // The command of a row does what the row says.
    let again = sandbox.printed(&["run", "--ktest", "out/tests/test000002.ktest", "notes"], 1);
    assert!(again.contains("an allocation of 8 bytes fails"), "{again}");
    same_with_all_workers(&sandbox, &[&["notes"], &kinds[..]].concat(), 1);
    same_with_all_workers(&sandbox, &["notes", "--together", "3"], 1);
}

#[test]
fn exit_code_tells_whether_all_faults_were_tried() {
    let sandbox = Sandbox::new();
    let source = "#include <fcntl.h>\n#include <unistd.h>\n\
        int main(void) { close(open(\"/\", O_RDONLY)); return 0; }\n";
    compile(&sandbox, "quiet", source);
    let run = |more: &[&str], code| {
        let args = [&["faults", "quiet", "--out", "out", "--max-sys-fail", "1"], more].concat();
        sandbox.printed(&args, code)
    };
    run(&[], 0);
    run(&["--experiments", "1"], 3);
    let said = run(&["--strategy", "random"], 0);
    assert!(said.contains("no fault has an effect"), "{said}");
    same_with_all_workers(&sandbox, &["quiet", "--max-sys-fail", "1", "--experiments", "1"], 3);
}

#[test]
fn inputs_are_zeros_or_those_of_a_test() {
    let sandbox = Sandbox::new();
    let source = "#include <klee/klee.h>\n#include <fcntl.h>\n\
        int main(void) { return klee_int(\"x\") && open(\"/\", O_RDONLY) < 0; }\n";
    compile(&sandbox, "input", source);
    sandbox.printed(&["run", "input", "--tests", "all", "--out", "all"], 0);
    let search = ["faults", "input", "--max-sys-fail", "1", "--out", "out"];
    sandbox.run(&search, 2);
    let code = |number| {
        let test = format!("all/tests/test00000{number}.ktest");
        let mut command = sandbox.everett(&[&search[..], &["--ktest", &test]].concat());
        command.output().unwrap().status.code()
    };
    let mut codes = [code(1), code(2)];
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)]);
    let table = search_table(&sandbox, "out");
    assert_eq!(
        (&table["tried"], &table["clusters"][0]["count"]),
        (&Value::from(1), &Value::from(1))
    );
}

pub(crate) const SERVER: &str = r#"#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)}, peer;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&self, sizeof self)) return 1;
  for (int i = 0; i < 6; i++) {
    char packet[8];
    socklen_t length = sizeof peer;
    ssize_t size = recvfrom(fd, packet, sizeof packet, 0, (struct sockaddr *)&peer, &length);
    if (size < 0) return 2;
    if (i == 4) {
      int log = open("log", O_WRONLY | O_CREAT, 0600);
      assert(write(log, packet, size) == size);
      assert(fsync(log) == 0);
      assert(close(log) == 0);
    }
    sendto(fd, packet, size, 0, (struct sockaddr *)&peer, length);
  }
  return 0;
}
"#;

pub(crate) const CLIENT: &str = r#"#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  to.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
  for (int i = 0; i < 6; i++) {
    char packet[2] = "?";
    if (send(fd, packet, 2, 0) != 2 || recv(fd, packet, 2, 0) != 2) return 2;
  }
  return 0;
}
"#;

pub(crate) const SYSTEM: &str = r#"[[node]]
name = "server"
program = "server"
address = "10.0.0.1/24"

[[node]]
name = "client"
program = "client"
start = 1

[faults]
max-sys-fail = 1
lost-packet-count = 1
"#;

#[test]
fn a_system_is_searched_in_the_same_way_twice() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "server", SERVER);
    compile(&sandbox, "client", CLIENT);
    fs::write(sandbox.path("system.toml"), SYSTEM).unwrap();
    let search = |out: &str, seed: &str| {
        let args = ["faults", "system.toml", "--experiments", "25", "--out", out, "--seed", seed];
        let said = sandbox.printed(&args, 1);
        said.replace(out, "OUT").replace(&format!("--seed {seed}"), "")
    };
    let first = search("one", "5");
    assert_eq!(first, search("two", "5"));
    assert_ne!(first, search("three", "6"));
    // The worst of all is a finding, and the tests of both nodes show it again.
    let table = search_table(&sandbox, "one");
    let worst = &table["clusters"][0];
    assert_eq!(worst["findings"].as_array().unwrap().len(), 1, "{first}");
    let files = ["test000001.dtest", "test000001.server.ktest", "test000001.client.ktest"];
    let files = files.map(|name| format!("tests/{name}"));
    assert_eq!(worst["tests"], Value::from(files.to_vec()));
    let again = sandbox.printed(&["replay", "one/tests/test000001.dtest"], 0);
    let what = worst["faults"][0]["what"].as_str().unwrap();
    assert!(again.contains(what) && again.contains("reproduced"), "{what}\n{again}");
    // So does each of the others.
    for row in table["clusters"].as_array().unwrap() {
        let test = format!("one/{}", row["tests"][0].as_str().unwrap());
        assert_eq!(row["command"], format!("everett replay {test}"));
        sandbox.printed(&["replay", &test], 0);
    }
    let said = sandbox.run(&["run", "--ktest", "one/tests/x.dtest", "system.toml"], 2).err;
    assert!(said.contains("everett replay"), "{said}");
    // The inputs of such a test are those that other faults are searched on.
    let inputs = ["--ktest", "one/tests/test000001.dtest", "--experiments", "1"];
    let four = [&["faults", "system.toml", "--out", "four"], &inputs[..]].concat();
    sandbox.everett(&four).output().unwrap();
    assert_eq!(search_table(&sandbox, "four")["tried"], 1);
    for strategy in ["fitness", "random", "exhaustive"] {
        let most = ["--experiments", "60", "--together", "3", "--strategy", strategy];
        same_with_all_workers(&sandbox, &[&["system.toml"], &most[..]].concat(), 1);
    }
}

/// The second name is not tried well, and nobody notices as long as the first one is there.
const FALLBACK: &str = r#"#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) static int fall_back(void) {
  int fd = open("/", O_RDONLY);
  assert(fd >= 0);
  return fd;
}

int main(void) {
  int fd = open("/", O_RDONLY);
  if (fd < 0) fd = fall_back();
  close(fd);
  return 0;
}
"#;

#[test]
fn faults_are_added_to_those_with_effects() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "fallback", FALLBACK);
    let search = |more: &[&str], code: i32| {
        let args = ["faults", "fallback", "--out", "out", "--max-sys-fail", "1"];
        sandbox.printed(&[&args[..], more].concat(), code)
    };
    let alone = search(&[], 0);
    assert!(alone.contains("2 faults tried of 2 (fitness)"), "{alone}");
    for strategy in ["fitness", "random", "exhaustive"] {
        let pairs = search(&["--together", "2", "--strategy", strategy], 1);
        assert!(pairs.contains("2 faults tried of 2 and 2 sets of several"), "{pairs}");
        let table = search_table(&sandbox, "out");
        let worst = &table["clusters"][0];
        assert_eq!(worst["faults"].as_array().unwrap().len(), 2, "{pairs}");
        assert_eq!((&worst["reached"][0], &table["failures"]), (&"fall_back".into(), &1.into()));
    }
    // Pairs need no flag where there is a limit.
    search(&["--experiments", "4"], 1);
    let again = sandbox.printed(&["run", "--ktest", "out/tests/test000001.ktest", "fallback"], 1);
    assert_eq!(again.matches("open fails with ENOENT").count(), 2, "{again}");
    same_with_all_workers(&sandbox, &["fallback", "--max-sys-fail", "1", "--together", "2"], 1);
}

/// Waits for an answer that never comes, without ever sleeping.
const SPIN: &str = r#"#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat facts;
  int failed = stat("/", &facts);
  while (failed) failed = 1;
  return 0;
}
"#;

#[test]
fn a_system_that_goes_on_for_ever_has_a_test() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "spin", SPIN);
    let scenario = "[[node]]\nname = \"a\"\nprogram = \"spin\"\n";
    fs::write(sandbox.path("one.toml"), scenario).unwrap();
    let second = "[[node]]\nname = \"b\"\nprogram = \"spin\"\n";
    fs::write(sandbox.path("two.toml"), format!("{scenario}{second}")).unwrap();
    for file in ["one.toml", "two.toml"] {
        let said = sandbox.printed(&["faults", file, "--out", "out", "--max-sys-fail", "1"], 0);
        assert!(said.contains("goes on and on"), "{said}");
        let again = sandbox.printed(&["replay", "out/tests/test000001.dtest"], 0);
        assert!(again.contains("reproduced: no end after"), "{again}");
    }
    same_with_all_workers(&sandbox, &["two.toml", "--max-sys-fail", "1"], 0);
}

#[test]
fn single_faults_are_explored_before_pairs() {
    let sandbox = Sandbox::new();
    let source = "#include <stdio.h>\n#include <sys/stat.h>\n\
        int main(void) {\n  struct stat facts;\n  int failed = 0;\n\
        \x20 for (int i = 0; i < 3; i++) failed += stat(\"/\", &facts) != 0;\n\
        \x20 printf(\"failed %d\\n\", failed);\n  return 0;\n}\n";
    compile(&sandbox, "count", source);
    let flags = ["--search", "faults", "--workers", "1", "--max-sys-fail", "2", "--echo"];
    let said = sandbox.printed(&[&["run", "count"], &flags[..]].concat(), 0);
    let failed: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("failed ")).collect();
    assert_eq!(failed, ["0", "1", "1", "1", "2", "2", "2"]);
}

/// A node that may lose what it was sent says after a second whether it has, and hears what came of it.
const LISTENER: &str = r#"#include <arpa/inet.h>
#include <assert.h>
#include <everett.h>
#include <poll.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)}, judge = self;
  judge.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  struct pollfd wanted = {fd, POLLIN, 0};
  char heard = poll(&wanted, 1, 1000), byte;
  everett_faults(0);
  if (heard) assert(recv(fd, &byte, 1, 0) == 1);
  assert(sendto(fd, &heard, 1, 0, (struct sockaddr *)&judge, sizeof judge) == 1);
  assert(recv(fd, &byte, 1, 0) == 1);
  return 0;
}
"#;

/// Speaks to three nodes, tells them how many have heard it, and says it after a while.
const JUDGE: &str = r#"#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void tell(int fd, char byte) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  for (int i = 2; i < 5; i++) {
    to.sin_addr.s_addr = htonl(0x0a000000 + i);
    assert(sendto(fd, &byte, 1, 0, (struct sockaddr *)&to, sizeof to) == 1);
  }
}

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  char heard = 0, answer;
  tell(fd, 'x');
  for (int i = 0; i < 3; i++) {
    assert(recv(fd, &answer, 1, 0) == 1);
    heard += answer;
  }
  tell(fd, heard);
  sleep(50);
  printf("lost %d\n", 3 - heard);
  return 0;
}
"#;

#[test]
fn faults_of_all_nodes_of_a_world_count() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "listener", LISTENER);
    compile(&sandbox, "judge", JUDGE);
    let node = |name: &str, program: &str, more: &str| {
        format!("[[node]]\nname = \"{name}\"\nprogram = \"{program}\"\n{more}")
    };
    let listener = |number: u32| {
        let more = format!("address = \"10.0.0.{number}/24\"\nfaults = {{ loss = 1 }}\n");
        node(&format!("listener{number}"), "listener", &more)
    };
    let judge = node("judge", "judge", "address = \"10.0.0.1/24\"\nstart = 1\n");
    let scenario = [judge, listener(2), listener(3), listener(4)].concat();
    fs::write(sandbox.path("system.toml"), scenario).unwrap();
    for mapping in ["sds", "cow", "cob"] {
        let flags = ["--search", "faults", "--workers", "1", "--echo", "--mapping", mapping];
        let said = sandbox.printed(&[&["run", "system.toml"], &flags[..]].concat(), 0);
        let words = said.lines().filter_map(|line| line.split_once("lost "));
        let lost: Vec<&str> = words.map(|(_, number)| number).take(8).collect();
        assert_eq!(lost, ["0", "1", "1", "1", "2", "2", "2", "3"], "{mapping}: {said}");
    }
}

/// Sends back what comes.
const ECHO: &str = r#"#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)}, peer;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  for (;;) {
    char byte;
    socklen_t length = sizeof peer;
    assert(recvfrom(fd, &byte, 1, 0, (struct sockaddr *)&peer, &length) == 1);
    sendto(fd, &byte, 1, 0, (struct sockaddr *)&peer, length);
  }
}
"#;

/// Asks three times. How far it was when it began again is its result.
const RESUMED: &str = r#"#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  char seen = 0, byte = 1;
  int file = open("progress", O_RDWR);
  assert(read(file, &seen, 1) == 1);
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  to.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(connect(fd, (struct sockaddr *)&to, sizeof to) == 0);
  struct pollfd answer = {fd, POLLIN, 0};
  for (char i = '1'; i < '4'; i++) {
    assert(send(fd, &byte, 1, 0) == 1);
    if (poll(&answer, 1, 5000) == 1) assert(recv(fd, &byte, 1, 0) == 1);
    assert(pwrite(file, &i, 1, 0) == 1 && fsync(file) == 0);
  }
  return seen - '0';
}
"#;

/// A lost request leaves the client without an answer to read, so that its later places have other
/// numbers.
#[test]
fn a_fault_is_added_only_where_it_leaves_the_others_as_they_are() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "echo", ECHO);
    compile(&sandbox, "resumed", RESUMED);
    let scenario = "[[node]]\nname = \"echo\"\nprogram = \"echo\"\naddress = \"10.0.0.1/24\"\n\
        faults = { loss = 1 }\n\n[[node]]\nname = \"resumed\"\nprogram = \"resumed\"\nstart = 1\n\
        files = { progress = \"0\" }\nfaults = { reboot = 1 }\n";
    fs::write(sandbox.path("system.toml"), scenario).unwrap();
    for strategy in ["exhaustive", "fitness"] {
        let args = ["faults", "system.toml", "--together", "2", "--out", "out", "--strategy"];
        let said = sandbox.printed(&[&args[..], &[strategy]].concat(), 0);
        assert!(said.contains("0 distinct failures"), "{said}");
        let table = search_table(&sandbox, "out");
        assert_eq!(table["not_applicable"], 0, "{said}");
        assert!(table["together"].as_u64() > Some(0), "{said}");
        for row in table["clusters"].as_array().unwrap() {
            let test = format!("out/{}", row["tests"][0].as_str().unwrap());
            let again = sandbox.printed(&["replay", &test], 0);
            assert!(again.starts_with("reproduced"), "{again}");
        }
        let flags = ["system.toml", "--together", "2", "--strategy", strategy];
        same_with_all_workers(&sandbox, &flags, 0);
    }
}

/// Calls that the program can do without.
const ATTEMPTS: &str = r#"#include <sys/stat.h>

int main(void) {
  struct stat facts;
  return stat("/", &facts) != 0;
}
"#;

/// A budget says that a kind is tried, not how often it happens.
#[test]
fn the_same_kind_happens_on_two_nodes() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "attempts", ATTEMPTS);
    let node = |name: &str| format!("[[node]]\nname = \"{name}\"\nprogram = \"attempts\"\n");
    let scenario = [node("a"), node("b"), "[faults]\nmax-sys-fail = 1\n".to_owned()].concat();
    fs::write(sandbox.path("system.toml"), scenario).unwrap();
    let said = sandbox.printed(&["faults", "system.toml", "--together", "2", "--out", "out"], 0);
    let table = search_table(&sandbox, "out");
    let clusters = table["clusters"].as_array().unwrap();
    let pair = clusters.iter().find(|row| row["faults"].as_array().unwrap().len() == 2);
    let pair = pair.unwrap_or_else(|| panic!("{said}"));
    let ends: Vec<&str> =
        pair["ends"].as_array().unwrap().iter().map(|end| end["end"].as_str().unwrap()).collect();
    assert_eq!(ends, ["exits with 1", "exits with 1"], "{said}");
    let test = format!("out/{}", pair["tests"][0].as_str().unwrap());
    sandbox.printed(&["replay", &test], 0);
    same_with_all_workers(&sandbox, &["system.toml", "--together", "2"], 0);
}
