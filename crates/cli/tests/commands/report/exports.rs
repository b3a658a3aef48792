//! Each export, read by the tool that it is for, which `cargo xtask setup` installs, and by a reader of ours.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use everett_traffic::{TcpFraming, Trace, TraceOptions};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::sarif::check_schema;
use super::system;
use crate::sandbox::{Sandbox, output_of};

const ALL: &str = "sarif,junit,lcov,trace,shiviz,pcapng,github";

fn text(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path(name)).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

/// A tool that reads exports.
fn reader(sandbox: &Sandbox, tool: &str) -> Command {
    let found = sandbox.host(tool).arg("--version").output();
    assert!(found.is_ok(), "{tool} is not installed; `cargo xtask setup` installs it");
    sandbox.host(tool)
}

#[test]
fn exports_of_a_system_are_read_by_their_tools() {
    let sandbox = system();
    let printed =
        sandbox.printed(&["run", "system.toml", "--out", "out", "--export", ALL, "-q"], 1);
    let summary = sandbox.json("out/summary.json");
    let findings = array(&summary["findings"]);
    assert_eq!(printed.lines().count(), findings.len(), "{printed}");
    assert!(printed.contains("::error file=client.c,line="), "{printed}");
    check_sarif(&sandbox.json("out/results.sarif"), findings);
    check_junit(&sandbox, &text(&sandbox, "out/junit.xml"), findings);
    check_lcov(&sandbox, &text(&sandbox, "out/coverage.lcov"));
    check_trace(&sandbox.json("out/trace.json"), findings);
    check_shiviz(&text(&sandbox, "out/shiviz.log"), findings);
    for finding in findings {
        let name = format!(
            "findings/{:03}-{}.pcapng",
            finding["id"].as_u64().unwrap(),
            finding["kind"].as_str().unwrap()
        );
        check_capture(&sandbox, &sandbox.path(&format!("out/{name}")), finding);
    }
    // The same files come out of the folder later.
    let names = ["results.sarif", "junit.xml", "coverage.lcov", "trace.json", "shiviz.log"];
    let first = names.map(|name| text(&sandbox, &format!("out/{name}")));
    names.iter().for_each(|name| fs::remove_file(sandbox.path(&format!("out/{name}"))).unwrap());
    let again = sandbox.printed(&["report", "out", "--export", ALL], 0);
    assert_eq!(again, format!("out/report.html\n{printed}"));
    assert_eq!(names.map(|name| text(&sandbox, &format!("out/{name}"))), first);
    // The next run into the folder removes them.
    sandbox.run(&["run", "system.toml", "--out", "out", "-q"], 1);
    names.iter().for_each(|name| assert!(!sandbox.path(&format!("out/{name}")).exists()));
}

/// The schema of SARIF 2.1.0, and what forges ask for beside it.
fn check_sarif(log: &Value, findings: &[Value]) {
    check_schema(log);
    let [run] = array(&log["runs"]) else { panic!("one run") };
    assert_eq!(run["tool"]["driver"]["name"], "Everett");
    let results = array(&run["results"]);
    assert_eq!(results.len(), findings.len());
    let mut fingerprints = Vec::new();
    for (result, finding) in results.iter().zip(findings) {
        assert_eq!(result["ruleId"], finding["kind"]);
        assert_eq!(result["message"]["text"], finding["message"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["region"]["startLine"], finding["line"]);
        assert!(!place["artifactLocation"]["uri"].as_str().unwrap().contains(':'), "{place}");
        fingerprints.push(result["partialFingerprints"]["everettStack/v1"].as_str().unwrap());
        assert!(!array(&result["stacks"][0]["frames"]).is_empty());
        let flows = array(&result["codeFlows"][0]["threadFlows"]);
        assert_eq!(flows.len(), 2, "a flow for each node");
        for flow in flows {
            let steps = array(&flow["locations"]).iter();
            let order: Vec<u64> =
                steps.map(|step| step["executionOrder"].as_u64().unwrap()).collect();
            assert!(order.is_sorted(), "{flow}");
        }
    }
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), results.len(), "each finding has its own");
}

