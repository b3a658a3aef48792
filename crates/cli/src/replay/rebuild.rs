//! From a test case to the nodes that the engine runs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Parser;
use everett_engine::{Budgets, EngineConfig, NodeConfig, Strategy, SystemNode, TestPolicy};
use everett_ir::Program;
use everett_replay::dtest::{Node, NodeRecord, Outcome};
use everett_replay::{DTest, KTest};

use super::network;
use super::record::digest;
use super::settings::{self, Concerns};
use crate::args::{Cli, Command};

/// Builds systems out of tests, and loads each program once.
pub(super) struct Builder<L> {
    load: L,
    programs: BTreeMap<PathBuf, Arc<Program>>,
    /// Whether programs may be others than those that the test was written for.
    may_change: bool,
}

/// What is run again.
pub(super) struct Rebuilt {
    pub(super) nodes: Vec<SystemNode>,
    pub(super) config: EngineConfig,
}

/// The ktests of all nodes, which are beside the test.
pub(super) fn inputs(file: &Path, test: &DTest) -> Result<Vec<KTest>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let read = |node: &Node| {
        let context = || format!("the test case of node {}", node.hostname);
        KTest::read(&folder.join(&node.filename)).with_context(context)
    };
    test.nodes.iter().map(read).collect()
}

impl<L: FnMut(&Path) -> Result<Arc<Program>>> Builder<L> {
    /// A builder; `load` makes a program out of its file.
    pub(super) fn new(load: L) -> Builder<L> {
        Builder { load, programs: BTreeMap::new(), may_change: false }
    }

    /// One for tests of programs that may have changed: inputs are matched by name.
    pub(super) fn for_changed(load: L) -> Builder<L> {
        Builder { may_change: true, ..Builder::new(load) }
    }

    /// Builds what a test says, to run on these inputs of its nodes.
    pub(super) fn rebuild(&mut self, test: &DTest, tests: Vec<KTest>) -> Result<Rebuilt> {
        let Some(record) = &test.record else {
            bail!("the test does not say which programs its nodes run: Everett has not written it");
        };
        let words = settings::words(&record.options, Concerns::Run)?;
        let mut config = parse(Path::new("program"), words)?;
        config.tests = TestPolicy::All;
        if let Outcome::Unfinished { instructions } = record.outcome {
            config.limits.instructions = Some(instructions);
            config.tests_unfinished = true;
        }
        config.all_findings = true;
        config.workers = 1;
        config.search = vec![Strategy::Dfs];
        config.messages = usize::MAX;
        // The tests of the nodes say what happens.
        config.faults = Budgets::default();
        config.links = Vec::new();
        let mut nodes = Vec::new();
        if record.boots {
            let first = test.nodes.first().context("the test has no node")?;
            let mut node = self.node(first)?;
            node.config.boot_replay = tests;
            (node.start, node.server) = (0, None);
            return Ok(Rebuilt { nodes: vec![node], config });
        }
        let topology = network::rebuilt(test)?;
        for ((host, node), inputs) in (0..).zip(&test.nodes).zip(tests) {
            let mut node = self.node(node)?;
            node.config.replay = Some(inputs);
            node.config.kernel.topology = Some(topology.clone());
            node.config.kernel.host = host;
            let seed = node.config.kernel.seed;
            node.config.kernel.seed = seed.wrapping_add(u64::from(host) << 32);
            nodes.push(node);
        }
        Ok(Rebuilt { nodes, config })
    }

    fn node(&mut self, node: &Node) -> Result<SystemNode> {
        self.read(node).with_context(|| format!("node {}", node.hostname))
    }

    fn read(&mut self, node: &Node) -> Result<SystemNode> {
        let record = node.record.as_ref().context("the test does not name its program")?;
        let path = Path::new(OsStr::from_bytes(&record.program));
        let program = match self.programs.get(path) {
            Some(program) => program.clone(),
            None => {
                if !self.may_change {
                    check_build(path, record)?;
                }
                let program = (self.load)(path)?;
                self.programs.insert(path.to_path_buf(), program.clone());
                program
            }
        };
        let server = (!record.server_detected).then_some(node.server);
        let mut config = surroundings(path, record)?;
        config.fixed_inputs = self.may_change;
        Ok(SystemNode { program, config, start: node.sequence, server })
    }
}

fn check_build(program: &Path, record: &NodeRecord) -> Result<()> {
    let found = digest(program)?;
    if found != record.digest {
        bail!(
            "{} has changed since the test was written: its digest is {found}, not {}; \
             `everett replay --changed` runs the test on the new program, and says whether its finding is \
             still there",
            program.display(),
            record.digest
        );
    }
    Ok(())
}

fn surroundings(program: &Path, record: &NodeRecord) -> Result<NodeConfig> {
    let words = settings::words(&record.options, Concerns::Node)?;
    let mut config = parse(program, words)?.node;
    config.argv.clone_from(&record.arguments);
    config.files.clone_from(&record.files);
    config.executable = Some(program.to_path_buf());
    Ok(config)
}

/// The configuration that flags of `everett run` stand for.
fn parse(program: &Path, words: Vec<OsString>) -> Result<EngineConfig> {
    let first = [OsString::from("everett"), "run".into(), program.as_os_str().to_owned()];
    match Cli::try_parse_from(first.into_iter().chain(words))?.command {
        Command::Run(options) => options.config(),
        _ => unreachable!("the subcommand is given above"),
    }
}
