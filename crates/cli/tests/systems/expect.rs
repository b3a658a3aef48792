//! The expectations in the comments of a scenario, and their comparison with a run.
//!
//! ```text
//! # expect: worlds 4                                     worlds that run to their end
//! # expect: paths 10                                     completed paths, under the usual mapping
//! # expect: idle 2                                       worlds that ended because servers only ticked
//! # expect: horizon 1                                    worlds that ended at the horizon
//! # expect: finding deadlock client2 client.c:greeting   kind, node, and the line of a program that
//!                                                        ends with `// mark: greeting`
//! # expect: finding assert client* client.c:answer       on any node whose name begins so
//! # expect: violations 3                                 distinct violations of invariants
//! # expect: native                                       the only node does the same outside
//! # expect: script                                       that of its finding is beside it, in `NAME.script`
//!                                                        threads before accesses to memory
//! # expect: glibc                                        native programs are built against glibc
//! # expect: no cob                                       copying at branches would take too long
//! # expect: no jobs                                      jobs that know nothing of each other cannot do it
//! # expect: orders left out                              a limit leaves orders of messages out
//! # expect: messages left out                            a live peer is told some values of a message
//! ```
//!
//! The number of worlds has to be there, and no other finding may be. Programs end with 0 on each path.

use anyhow::{Context, Result, bail, ensure};
use everett_engine::{DropReason, Finding, Outcome};
use everett_interp::{BugKind, Omission};
use libtest_mimic::Trial;

use crate::cases::Case;
use crate::execute::{Run, identity};

/// The expectations of a scenario.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Expectations {
    pub(crate) worlds: u64,
    paths: Option<u64>,
    violations: Option<u64>,
    idle: u64,
    horizon: u64,
    findings: Vec<Expected>,
    pub(crate) native: bool,
    /// Native programs are built against glibc.
    pub(crate) glibc: bool,
    pub(crate) cob: bool,
    pub(crate) jobs: bool,
    /// The script of its finding is pinned.
    pub(crate) script: bool,
    /// The omission that the run ends with: a limit leaves orders of messages out, or a live peer is told
    /// only some values of a message.
    omission: Option<Omission>,
}

/// A finding that is expected.
#[derive(Debug, PartialEq)]
struct Expected {
    kind: BugKind,
    /// A name, or the beginning of one and `*`.
    node: String,
    file: String,
    mark: String,
}

impl Expectations {
    /// Reads the comments of a scenario.
    pub(crate) fn parse(text: &str) -> Result<Expectations> {
        let mut expected = Expectations { cob: true, jobs: true, ..Expectations::default() };
        let mut worlds = None;
        for (number, line) in (1..).zip(text.lines()) {
            let Some(words) = line.strip_prefix("# expect:") else {
                ensure!(!line.contains("expect:"), "line {number}: write `# expect:` in front");
                continue;
            };
            let words: Vec<&str> = words.split_whitespace().collect();
            let read = expected.read(&words, &mut worlds);
            read.with_context(|| format!("line {number}: {line}"))?;
        }
        expected.worlds = worlds.context("how many worlds are expected?")?;
        Ok(expected)
    }

    /// Kinds of bugs that are expected.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.findings.iter().map(|expected| expected.kind.name())
    }

    fn read(&mut self, words: &[&str], worlds: &mut Option<u64>) -> Result<()> {
        match words {
            ["worlds", count] => {
                ensure!(worlds.replace(count.parse()?).is_none(), "it comes twice");
            }
            ["paths", count] => {
                ensure!(self.paths.replace(count.parse()?).is_none(), "it comes twice");
            }
            ["violations", count] => {
                ensure!(self.violations.replace(count.parse()?).is_none(), "it comes twice");
            }
            ["idle", count] => self.idle = count.parse()?,
            ["horizon", count] => self.horizon = count.parse()?,
            ["finding", kind, node, place] => {
                let kind = BugKind::ALL.into_iter().find(|known| known.name() == *kind);
                let kind = kind.context("there is no such kind of bug")?;
                let (file, mark) = place.split_once(':').context("write FILE:MARK")?;
                let [node, file, mark] = [node, file, mark].map(str::to_owned);
                self.findings.push(Expected { kind, node, file, mark });
            }
            ["native"] => self.native = true,
            ["glibc"] => self.glibc = true,
            ["no", "cob"] => self.cob = false,
            ["no", "jobs"] => self.jobs = false,
            ["script"] => self.script = true,
            ["orders", "left", "out"] => self.omission = Some(Omission::Orders),
            ["messages", "left", "out"] => self.omission = Some(Omission::PeerMessage),
            _ => bail!("not understood"),
        }
        Ok(())
    }
}

