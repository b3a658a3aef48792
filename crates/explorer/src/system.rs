//! [`ScenarioSystem`]: from a scenario to the nodes that the engine runs.
//!
//! The sections of a scenario are settings. They are put behind those that the caller gives, which win,
//! and the whole is read once more, for the run and for each node.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::{FaultKind, HostId, NodeConfig, SystemNode};
use everett_input::suggest;
use everett_ir::Program;
use everett_replay::dtest::TestNodeRecord;
use everett_replay::{DTest, KTest};

use everett_rerun::{LoadFailure, TestRecorder, digest};
use everett_scenario::{PeerClock, PeerReach, Scenario, ScenarioNode, ScenarioPeer};
use everett_settings::{RunOptions, SettingOwner, SettingsError, given, recorded};

use crate::error::{ExplorerError, Result};
use crate::exploration::absolute;
use crate::live::{EmbedderPeers, gateway_arguments, live_peer, only_network_faults};

/// The setting that says who runs programs.
const USER: &str = "user";

/// The inputs of a node in the test of a system.
fn inputs_of(file: &Path, node: &str) -> Result<KTest> {
    let test = DTest::read(file)?;
    let Some(node) = test.nodes.iter().find(|known| known.hostname == node) else {
        return Err(ExplorerError::NoInputs { file: file.to_path_buf() });
    };
    Ok(KTest::read(&file.with_file_name(&node.filename))?)
}

/// Words of a command line without the name of the host, and what they stand for.
struct KnownWords {
    words: Vec<OsString>,
    /// The test that has the inputs.
    test: Option<PathBuf>,
    config: NodeConfig,
}

/// A scenario, with settings that win over its own.
#[derive(Clone, Debug)]
pub struct ScenarioSystem {
    file: PathBuf,
    scenario: Scenario,
    /// The words of a command line that give these settings.
    words: Vec<OsString>,
    given: BTreeSet<String>,
    /// Environment variables that they set for all nodes.
    variables: Vec<Vec<u8>>,
    peers: EmbedderPeers,
    /// The library that is loaded into peers that are started as commands.
    peer_library: Option<PathBuf>,
}

impl ScenarioSystem {
    /// Reads the scenario that words of a command line behind `everett run` name.
    pub fn read(words: Vec<OsString>) -> Result<ScenarioSystem> {
        let options = RunOptions::parse(words.iter().cloned())?;
        if !options.args.is_empty() {
            return Err(ExplorerError::Arguments);
        }
        let file = options.program.clone();
        let scenario = everett_scenario::load(&file)?;
        let given = given(&words)?;
        let words: Vec<OsString> =
            words.into_iter().filter(|word| *word != file.as_os_str()).collect();
        let (variables, peers) = (options.variable_names(), EmbedderPeers::default());
        Ok(ScenarioSystem { file, scenario, words, given, variables, peers, peer_library: None })
    }

    /// Lets live nodes of these names stand for peers of the embedder.
    pub(crate) fn set_peers(&mut self, peers: EmbedderPeers) -> Result<()> {
        let is_live = |name: &str| {
            self.scenario.nodes.iter().any(|node| node.name == name && node.live.is_some())
        };
        if let Some(name) = peers.0.keys().find(|name| !is_live(name)) {
            return Err(ExplorerError::NotLive { node: name.clone() });
        }
        self.peers = peers;
        Ok(())
    }

    /// Lets live nodes run their program, which is put into the folder `cache`.
    pub fn install_gateway(&mut self, cache: &Path) -> Result<()> {
        let nodes = &self.scenario.nodes;
        let arguments: Vec<Option<Vec<String>>> =
            nodes.iter().map(|node| Some(gateway_arguments(node.live.as_ref()?, nodes))).collect();
        for (node, arguments) in self.scenario.nodes.iter_mut().zip(arguments) {
            if let Some(arguments) = arguments {
                node.program = everett_toolchain::gateway::install(cache)?;
                node.args = arguments;
                // Its peer may speak to it at any time.
                node.server = Some(true);
            }
        }
        Ok(())
    }

    /// Returns whether peers of live nodes are started as commands.
    pub fn starts_peers(&self) -> Result<bool> {
        let is_command = |peer: &ScenarioPeer| matches!(peer.reach, PeerReach::Command(_));
        let mut peers = self.scenario.nodes.iter().filter_map(|node| node.live.as_ref());
        Ok(self.options()?.live.live_from.is_none() && peers.any(is_command))
    }

