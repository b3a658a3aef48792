//! Findings of `--check uninitialized` in a system, and their tests.

use crate::sandbox::Sandbox;

const SERVER: &str = "#include <netinet/in.h>
#include <sys/socket.h>
int main(void) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(7000)};
  char text[16];
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(fd, (struct sockaddr *)&here, sizeof here)) return 1;
  return recv(fd, text, sizeof text, 0) != 8;
}
";

const CLIENT: &str = "#include <klee/klee.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
struct message { char kind; int value; };
int main(void) {
  struct addrinfo kind = {.ai_socktype = SOCK_DGRAM}, *server;
  if (getaddrinfo(\"server\", \"7000\", &kind, &server)) return 1;
  int fd = socket(server->ai_family, SOCK_DGRAM, 0);
  volatile struct message m;
#ifdef FIXED
  memset((void *)&m, 0, sizeof m);
#endif
  m.kind = 1;
  m.value = klee_range(0, 4, \"value\");
  volatile int extra;
  if (m.value > 1) extra = 3;
  if (extra == 9) return 5;
  sendto(fd, (void *)&m, sizeof m, 0, server->ai_addr, server->ai_addrlen);
  return 0;
}
";

const SYSTEM: &str = "[[node]]
name = \"server\"
program = \"server\"
[[node]]
name = \"client\"
program = \"client\"
start = 1
";

#[test]
fn tests_of_unwritten_memory_end_as_their_worlds_did() {
    let sandbox = Sandbox::new();
    for (name, text) in [("server.c", SERVER), ("client.c", CLIENT), ("system.toml", SYSTEM)] {
        sandbox.write(name, text);
    }
    sandbox.run(&["cc", "-g", "server.c", "-o", "server"], 0);
    sandbox.run(&["cc", "-g", "client.c", "-o", "client"], 0);
    sandbox.run(&["run", "--out", "plain", "system.toml"], 0);
    let checked = ["run", "--check", "uninitialized", "--tests", "all", "system.toml", "--out"];
    let run = |folder: &str, workers: &str| {
        sandbox.run(&[&checked[..], &[folder, "--workers", workers]].concat(), 1);
        let summary = sandbox.json(&format!("{folder}/summary.json"));
        let findings = summary["findings"].as_array().unwrap().clone();
        let of = |finding: &serde_json::Value| {
            (finding["kind"].to_string(), finding["message"].to_string())
        };
        let mut named: Vec<_> = findings.iter().map(of).collect();
        named.sort();
        (findings, named, summary["worlds"].clone())
    };
    let (findings, one, worlds) = run("out", "1");
    assert_eq!(one.len(), 2, "{one:?}");
    assert!(one[0].0.contains("information-leak") && one[0].1.contains("offset 1 of local"));
    assert!(one[1].0.contains("uninitialized") && one[1].1.contains("variable 'extra'"));
    let (_, several, same) = run("several", "3");
    assert_eq!((one, worlds), (several, same));
    for number in 1.. {
        let test = format!("out/tests/test{number:06}.dtest");
        if !sandbox.path(&test).exists() {
            assert!(number > 4, "the paths behind the findings leave tests, too");
            break;
        }
        sandbox.run(&["replay", &test], 0);
    }
    for finding in &findings {
        let test = format!("out/{}", finding["dtest"].as_str().unwrap());
        let said = sandbox.run(&["replay", "--native", &test], 2);
        assert!(said.err.contains("nothing happens to a native program"), "{}", said.err);
    }
    let leak = findings.iter().find(|finding| finding["kind"] == "information-leak").unwrap();
    let test = format!("out/{}", leak["dtest"].as_str().unwrap());
    sandbox.run(&["minimize", &test], 0);
    sandbox.run(&["cc", "-g", "-DFIXED", "client.c", "-o", "client"], 0);
    let said = sandbox.run(&["replay", "--changed", &test], 0);
    assert!(
        said.out.contains("no longer appears; no finding (server exited with 0"),
        "{}",
        said.out
    );
}
