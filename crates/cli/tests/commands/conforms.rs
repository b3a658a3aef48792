//! `everett conforms` as users see it: recorded traffic compared with what a program can send.

#[path = "../../../traffic/tests/support/trace_file.rs"]
mod trace_file;

use std::net::SocketAddr;

use expect_test::expect;
use serde_json::Value;

use crate::faults::compile;
use crate::sandbox::Sandbox;
use trace_file::{ACK, FIN, Format, Link, SYN, TraceFile, tcp, udp};

/// Sends a command from 1 to 3, twice its argument, and a checksum; then, to those who ask for it, a byte of
/// TCP.
const CLIENT: &str = r#"#include <arpa/inet.h>
#include <everett.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request { uint8_t command, argument; uint8_t checksum; };

int main(int argc, char **argv) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(7000)};
  inet_pton(AF_INET, argv[1], &to.sin_addr);
  uint8_t input[2];
  klee_make_symbolic(input, sizeof input, "input");
  if (argc > 2) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
    if (input[0] < 'a' || input[0] > 'c') return 0;
    return write(fd, input, 1) != 1;
  }
  if (input[0] < 1 || input[0] > 3) return 0;
  struct request request = {input[0], 2 * input[1], 0};
  request.checksum = request.command + request.argument;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sendto(fd, &request, sizeof request, 0, (struct sockaddr *)&to, sizeof to);
  return 0;
}
"#;

fn client() -> SocketAddr {
    "10.0.0.1:4000".parse().unwrap()
}

fn server() -> SocketAddr {
    "10.0.0.2:7000".parse().unwrap()
}

/// Writes a trace of datagrams from the client to the server.
fn record(sandbox: &Sandbox, name: &str, messages: &[&[u8]]) {
    let packets: Vec<Vec<u8>> =
        messages.iter().map(|message| udp(client(), server(), message)).collect();
    let trace = TraceFile::of(Format::Pcapng, Link::Ethernet, &packets);
    std::fs::write(sandbox.path(name), trace).unwrap();
}

fn result(sandbox: &Sandbox) -> Value {
    sandbox.json("out/conforms.json")
}

#[test]
fn messages_that_a_program_cannot_have_sent_are_explained() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "client", CLIENT);
    record(&sandbox, "fine.pcap", &[&[1, 4, 5], &[3, 254, 1], &[1, 4, 5]]);
    let line = ["--sender", "client", "--out", "out", "--", "10.0.0.2"];
    let conforms = |trace: &'static str, flags: &[&'static str], code: i32| {
        sandbox.printed(&[&["conforms", trace], flags, &line[..]].concat(), code)
    };
    let said = conforms("fine.pcap", &[], 0);
    assert!(said.contains("sent: 3\n") && !said.contains("not sent"), "{said}");
    let found = result(&sandbox);
    assert_eq!((&found["outcome"], &found["sent"]), (&"exhausted".into(), &3.into()));

    record(&sandbox, "bad.pcap", &[&[1, 4, 5], &[4, 4, 8], &[1, 4, 6], &[2, 3, 5], &[1, 4]]);
    let said = conforms("bad.pcap", &["--fields", "struct request"], 1);
    expect![[r#"
        bad.pcap
          5 messages in 5 packets
          sender: client, 1 sending path
          sent: 1
          not sent: 4
            packet 2: udp 10.0.0.1:4000 > 10.0.0.2:7000, 3 bytes
              no path: sends byte 0 (command) = 0x04
              message: [04] 04 08
              nearest: [01] 04 [05]
            packet 3: udp 10.0.0.1:4000 > 10.0.0.2:7000, 3 bytes
              no path: sends byte 0 (command) = 0x01 with byte 2 (checksum) = 0x06
              message: [01] 04 [06]
              nearest: 01 04 [05]
            packet 4: udp 10.0.0.1:4000 > 10.0.0.2:7000, 3 bytes
              no path: sends byte 1 (argument) = 0x03
              message: 02 [03] 05
              nearest: 02 [00] [02]
            packet 5: udp 10.0.0.1:4000 > 10.0.0.2:7000, 2 bytes
              no path: sends this length, only 3
              message: 01 04
        results in out
    "#]]
    .assert_eq(&said);
    let found = result(&sandbox);
    let verdicts: Vec<&str> = (found["messages"].as_array().unwrap().iter())
        .map(|message| message["sent"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["yes", "no", "no", "no", "no"]);
    let second = &found["messages"][1];
    assert_eq!(second["core"][0]["offset"], 0);
    assert_eq!((&second["bytes"], &second["time"]), (&"040408".into(), &"2.000000000".into()));

    // Without the checksum, a wrong one is no reason.
    for mask in ["2", "request.checksum"] {
        conforms("bad.pcap", &["--mask", mask], 1);
        assert_eq!(result(&sandbox)["sent"], 2, "{mask}");
    }
}

#[test]
fn traces_with_gaps_are_never_clean() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "client", CLIENT);
    let segment = |number, flags, data: &[u8]| tcp(client(), server(), number, flags, data);
    let packets = [segment(9, SYN, b""), segment(10, ACK, b"b"), segment(11, FIN | ACK, b"")];
    let whole = TraceFile::of(Format::Pcap, Link::Raw, &packets);
    std::fs::write(sandbox.path("whole.pcap"), whole).unwrap();
    let conforms = |trace: &str, code: i32| {
        let line = ["conforms", trace, "--sender", "client", "--out", "out", "--", "10.0.0.2", "t"];
        sandbox.printed(&line, code)
    };
    let said = conforms("whole.pcap", 0);
    assert!(said.contains("left out: 2 packets (TCP segments without data)"), "{said}");
    let packets = [segment(9, SYN, b""), segment(11, ACK, b"b")];
    let gap = TraceFile::of(Format::Pcap, Link::Raw, &packets);
    std::fs::write(sandbox.path("gap.pcap"), gap).unwrap();
    let said = conforms("gap.pcap", 3);
    assert!(
        said.contains("10.0.0.1:4000 > 10.0.0.2:7000: 1 byte missing from byte 0 on"),
        "{said}"
    );
    assert_eq!(result(&sandbox)["gaps"][0]["length"], 1);
}

