//! Scenario files: what the good ones of `tests/scenarios/ok` mean, and what is said about the bad ones
//! of `tests/scenarios/err`. Beside each is a snapshot; `cargo xtask bless` rewrites it.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use everett_scenario::{Scenario, ScenarioErrors, ScenarioNode, load, parse};
use expect_test::expect_file;

/// A file with this line is read with a look at the files that it names.
const WITH_FILES: &str = "# check: files\n";

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios").join(kind)
}

fn files(kind: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder(kind)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

fn read(path: &Path) -> Result<Scenario, ScenarioErrors> {
    let text = std::fs::read_to_string(path).unwrap();
    if text.starts_with(WITH_FILES) {
        return load(path);
    }
    parse(&text, Path::new(path.file_name().unwrap()))
}

/// All that a scenario says, and all that was filled in.
fn listing(scenario: &Scenario) -> String {
    let Scenario { nodes, topology, overrides } = scenario;
    let mut text = String::new();
    let joined = |words: Vec<OsString>| {
        words.iter().map(|word| format!(" {}", word.display())).collect::<String>()
    };
    for node in nodes {
        let ScenarioNode { name, program, args, start, server, files, .. } = node;
        writeln!(text, "node {name}: {} {args:?}", program.display()).unwrap();
        writeln!(text, "  start {start}, server {server:?}").unwrap();
        if node.start_after_ns > 0 {
            writeln!(text, "  starts after {} ns", node.start_after_ns).unwrap();
        }
        writeln!(text, "  flags{}", joined(node.words(|_| false, |_| false))).unwrap();
        files.iter().for_each(|(path, content)| {
            writeln!(text, "  file {path}: {content:?}").unwrap();
        });
    }
    for network in topology.networks() {
        let subnets: Vec<String> = network.subnets().map(|subnet| subnet.to_string()).collect();
        writeln!(text, "network {} {}", network.name, subnets.join(" ")).unwrap();
        if !network.timing.is_instant() {
            writeln!(text, "  {:?}", network.timing).unwrap();
        }
    }
    for host in topology.hosts() {
        writeln!(
            text,
            "host {} ({}), {:?}, {}",
            host.name,
            host.hostname,
            host.kind,
            host.address()
        )
        .unwrap();
        for interface in &host.interfaces {
            let network = &topology.network(interface.network).name;
            writeln!(text, "  {} on {network}: {:?}", interface.name, interface.addresses).unwrap();
            if !interface.timing.is_instant() {
                writeln!(text, "    {:?}", interface.timing).unwrap();
            }
        }
        for route in &host.routes {
            let through = &host.interfaces[route.interface].name;
            let via = route.gateway.map(|gateway| format!(" via {gateway}")).unwrap_or_default();
            writeln!(text, "  to {}{via} through {through}", route.destination).unwrap();
        }
    }
    writeln!(text, "run{}", joined(overrides.words(|_| false))).unwrap();
    text
}

#[test]
fn good_scenarios_mean_what_they_say() {
    let files = files("ok");
    assert!(files.len() >= 6);
    for path in files {
        let scenario = match read(&path) {
            Ok(scenario) => scenario,
            Err(errors) => panic!("{errors}"),
        };
        expect_file![path.with_extension("listing")].assert_eq(&listing(&scenario));
    }
}

#[test]
fn bad_scenarios_are_refused_with_place_and_help() {
    let files = files("err");
    assert!(files.len() >= 20);
    for path in files {
        let errors = match read(&path) {
            Ok(_) => panic!("{} is accepted", path.display()),
            Err(errors) => errors,
        };
        let shown = errors.to_string().replace(&format!("{}/", folder("err").display()), "");
        expect_file![path.with_extension("stderr")].assert_eq(&format!("{shown}\n"));
    }
}

#[test]
fn what_cannot_be_read_is_said_without_a_line() {
    let missing = load(Path::new("/nowhere/at/all.toml")).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "/nowhere/at/all.toml cannot be read: No such file or directory (os error 2)"
    );
    let scratch = tempfile::tempdir().unwrap();
    let binary = scratch.path().join("binary.toml");
    std::fs::write(&binary, b"# good\nname = \"\xff\"\n").unwrap();
    let error = load(&binary).unwrap_err().to_string();
    assert!(error.ends_with("is not UTF-8 text: see line 2"), "{error}");
}

#[test]
fn paths_are_relative_to_the_scenario() {
    let text = "[[node]]\nname = \"a\"\nprogram = \"bin/a\"\nmount = { \"/x\" = \"../x\" }\n";
    let scenario = parse(text, Path::new("some/folder/system.toml")).unwrap();
    let node = &scenario.nodes[0];
    assert_eq!(node.program, Path::new("some/folder/bin/a"));
    assert_eq!(node.mounts[0].host, Path::new("some/folder/../x"));
}

#[test]
fn inputs_on_the_command_line_replace_those_of_the_file() {
    let text = "[[node]]\nname = \"a\"\nprogram = \"a\"\ninputs = { sym-stdin = 4, sym-arg = 2 }\n";
    let scenario = parse(text, Path::new("system.toml")).unwrap();
    let words = scenario.nodes[0].words(|flag| flag == "sym-stdin", |_| false);
    assert_eq!(words, ["--hostname=a", "--sym-arg=2"]);
}