    /// Lets peers run by the clock of the machine whose programs cannot load the library, as `loads` says.
    /// Commands that name no folder are looked for in `folders`. Returns the nodes and the programs.
    pub(crate) fn leave_clocks(
        &mut self,
        folders: &[PathBuf],
        loads: impl Fn(&Path) -> bool,
    ) -> Vec<(String, PathBuf)> {
        let mut unable = Vec::new();
        for node in &mut self.scenario.nodes {
            let Some(ScenarioPeer { reach: PeerReach::Command(words), clock, .. }) = &mut node.live
            else {
                continue;
            };
            let Some(word) = words.first() else { continue };
            let places = folders.iter().map(|folder| folder.join(word));
            let Some(program) = { places }.find(|place| place.is_file()) else { continue };
            if *clock == PeerClock::Conversation && !loads(&program) {
                *clock = PeerClock::Machine;
                unable.push((node.name.clone(), program));
            }
        }
        unable
    }

    /// Loads a library into peers that are started as commands (`everett_toolchain::peer_library`).
    pub fn set_peer_library(&mut self, library: Option<PathBuf>) {
        self.peer_library = library;
    }

    /// The settings of the run as a whole.
    pub fn options(&self) -> Result<RunOptions> {
        self.parse(&self.file, self.scenario.overrides.words(|flag| self.given.contains(flag)))
    }

    /// The nodes, with their programs, each of which is loaded once.
    pub fn nodes(
        &self,
        mut load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    ) -> Result<Vec<SystemNode>> {
        let live = self.options()?.live;
        let mut programs: BTreeMap<PathBuf, Arc<Program>> = BTreeMap::new();
        let (mut nodes, mut known) = (Vec::new(), None);
        for (host, node) in (0..).map(HostId).zip(&self.scenario.nodes) {
            let program = match programs.get(&node.program) {
                Some(program) => program.clone(),
                None => {
                    let program = load(&node.program)
                        .map_err(|error| ExplorerError::Load(error).of_node(&node.name))?;
                    programs.insert(node.program.clone(), program.clone());
                    program
                }
            };
            let config = self.node(node, host, &mut known);
            let mut config = config.map_err(|error| error.of_node(&node.name))?;
            // A test has the answers of peers.
            if let Some(peer) = node.live.as_ref().filter(|_| config.replay.is_none()) {
                let library = self.peer_library.as_deref();
                let peer = live_peer(node, peer, &live, (&self.peers, library));
                config.live = Some(peer.map_err(|error| error.of_node(&node.name))?);
            }
            nodes.push(SystemNode { program, config, start: node.start, server: node.server });
        }
        Ok(nodes)
    }

    /// Returns whether a run would accept what the scenario says, as far as that can be told without
    /// its programs.
    pub fn check(&self) -> Result<()> {
        self.options()?.config()?;
        let mut known = None;
        for (host, node) in (0..).map(HostId).zip(&self.scenario.nodes) {
            self.node(node, host, &mut known).map_err(|error| error.of_node(&node.name))?;
        }
        Ok(())
    }

    /// Returns the digests that tell the programs from other builds.
    pub fn digests(&self) -> Result<BTreeMap<PathBuf, String>> {
        let mut digests: BTreeMap<PathBuf, String> = BTreeMap::new();
        for node in &self.scenario.nodes {
            if !digests.contains_key(&node.program) {
                digests.insert(node.program.clone(), digest(&node.program)?);
            }
        }
        Ok(digests)
    }

    /// Returns the maker of the tests of its worlds, with the digests of the programs as they were at
    /// the start.
    pub fn recorder(&self, digests: &BTreeMap<PathBuf, String>) -> Result<TestRecorder> {
        let mut nodes = Vec::with_capacity(self.scenario.nodes.len());
        for node in &self.scenario.nodes {
            let program = &*node.program;
            let line = self.line(program, self.words_of(node));
            let content = |text: &String| text.as_bytes().to_vec();
            let arguments = node.args.iter().map(content);
            let name = program.as_os_str().as_bytes().to_vec();
            nodes.push(TestNodeRecord {
                program: absolute(program)?,
                digest: digests.get(program).cloned().unwrap_or_default(),
                arguments: std::iter::once(name).chain(arguments).collect(),
                options: recorded(&line, SettingOwner::Node)?,
                start_after_ns: node.start_after_ns,
                files: node
                    .files
                    .iter()
                    .map(|(name, text)| (content(name), content(text)))
                    .collect(),
                ..TestNodeRecord::default()
            });
        }
        let words = self.scenario.overrides.words(|flag| self.given.contains(flag));
        let options = recorded(&self.line(&self.file, words), SettingOwner::Run)?;
        Ok(TestRecorder { nodes, options, alone: true })
    }

