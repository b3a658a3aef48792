//! Searches among orders of threads and messages: `--search orders`, `random-walk` and `pct`, and estimates.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::sandbox::Sandbox;

fn compile(sandbox: &Sandbox, name: &str, source: &str) {
    sandbox.write(&format!("{name}.c"), source);
    sandbox.run(&["cc", "-O1", "-g", "-pthread", &format!("{name}.c"), "-o", name], 0);
}

/// Three threads take two turns each; the order is printed, and one of the 90 is a bug if wanted.
const TURNS: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int next;
static char order[7];

static void *take_turns(void *name) {
  for (int i = 0; i < 2; i++) order[atomic_fetch_add(&next, 1)] = *(char *)name;
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, take_turns, "ABC" + i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  puts(order);
  assert(argc < 2 || strcmp(order, argv[1]) != 0);
  return 0;
}
"#;

/// Runs the program of turns, and gives the orders in which it has printed them.
fn turns(sandbox: &Sandbox, flags: &[&str]) -> Vec<String> {
    let always = ["run", "turns", "--preempt", "all", "--workers", "1", "--echo", "--out", "out"];
    let said = sandbox.printed(&[&always[..], flags].concat(), 0);
    let is_order = |line: &&str| line.len() == 6 && line.bytes().all(|b| b"ABC".contains(&b));
    std::fs::remove_dir_all(sandbox.path("out")).unwrap();
    said.lines().filter(is_order).map(str::to_owned).collect()
}

fn with_summary(sandbox: &Sandbox, args: &[&str], code: i32) -> Value {
    let _ = std::fs::remove_dir_all(sandbox.path("out"));
    sandbox.run(&[args, &["--workers", "1", "--out", "out"]].concat(), code);
    sandbox.json("out/summary.json")
}

#[test]
fn every_search_explores_each_order_once() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "turns", TURNS);
    let by_depth = turns(&sandbox, &["--search", "dfs"]);
    let all: BTreeSet<&String> = by_depth.iter().collect();
    assert_eq!((by_depth.len(), all.len()), (90, 90));
    let by_orders = turns(&sandbox, &["--search", "orders"]);
    assert_eq!(by_orders[0], "AABBCC");
    assert_eq!(by_orders.iter().collect::<BTreeSet<_>>(), all);
    for search in ["random-walk", "pct"] {
        let walks = |seed| turns(&sandbox, &["--search", search, "--seed", seed]);
        let first = walks("5");
        assert_eq!(first.iter().collect::<BTreeSet<_>>(), all, "{search}");
        assert_eq!(first, walks("5"), "{search}");
        assert_ne!(first, walks("6"), "{search}");
    }
}

#[test]
fn fewer_deviations_come_first() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "turns", TURNS);
    let by_orders = turns(&sandbox, &["--search", "orders"]);
    let at = |order: &str| by_orders.iter().position(|other| other == order).unwrap();
    assert_eq!(at("AABBCC"), 0);
    // The opposite order needs a deviation at each choice; one thread that is late needs one.
    assert!(at("ABBACC") < at("CBACBA"));
}

#[test]
fn walks_are_counted_and_estimated() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "turns", TURNS);
    let run = ["run", "turns", "--preempt", "all"];
    let whole = with_summary(&sandbox, &[&run[..], &["--search", "random-walk"]].concat(), 0);
    assert_eq!(whole["outcome"], "exhausted");
    assert!(whole["orders"]["walks"].as_u64() >= Some(90), "{whole}");
    assert_eq!(whole["orders"].get("pct"), None);
    assert_eq!(whole.get("estimate"), None);
    let half = (whole["instructions"].as_u64().unwrap() / 2).to_string();
    let cut = ["--search", "random-walk", "--max-instructions", &half];
    let part = with_summary(&sandbox, &[&run[..], &cut[..]].concat(), 3);
    let (explored, total) = (&part["estimate"]["explored"], &part["estimate"]["total"]);
    assert!((0.05..0.95).contains(&explored.as_f64().unwrap()), "{part}");
    assert!((20.0..500.0).contains(&total.as_f64().unwrap()), "{part}");
    let said = sandbox.said(&[&run[..], &cut[..], &["--workers", "1"]].concat(), 3);
    assert!(
        said.contains("  estimate     about ") && said.contains(" walks at random\n"),
        "{said}"
    );
}

#[test]
fn priorities_find_an_order_that_is_replayed() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "turns", TURNS);
    let flags = ["--preempt", "all", "--search", "pct", "--pct-depth", "3", "--stop-at-first"];
    let run = [&["run", "turns"], &flags[..], &["--out", "out", "--workers", "1"]].concat();
    let said = sandbox.said(&[&run[..], &["--", "BAABCC"]].concat(), 1);
    assert!(said.contains("walks by priorities of ") && said.contains("depth 3\n"), "{said}");
    let summary = sandbox.json("out/summary.json");
    let pct = &summary["orders"]["pct"];
    assert_eq!((pct["depth"].as_u64(), &pct["runs"]), (Some(3), &summary["orders"]["walks"]));
    let (n, k) = (pct["n"].as_f64().unwrap(), pct["k"].as_f64().unwrap());
    assert!((pct["bound"].as_f64().unwrap() * n * k * k - 1.0).abs() < 1e-9, "{pct}");
    let test = summary["findings"][0]["test"].as_str().unwrap();
    let again = ["run", "turns", "--preempt", "all", "--ktest", &format!("out/{test}")];
    let said = sandbox.said(&[&again[..], &["--", "BAABCC"]].concat(), 1);
    assert!(said.contains("assertion failed"), "{said}");
}