/// The differences between a run and the expectations of its scenario.
pub(crate) fn check(case: &Case, run: &Run) -> Vec<String> {
    let (expected, summary) = (&case.expected, &run.summary);
    let mut complaints = Vec::new();
    if run.worlds() != Some(expected.worlds) {
        complaints.push(format!("{:?} worlds, expected {}", summary.worlds, expected.worlds));
    }
    if let Some(paths) = expected.paths
        && summary.paths != paths
    {
        complaints.push(format!("{} paths, expected {paths}", summary.paths));
    }
    complaints.extend(check_run(case, run));
    complaints
}

/// The differences to expectations that hold under every mapping and in every order.
pub(crate) fn check_run(case: &Case, run: &Run) -> Vec<String> {
    let summary = &run.summary;
    let mut complaints = Vec::new();
    let is_as_expected = match case.expected.omission {
        Some(expected) => {
            let is_expected = |reason: &DropReason| match reason {
                DropReason::Omitted(omission, _) => *omission == expected,
                _ => false,
            };
            let mut reasons = summary.dropped.iter().map(|(reason, _)| reason);
            summary.outcome == Outcome::Limit && reasons.all(is_expected)
        }
        None => summary.outcome == Outcome::Exhausted && summary.dropped.is_empty(),
    };
    if !is_as_expected {
        let dropped: Vec<String> =
            summary.dropped.iter().map(|(reason, count)| format!("{count} x {reason}")).collect();
        complaints.push(format!("not explored: {:?}, {dropped:?}", summary.outcome));
    }
    let ends = (summary.worlds_idle, summary.worlds_horizon);
    if ends != (case.expected.idle, case.expected.horizon) {
        let (idle, horizon) = ends;
        complaints.push(format!("{idle} worlds idle, {horizon} at the horizon"));
    }
    let violations = summary.invariants.as_ref().map(|invariants| invariants.violations);
    if violations != case.expected.violations {
        let expected = case.expected.violations;
        complaints.push(format!("violations {violations:?}, expected {expected:?}"));
    }
    let failures = run.failures();
    if !failures.is_empty() {
        complaints.push(format!("programs ended with {failures:?}"));
    }
    let (findings, expected) = (&summary.findings, &case.expected.findings);
    for wanted in expected {
        if !findings.iter().any(|finding| is(case, finding, wanted)) {
            complaints.push(format!("not found: {wanted:?}"));
        }
    }
    for finding in findings {
        if !expected.iter().any(|wanted| is(case, finding, wanted)) {
            let Finding { node, message, .. } = finding;
            complaints.push(format!("not expected on {node}: {} ({message})", identity(finding)));
        }
    }
    if findings.len() != expected.len() {
        complaints.push(format!("{} findings, expected {}", findings.len(), expected.len()));
    }
    complaints
}

/// Returns `true` if a finding is an expected one: its innermost place in that file is the marked line.
fn is(case: &Case, finding: &Finding, expected: &Expected) -> bool {
    let Expected { kind, node, file, mark } = expected;
    let named = match node.strip_suffix('*') {
        Some(beginning) => finding.node.starts_with(beginning),
        None => finding.node == *node,
    };
    let own = |path: &str| path.rsplit('/').next() == Some(file);
    let place = finding.stack.iter().find(|place| own(&place.file));
    let line = case.line(file, mark);
    finding.kind == *kind && named && place.map(|place| place.line) == line && line.is_some()
}

/// This binary has its own `main`, so these tests are listed by hand.
pub(crate) fn self_tests() -> Vec<Trial> {
    let tests: [(&str, fn()); 2] = [
        ("expect/comments_are_read", comments_are_read),
        ("expect/what_is_not_understood_is_an_error", what_is_not_understood_is_an_error),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.into_iter().map(trial).collect()
}

fn comments_are_read() {
    let text = "# A system.\n# expect: worlds 4\n# expect: finding hang a* b.c:loop\n[[node]]\n\
                # expect: no cob\n";
    let expected = Expectations::parse(text).expect("the comments are right");
    assert_eq!((expected.worlds, expected.paths), (4, None));
    assert_eq!((expected.native, expected.cob), (false, false));
    let [finding] = &expected.findings[..] else { panic!("{:?}", expected.findings) };
    assert_eq!((finding.kind, &*finding.node), (BugKind::Hang, "a*"));
    assert_eq!((&*finding.file, &*finding.mark), ("b.c", "loop"));
}

fn what_is_not_understood_is_an_error() {
    for text in [
        "",
        "# expect: paths 1",
        "# expect: worlds 1\n# expect: worlds 1",
        "# expect: worlds many",
        "# expect: worlds 1\n # expect: paths 1",
        "# expect: worlds 1\n# expect: finding miracle a b.c:m",
        "# expect: worlds 1\n# expect: finding hang a b.c",
        "# expect: worlds 1\n# expect: no sds",
    ] {
        assert!(Expectations::parse(text).is_err(), "{text}");
    }
}
