//! Libraries that programs open while they run, built with `everett cc -shared`: the native program, with
//! musl's dynamic loader, does the same.

use std::process::Command;

use crate::sandbox::{Sandbox, output_of};

const PLUGIN: &str = include_str!("dlopen/plugin.c");
const NEEDED: &str = include_str!("dlopen/needed.c");
const SERVER: &str = include_str!("dlopen/server.c");
const PARSER: &str = include_str!("dlopen/parser.c");
const READER: &str = include_str!("dlopen/reader.c");
const HANDLER: &str = include_str!("dlopen/handler.c");
const HOST: &str = include_str!("dlopen/host.c");
const FOREIGN: &str = include_str!("dlopen/foreign.c");

/// The options that put the libraries of a sandbox where the program looks for them.
fn mounts(sandbox: &Sandbox) -> [String; 2] {
    ["--mount".to_owned(), format!("{}:/opt/plugins", sandbox.path("plugins").display())]
}

/// Runs `everett run` with libraries mounted.
fn explored(sandbox: &Sandbox, program: &str, options: &[&str], code: i32) -> String {
    let mounts = mounts(sandbox);
    let mut words = vec!["run", program];
    words.extend(mounts.iter().map(String::as_str));
    words.extend(options);
    sandbox.run(&words, code).out
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn build(sandbox: &Sandbox, words: &str) {
    let words: Vec<&str> = words.split_whitespace().collect();
    sandbox.run(&words, 0);
}

#[test]
fn library_with_needs_of_its_own_is_as_natively() {
    let sandbox = Sandbox::new();
    sandbox.write("plugin.c", PLUGIN);
    sandbox.write("needed.c", NEEDED);
    sandbox.write("server.c", SERVER);
    std::fs::create_dir(sandbox.path("plugins")).unwrap();
    build(&sandbox, "cc -fPIC -shared -Wl,-soname,libneeded.so needed.c -o plugins/libneeded.so");
    build(&sandbox, "cc -fPIC -shared plugin.c -Lplugins -lneeded -o plugins/plugin.so");
    build(&sandbox, "cc -rdynamic server.c -o server");
    let native = Command::new(sandbox.path("server"))
        .arg(sandbox.path("plugins"))
        .env_clear()
        .env("LD_LIBRARY_PATH", sandbox.path("plugins"))
        .output()
        .unwrap();
    let native = String::from_utf8(native.stdout).unwrap();
    assert!(native.contains("plugin ends"), "{native}");
    let options = ["--env", "LD_LIBRARY_PATH=/opt/plugins", "--", "/opt/plugins"];
    let ours = explored(&sandbox, "server", &options, 0);
    assert!(ours.starts_with(&native), "{native}\n-----\n{ours}");
}

#[test]
fn bug_in_a_library_is_found_at_its_line_by_any_number_of_workers() {
    let sandbox = Sandbox::new();
    sandbox.write("parser.c", PARSER);
    sandbox.write("reader.c", READER);
    std::fs::create_dir(sandbox.path("plugins")).unwrap();
    build(&sandbox, "cc -fPIC -shared parser.c -o plugins/parser.so");
    build(&sandbox, "cc reader.c -o reader");
    let out = explored(&sandbox, "reader", &["--tests", "all", "--out", "one"], 1);
    assert!(out.contains("--> parser.c:8:") && out.contains("#1 main"), "{out}");
    let options = ["--tests", "all", "--workers", "2", "--out", "two"];
    explored(&sandbox, "reader", &options, 1);
    assert_eq!(sandbox.results("one"), sandbox.results("two"));
    let finding = |out: &str| out.contains("global 'table' of 16 bytes");
    let tests = std::fs::read_dir(sandbox.path("one/tests")).unwrap();
    let again = tests.filter(|test| {
        let test = test.as_ref().unwrap().path();
        let words = ["--ktest", test.to_str().unwrap(), "--out", "again"];
        let mounts = mounts(&sandbox);
        let mut run = vec!["run", "reader"];
        run.extend(mounts.iter().map(String::as_str).chain(words));
        finding(&sandbox.everett(&run).output().map(|said| text(&said.stdout)).unwrap())
    });
    assert_eq!(again.count(), 7, "all failing paths fail again");
}

#[test]
fn library_without_bitcode_is_a_limit_of_the_run() {
    let sandbox = Sandbox::new();
    sandbox.write("foreign.c", FOREIGN);
    sandbox.write("empty.c", "int empty;\n");
    std::fs::create_dir(sandbox.path("plugins")).unwrap();
    let mut compile = sandbox.host(std::path::Path::new("clang-19"));
    compile.args(["-fPIC", "-shared", "-nostdlib", "empty.c", "-o", "plugins/foreign.so"]);
    output_of(&mut compile, 0);
    sandbox.write("plugins/text.so", "text\n");
    build(&sandbox, "cc foreign.c -o foreign");
    let text = explored(&sandbox, "foreign", &["--", "/opt/plugins/text.so"], 0);
    assert!(text.contains("Exec format error") && !text.contains("not explored"), "{text}");
    let foreign = explored(&sandbox, "foreign", &["--", "/opt/plugins/foreign.so"], 3);
    assert!(foreign.contains("build it with `everett cc -shared`"), "{foreign}");
    assert!(foreign.contains("1 library not opened: it carries no bitcode"), "{foreign}");
}

#[test]
fn run_that_has_opened_libraries_is_resumed() {
    let sandbox = Sandbox::new();
    sandbox.write("handler.c", HANDLER);
    sandbox.write("host.c", HOST);
    std::fs::create_dir(sandbox.path("plugins")).unwrap();
    build(&sandbox, "cc -fPIC -shared handler.c -o plugins/handler.so");
    build(&sandbox, "cc host.c -o host");
    explored(&sandbox, "host", &["--tests", "all", "--out", "whole"], 1);
    let stopped = ["--tests", "all", "--out", "out", "--max-instructions", "3500"];
    let out = explored(&sandbox, "host", &stopped, 3);
    assert!(out.contains("goes on from here"), "{out}");
    sandbox.run(&["resume", "out", "--max-instructions", "1000M"], 1);
    assert_eq!(sandbox.results("whole"), sandbox.results("out"));
}

#[test]
fn finding_in_a_library_is_reproduced_natively() {
    let sandbox = Sandbox::new();
    sandbox.write("handler.c", HANDLER);
    sandbox.write("host.c", HOST);
    let system =
        "[[node]]\nname = \"a\"\nprogram = \"host\"\nmount = { \"/opt/plugins\" = \"plugins\" }\n";
    sandbox.write("system.toml", system);
    std::fs::create_dir(sandbox.path("plugins")).unwrap();
    build(&sandbox, "cc -fPIC -shared handler.c -o plugins/handler.so");
    build(&sandbox, "cc host.c -o host");
    let out = sandbox.run(&["run", "system.toml", "--out", "out"], 1).out;
    let again = out.lines().find_map(|line| line.split("everett replay ").nth(1)).unwrap();
    let replayed = sandbox.said(&["replay", "--native", again.trim()], 0);
    assert!(replayed.contains("reproduced: node a aborts"), "{replayed}");
}
