//! `everett explore` and `everett run --watch` over plain HTTP: who is answered, what pages say, and where
//! their links lead. Not here: what a browser makes of them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use scraper::{Html, Selector};

use crate::faults::compile;
use crate::report::system;
use crate::sandbox::Sandbox;

/// A process that serves pages, ended with the test.
pub(crate) struct Serving {
    pub(crate) process: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer to a request.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Serving {
    /// Starts a command that prints the address of its page.
    pub(crate) fn start(command: &mut Command) -> Serving {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        let out = BufReader::new(process.stdout.take().unwrap());
        let err = BufReader::new(process.stderr.take().unwrap());
        let (tell, told) = std::sync::mpsc::channel();
        let streams: [Box<dyn BufRead + Send>; 2] = [Box::new(out), Box::new(err)];
        for stream in streams {
            let tell = tell.clone();
            // Read to its end, so that the process is never held up.
            std::thread::spawn(move || {
                for line in stream.lines() {
                    let _ = tell.send(line.unwrap_or_default());
                }
            });
        }
        drop(tell);
        while let Ok(line) = told.recv() {
            said.push_str(&line);
            said.push('\n');
            if let Some((_, address)) = line.split_once("http://127.0.0.1:") {
                let (port, token) = address.trim_end_matches('/').split_once('/').unwrap();
                let (port, token) = (port.parse().unwrap(), token.to_owned());
                return Serving { process, port, token };
            }
        }
        // It has closed its output, so it has ended or is about to.
        let status = process.wait().unwrap();
        panic!("no address, {status}: {said}");
    }

    /// Sends the lines of a request.
    pub(crate) fn send(&self, lines: &[&str], content: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = format!("Content-Length: {}", content.len());
        let lines = [lines, &["Connection: close", &length, "", content][..]].concat();
        stream.write_all(lines.join("\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn of(&self, method: &str, path: &str, content: &str) -> Answer {
        let first = format!("{method} /{}/{path} HTTP/1.1", self.token);
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let kind = "Content-Type: application/x-www-form-urlencoded";
        self.send(&[&first, &host, kind], content)
    }

    /// The page at a path behind the token.
    pub(crate) fn page(&self, path: &str) -> String {
        let answer = self.of("GET", path, "");
        assert_eq!(answer.status, 200, "{path}: {}\n{}", answer.head, answer.body);
        answer.body
    }

    /// The path behind the token that an answer leads to.
    fn led_to(&self, answer: &Answer) -> String {
        assert_eq!(answer.status, 303, "{}\n{}", answer.head, answer.body);
        let location =
            answer.head.lines().find_map(|line| line.strip_prefix("Location: ")).unwrap();
        location.strip_prefix(&format!("/{}/", self.token)).unwrap().to_owned()
    }
}

fn texts(page: &str, of: &str) -> Vec<String> {
    let selector = Selector::parse(of).unwrap();
    let page = Html::parse_document(page);
    page.select(&selector).map(|element| element.text().collect()).collect()
}

fn attribute(page: &str, of: &str, name: &str) -> Option<String> {
    let selector = Selector::parse(of).unwrap();
    let page = Html::parse_document(page);
    page.select(&selector).next()?.value().attr(name).map(str::to_owned)
}

/// The number of the finding of a kind.
pub(crate) fn finding_of(sandbox: &Sandbox, kind: &str) -> String {
    let summary = sandbox.json("out/summary.json");
    let findings = summary["findings"].as_array().unwrap();
    findings.iter().find(|finding| finding["kind"] == kind).unwrap()["id"].to_string()
}

/// The steps of the world of a page.
fn steps(page: &str) -> u64 {
    let text = texts(page, ".position").concat();
    text.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn only_its_own_pages_with_the_token_are_answered() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", "int main(int argc, char **argv) { return *(volatile int *)0; }\n");
    sandbox.run(&["run", "prog", "--out", "out"], 1);
    let serving = Serving::start(&mut sandbox.everett(&["explore", "out"]));
    let (port, token) = (serving.port, &serving.token);
    let with = |first: &str, more: &[&str]| serving.send(&[&[first][..], more].concat(), "").status;
    let page = format!("GET /{token}/world/0/step/0 HTTP/1.1");
    let host = format!("Host: 127.0.0.1:{port}");
    assert_eq!(with(&page, &[&host]), 200);
    assert_eq!(with(&page, &[&format!("Host: localhost:{port}")]), 200);
    let own = format!("Origin: http://127.0.0.1:{port}");
    assert_eq!(with(&page, &[&host, &own, "Sec-Fetch-Site: same-origin"]), 200);
    // Without the token, or with another one.
    for path in ["/", "/world/0/step/0", "/00000000000000000000000000000000/world/0/step/0"] {
        assert_eq!(with(&format!("GET {path} HTTP/1.1"), &[&host]), 403, "{path}");
    }
    assert_eq!(with(&format!("GET /{token}x/world/0/step/0 HTTP/1.1"), &[&host]), 403);
    // A name that leads to this machine, and requests that other pages make.
    for host in ["Host: evil.example", &format!("Host: evil.example:{port}"), "Host: 127.0.0.1"] {
        assert_eq!(with(&page, &[host]), 403, "{host}");
    }
    for origin in ["http://evil.example", "null", &format!("http://localhost:{port}")] {
        assert_eq!(with(&page, &[&host, &format!("Origin: {origin}")]), 403, "{origin}");
    }
    assert_eq!(with(&page, &[&host, "Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(with(&page.replace("GET", "PUT"), &[&host]), 403);
    assert_eq!(with(&page.replace("step/0", "step/x"), &[&host]), 404);
    assert_eq!(with(&page.replace("world/0", "world/7"), &[&host]), 404);
    // It is heard on the loopback address alone.
    assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
    let answer = serving.send(&[&page, &host], "");
    assert!(answer.head.contains("frame-ancestors 'none'"), "{}", answer.head);
    let policy = attribute(&answer.body, "meta[http-equiv]", "content").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
}

#[test]
fn world_of_a_system_is_walked_to_its_end_and_to_another_one() {
    let sandbox = system();
    sandbox.run(&["run", "system.toml", "--out", "out"], 1);
    let finding = finding_of(&sandbox, "deadlock");
    let serving = Serving::start(&mut sandbox.everett(&["explore", "out", "--finding", &finding]));
    let path = serving.led_to(&serving.of("GET", "", ""));
    assert_eq!(path, "world/0/step/0");
    let page = serving.page(&path);
    let steps = steps(&page);
    assert!(steps > 10, "{steps}");
    // Every step has a line, and a link to the one before.
    for step in 1..steps {
        let page = serving.page(&format!("world/0/step/{step}"));
        assert_eq!(texts(&page, "figure.excerpt .here").len(), 1, "step {step}");
        let back = attribute(&page, "a[data-key~='ArrowLeft']", "href").unwrap();
        assert!(back.ends_with(&format!("/world/0/step/{}", step - 1)), "{back}");
    }
    // To a line of a node, and not there.
    let led = serving.of("GET", "world/0/line?from=0&at=server.c%3A11&node=", "");
    let page = serving.page(&serving.led_to(&led));
    let here = texts(&page, "figure.excerpt .here").concat();
    assert!(here.contains("11 ") && here.contains("recvfrom"), "{here}");
    let led = serving.of("GET", "world/0/line?from=0&at=server.c%3A999&node=", "");
    let page = serving.page(&serving.led_to(&led));
    assert!(texts(&page, ".notice").concat().contains("no node comes to server.c:999"));
    // The end is the finding's.
    let page = serving.page(&format!("world/0/step/{steps}"));
    let text = texts(&page, "main").concat();
    assert!(text.contains("deadlock") && text.contains("lost UDP packet 1"), "{text}");
    assert!(!text.contains("The test states another end"), "{text}");
    // Without the loss, nothing is stuck.
    let options = texts(&page, ".options li");
    let at = options.iter().position(|text| text.contains("without: lost UDP packet 1"));
    let at = at.unwrap_or_else(|| panic!("{options:?}"));
    let selector = Selector::parse(".options form").unwrap();
    let action = Html::parse_document(&page);
    let action = action.select(&selector).nth(at).unwrap().value().attr("action").unwrap();
    let action = action.strip_prefix(&format!("/{}/", serving.token)).unwrap().to_owned();
    let path = serving.led_to(&serving.of("POST", &action, "step=0"));
    assert_eq!(path, "world/1/step/0");
    let page = serving.page(&path);
    let listed = texts(&page, ".worlds li");
    assert_eq!(listed.len(), 2, "{listed:?}");
    assert!(listed[0].contains("deadlock") && !listed[1].contains("deadlock"), "{listed:?}");
    // A loss that the world has not had is offered in it, and leads back to the finding.
    let options = texts(&page, ".options li");
    let at = options.iter().position(|text| text.contains("lost UDP packet 1")).unwrap();
    let action = Html::parse_document(&page);
    let action = action.select(&selector).nth(at).unwrap().value().attr("action").unwrap();
    let action = action.strip_prefix(&format!("/{}/", serving.token)).unwrap().to_owned();
    let page = serving.page(&serving.led_to(&serving.of("POST", &action, "step=0")));
    let listed = texts(&page, ".worlds li");
    assert!(listed[2].contains("deadlock"), "{listed:?}");
    assert_eq!(serving.of("GET", &action, "").status, 404, "it is no page");
}

#[test]
fn input_of_a_program_has_another_value_in_another_world() {
    let sandbox = Sandbox::new();
    let text = r#"#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

int main(void) {
  unsigned char byte;
  klee_make_symbolic(&byte, 1, "byte");
  printf("got %d\n", byte);
  if (byte == 7) {
    assert(0);
  }
  return 3;
}
"#;
    compile(&sandbox, "prog", text);
    sandbox.run(&["run", "prog", "--out", "out"], 1);
    let serving = Serving::start(&mut sandbox.everett(&["explore", "out"]));
    let page = serving.page("world/0/step/0");
    let last = serving.page(&format!("world/0/step/{}", steps(&page)));
    let text = texts(&last, "main").concat();
    assert!(text.contains("assertion") && text.contains("got 7"), "{text}");
    let path = serving.led_to(&serving.of("POST", "world/0/input/0", "step=0&hex=05"));
    let page = serving.page(&path);
    assert!(texts(&page, ".worlds li")[1].contains("exited with 3"), "{page}");
    let last = serving.page(&format!("world/1/step/{}", steps(&page)));
    assert!(texts(&last, "main").concat().contains("got 5"));
    let path = serving.led_to(&serving.of("POST", "world/0/input/0", "step=0&hex=5"));
    assert!(texts(&serving.page(&path), ".notice").concat().contains("pairs of hexadecimal"));
}

#[test]
fn what_cannot_be_walked_in_is_refused() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", "int main(void) { return 0; }\n");
    sandbox.run(&["run", "prog", "--out", "out"], 0);
    let said = sandbox.said(&["explore", "out"], 2);
    assert!(said.contains("out has no finding: name one of its tests"), "{said}");
    let said = sandbox.said(&["explore", "nothing"], 2);
    assert!(said.contains("cannot read nothing"), "{said}");
    sandbox.write("alone.ktest", "");
    let said = sandbox.said(&["explore", "alone.ktest"], 2);
    assert!(said.contains("everett explore alone.ktest -- PROGRAM FLAGS"), "{said}");
    let said = sandbox.said(&["explore", "alone.ktest", "--", "prog"], 2);
    assert!(said.contains("alone.ktest"), "{said}");
}

/// Forks for long enough to be looked at.
pub(crate) const LONG: &str = r#"#include <klee/klee.h>
int main(void) {
  unsigned char bytes[64];
  unsigned count = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (unsigned i = 0; i < sizeof bytes; i++)
    for (unsigned j = 0; j < 2000; j++)
      if (j == 0 && bytes[i] == i) count++;
  return count == 3 ? *(volatile int *)0 : 0;
}
"#;

#[test]
fn run_is_watched_and_its_results_are_the_same() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", LONG);
    let flags = ["run", "prog", "--max-instructions", "2M", "--workers", "1", "--max-time", "10m"];
    let watched = [&flags[..], &["--watch", "--out", "watched"]].concat();
    let mut serving = Serving::start(&mut sandbox.everett(&watched));
    let page = serving.page("");
    assert!(texts(&page, "#live").concat().contains("Running"), "{page}");
    // It is the page of the folder, and has to come to an end while somebody looks.
    loop {
        let live = texts(&serving.page(""), "#live").concat();
        if live.contains("The run is over.") {
            assert!(live.contains("watched/report.html"), "{live}");
            break;
        }
        sleep(Duration::from_millis(200));
    }
    let status = serving.process.wait().unwrap();
    sandbox.run(&[&flags[..], &["--out", "alone"]].concat(), status.code().unwrap());
    let hash = |folder: &str| sandbox.json(&format!("{folder}/summary.json"))["trace_hash"].clone();
    assert_eq!(hash("watched"), hash("alone"));
    assert_eq!(sandbox.results("watched"), sandbox.results("alone"));
}
