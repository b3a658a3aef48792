//! The text of findings: short, and with messages in the words of their protocols.

use crate::faults::compile;
use crate::report::page::CheckedPage;
use crate::sandbox::Sandbox;

/// Sends a datagram for each of its arguments; `@N` changes the port, and `dns` is a question.
const SENDER: &str = r#"#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const char QUESTION[] = "\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x03www\x07" "example\0\0\x01\0";

int main(int argc, char **argv) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  to.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (int i = 1; i < argc; i++) {
    const char *bytes = argv[i];
    size_t size = strlen(bytes);
    if (bytes[0] == '@') {
      to.sin_port = htons(atoi(bytes + 1));
      continue;
    }
    if (strcmp(bytes, "dns") == 0) bytes = QUESTION, size = sizeof QUESTION;
    if (sendto(fd, bytes, size, 0, (struct sockaddr *)&to, sizeof to) < 0) return 1;
  }
  return 0;
}
"#;

/// Fails when it has a message that begins with `.`, and has a decoder that goes wrong in many ways.
const RECEIVER: &str = r#"#include <assert.h>
#include <everett.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int decoded;

int letters(const void *bytes, size_t length, char *text, size_t size) {
  const char *word = bytes;
  volatile int going = 1;
  decoded++;
  switch (word[0]) {
    case 'h': return snprintf(text, size, "hello from %.*s (%d)", (int)length - 1, word + 1, decoded);
    case 'c': return *(volatile const char *)(word + length);
    case 'l': while (going) ; return 1;
    case 'w': memset(text, 'x', size + 1); return 1;
    case 'f': memset(text, 'x', size); return 1;
    case 's': return puts("not here");
    case 'n': return 1;
    case 'a': assert(length == 0); return 1;
    case 'm': ((char *)bytes)[0] = 'x'; return 1;
    default: return 0;
  }
}

int shout(const void *bytes, size_t length, char *text, size_t size) {
  return snprintf(text, size, "%.*s!", (int)length, (const char *)bytes);
}

int too_short(const void *bytes) { return bytes == 0; }

int main(void) {
  everett_decode("letters", letters);
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  char packet[128];
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(fd, (struct sockaddr *)&self, sizeof self)) return 1;
  do {
    if (recv(fd, packet, sizeof packet, 0) < 0) return 1;
  } while (packet[0] != '.');
  assert(decoded > 0 && "a decoder changes nothing");
  return 0;
}
"#;

/// A receiver, and a sender of these messages. The run ends with one finding.
fn system(words: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    compile(&sandbox, "receiver", RECEIVER);
    compile(&sandbox, "sender", SENDER);
    let nodes = format!(
        "[[node]]\nname = \"receiver\"\nprogram = \"receiver\"\n\n\
         [[node]]\nname = \"sender\"\nprogram = \"sender\"\nstart = 1\nargs = [{words}]\n"
    );
    sandbox.write("system.toml", &nodes);
    sandbox
}

/// The lines of messages in the text of a finding.
fn messages(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.split_once(" byte").map(|(_, end)| end));
    let said = lines.filter_map(|line| line.trim_start_matches('s').strip_prefix(": "));
    said.map(str::to_owned).collect()
}