/// Our schema of the format, and the sums in it.
fn check_junit(sandbox: &Sandbox, text: &str, findings: &[Value]) {
    sandbox.write("junit.xsd", include_str!("junit.xsd"));
    let mut xmllint = reader(sandbox, "xmllint");
    output_of(xmllint.args(["--noout", "--schema", "junit.xsd", "out/junit.xml"]), 0);
    let mut reader = Reader::from_str(text);
    let (mut tests, mut failures, mut skipped, mut told) = (0, 0, Vec::new(), Vec::new());
    let mut name = String::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(element) => {
                let attribute = |key: &str| {
                    let found = element.try_get_attribute(key).unwrap();
                    found.unwrap().value.into_owned()
                };
                match element.name().as_ref() {
                    "testcase" => {
                        tests += 1;
                        name = attribute("name");
                    }
                    "testsuites" => told = ["tests", "failures", "skipped"].map(attribute).to_vec(),
                    "failure" => failures += 1,
                    "skipped" => skipped.push(name.clone()),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert_eq!(told, [tests, failures, skipped.len()].map(|count: usize| count.to_string()));
    assert!(failures >= findings.len());
    assert_eq!(skipped, ["nobodyTells"]);
}

fn check_lcov(sandbox: &Sandbox, text: &str) {
    assert!(text.contains("SF:server.c\n") && text.contains("\nFNDA:1,main\n"), "{text}");
    assert_eq!(text.matches("SF:").count(), text.matches("end_of_record").count());
    let said =
        output_of(reader(sandbox, "genhtml").args(["-o", "html", "out/coverage.lcov"]), 0).out;
    assert!(sandbox.path("html/index.html").exists());
    // It has counted what we have.
    let lines = text.lines().filter_map(|line| line.strip_prefix("DA:")?.split(',').nth(1));
    let lines: Vec<&str> = lines.collect();
    let hit = lines.iter().filter(|count| **count != "0").count();
    assert!(said.contains(&format!("({hit} of {} lines)", lines.len())), "{said}");
}

/// Every flow that ends begins before, and each node of each finding is a process.
fn check_trace(trace: &Value, findings: &[Value]) {
    let events = array(&trace["traceEvents"]);
    let named = |event: &&Value| event["name"] == "process_name";
    assert_eq!(events.iter().filter(named).count(), 2 * findings.len());
    let mut begun = BTreeMap::new();
    let mut ended = 0;
    for event in events {
        let (phase, id) = (event["ph"].as_str().unwrap(), event["id"].to_string());
        let time = event["ts"].as_f64();
        match phase {
            "M" => {}
            "X" => assert!(time.is_some() && event["dur"].is_f64(), "{event}"),
            "s" => assert!(begun.insert(id, time.unwrap()).is_none(), "{event}"),
            "f" => {
                assert!(begun[&id] < time.unwrap(), "{event}");
                ended += 1;
            }
            _ => panic!("{event}"),
        }
    }
    assert!(ended > 0);
}

/// The grammar that ShiViz takes for granted, and clocks that grow along messages.
fn check_shiviz(log: &str, findings: &[Value]) {
    let mut worlds = 0;
    let mut last: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut lines = log.lines();
    while let Some(event) = lines.next() {
        if event.starts_with("=== ") && event.ends_with(" ===") {
            worlds += 1;
            last.clear();
            continue;
        }
        let (host, clock) = lines.next().unwrap().split_once(' ').unwrap();
        assert!(!host.is_empty() && !host.contains(char::is_whitespace), "{host}");
        assert!(!event.trim().is_empty(), "an event has words");
        let clock: BTreeMap<String, u64> = serde_json::from_str(clock).unwrap();
        assert!(clock.values().all(|time| *time > 0), "{event}");
        let before = last.get(host).cloned().unwrap_or_default();
        assert_eq!(clock[host], before.get(host).map_or(1, |time| time + 1), "{event}");
        for (other, time) in &before {
            assert!(clock[other] >= *time, "{event}");
        }
        for (other, time) in clock.iter().filter(|(other, _)| *other != host) {
            assert!(last[other][other] >= *time, "{event}: nothing of the future is known");
        }
        if event.starts_with("receives") {
            assert!(clock.len() == 2, "{event}: it knows its sender");
        }
        last.insert(host.to_owned(), clock);
    }
    assert_eq!(worlds, findings.len());
}

/// The messages, as our own reader of recorded traffic has them, and tshark if it is there.
fn check_capture(sandbox: &Sandbox, file: &Path, finding: &Value) {
    let trace = Trace::read(fs::File::open(file).unwrap(), &TraceOptions::default()).unwrap();
    assert!(trace.left_out().is_empty(), "{:?}", trace.left_out());
    let read = trace.into_messages(TcpFraming::Segments);
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let read = read.iter().map(|message| {
        (message.source.to_string(), message.destination.to_string(), hex(&message.bytes))
    });
    let of = |message: &Value, key: &str| message[key].as_str().unwrap().to_owned();
    let sent = array(&finding["messages"]).iter();
    let sent = sent.map(|m| (of(m, "source"), of(m, "destination"), of(m, "bytes")));
    assert_eq!(read.collect::<Vec<_>>(), sent.collect::<Vec<_>>());
    let tshark = |words: &[&str]| {
        let mut tshark = reader(sandbox, "tshark");
        output_of(tshark.arg("-r").arg(file).args(words), 0).out
    };
    assert_eq!(tshark(&["-Y", "_ws.malformed"]), "");
    // Its fields are the messages.
    let fields = ["ip.src", "udp.srcport", "ip.dst", "udp.dstport", "udp.payload"];
    let fields = fields.iter().flat_map(|field| ["-e", field]);
    let words: Vec<&str> = ["-Y", "udp", "-T", "fields"].into_iter().chain(fields).collect();
    let told =
        array(&finding["messages"]).iter().filter(|message| of(message, "kind") == "udp data");
    let told = told.map(|m| {
        let (from, to) =
            (of(m, "source").replace(':', "\t"), of(m, "destination").replace(':', "\t"));
        format!("{from}\t{to}\t{}\n", of(m, "bytes"))
    });
    assert_eq!(tshark(&words), told.collect::<String>());
}

/// A connection over which more is said than fits one segment.
const TALKS: &str = r#"#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(7000)};
  static char text[3000];
  memset(text, 'x', sizeof text);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (argc > 1) {
    at.sin_addr.s_addr = inet_addr("10.0.0.1");
    if (connect(fd, (struct sockaddr *)&at, sizeof at)) return 1;
    for (int i = 0; i < 3; i++) write(fd, "hello", 5), read(fd, text, 2);
    write(fd, text, sizeof text);
    shutdown(fd, SHUT_WR);
    read(fd, text, 1);
    abort();
  }
  if (bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 1)) return 1;
  int peer = accept(fd, 0, 0);
  for (int i = 0; i < 3; i++) read(peer, text, 5), write(peer, "ok", 2);
  while (read(peer, text, sizeof text) > 0) {}
  close(peer);
  return 0;
}
"#;