    /// The flags of a node beside those of the command line.
    fn words_of(&self, node: &ScenarioNode) -> Vec<OsString> {
        let given = |flag: &str| self.given.contains(flag);
        let is_live = node.live.is_some();
        let own = |flag: &str| {
            let mut settings = node.faults.iter().chain(&node.orders);
            settings.any(|setting| setting.flag == flag) || (is_live && flag == USER)
        };
        let mut words = self.scenario.overrides.words(|flag| given(flag) || own(flag));
        if is_live && !given(USER) {
            // Peers listen at any port.
            words.push(format!("--{USER}=0").into());
        }
        let is_set = |name: &str| self.variables.iter().any(|set| set == name.as_bytes());
        words.extend(node.words(given, is_set));
        words
    }

    /// The configuration that the words of a node stand for. Nodes of one `count` have the same words but for
    /// their names, so those of the node before are kept in `known`: reading them takes time.
    fn configured<'k>(
        &self,
        node: &ScenarioNode,
        known: &'k mut Option<KnownWords>,
    ) -> Result<&'k KnownWords> {
        let line = self.line(&node.program, self.words_of(node));
        let names_host = |word: &OsString| word.as_bytes().starts_with(b"--hostname=");
        let words: Vec<OsString> = { line.iter() }.filter(|w| !names_host(w)).cloned().collect();
        if known.as_ref().is_none_or(|known| known.words != words) {
            let mut options = RunOptions::parse(line)?;
            let test = options.ktest.take();
            *known = Some(KnownWords { words, test, config: options.config()?.node });
        }
        Ok(known.as_ref().expect("the words of this node have just been read"))
    }

    fn node(
        &self,
        node: &ScenarioNode,
        host: HostId,
        known: &mut Option<KnownWords>,
    ) -> Result<NodeConfig> {
        let KnownWords { test, config, .. } = self.configured(node, known)?;
        let mut config = config.clone();
        config.kernel.hostname.clone_from(&node.hostname);
        config.replay =
            { test.as_ref() }.map(|test| inputs_of(test, &node.hostname)).transpose()?;
        let arguments = node.args.iter().map(|argument| argument.as_bytes().to_vec());
        let faults = &config.kernel.faults;
        let network = &faults.network;
        if faults.budgets.get(FaultKind::Partition) > 0 && network.cuts.is_empty() {
            let problem = "say where with partition-cut, such as 'a,b|c'".to_owned();
            let (name, value) = ("partition-count", String::new());
            return Err(SettingsError::Value { name, value, problem }.into());
        }
        let known: Vec<&str> = self.scenario.nodes.iter().map(|node| &*node.name).collect();
        let no_node = |setting, name: &String| {
            let (name, help) = (name.clone(), suggest::help(name, &known));
            ExplorerError::NoNode { setting, name, help }
        };
        let is_unknown = |name: &&String| !known.contains(&name.as_str());
        if let Some(name) = network.nodes().find(is_unknown) {
            return Err(no_node("faults", name));
        }
        let mut targets = config.kernel.forwards.iter().map(|forward| &forward.node);
        if let Some(name) = targets.find(is_unknown) {
            return Err(no_node("forward", name));
        }
        if node.live.is_some() {
            only_network_faults(&mut config.kernel.faults.budgets);
        }
        config.argv.truncate(1);
        config.argv.extend(arguments);
        config.executable = Some(node.program.clone());
        let content = |text: &String| text.as_bytes().to_vec();
        config.files =
            node.files.iter().map(|(name, text)| (content(name), content(text))).collect();
        config.kernel.topology = Some(self.scenario.topology.clone());
        config.kernel.host = host;
        config.kernel.start_after_ns = node.start_after_ns;
        config.kernel.seed = config.kernel.seed.wrapping_add(u64::from(host.0) << 32);
        Ok(config)
    }

    /// Words of a command line that stand for the run of a program.
    fn line(&self, program: &Path, more: Vec<OsString>) -> Vec<OsString> {
        let first = std::iter::once(program.as_os_str().to_owned());
        first.chain(self.words.iter().cloned()).chain(more).collect()
    }

    fn parse(&self, program: &Path, more: Vec<OsString>) -> Result<RunOptions> {
        Ok(RunOptions::parse(self.line(program, more))?)
    }
}
