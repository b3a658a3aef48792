//! `everett run SCENARIO.toml`: from a scenario to the nodes that the engine runs.
//!
//! What a scenario says in its sections are flags; they are put behind those of the command line,
//! which win, and the whole is read once more, for the run and for each node.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Parser;
use everett_engine::{FaultKind, NodeConfig, SystemNode};
use everett_ir::Program;
use everett_replay::dtest::NodeRecord;
use everett_replay::{DTest, KTest};

use super::Options;
use crate::args::{Cli, Command};
use crate::replay::settings::{Concerns, recorded};
use crate::replay::{Recorder, digest};
use crate::scenario::{self, Scenario, ScenarioNode};
use crate::suggest;

/// Whether a file to run is a scenario.
pub(super) fn is_scenario(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// The inputs of a node in the test of a system.
fn inputs_of(file: &Path, node: &str) -> Result<KTest> {
    let test = DTest::read(file)?;
    let Some(node) = test.nodes.iter().find(|known| known.hostname == node) else {
        anyhow::bail!("{} has no such node", file.display());
    };
    Ok(KTest::read(&file.with_file_name(&node.filename))?)
}

/// A scenario, with the flags of the run that it adds to those of the command line.
pub(super) struct System {
    scenario: Scenario,
    /// The words of the command line behind `run`, without the scenario.
    words: Vec<OsString>,
    given: BTreeSet<String>,
    /// Environment variables that the command line sets for all nodes.
    variables: Vec<Vec<u8>>,
}

impl System {
    /// Reads the scenario that a command line names.
    pub(super) fn read(options: &Options, words: Vec<OsString>) -> Result<System> {
        if !options.args.is_empty() {
            anyhow::bail!("a scenario has no arguments: give each node its own with `args`");
        }
        let scenario = scenario::load(&options.program)?;
        let first = ["everett", "run"].map(OsString::from);
        let line: Vec<OsString> = first.into_iter().chain(words.iter().cloned()).collect();
        let given = scenario::given(&line)?;
        let words: Vec<OsString> =
            words.into_iter().filter(|word| *word != options.program.as_os_str()).collect();
        let variables = options.environment.variable_names();
        Ok(System { scenario, words, given, variables })
    }

    /// The options of the run as a whole.
    pub(super) fn options(&self, file: &Path) -> Result<Options> {
        self.parse(file, self.scenario.overrides.words(|flag| self.given.contains(flag)))
    }

    /// The nodes, with their programs, each of which is loaded once.
    pub(super) fn nodes(
        &self,
        mut load: impl FnMut(&Path) -> Result<Arc<Program>>,
    ) -> Result<Vec<SystemNode>> {
        let mut programs: BTreeMap<PathBuf, Arc<Program>> = BTreeMap::new();
        let mut nodes = Vec::new();
        for (host, node) in (0..).zip(&self.scenario.nodes) {
            let program = match programs.get(&node.program) {
                Some(program) => program.clone(),
                None => {
                    let program =
                        load(&node.program).with_context(|| format!("node {}", node.name))?;
                    programs.insert(node.program.clone(), program.clone());
                    program
                }
            };
            let config = self.node(node, host).with_context(|| format!("node {}", node.name))?;
            nodes.push(SystemNode { program, config, start: node.start, server: node.server });
        }
        Ok(nodes)
    }

    /// Whether a run would accept what the scenario says, as far as that can be told without its programs.
    pub(super) fn check(&self, file: &Path) -> Result<()> {
        self.options(file)?.config()?;
        for (host, node) in (0..).zip(&self.scenario.nodes) {
            self.node(node, host).with_context(|| format!("node {}", node.name))?;
        }
        Ok(())
    }

    /// What tells the programs from other builds.
    pub(super) fn digests(&self) -> Result<BTreeMap<PathBuf, String>> {
        let mut digests: BTreeMap<PathBuf, String> = BTreeMap::new();
        for node in &self.scenario.nodes {
            if !digests.contains_key(&node.program) {
                digests.insert(node.program.clone(), digest(&node.program)?);
            }
        }
        Ok(digests)
    }

    /// What makes the tests of its worlds, with the digests of the programs as they were at the start.
    pub(super) fn recorder(
        &self,
        file: &Path,
        digests: &BTreeMap<PathBuf, String>,
    ) -> Result<Recorder> {
        let mut nodes = Vec::with_capacity(self.scenario.nodes.len());
        for node in &self.scenario.nodes {
            let program = &*node.program;
            let line = self.line(program, self.words_of(node));
            let content = |text: &String| text.as_bytes().to_vec();
            let arguments = node.args.iter().map(content);
            let name = program.as_os_str().as_bytes().to_vec();
            nodes.push(NodeRecord {
                program: std::path::absolute(program)?.into_os_string().into_vec(),
                digest: digests.get(program).cloned().unwrap_or_default(),
                arguments: std::iter::once(name).chain(arguments).collect(),
                options: recorded(&line, Concerns::Node)?,
                files: node
                    .files
                    .iter()
                    .map(|(name, text)| (content(name), content(text)))
                    .collect(),
                ..NodeRecord::default()
            });
        }
        let words = self.scenario.overrides.words(|flag| self.given.contains(flag));
        let options = recorded(&self.line(file, words), Concerns::Run)?;
        Ok(Recorder { nodes, options, alone: true })
    }

    /// The flags of a node beside those of the command line.
    fn words_of(&self, node: &ScenarioNode) -> Vec<OsString> {
        let given = |flag: &str| self.given.contains(flag);
        let own = |flag: &str| node.faults.iter().any(|setting| setting.flag == flag);
        let mut words = self.scenario.overrides.words(|flag| given(flag) || own(flag));
        let is_set = |name: &str| self.variables.iter().any(|set| set == name.as_bytes());
        words.extend(node.words(given, is_set));
        words
    }

    fn node(&self, node: &ScenarioNode, host: u32) -> Result<NodeConfig> {
        let mut options = self.parse(&node.program, self.words_of(node))?;
        let test = options.ktest.take();
        let mut config = options.config()?.node;
        config.replay = test.map(|test| inputs_of(&test, &config.kernel.hostname)).transpose()?;
        let arguments = node.args.iter().map(|argument| argument.as_bytes().to_vec());
        let faults = &config.kernel.faults;
        let network = &faults.network;
        if faults.budgets.get(FaultKind::Partition) > 0 && network.cuts.is_empty() {
            anyhow::bail!("--partition-count: say where with --partition-cut, such as 'a,b|c'");
        }
        let known: Vec<&str> = self.scenario.nodes.iter().map(|node| &*node.name).collect();
        if let Some(name) = network.nodes().find(|name| !known.contains(&name.as_str())) {
            anyhow::bail!("faults: there is no node `{name}`; {}", suggest::help(name, &known));
        }
        config.argv.truncate(1);
        config.argv.extend(arguments);
        config.executable = Some(node.program.clone());
        let content = |text: &String| text.as_bytes().to_vec();
        config.files =
            node.files.iter().map(|(name, text)| (content(name), content(text))).collect();
        config.kernel.topology = Some(self.scenario.topology.clone());
        config.kernel.host = host;
        config.kernel.seed = config.kernel.seed.wrapping_add(u64::from(host) << 32);
        Ok(config)
    }

    /// A command line that stands for the run of a program.
    fn line(&self, program: &Path, more: Vec<OsString>) -> Vec<OsString> {
        let first = [OsString::from("everett"), "run".into(), program.as_os_str().to_owned()];
        first.into_iter().chain(self.words.iter().cloned()).chain(more).collect()
    }

    fn parse(&self, program: &Path, more: Vec<OsString>) -> Result<Options> {
        match Cli::try_parse_from(self.line(program, more))?.command {
            Command::Run(options) => Ok(*options),
            _ => unreachable!("the subcommand is given above"),
        }
    }
}