#[test]
fn captures_of_streams_have_the_numbers_of_tcp() {
    let sandbox = Sandbox::new();
    crate::faults::compile(&sandbox, "talk", TALKS);
    let node = |name: &str, more: &str| {
        format!("[[node]]\nname = \"{name}\"\nprogram = \"talk\"\n{more}\n")
    };
    sandbox.write("s.toml", &(node("server", "") + &node("client", "args = [\"x\"]\nstart = 1\n")));
    sandbox.run(&["run", "s.toml", "--out", "out", "--export", "pcapng"], 1);
    let file = sandbox.path("out/findings/001-abort.pcapng");
    let trace = Trace::read(fs::File::open(&file).unwrap(), &TraceOptions::default()).unwrap();
    let streams: Vec<_> = trace.into_messages(TcpFraming::Streams);
    let client = streams.iter().find(|stream| stream.destination.port() == 7000).unwrap();
    let server = streams.iter().find(|stream| stream.source.port() == 7000).unwrap();
    assert!(client.bytes.starts_with(b"hellohellohello"), "{:?}", client.bytes);
    assert_eq!(server.bytes, b"okokok");
    let tshark = |words: &[&str]| {
        let mut tshark = reader(&sandbox, "tshark");
        output_of(tshark.arg("-r").arg(&file).args(words), 0).out
    };
    let odd = "tcp.analysis.flags && !tcp.analysis.window_full || _ws.malformed";
    assert_eq!(tshark(&["-Y", odd]), "", "segments that do not fit together");
    let numbers = ["-T", "fields", "-e", "tcp.seq", "-Y", "tcp.flags.fin==1 && tcp.dstport==7000"];
    assert_eq!(tshark(&numbers).trim(), "3016", "behind 15 and 3000 bytes");
    // It puts the streams together, each side in its own column.
    let followed = tshark(&["-q", "-z", "follow,tcp,raw,0"]);
    let is_hex = |line: &&str| {
        !line.trim().is_empty() && line.trim().bytes().all(|digit| digit.is_ascii_hexdigit())
    };
    let (server_side, client_side): (Vec<&str>, Vec<&str>) =
        followed.lines().filter(is_hex).partition(|line| line.starts_with('\t'));
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(server_side.iter().map(|line| line.trim()).collect::<String>(), hex(b"okokok"));
    assert!(client_side.concat().starts_with(&hex(b"hellohellohello")), "{followed}");
}
