//! Clusters: runs that worker processes explore, with a real server, and what may happen to all of them.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use everett_cluster::testing::TestServer;
use serde_json::Value;

use crate::faults;
use crate::sandbox::Sandbox;

/// Rounds of chaos; more of them find rarer moments.
const ROUNDS: &str = "EVERETT_CHAOS_ROUNDS";
/// The time between two looks at something that is to happen soon, and the number of looks.
const LOOKS_EVERY: Duration = Duration::from_millis(20);
const LOOKS_MAX: u32 = 6_000;

/// Forks at each of 9 bytes, works for a while on each path, reads a mounted file, and has a bug on some.
const MANY_PATHS: &str = "#include <klee/klee.h>\n\
    #include <assert.h>\n\
    #include <stdio.h>\n\
    volatile unsigned sink;\n\
    int main(void) {\n\
    \x20 unsigned char b[9]; unsigned sum = 0;\n\
    \x20 klee_make_symbolic(b, sizeof b, \"b\");\n\
    \x20 for (unsigned i = 0; i < sizeof b; i++) if (b[i] > 9) { sum++; sink = i; }\n\
    \x20 for (unsigned i = 0; i < 90000; i++) sink += i;\n\
    \x20 FILE *file = fopen(\"/data/limit\", \"r\"); int limit = 0;\n\
    \x20 assert(file && fscanf(file, \"%d\", &limit) == 1 && limit == 8);\n\
    \x20 assert(sum != 9);\n\
    \x20 return sum == (unsigned)limit ? 100 / (b[0] - 7) : 0;\n\
    }\n";

/// Two clients send a symbolic byte each to a server that tells large ones apart.
const SERVER: &str = "#include <arpa/inet.h>\n\
    #include <assert.h>\n\
    #include <sys/socket.h>\n\
    int main(void) {\n\
    \x20 int s = socket(AF_INET, SOCK_DGRAM, 0); int large = 0;\n\
    \x20 struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(700)};\n\
    \x20 bind(s, (struct sockaddr *)&a, sizeof a);\n\
    \x20 for (int i = 0; i < 2; i++) {\n\
    \x20   unsigned char b; recv(s, &b, 1, 0);\n\
    \x20   if (b > 100) large++; if (b % 16 == 3) large++;\n\
    \x20 }\n\
    \x20 assert(large < 4);\n\
    }\n";
const CLIENT: &str = "#include <arpa/inet.h>\n\
    #include <klee/klee.h>\n\
    #include <sys/socket.h>\n\
    int main(void) {\n\
    \x20 int s = socket(AF_INET, SOCK_DGRAM, 0); unsigned char b;\n\
    \x20 struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(700)};\n\
    \x20 inet_pton(AF_INET, \"10.0.0.1\", &a.sin_addr);\n\
    \x20 klee_make_symbolic(&b, 1, \"b\");\n\
    \x20 sendto(s, &b, 1, 0, (struct sockaddr *)&a, sizeof a);\n\
    }\n";
const SYSTEM: &str = "[[node]]\nname = \"server\"\nprogram = \"server.bc\"\naddress = \"10.0.0.1\"\n\
    [[node]]\nname = \"client1\"\nprogram = \"client.bc\"\naddress = \"10.0.0.2\"\n\
    [[node]]\nname = \"client2\"\nprogram = \"client.bc\"\naddress = \"10.0.0.3\"\n";

/// Two threads add to a counter without a lock.
const RACE: &str = "#include <pthread.h>\n\
    int counter;\n\
    void *add(void *p) { counter++; return p; }\n\
    int main(void) {\n\
    \x20 pthread_t t; pthread_create(&t, 0, add, 0); counter++; pthread_join(t, 0);\n\
    \x20 return counter == 2 ? 0 : 1;\n\
    }\n";

/// A program of this binary that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn start(sandbox: &Sandbox, words: &[&str]) -> Process {
        let mut command = sandbox.everett(words);
        Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn worker(sandbox: &Sandbox, url: &str) -> Process {
        Process::start(sandbox, &["work", url, "--slots", "1", "--quiet"])
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.0.id());
        Command::new("sh").arg("-c").arg(kill).status().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn compile(sandbox: &Sandbox) {
    sandbox.write("data/limit", "8\n");
    let sources = [("p", MANY_PATHS), ("server", SERVER), ("client", CLIENT), ("race", RACE)];
    for (name, source) in sources {
        sandbox.write(&format!("{name}.c"), source);
        sandbox.run(&["cc", &format!("{name}.c"), "-o", &format!("{name}.bc")], 0);
    }
    sandbox.write("system.toml", SYSTEM);
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let mut looks = 0;
    while !is_so() {
        looks += 1;
        assert!(looks < LOOKS_MAX, "{what}");
        sleep(LOOKS_EVERY);
    }
}

