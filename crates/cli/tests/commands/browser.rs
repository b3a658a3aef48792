//! Pages in a real browser: reports of ten different runs, the explorer, and a run that is watched.
//!
//! Where there is no browser, these tests say so and pass; `cargo xtask setup` installs it.
//! `EVERETT_SCREENSHOTS=DIR` stores what is seen.

mod chromium;

use std::path::Path;

use self::chromium::Chromium;
use crate::explore::{LONG, Serving, finding_of};
use crate::faults::compile;
use crate::report::{ANSWERS, ASKS, system};
use crate::sandbox::Sandbox;

/// Widths of windows: of a phone, and of a desk.
const WIDTHS: [u32; 2] = [390, 1280];
const SCHEMES: [&str; 2] = ["light", "dark"];

/// Says as a sender what must not run, and what is no text.
const HOSTILE_ASKS: &str =
    r#""</script><script>alert(1)</script>\xff\xfe\x80\x01<img src=x onerror=alert(2)>""#;

/// Fails at a hundred lines.
fn many_findings() -> String {
    let mut text = "#include <klee/klee.h>\nint main(void) {\n  unsigned char n;\n".to_owned();
    text += "  volatile int *none = 0;\n  klee_make_symbolic(&n, 1, \"n\");\n  switch (n) {\n";
    for case in 0..100 {
        text += &format!("  case {case}:\n    return none[{case}];\n");
    }
    text + "  }\n  return 0;\n}\n"
}

/// Two threads that see a counter in several orders.
const THREADS: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *add(void *of) {
  int before = atomic_load(&count);
  atomic_store(&count, before + 1);
  return of;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&count) == 2);
  return 0;
}
"#;