#[test]
fn messages_are_shown_in_the_words_of_a_decoder_of_the_program() {
    let sandbox = system(r#""h<b>\"ann\"</b>", "hbob", "other", "hbob", ".""#);
    let said = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    // A decoder begins with what the node knows each time: what it counts is forgotten.
    let expected = [
        "letters: hello from <b>\"ann\"</b> (1)",
        "letters: hello from bob (1)",
        "\"other\"",
        "letters: hello from bob (1)",
        "\".\"",
    ];
    assert_eq!(messages(&said), expected, "{said}");
    assert!(said.ends_with("  as a page:            out/report.html\n"), "{said}");
    let summary = sandbox.json("out/summary.json");
    let words = &summary["findings"][0]["messages"][1]["words"];
    assert_eq!((&words["decoder"], &words["failed"]), (&"letters".into(), &false.into()));
    assert_eq!(words["text"], "hello from bob (1)");
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    assert!(page.text("#finding-1 .words").contains("hello from <b>\"ann\"</b> (1)"));
    assert!(page.text("#finding-1 svg").contains("letters: hello from bob"), "the diagram");
    sandbox.run(&["report", "out", "--export", "shiviz,trace,pcapng"], 0);
    for file in ["shiviz.log", "trace.json", "findings/001-assert.pcapng"] {
        let text = std::fs::read(sandbox.path(&format!("out/{file}"))).unwrap();
        assert!(String::from_utf8_lossy(&text).contains("letters: hello from bob"), "{file}");
    }
    let again = sandbox.run(&["replay", "out/tests/test000001.dtest"], 0).out;
    assert_eq!(messages(&again), expected, "{again}");
}

#[test]
fn a_decoder_that_fails_is_told() {
    let sandbox =
        system(r#""crash", "loop", "write", "full", "say", "no", "assert", "modify", ".""#);
    let said = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    let expected = [
        "out-of-bounds: read of 1 byte just past the end of a heap object of 5 bytes",
        "not done after 1000000 instructions",
        "out-of-bounds: write of 513 bytes",
        "its text has no end",
        "it makes a system call",
        "it says that it knows the message, and gives no text",
        "it calls __assert_fail",
        "read-only-write",
    ];
    let found = messages(&said);
    for (expected, found) in expected.iter().zip(&found) {
        assert!(found.starts_with(&format!("letters failed: {expected}")), "{expected}\n{said}");
    }
    assert_eq!((found.len(), &*found[8]), (9, "\".\""));
    let words = &sandbox.json("out/summary.json")["findings"][0]["messages"][1]["words"];
    assert_eq!(words["failed"], true);
}

#[test]
fn messages_of_known_protocols_and_named_functions_have_words() {
    let request = r#""@80", "GET /a HTTP/1.1\r\nHost: me\r\n""#;
    let args =
        format!(r#""@53", "dns", "ding", "@5353", "dns", {request}, "@9", "ho", "@7000", ".""#);
    let sandbox = system(&args);
    let known = ["--decode", "9=shout", "--decode", "5353=dns"];
    let said = sandbox.run(&[&["run", "system.toml", "--out", "out"][..], &known].concat(), 1).out;
    let expected = [
        "dns: query 4660 A www.example",
        "dns failed: shorter than the header of a message",
        "dns: query 4660 A www.example",
        "http: GET /a (host me)",
        "shout: ho!",
        "\".\"",
    ];
    assert_eq!(messages(&said), expected, "{said}");
    // In a scenario; a function that is not there, or is of another type, is told.
    let nodes = std::fs::read_to_string(sandbox.path("system.toml")).unwrap();
    let rules = "\n[results]\ndecode = [\"9=missing\", \"7000=too_short\"]\n";
    sandbox.write("system.toml", &(nodes + rules));
    let said = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    let told = messages(&said);
    assert_eq!(told[4], "missing failed: no program of this world has a function 'missing'");
    assert!(
        told[5].starts_with("too_short failed: too_short is no function of the type"),
        "{said}"
    );
    let said = sandbox.run(&["run", "system.toml", "--decode", "70000=dns"], 2).err;
    assert!(said.contains("'70000' is no port"), "{said}");
}

/// Waits for a datagram that nobody sends.
const WAITS: &str = r#"#include <everett.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

struct seen { int term; char name[4]; unsigned char digest[2]; };

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  struct seen seen = {-3, "ab", {255, 7}};
  everett_expose(1, "seen", seen);
  int both[2] = {4, 3};
  klee_invariant_expose_data(1, "both", both, sizeof both);
  klee_invariant_expose_data(1, "both", both, sizeof both);
  both[1] = 5;
  everett_expose(1, "both", both);
  qsort(both, 2, sizeof both[0], order);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  char byte;
  return recv(fd, &byte, argc, 0) < 0;
}
"#;

#[test]
fn nodes_that_wait_alike_are_one_stack_and_libraries_one_line() {
    let sandbox = Sandbox::new();
    sandbox.write("waits.c", WAITS);
    sandbox.run(&["cc", "-g", "-O0", "waits.c", "-o", "waits"], 0);
    let nodes = "[[node]]\nname = \"peer\"\nprogram = \"waits\"\ncount = 3\nserver = false\n\n\
                 [invariants]\nfiles = [\"any.minv\"]\n";
    sandbox.write("system.toml", nodes);
    sandbox.write(
        "any.minv",
        "invariant shown(data[] d) : names, ones, keys { return true; }\n\
        string[] names() { return sys.nodes(); }\nint[] ones(string n) { return int[1]; }\n\
        string[] keys(string n, int s) { return string[\"seen\", \"both\"]; }\n",
    );
    let said = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    assert!(said.contains("finding 1: deadlock on peer1"), "{said}");
    assert!(said.contains("    peer1 waits in recvfrom\n    peer2, peer3 likewise\n"), "{said}");
    assert!(!said.contains("__everett_main") && said.contains(" inside\n"), "{said}");
    assert!(said.contains("main  waits.c:21:10\n"), "{said}");
    // Values in the words of their types, where they change.
    let exposed = said.split("  exposed\n").nth(1).unwrap().split("  test ").next().unwrap();
    let of_peer1: Vec<&str> = exposed.lines().filter(|line| line.contains("peer1")).collect();
    let values = [
        "seen[1] = {term -3, name \"ab\", digest [255, 7]}",
        "both[1] = [4, 3]",
        "both[1] = [4, 5]",
    ];
    assert_eq!(of_peer1.len(), values.len(), "{said}");
    for (line, value) in of_peer1.iter().zip(values) {
        assert!(line.ends_with(value), "{value}\n{said}");
    }
    let text = &sandbox.json("out/summary.json")["findings"][0]["exposed"][0]["text"];
    assert_eq!(text, "{term -3, name \"ab\", digest [255, 7]}");
    let all = sandbox.run(&["run", "system.toml", "--frames", "all", "--out", "out"], 1).out;
    assert!(all.contains("__everett_main") && !all.contains(" inside\n"), "{all}");
    let all = sandbox.run(&["replay", "out/tests/test000001.dtest", "--frames", "all"], 0).out;
    assert!(all.contains("__everett_main"), "{all}");
}

/// Waits for datagrams for a second each, and fails if there are none.
const LISTENS: &str = r#"#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0), count = 0;
  if (bind(fd, (struct sockaddr *)&self, sizeof self)) return 1;
  struct pollfd news = {fd, POLLIN, 0};
  char byte;
  for (; poll(&news, 1, 1000) == 1; count++) recv(fd, &byte, 1, 0);
  assert(count > 0);
  return 0;
}
"#;

#[test]
fn a_partition_is_one_line_in_the_text_and_one_fault_on_the_page() {
    let sandbox = system(r#""h1", "h2", "h3""#);
    compile(&sandbox, "receiver", LISTENS);
    let nodes = std::fs::read_to_string(sandbox.path("system.toml")).unwrap();
    let faults = "\n[faults]\npartition = 1\npartition-cut = [\"receiver|sender\"]\n";
    sandbox.write("system.toml", &(nodes + faults));
    let said = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("receiver|sender")).collect();
    let expected = "    partition receiver|sender: 3 messages do not get through, at 0.000 s";
    assert_eq!(lines, [expected], "{said}");
    let faults = &sandbox.json("out/summary.json")["findings"][0]["faults"];
    assert_eq!(faults.as_array().unwrap().len(), 3, "the file for programs has each");
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    assert_eq!(page.count("#finding-1 svg path.fault"), 1);
    assert_eq!(page.count("#finding-1 svg .message.lost"), 3);
}

#[test]
fn what_each_path_prints_is_kept_beside_its_test() {
    let sandbox = Sandbox::new();
    let text = r#"#include <klee/klee.h>
#include <stdio.h>
int main(void) {
  if (klee_range(0, 2, "n")) printf("one\033[31m\nmore\n");
  return 0;
}
"#;
    compile(&sandbox, "prog", text);
    sandbox.run(&["run", "prog", "--tests", "all", "--out", "out"], 0);
    let shown = |number: u32| {
        let test = format!("out/tests/test{number:06}.ktest");
        sandbox.run(&["ktest", &test], 0).out
    };
    let of_tests = [shown(1), shown(2)];
    let printed: Vec<&String> = of_tests.iter().filter(|text| text.contains("output\n")).collect();
    assert_eq!(printed.len(), 1, "{of_tests:?}");
    assert!(printed[0].ends_with("output\n  | one.[31m\n  | more\n"), "{printed:?}");
    sandbox.run(&["run", "prog", "--out", "out"], 0);
    let files = std::fs::read_dir(sandbox.path("out/tests")).unwrap();
    assert!(files.into_iter().all(|file| file.unwrap().path().extension().unwrap() == "ktest"));
}
