//! The page about a run, and its results in formats of other tools: `report.html`, `everett report`,
//! `--export`.

mod exports;
pub(crate) mod page;
mod sarif;

use std::fs;

use serde_json::Value;

use self::page::CheckedPage;
use crate::faults::compile;
use crate::sandbox::Sandbox;

/// Everything that a program may say and that must not become markup.
const HOSTILE: &str = "</script><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";

/// Writes past an array, after it has printed and named its input as a page must not show it.
const OVERFLOW: &str = r#"#include <klee/klee.h>
#include <stdio.h>
#include <string.h>

static void copy(char *to, unsigned length) {
  memset(to, 'x', length);
}

int main(void) {
  unsigned char length;
  char name[8];
  klee_make_symbolic(&length, 1, "HOSTILE");
  printf("HOSTILE \x1b[31m \xe2\x80\xae\n");
  if (length < 12) copy(name, length);
  return name[0] == 'y';
}
"#;

/// Asks over UDP, and waits for the answer for ever.
pub(crate) const ASKS: &str = r#"#include <arpa/inet.h>
#include <everett.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  to.sin_addr.s_addr = inet_addr("10.0.0.1");
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  const char *text = "<b>\"ask\"</b>";
  if (connect(fd, (struct sockaddr *)&to, sizeof to) || send(fd, text, strlen(text), 0) < 0) return 1;
  char answer[16];
  ssize_t size = recv(fd, answer, sizeof answer, 0);
  everett_expose(1, "seen", size);
  return 0;
}
"#;

/// Answers one datagram.
pub(crate) const ANSWERS: &str = r#"#include <everett.h>
#include <netinet/in.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(7000)}, peer;
  socklen_t length = sizeof peer;
  char packet[16];
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(fd, (struct sockaddr *)&self, sizeof self)) return 1;
  ssize_t size = recvfrom(fd, packet, sizeof packet, 0, (struct sockaddr *)&peer, &length);
  ssize_t more = size + 1;
  everett_expose(1, "seen", more);
  sendto(fd, packet, size, 0, (struct sockaddr *)&peer, length);
  return 0;
}
"#;

/// One invariant is violated, one is never given data, and one is evaluated at the end.
const INVARIANTS: &str = r#"invariant bothHaveSeen(data[] d) : nodes, states, seen {
  return d.equalElements();
}
invariant nobodyTells(data[] d) : nodes, states, missing {
  return true;
}
invariant atTheEnd(data[] d) : nodes, states, seen eventually {
  return true;
}

string[] nodes() { return sys.nodes(); }
int[] states(string node) { return int[1]; }
string[] seen(string node, int state) { return string["seen"]; }
string[] missing(string node, int state) { return string["missing"]; }
"#;

const SYSTEM: &str = r#"[[node]]
name = "server"
program = "server"

[[node]]
name = "client"
program = "client"
start = 1

[invariants]
files = "seen.minv"

[faults]
lost-packet-count = 1
max-malloc-fail = 1
"#;

/// A system with a lost message, a deadlock, a violated invariant and faults that are never possible.
pub(crate) fn system() -> Sandbox {
    let sandbox = Sandbox::new();
    compile(&sandbox, "server", ANSWERS);
    compile(&sandbox, "client", ASKS);
    sandbox.write("system.toml", SYSTEM);
    sandbox.write("seen.minv", INVARIANTS);
    sandbox
}

#[test]
fn page_of_a_program_shows_its_finding_and_runs_nothing_of_it() {
    let sandbox = Sandbox::new();
    let name = "in<i>\"ü'&.c";
    let text = OVERFLOW.replace("HOSTILE", &HOSTILE.replace('"', "\\\""));
    sandbox.write(name, &text);
    sandbox.run(&["cc", "-O1", "-g", name, "-o", "<b>prog"], 0);
    sandbox.run(&["run", "<b>prog", "--out", "out"], 1);
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    assert_eq!(page.sections(), ["triage", "finding-1", "coverage", "run"]);
    let finding = page.text("#finding-1");
    for shown in
        ["out-of-bounds", "copy", "memset(to, 'x', length);", HOSTILE, "\u{241b}[31m", "U+202E"]
    {
        assert!(finding.contains(shown), "{shown}\n{finding}");
    }
    assert!(page.text("#coverage").contains(name), "the file");
    assert!(page.text("h1").contains("<b>prog"), "the program");
    assert_eq!(page.text("pre.source a"), " \u{2190} finding 1");
}