#[test]
fn workers_of_a_cluster_find_what_one_process_finds() {
    let (sandbox, server) = (Sandbox::new(), TestServer::start());
    compile(&sandbox);
    let url = server.url();
    let _workers = [Process::worker(&sandbox, &url), Process::worker(&sandbox, &url)];
    let mount = format!("{}:/data", sandbox.path("data").display());
    let program = sandbox.path("p.bc").display().to_string();
    let runs: [&[&str]; 5] = [
        &["p.bc", "--mount", "data:/data", "--tests", "all"],
        // Names that begin at the root mean files of the machine that submits.
        &[&program, "--mount", &mount, "--search", "bfs", "--tests", "findings"],
        &["system.toml", "--tests", "all"],
        &["system.toml", "--mapping", "cow", "--lost-packet-count", "1", "--tests", "findings"],
        &["race.bc", "--preempt", "all", "--tests", "findings"],
    ];
    for words in runs {
        let words = [&["run"], words, &["--quiet", "--out"]].concat();
        let code = sandbox.everett(&[&words[..], &["whole"]].concat()).status().unwrap().code();
        sandbox.run(&[&words[..], &["shared", "--cluster", &url]].concat(), code.unwrap());
        assert_eq!(sandbox.results("shared"), sandbox.results("whole"), "{words:?}");
    }
    let list = sandbox.printed(&["cluster", "list", &url], 0);
    assert_eq!(list, "no runs\n", "results are stored, so nothing is left");
}

/// Something happens to a cluster.
fn disturb(number: u64, sandbox: &Sandbox, server: &TestServer, workers: &mut Vec<Process>) {
    let url = server.url();
    match number % 4 {
        // It is gone, and another one comes.
        0 => {
            workers.remove(0);
            workers.push(Process::worker(sandbox, &url));
        }
        1 => {
            workers[0].signal("STOP");
            sleep(Duration::from_millis(300));
            workers[0].signal("CONT");
        }
        2 => {
            server.kill();
            sleep(Duration::from_millis(200));
            server.start_again();
        }
        _ => {
            let _ = Command::new("pkill")
                .args(["-KILL", "-P", &workers[0].0.id().to_string()])
                .status();
        }
    }
}

#[test]
fn whatever_happens_to_a_cluster_counts_are_exact() {
    let (sandbox, server) = (Sandbox::new(), TestServer::start());
    compile(&sandbox);
    let url = server.url();
    let words = ["run", "p.bc", "--mount", "data:/data", "--tests", "all", "--quiet", "--out"];
    sandbox.run(&[&words[..], &["whole"]].concat(), 1);
    let whole = sandbox.results("whole");
    let mut workers = vec![Process::worker(&sandbox, &url), Process::worker(&sandbox, &url)];
    let rounds = std::env::var(ROUNDS).ok().and_then(|text| text.parse().ok()).unwrap_or(2u64);
    for round in 0..rounds {
        let out = format!("out{round}");
        let mut run = Process::start(&sandbox, &[&words[..], &[&out, "--cluster", &url]].concat());
        sleep(Duration::from_millis(200 + round * 131 % 900));
        for number in 0..3 {
            disturb(round * 3 + number, &sandbox, &server, &mut workers);
            sleep(Duration::from_millis(100 + (round * 3 + number) * 57 % 400));
        }
        let is_over = |run: &mut Process| run.0.try_wait().unwrap().is_some();
        if round % 2 == 1 && !is_over(&mut run) {
            let list = sandbox.printed(&["cluster", "list", &url], 0);
            drop(run);
            let id = list.split_whitespace().next().unwrap().to_owned();
            // It may have ended and removed its run meanwhile.
            if sandbox.path(&out).join("summary.json").is_file() && id != "no" {
                let attached = sandbox.everett(&["cluster", "attach", &url, &id]).status().unwrap();
                assert_eq!(attached.code(), Some(1), "round {round}");
            }
        } else {
            assert_eq!(run.0.wait().unwrap().code(), Some(1), "round {round}");
        }
        assert_eq!(sandbox.results(&out), whole, "round {round}");
    }
}