/// Makes a page: the name of the program, its source, flags and exit code.
type SingleRun = (&'static str, String, &'static [&'static str], i32);

fn pages_of_programs(sandbox: &Sandbox) -> Vec<String> {
    let overflow = "#include <klee/klee.h>\n#include <string.h>\nint main(void) {\n  char name[8];\n  \
        unsigned char length;\n  klee_make_symbolic(&length, 1, \"</script><b>\\\"ü\");\n  \
        memset(name, 'x', length);\n  return name[0] == 'y';\n}\n";
    let dropped = "#include <klee/klee.h>\nint main(void) {\n  unsigned n;\n  \
        klee_make_symbolic(&n, sizeof n, \"n\");\n  while (n--) klee_warning(\"once more\");\n  \
        return 0;\n}\n";
    let runs: [SingleRun; 6] = [
        ("bug", overflow.to_owned(), &[], 1),
        ("none", "int main(void) { return 0; }\n".to_owned(), &[], 0),
        ("many", many_findings(), &[], 1),
        ("dropped", dropped.to_owned(), &["--max-depth", "5"], 3),
        ("threads", THREADS.to_owned(), &["--preempt", "2"], 1),
        ("long", LONG.to_owned(), &["--max-instructions", "1M"], 3),
    ];
    let mut pages = Vec::new();
    for (name, text, flags, code) in runs {
        compile(sandbox, name, &text);
        let out = format!("out-{name}");
        sandbox.run(&[&["run", name, "--out", &out], flags].concat(), code);
        pages.push(out);
    }
    pages
}

fn pages_of_systems(sandbox: &Sandbox) -> Vec<String> {
    let nodes = "[[node]]\nname = \"server\"\nprogram = \"server\"\n\n[[node]]\nname = \"client\"\n\
        program = \"client\"\nstart = 1\n";
    let hostile = ASKS.replace(r#""<b>\"ask\"</b>""#, HOSTILE_ASKS);
    assert_ne!(hostile, ASKS);
    compile(sandbox, "hostile", &hostile);
    compile(sandbox, "long_answers", &ANSWERS.replace("[16]", "[200]"));
    sandbox.write("plain.toml", nodes);
    let names = nodes.replace("program = \"client\"", "program = \"hostile\"");
    sandbox.write(
        "hostile.toml",
        &names.replace("program = \"server\"", "program = \"long_answers\""),
    );
    let mut pages = Vec::new();
    for (name, scenario, flags) in [
        ("system", "system.toml", &[][..]),
        ("orders", "plain.toml", &["--orders", "2", "--late", "1"][..]),
        ("faults", "plain.toml", &["--max-crashes", "1", "--lost-packet-count", "2"]),
        ("hostile", "hostile.toml", &["--lost-packet-count", "1"]),
    ] {
        let out = format!("out-{name}");
        let line = [&["run", scenario, "--out", &out][..], flags].concat();
        let ended = sandbox.everett(&line).output().unwrap();
        let code = ended.status.code();
        assert!(matches!(code, Some(0 | 1)), "{}", String::from_utf8_lossy(&ended.stderr));
        pages.push(out);
    }
    pages
}

/// Every part of a page fits its window, in both schemes.
fn expect_to_fit(browser: &mut Chromium, parts: &[String], name: &str) {
    for scheme in SCHEMES {
        for width in WIDTHS {
            browser.set_look(scheme, width);
            for part in parts {
                if !part.is_empty() {
                    browser.value(&format!(
                        "location.hash = {part:?}; new Promise((go) => requestAnimationFrame(go))"
                    ));
                }
                let wide = browser.value("document.documentElement.scrollWidth - innerWidth");
                assert!(
                    wide.as_i64().unwrap() <= 0,
                    "{name} {part} {scheme} {width}: {wide} pixels wider"
                );
                let background = browser.text("getComputedStyle(document.body).backgroundColor");
                assert_eq!(background.contains("253"), scheme == "light", "{background}");
                browser.photograph(&format!("{name}-{part}-{scheme}-{width}"));
            }
        }
    }
}

fn shown(browser: &mut Chromium) -> String {
    let parts = "[...document.querySelectorAll('main > section')]";
    browser.text(&format!("{parts}.filter((s) => s.offsetHeight > 0).map((s) => s.id).join()"))
}

#[test]
fn reports_of_ten_runs_are_read_by_keys_and_links_in_both_colours() {
    let Some(mut browser) = Chromium::start() else { return };
    let sandbox = system();
    let mut pages = pages_of_programs(&sandbox);
    pages.extend(pages_of_systems(&sandbox));
    assert_eq!(pages.len(), 10);
    for folder in &pages {
        let file = sandbox.path(&format!("{folder}/report.html"));
        let url = format!("file://{}", file.display());
        browser.set_look("light", 1280);
        browser.open(&url);
        check_report(&mut browser, folder);
        browser.expect_calm(&url);
    }
}

fn check_report(browser: &mut Chromium, name: &str) {
    assert_eq!(shown(browser), "triage", "{name}");
    let all =
        browser.text("[...document.querySelectorAll('main > section')].map((s) => s.id).join()");
    let all: Vec<String> = all.split(',').map(str::to_owned).collect();
    let findings: Vec<&String> = all.iter().filter(|id| id.starts_with("finding-")).collect();
    // Links of the head, as they are clicked.
    for part in ["coverage", "run", "triage"] {
        browser.value(&format!("document.querySelector('nav a[href=\"#{part}\"]').click()"));
        browser.value("new Promise((go) => requestAnimationFrame(go))");
        assert_eq!(shown(browser), part, "{name}");
    }
    for (key, part) in [("c", "coverage"), ("r", "run"), ("t", "triage")] {
        browser.press(key);
        assert_eq!(shown(browser), part, "{name} {key}");
    }
    if let [first, ..] = findings[..] {
        browser.press("j");
        browser.value("document.activeElement.click()");
        browser.value("new Promise((go) => requestAnimationFrame(go))");
        assert!(shown(browser).starts_with("finding-"), "{name}");
        browser.press("t");
        for finding in &findings {
            browser.press("n");
            assert_eq!(shown(browser), **finding, "{name}");
        }
        browser.press("p");
        let before = findings[findings.len().saturating_sub(2)];
        assert_eq!(shown(browser), *before, "{name}");
        browser.value(&format!("location.hash = {first:?}"));
        browser.press("j");
        let steps =
            browser.value("document.querySelectorAll('section:not([hidden]) .steps').length");
        let marked = browser.text("document.getElementById('now').textContent");
        let has_steps =
            browser.value(&format!("Boolean(document.querySelector('#{first} .steps'))"));
        assert_eq!(!marked.is_empty(), has_steps == true, "{name} {steps}");
        browser.press("Escape");
        assert_eq!(browser.text("document.getElementById('now').textContent"), "", "{name}");
    }
    browser.press("?");
    assert_eq!(browser.value("document.getElementById('help').open"), true, "{name}");
    browser.value("document.getElementById('help').close()");
    // Those of a hundred findings are of one kind.
    let shown: Vec<String> = all
        .iter()
        .filter(|id| !id.starts_with("finding-"))
        .cloned()
        .chain(findings.iter().take(3).map(|id| (*id).clone()))
        .collect();
    expect_to_fit(browser, &shown, name);
    let links = "[...document.querySelectorAll('a[href]')].filter((a) => \
        !document.getElementById(decodeURIComponent(a.getAttribute('href').slice(1)))).length";
    assert_eq!(browser.value(links), 0, "{name}");
}

#[test]
fn explorer_steps_forward_and_back_and_to_the_other_side() {
    let Some(mut browser) = Chromium::start() else { return };
    let sandbox = system();
    sandbox.run(&["run", "system.toml", "--out", "out"], 1);
    let finding = finding_of(&sandbox, "deadlock");
    let serving = Serving::start(&mut sandbox.everett(&["explore", "out", "--finding", &finding]));
    browser.set_look("light", 1280);
    browser.open(&serving.url());
    let path = |browser: &mut Chromium| {
        let path = browser.text("location.pathname");
        path.strip_prefix(&format!("/{}", serving.token)).unwrap().to_owned()
    };
    assert_eq!(path(&mut browser), "/world/0/step/0");
    for (key, step) in [("ArrowRight", 1), ("j", 2), ("k", 1), ("ArrowLeft", 0)] {
        browser.leave(|browser| browser.press_only(key));
        assert_eq!(path(&mut browser), format!("/world/0/step/{step}"), "{key}");
    }
    // The message that is lost has been sent.
    browser.leave(|browser| browser.press_only("n"));
    assert_eq!(browser.value("document.querySelectorAll('.diagram .message').length"), 1);
    expect_to_fit(&mut browser, &[String::new()], "explorer-message");
    browser.leave(|browser| browser.press_only("End"));
    let end = path(&mut browser);
    assert!(browser.text("document.querySelector('main').textContent").contains("deadlock"));
    expect_to_fit(&mut browser, &[String::new()], "explorer-end");
    // A line, by the form.
    browser.leave(|browser| {
        browser.value(
            "(() => { const form = document.querySelector('form.line'); \
            form.at.value = 'client.c:14'; \
            form.from.value = '0'; form.querySelector('button').click(); })()",
        );
    });
    assert!(
        browser.text("document.querySelector('figure.excerpt .here').textContent").contains("14 ")
    );
    // What else could have happened.
    browser.leave(|browser| {
        browser.value(
            "(() => { const form = [...document.querySelectorAll('.options form')]\
            .find((form) => form.textContent.includes('without: lost UDP packet')); \
            form.querySelector('button').click(); })()",
        );
    });
    assert!(path(&mut browser).starts_with("/world/1/step/"));
    assert_eq!(browser.value("document.querySelectorAll('.worlds li').length"), 2);
    browser.leave(|browser| browser.press_only("End"));
    assert!(!browser.text("document.querySelector('header').textContent").contains("deadlock"));
    expect_to_fit(&mut browser, &[String::new()], "explorer-other");
    // And back.
    browser.leave(|browser| {
        browser.value("document.querySelector('.worlds a').click()");
    });
    assert!(path(&mut browser).starts_with("/world/0/step/"));
    browser.leave(|browser| browser.press_only("End"));
    assert_eq!(path(&mut browser), end);
    browser.expect_calm(&format!("http://127.0.0.1:{}/", serving.port));
}

#[test]
fn watched_run_is_followed_to_its_end() {
    let Some(mut browser) = Chromium::start() else { return };
    let sandbox = Sandbox::new();
    compile(&sandbox, "prog", LONG);
    let line = ["run", "prog", "--max-time", "5s", "--watch", "--out", "out"];
    let mut serving = Serving::start(&mut sandbox.everett(&line));
    browser.set_look("dark", 1280);
    browser.open(&serving.url());
    browser.press("r");
    assert!(browser.text("document.getElementById('live').textContent").contains("Running"));
    let over = "new Promise((go) => { const look = () => \
        document.getElementById('live').dataset.state === 'over' \
        ? go(document.getElementById('live').textContent) : setTimeout(look, 100); look(); })";
    let text = browser.text(over);
    assert!(text.contains("The run is over. out/report.html"), "{text}");
    // The part that was looked at still is, and has its charts.
    assert_eq!(shown(&mut browser), "run");
    assert!(browser.value("document.querySelectorAll('.chart').length").as_u64() > Some(3));
    browser.photograph("watched");
    browser.expect_calm(&serving.url());
    let status = serving.process.wait().unwrap();
    assert!(Path::new(&sandbox.path("out/report.html")).is_file(), "{status}");
}