#[test]
fn page_of_a_system_shows_messages_faults_and_what_was_not_checked() {
    let sandbox = system();
    sandbox.run(&["run", "system.toml", "--out", "out"], 1);
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    let summary = sandbox.json("out/summary.json");
    let findings = summary["findings"].as_array().unwrap();
    let of = |kind: &str| {
        let found = findings.iter().find(|finding| finding["kind"] == kind);
        format!("#finding-{}", found.unwrap()["id"])
    };
    let triage = page.text("#triage");
    for shown in [
        "nobodyTells",
        "never given any data",
        "never possible",
        "bothHaveSeen",
        "violated by 1 combination of data",
        "deadlock",
    ] {
        assert!(triage.contains(shown), "{shown}\n{triage}");
    }
    let deadlock = of("deadlock");
    let text = page.text(&deadlock);
    assert!(text.contains("lost UDP packet 1") && text.contains("waits in recv"), "{text}");
    assert_eq!(page.count(&format!("{deadlock} .message.lost")), 1, "a message without receiver");
    // The content of the message is text, in the diagram and in the list.
    let violation = of("invariant");
    let text = page.text(&violation);
    assert!(text.contains(r#""<b>\"ask\"</b>""#) && text.contains("seen[1] = 13"), "{text}");
    assert!(page.count(&format!("{violation} svg rect.expose")) >= 2);
    assert_eq!(page.text("#run td").matches("of 2 nodes").count(), 1);
}

#[test]
fn page_of_a_run_without_findings_says_so() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", "int main(void) { return 0; }\n");
    sandbox.run(&["run", "prog", "--out", "out"], 0);
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    assert!(page.text("#triage").contains("No findings."));
    assert!(page.text("header").contains("everything was explored"));
    // A limit is told, with what to do about it.
    let text = r#"#include <klee/klee.h>
int main(void) {
  unsigned n;
  klee_make_symbolic(&n, sizeof n, "n");
  while (n--) klee_warning("once more");
  return 0;
}
"#;
    compile(&sandbox, "many", text);
    sandbox.run(&["run", "many", "--max-depth", "5", "--out", "out"], 3);
    let page = CheckedPage::read(&sandbox.path("out/report.html"));
    assert!(page.text("#triage").contains("raise --max-depth"));
    assert!(page.text("header").contains("not everything was explored"));
}

#[test]
fn page_is_the_same_when_it_is_made_again() {
    let sandbox = system();
    sandbox.run(&["run", "system.toml", "--out", "out"], 1);
    let first = fs::read_to_string(sandbox.path("out/report.html")).unwrap();
    // The sources are those of the run, and not those that are there now.
    fs::write(sandbox.path("server.c"), "// something else\n").unwrap();
    fs::remove_file(sandbox.path("client.c")).unwrap();
    sandbox.run(&["report", "out", "-o", "again.html"], 0);
    assert_eq!(fs::read_to_string(sandbox.path("again.html")).unwrap(), first);
    // A folder of a run that was killed has a summary alone.
    for name in ["coverage.json", "progress.jsonl", "sources.json", "run.txt"] {
        fs::remove_file(sandbox.path(&format!("out/{name}"))).unwrap();
    }
    sandbox.run(&["report", "out"], 0);
    CheckedPage::read(&sandbox.path("out/report.html"));
    let said = sandbox.run(&["report", "."], 2).err;
    assert!(said.contains("is not the folder of a run"), "{said}");
    fs::write(sandbox.path("out/summary.json"), "{").unwrap();
    let said = sandbox.run(&["report", "out"], 2).err;
    assert!(said.contains("summary.json is damaged"), "{said}");
}

#[test]
fn page_can_be_left_out() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", "int main(void) { return 0; }\n");
    sandbox.run(&["run", "prog", "--out", "out"], 0);
    assert!(sandbox.path("out/report.html").exists());
    sandbox.run(&["run", "prog", "--report", "off", "--out", "out"], 0);
    assert!(!sandbox.path("out/report.html").exists());
    let last = fs::read_to_string(sandbox.path("out/progress.jsonl")).unwrap();
    let last: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
    assert_eq!((&last["paths"], &last["states"]), (&1.into(), &0.into()));
    let said = sandbox.run(&["run", "prog", "--ktest", "x.ktest", "--export", "junit"], 2).err;
    assert!(said.contains("x.ktest") || said.contains("--out"), "{said}");
}