#[test]
fn limits_on_forks_and_states_hold_for_the_whole_run_of_a_cluster() {
    let (sandbox, server) = (Sandbox::new(), TestServer::start());
    compile(&sandbox);
    let url = server.url();
    let _workers = [Process::worker(&sandbox, &url), Process::worker(&sandbox, &url)];
    for (flag, most, limit) in
        [("--max-forks", 40, "fork limit"), ("--max-states", 10, "state limit")]
    {
        let most_shown = most.to_string();
        let words = ["run", "p.bc", "--mount", "data:/data", "--tests", "none", "--quiet"];
        let more = [flag, &most_shown, "--out", "limited", "--cluster", &url];
        let status = sandbox.everett(&[&words[..], &more].concat()).status().unwrap();
        assert!(matches!(status.code(), Some(1 | 3)), "{flag}: {status}");
        let summary = sandbox.json("limited/summary.json");
        assert_eq!(summary["limit"], limit, "{flag}: {summary}");
        assert!(summary["dropped"].as_array().is_some_and(|dropped| !dropped.is_empty()));
        // The program has 512 paths. Each of two jobs at work may exceed the limit by itself once.
        let paths = summary["paths"].as_u64().unwrap();
        assert!((1..512).contains(&paths), "{flag}: {paths} paths");
        if flag == "--max-forks" {
            assert!(paths <= 3 * most + 2, "{paths} paths");
        }
    }
}

#[test]
fn run_of_a_cluster_is_shown_stopped_and_removed() {
    let (sandbox, server) = (Sandbox::new(), TestServer::start());
    compile(&sandbox);
    let url = server.url();
    let words = ["run", "p.bc", "--mount", "data:/data", "--out", "out", "--cluster", &url];
    let mut run = Process::start(&sandbox, &words);
    let status = || -> Value {
        serde_json::from_str(&sandbox.printed(&["cluster", "status", &url, "--json"], 0)).unwrap()
    };
    wait_until("the run is submitted", || status()["runs"][0]["state"] == "running");
    let status = status();
    assert_eq!(status["workers"].as_array().unwrap().len(), 0);
    let id = status["runs"][0]["run"].as_str().unwrap().to_owned();
    let text = sandbox.printed(&["cluster", "status", &url], 0);
    assert!(text.contains("no workers; start some with `everett work"), "{text}");
    let text = sandbox.printed(&["cluster", "stop", &url, &id], 0);
    assert_eq!(text, format!("run {id} is stopped\n"));
    run.0.wait().unwrap();
    assert_eq!(sandbox.json("out/summary.json")["outcome"], "stopped");
    let text = sandbox.run(&["cluster", "stop", &url, &id], 2).err;
    assert!(text.contains(&format!("there is no run {id}")), "{text}");
    // The limit of time holds without workers, too.
    let limited = ["run", "p.bc", "--mount", "data:/data", "--max-time", "1s", "--cluster", &url];
    let text = sandbox.run(&limited, 3).all();
    assert!(text.contains("time limit"), "{text}");
}

#[test]
fn run_is_attached_to_where_none_of_its_files_are() {
    let (sandbox, elsewhere, server) = (Sandbox::new(), Sandbox::new(), TestServer::start());
    compile(&sandbox);
    let url = server.url();
    let run = |words: &[&str], code: Option<i32>| {
        let words = [&["run"], words, &["--tests", "all", "--cluster", &url]].concat();
        let mut run = Process::start(&sandbox, &words);
        if code.is_some() {
            assert_eq!(run.0.wait().unwrap().code(), code);
            return String::new();
        }
        // Nobody follows it any more.
        let list = || sandbox.printed(&["cluster", "list", &url], 0);
        let id = || {
            let list = list();
            let line = list.lines().find(|line| line.contains(words[1]))?;
            line.split_whitespace().next().map(str::to_owned)
        };
        wait_until("the run is submitted", || id().is_some());
        id().unwrap()
    };
    let program = ["p.bc", "--mount", "data:/data", "--out", "program"];
    let system = ["system.toml", "--out", "system"];
    let worker = Process::worker(&elsewhere, &url);
    run(&program, Some(1));
    run(&system, Some(1));
    drop(worker);
    for folder in ["program", "system"] {
        std::fs::rename(sandbox.path(folder), elsewhere.path(&format!("{folder}-there"))).unwrap();
    }
    let ids = [run(&program, None), run(&system, None)];
    for entry in std::fs::read_dir(sandbox.path("")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        } else {
            std::fs::remove_file(path).unwrap();
        }
    }
    let _worker = Process::worker(&elsewhere, &url);
    let attach = |id: &str, out: &[&str]| {
        elsewhere.run(&[&["cluster", "attach", &url, id], out].concat(), 1);
    };
    attach(&ids[0], &["--out", "program"]);
    attach(&ids[1], &[]);
    std::fs::rename(elsewhere.path("everett-out/000"), elsewhere.path("system")).unwrap();
    let here = format!("{}/", elsewhere.path("").display()).replace("//", "/");
    for folder in ["program", "system"] {
        let there = format!("{folder}-there");
        assert_eq!(elsewhere.results(folder), elsewhere.results(&there), "{folder}");
        for inner in ["findings", "tests"] {
            let files = |folder: &str| -> Vec<_> {
                let folder = elsewhere.path(folder).join(inner);
                let name = |path: PathBuf| path.strip_prefix(&folder).unwrap().to_path_buf();
                let files = faults::files_below(&folder).into_iter();
                let shown = |content: Vec<u8>| {
                    let text = String::from_utf8_lossy(&content).into_owned();
                    text.replace(&here, "").replace("everett-out/000", "system")
                };
                files.map(|(path, content)| (name(path), shown(content))).collect()
            };
            assert_eq!(files(folder), files(&there), "{folder}/{inner}");
        }
    }
    let left = std::fs::read_dir(elsewhere.path("")).unwrap().count();
    assert_eq!(left, 5, "results, the folder that numbered ones are in, and no copies");
}