#[test]
fn node_of_a_system_is_a_sender() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "client", CLIENT);
    sandbox.write(
        "system.toml",
        "[[node]]\nname = \"first\"\nprogram = \"client\"\nargs = [\"10.0.0.2\"]\n\
        [[node]]\nname = \"second\"\nprogram = \"client\"\nargs = [\"10.0.0.1\", \"tcp\"]\n",
    );
    record(&sandbox, "trace.pcap", &[&[1, 4, 5]]);
    let line = ["conforms", "trace.pcap", "--sender", "system.toml", "--out", "out"];
    let said = sandbox.run(&line, 2).err;
    assert!(said.contains("--node: say which node is the sender: first, second"), "{said}");
    sandbox.printed(&[&line[..], &["--node", "first"]].concat(), 0);
    // The other one sends single bytes, if anybody lets it connect.
    let said = sandbox.printed(&[&line[..], &["--node", "second"]].concat(), 1);
    assert!(said.contains("no path: sends anything"), "{said}");
}

#[test]
fn senders_that_are_not_explored_to_their_end_leave_messages_undecided() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "client", CLIENT);
    record(&sandbox, "trace.pcap", &[&[9, 9, 9]]);
    let line = [
        "conforms",
        "trace.pcap",
        "--sender",
        "client",
        "--out",
        "out",
        "--max-instructions",
        "1000",
        "--",
        "10.0.0.2",
    ];
    let said = sandbox.printed(&line, 3);
    assert!(said.contains("not all explored") && said.contains("undecided: 1"), "{said}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "client", CLIENT);
    record(&sandbox, "trace.pcap", &[&[1, 4, 5]]);
    let refused = |trace: &str, flags: &[&str], expected: &str| {
        let line = [&["conforms", trace, "--sender", "client", "--out", "out"], flags].concat();
        let said = sandbox.run(&line, 2).err;
        assert!(said.contains(expected), "{said}");
    };
    refused(
        "trace.pcap",
        &["--to", ":80"],
        "no message to compare; packets that are left out: 1 other",
    );
    refused(
        "client.c",
        &[],
        "cannot read the trace client.c: this is neither a pcap nor a pcapng file",
    );
    refused("none.pcap", &[], "cannot open none.pcap");
    refused("trace.pcap", &["--to", "x"], "expected ADDRESS, ADDRESS:PORT");
    refused("trace.pcap", &["--mask", "request.size"], "it has `command`, `argument`, `checksum`");
    refused("trace.pcap", &["--fields", "response"], "no such struct type");
    let loopback = TraceFile::of(
        Format::Pcap,
        Link::Loop,
        &[udp("127.0.0.1:1".parse().unwrap(), server(), b"x")],
    );
    std::fs::write(sandbox.path("loop.pcap"), loopback).unwrap();
    refused("loop.pcap", &[], "write a scenario");
    let to_all = udp(client(), "255.255.255.255:67".parse().unwrap(), b"x");
    let broadcast = TraceFile::of(Format::Pcap, Link::Raw, &[to_all]);
    std::fs::write(sandbox.path("broadcast.pcap"), broadcast).unwrap();
    refused("broadcast.pcap", &[], "not from one host to another");
}
