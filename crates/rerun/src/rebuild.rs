//! From a test case to the nodes that the engine runs.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::{
    EngineConfig, FaultBudgets, HostId, NodeConfig, Strategy, SystemNode, TestPolicy,
};
use everett_ir::Program;
use everett_replay::dtest::{TestNode, TestNodeRecord, TestOutcome};
use everett_replay::{DTest, KTest};

use everett_settings::{RunOptions, SettingOwner, words};

use crate::error::{LoadFailure, RerunError, Result};
use crate::network;
use crate::record::digest;

/// Builds systems out of tests, and loads each program once.
pub(crate) struct SystemBuilder<L> {
    load: L,
    programs: BTreeMap<PathBuf, Arc<Program>>,
    /// True if programs may be others than those that the test was written for.
    may_change: bool,
}

/// The system of a test, ready to be run again.
#[derive(Clone)]
pub(crate) struct RebuiltSystem {
    pub(crate) nodes: Vec<SystemNode>,
    pub(crate) config: EngineConfig,
}

/// The ktests of all nodes, which are beside the test.
pub(crate) fn inputs(file: &Path, test: &DTest) -> Result<Vec<KTest>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let read = |node: &TestNode| {
        KTest::read(&folder.join(&node.filename)).map_err(|source| {
            let node = node.hostname.clone();
            RerunError::Inputs { node, source }
        })
    };
    test.nodes.iter().map(read).collect()
}

impl std::fmt::Debug for RebuiltSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RebuiltSystem").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>> SystemBuilder<L> {
    /// A builder; `load` makes a program out of its file.
    pub(crate) fn new(load: L) -> SystemBuilder<L> {
        SystemBuilder { load, programs: BTreeMap::new(), may_change: false }
    }

    /// A builder for tests of programs that may have changed: inputs are matched by name.
    pub(crate) fn for_changed(load: L) -> SystemBuilder<L> {
        SystemBuilder { may_change: true, ..SystemBuilder::new(load) }
    }

    /// Builds the system of a test, to run on these inputs of its nodes.
    pub(crate) fn rebuild(&mut self, test: &DTest, tests: Vec<KTest>) -> Result<RebuiltSystem> {
        let record = test.record.as_ref().ok_or(RerunError::NoRecord)?;
        let mut config = parse(Path::new("program"), words(&record.options, SettingOwner::Run)?)?;
        config.tests = TestPolicy::All;
        if let TestOutcome::Unfinished { instructions } = record.outcome {
            config.limits.instructions = Some(instructions);
            config.tests_unfinished = true;
        }
        config.all_findings = true;
        config.workers = 1;
        config.search = vec![Strategy::Dfs];
        config.messages = usize::MAX;
        // Faults happen as the ktests of the nodes say, and need no budgets.
        config.faults = FaultBudgets::default();
        config.links = Vec::new();
        let mut nodes = Vec::new();
        if record.boots {
            let first = test.nodes.first().ok_or(RerunError::NoNode)?;
            let mut node = self.node(first)?;
            node.config.boot_replay = tests;
            (node.start, node.server) = (0, None);
            return Ok(RebuiltSystem { nodes: vec![node], config });
        }
        let topology = network::rebuilt(test)?;
        for ((host, node), inputs) in (0..).map(HostId).zip(&test.nodes).zip(tests) {
            let mut node = self.node(node)?;
            node.config.replay = Some(inputs);
            node.config.kernel.topology = Some(topology.clone());
            node.config.kernel.host = host;
            let seed = node.config.kernel.seed;
            node.config.kernel.seed = seed.wrapping_add(u64::from(host.0) << 32);
            nodes.push(node);
        }
        Ok(RebuiltSystem { nodes, config })
    }

    fn node(&mut self, node: &TestNode) -> Result<SystemNode> {
        self.read(node).map_err(|error| error.of_node(&node.hostname))
    }

    fn read(&mut self, node: &TestNode) -> Result<SystemNode> {
        let record = node.record.as_ref().ok_or(RerunError::NoProgram)?;
        let path = Path::new(OsStr::from_bytes(&record.program));
        // The program of live nodes is in a cache, which may be emptied.
        everett_toolchain::gateway::restore(path)?;
        let program = match self.programs.get(path) {
            Some(program) => program.clone(),
            None => {
                if !self.may_change {
                    check_build(path, record)?;
                }
                let program = (self.load)(path).map_err(RerunError::Load)?;
                self.programs.insert(path.to_path_buf(), program.clone());
                program
            }
        };
        let server = (!record.server_detected).then_some(node.server);
        let mut config = surroundings(path, record)?;
        config.fixed_inputs = self.may_change;
        config.kernel.start_after_ns = record.start_after_ns;
        Ok(SystemNode { program, config, start: node.sequence, server })
    }
}

fn check_build(program: &Path, record: &TestNodeRecord) -> Result<()> {
    let found = digest(program)?;
    if found != record.digest {
        let (program, expected) = (program.to_path_buf(), record.digest.clone());
        return Err(RerunError::ProgramChanged { program, found, expected });
    }
    Ok(())
}

fn surroundings(program: &Path, record: &TestNodeRecord) -> Result<NodeConfig> {
    let mut config = parse(program, words(&record.options, SettingOwner::Node)?)?.node;
    config.argv.clone_from(&record.arguments);
    config.files.clone_from(&record.files);
    config.executable = Some(program.to_path_buf());
    Ok(config)
}

/// The configuration that words of a command line stand for.
fn parse(program: &Path, words: Vec<OsString>) -> Result<EngineConfig> {
    let line = std::iter::once(program.as_os_str().to_owned()).chain(words);
    Ok(RunOptions::parse(line)?.config()?)
}