#[test]
fn cluster_that_cannot_be_used_is_named_with_the_reason() {
    let sandbox = Sandbox::new();
    sandbox.write("p.c", "int main(void) { return 0; }\n");
    sandbox.run(&["cc", "p.c", "-o", "p.bc"], 0);
    let refused = |url: &str| {
        let run = sandbox.run(&["run", "p.bc", "--cluster", url], 2).err;
        let work = sandbox.run(&["work", url], 2).err;
        assert!(!run.contains("panicked") && !work.contains("panicked"), "{run}{work}");
        format!("{run}{work}")
    };
    let said = refused("http://nobody");
    assert!(said.contains("nats://HOST:4222"), "{said}");
    let said = refused("nats://127.0.0.1:1");
    assert!(said.contains("cannot reach a NATS server at 127.0.0.1:1"), "{said}");
    let said = refused(&TestServer::without_jetstream().url());
    assert!(said.contains("does not offer JetStream"), "{said}");
    let closed = TestServer::with_config("authorization { user: u, password: p }");
    let said = refused(&closed.url());
    assert!(said.contains("refuses the connection"), "{said}");
    // User and password may be in the environment, where nobody sees them.
    let mut list = sandbox.everett(&["cluster", "list", &closed.url()]);
    list.env("EVERETT_NATS_USER", "u").env("EVERETT_NATS_PASSWORD", "p");
    assert_eq!(crate::sandbox::output_of(&mut list, 0).out, "no runs\n");
    assert!(Path::new(&sandbox.path("p.bc")).is_file());
}

#[test]
fn workers_make_the_runs_of_a_search_over_faults() {
    let (sandbox, server) = (Sandbox::new(), TestServer::start());
    let url = server.url();
    faults::compile(&sandbox, "server", faults::SERVER);
    faults::compile(&sandbox, "client", faults::CLIENT);
    sandbox.write("system.toml", faults::SYSTEM);
    let search = |more: &[&str], strategy: &str| {
        let args =
            ["faults", "system.toml", "--together", "2", "--experiments", "40", "--out", "out"];
        let strategy = ["--strategy", strategy];
        let said = sandbox.printed(&[&args[..], &strategy, more].concat(), 1);
        let folder = sandbox.path("out");
        let files = faults::files_below(&folder);
        std::fs::remove_dir_all(folder).unwrap();
        (said, files)
    };
    let _worker = Process::worker(&sandbox, &url);
    for strategy in ["fitness", "exhaustive"] {
        let alone = search(&["--workers", "1"], strategy);
        assert_eq!(alone, search(&["--cluster", &url], strategy), "{strategy}");
    }
    // A worker that dies costs its run, which another one makes.
    let (died, _other) = (Process::worker(&sandbox, &url), Process::worker(&sandbox, &url));
    let alone = search(&["--workers", "1"], "random");
    let searching = std::thread::scope(|scope| {
        let searching = scope.spawn(|| search(&["--cluster", &url], "random"));
        sleep(Duration::from_millis(300));
        drop(died);
        searching.join().unwrap()
    });
    assert_eq!(alone, searching);
    // Nothing of a search stays at the server.
    let status = sandbox.printed(&["cluster", "status", &url, "--json"], 0);
    let status: Value = serde_json::from_str(&status).unwrap();
    assert_eq!(status["runs"], Value::Array(Vec::new()), "{status:#}");
}