#[test]
fn searches_without_a_meaning_are_refused() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "turns", TURNS);
    let said = sandbox.said(&["run", "turns", "--search", "pct"], 2);
    assert!(said.contains("give --preempt, --orders or --late"), "{said}");
    let said = sandbox.said(&["run", "turns", "--search", "random-walk,coverage"], 2);
    assert!(said.contains("search random-walk: it follows one path"), "{said}");
}

/// Four threads lock and count, each in a shard of its own or, with an argument, all in the same one.
const SHARDS: &str = r#"#include <pthread.h>
#include <stdatomic.h>

struct shard {
  pthread_mutex_t mutex;
  atomic_int count;
} shards[4];
static int is_one;

static void *count(void *number) {
  struct shard *own = &shards[is_one ? 0 : (long)number];
  for (int i = 0; i < 20; i++) {
    if (is_one && i > 0) break;
    pthread_mutex_lock(&own->mutex);
    atomic_fetch_add(&own->count, 1);
    pthread_mutex_unlock(&own->mutex);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  is_one = argc > 1;
  for (int i = 0; i < 4; i++) pthread_mutex_init(&shards[i].mutex, NULL);
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, count, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return atomic_load(&shards[0].count) != (is_one ? 4 : 20);
}
"#;

#[test]
fn threads_that_share_nothing_have_one_order() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "shards", SHARDS);
    let run = ["run", "shards", "--preempt", "all"];
    let apart = with_summary(&sandbox, &run, 0);
    let orders = &apart["orders"];
    let counts = ["explored", "redundant", "blocked"].map(|name| orders[name].as_u64());
    assert_eq!((counts, apart["states_created"].as_u64()), ([Some(1), Some(0), Some(0)], Some(1)));
    let _ = std::fs::remove_dir_all(sandbox.path("out"));
    let args = [&run[..], &["--workers", "1", "--out", "out", "--", "one"]].concat();
    sandbox.run(&args, 0);
    let orders = &sandbox.json("out/summary.json")["orders"];
    assert_eq!(orders["explored"].as_u64(), Some(24), "{orders}");
    assert_eq!(orders["blocked"], orders["redundant"], "{orders}");
}

/// Sends its name to the collector.
const SENDER: &str = r#"#include <arpa/inet.h>
#include <sys/socket.h>

int main(int argc, char **argv) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(5000)};
  to.sin_addr.s_addr = inet_addr("10.0.0.1");
  return sendto(socket(AF_INET, SOCK_DGRAM, 0), argv[1], 1, 0, (struct sockaddr *)&to, sizeof to) != 1;
}
"#;

/// Collects four names; one of the 24 orders is a bug.
const COLLECTOR: &str = r#"#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

int main(void) {
  struct sockaddr_in self = {.sin_family = AF_INET, .sin_port = htons(5000)};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(fd, (struct sockaddr *)&self, sizeof self) == 0);
  char order[5] = "";
  for (int i = 0; i < 4; i++) assert(recv(fd, order + i, 1, 0) == 1);
  puts(order);
  assert(strcmp(order, "CADB") != 0);
  return 0;
}
"#;

#[test]
fn orders_of_messages_are_searched_in_the_same_ways() {
    let sandbox = Sandbox::new();
    compile(&sandbox, "sender", SENDER);
    compile(&sandbox, "collector", COLLECTOR);
    let mut scenario =
        "[[node]]\nname = \"collector\"\nprogram = \"collector\"\naddress = \"10.0.0.1/24\"\n"
            .to_owned();
    for (number, name) in ["A", "B", "C", "D"].iter().enumerate() {
        scenario += &format!(
            "[[node]]\nname = \"{name}\"\nprogram = \"sender\"\nargs = [\"{name}\"]\n\
             address = \"10.0.0.{}/24\"\nstart = 1\n",
            number + 2
        );
    }
    sandbox.write("system.toml", &scenario);
    for search in ["orders", "random-walk", "pct"] {
        let run = ["run", "system.toml", "--orders", "all", "--echo", "--search", search];
        let _ = std::fs::remove_dir_all(sandbox.path("out"));
        let said = sandbox.printed(&[&run[..], &["--workers", "1", "--out", "out"]].concat(), 1);
        let orders = said.lines().filter_map(|line| line.rsplit(' ').next());
        let orders: Vec<&str> =
            orders.filter(|o| o.len() == 4 && o.bytes().all(|b| b"ABCD".contains(&b))).collect();
        assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), 24, "{search}: {said}");
        if search == "orders" {
            assert_eq!(orders[0], "ABCD", "{said}");
        }
        let summary = sandbox.json("out/summary.json");
        assert_eq!((&summary["outcome"], &summary["worlds"]), (&"exhausted".into(), &23.into()));
        let test = summary["findings"][0]["dtest"].as_str().unwrap();
        let again = sandbox.printed(&["replay", &format!("out/{test}")], 0);
        assert!(again.contains("reproduced"), "{search}: {again}");
    }
}