#[test]
fn variables_on_the_command_line_replace_those_of_the_file() {
    let text = "[[node]]\nname = \"a\"\nprogram = \"a\"\nenv = { HOME = \"/\", TERM = \"dumb\" }\n";
    let scenario = parse(text, Path::new("system.toml")).unwrap();
    let words = scenario.nodes[0].words(|_| false, |name| name == "HOME");
    assert_eq!(words, ["--hostname=a", "--env=TERM=dumb"]);
}

#[test]
fn what_would_be_ignored_when_it_is_repeated_is_refused() {
    let cases = [
        ("inputs", "sym-files = [[1, 4], [2, 4]]", "`sym-files` takes a list of 2 values"),
        ("faults", "partition-cut = ['a|*', 'a|*']", "partition-cut a|* is given twice"),
        ("faults", "link-budget = ['a|*:loss=1', 'a|*:loss=2']", "a|*:loss is given twice"),
        ("faults", "link-down-nodes = ['a', 'a']", "link-down-nodes a is given twice"),
    ];
    for (section, line, expected) in cases {
        let text = format!("[[node]]\nname = 'a'\nprogram = 'a'\n[{section}]\n{line}\n");
        let error = parse(&text, Path::new("system.toml")).unwrap_err().to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
}

/// Values that somebody may put in the wrong place.
const ODD: [&str; 14] = [
    "-1",
    "0",
    "4294967296",
    "1e400",
    "true",
    "\"\"",
    "\"{i}\"",
    "\"10.0.0.0/24\"",
    "\"255.255.255.255/0\"",
    "[]",
    "[[]]",
    "{}",
    "{ a = {} }",
    "1979-05-27",
];

#[test]
fn shuffled_and_broken_scenarios_are_read_or_refused() {
    let texts: Vec<String> = ["ok", "err"]
        .iter()
        .flat_map(|kind| files(kind))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let good = files("ok").len();
    let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
    let mut rng = everett_base::Rng::new(1);
    let mut below = |n: usize| rng.below(n as u64) as usize;
    let (mut read, mut refused) = (0, 0);
    for round in 0..2000 {
        // Every second one begins as a good one.
        let base = if round % 2 == 0 { round / 2 % good } else { round / 2 % texts.len() };
        let mut text: Vec<String> = texts[base].lines().map(str::to_owned).collect();
        for _ in 0..=below(3) {
            let at = below(text.len() + 1);
            match (below(4), text.get(at).cloned()) {
                (0, Some(_)) => drop(text.remove(at)),
                (1, Some(line)) => {
                    let key = line.split('=').next().unwrap_or_default();
                    text[at] = format!("{key} = {}", ODD[below(ODD.len())]);
                }
                (2, Some(line)) => text.insert(below(at + 1), line),
                _ => text.insert(at, lines[below(lines.len())].to_owned()),
            }
        }
        match parse(&text.join("\n"), Path::new("system.toml")) {
            Ok(scenario) => {
                read += 1;
                assert_eq!(scenario.nodes.len(), scenario.topology.nodes().len());
            }
            Err(errors) => {
                refused += 1;
                assert!(errors.to_string().starts_with("system.toml:"), "{errors}");
            }
        }
    }
    assert!(read > 100 && refused > 500, "{read} read, {refused} refused");
}

fn everett(words: &[&str]) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_everett"));
    command.args(words).current_dir(folder("")).output().unwrap()
}

#[test]
fn command_draws_a_scenario_whose_programs_do_not_exist_yet() {
    let shown = everett(&["scenario", "draw", "ok/two_networks.toml"]);
    assert_eq!(shown.status.code(), Some(0));
    let svg = String::from_utf8(shown.stdout).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("192.168.2.50") && svg.contains("class=\"router\""), "{svg}");

    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("system.svg");
    let written =
        everett(&["scenario", "draw", "ok/two_networks.toml", "-o", file.to_str().unwrap()]);
    assert_eq!((written.status.code(), written.stdout.len()), (Some(0), 0));
    assert_eq!(std::fs::read_to_string(file).unwrap(), svg);
}

#[test]
fn command_checks_a_scenario_with_its_programs() {
    let missing = everett(&["scenario", "check", "ok/one_node.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(said.starts_with("ok/one_node.toml:3:11: cannot read ok/alone.bc: "), "{said}");
    assert!(said.ends_with("error: the scenario has 1 problem\n"), "{said}");

    // What is wrong only together with something else is what a run says about it.
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("cut.toml");
    std::fs::write(scratch.path().join("alone.bc"), b"BC\xc0\xde").unwrap();
    let node = "[[node]]\nname = \"alone\"\nprogram = \"alone.bc\"\n";
    std::fs::write(&file, format!("{node}[faults]\npartition = 1\n")).unwrap();
    let refused = everett(&["scenario", "check", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("--partition-count: say where with partition-cut"), "{said}");

    std::fs::copy(folder("ok").join("one_node.toml"), scratch.path().join("one.toml")).unwrap();
    let file = scratch.path().join("one.toml");
    let good = everett(&["scenario", "check", file.to_str().unwrap()]);
    let said = String::from_utf8(good.stdout).unwrap();
    let said = said.replace(&format!("{}/", scratch.path().display()), "");
    assert_eq!(
        said,
        "one.toml: 1 node, 0 routers, 1 network\n  alone  10.0.0.1         alone.bc\n"
    );
}
