//! Live peers against a model: the same peer as a simulated node.
//!
//! A program that is explored hears the same from a real process as from a node that runs the same program,
//! on each of its paths.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use everett_explorer::{
    Clang, CompilerName, CompilerSettings, Exploration, Observer, Outcome, PathEnd, ProgramFiles,
    Summary,
};

/// Collects what the client prints on its paths, and how often.
#[derive(Default)]
struct Transcripts(BTreeMap<String, u32>);

impl Observer for Transcripts {
    fn wants_paths(&self) -> bool {
        true
    }

    fn path(&mut self, path: &PathEnd) {
        if path.node == "client" {
            let text = String::from_utf8(path.output.clone()).unwrap();
            *self.0.entry(text).or_insert(0) += 1;
        }
    }
}

struct Laboratory {
    folder: tempfile::TempDir,
    programs: ProgramFiles,
}

impl Laboratory {
    fn new() -> Laboratory {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        let programs = ProgramFiles::new(&cache).unwrap();
        let compiler = CompilerSettings::new(Clang::find(&[]).unwrap(), cache);
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live");
        for name in ["peer", "client"] {
            let source = sources.join(name).with_extension("c").into_os_string();
            let program = folder.path().join(name).into_os_string();
            let words = ["-O1".into(), source, "-o".into(), program];
            compiler.compile(CompilerName::C, &words).unwrap();
        }
        Laboratory { folder, programs }
    }

    fn explore(&self, peer: &str, seed: u32, settings: &[(&str, &str)]) -> (Transcripts, Summary) {
        let scenario = self.folder.path().join("system.toml");
        let client = format!("[[node]]\nname = 'client'\nprogram = 'client'\nargs = ['{seed}']\n");
        fs::write(&scenario, format!("[[node]]\nname = 'peer'\n{peer}\n{client}")).unwrap();
        let exploration = Exploration::new(scenario).set("user", "root");
        let exploration =
            settings.iter().fold(exploration, |all, (name, value)| all.set(name, value));
        let mut transcripts = Transcripts::default();
        let summary = exploration.run(&self.programs, &mut transcripts).unwrap();
        (transcripts, summary)
    }
}

#[test]
fn a_real_peer_is_heard_like_a_simulated_one() {
    let laboratory = Laboratory::new();
    let mut started = 0;
    for seed in 0..8 {
        let simulated = format!("program = 'peer'\nargs = ['70', '{seed}']");
        let (expected, summary) = laboratory.explore(&simulated, seed, &[]);
        assert_eq!(summary.outcome, Outcome::Exhausted);
        let command = format!("{}/peer {{70}} {seed}", laboratory.folder.path().display());
        let live = format!("live = {{ command = \"{command}\", listens = 70 }}");
        for settings in [
            &[("search", "dfs"), ("workers", "1")][..],
            &[("search", "random-path"), ("workers", "2"), ("live-connections", "2")],
        ] {
            let (heard, summary) = laboratory.explore(&live, seed, settings);
            assert_eq!(summary.outcome, Outcome::Exhausted, "{:?}", summary.dropped);
            assert_eq!(heard.0, expected.0, "seed {seed}");
            assert_eq!(summary.live[0].statistics.differences, 0);
            started += summary.live[0].statistics.sessions_started;
        }
    }
    assert!(started > 40, "{started} peers were started: the conversations hardly branch");
}
