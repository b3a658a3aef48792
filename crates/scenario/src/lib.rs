//! Scenario files: a system of nodes and networks, described in TOML.
//!
//! [`load`] reads one and gives a [`Scenario`], plain data that a run is set up from. `docs/scenarios.md`
//! describes the form for users. Everything that is wrong is reported with its place
//! ([`ScenarioErrors`]), and whatever is not known is wrong.
//!
//! Not here: how nodes are run; the checks of networks and addresses (`everett-net`); the settings that
//! sections hold (`everett-settings`).
//!
//! ```
//! let text = "[[node]]\nname = 'a'\nprogram = 'a.bc'\n[faults]\nloss = 1\n";
//! let scenario = everett_scenario::parse(text, "system.toml".as_ref())?;
//! assert_eq!(scenario.nodes[0].name, "a");
//! # Ok::<(), everett_scenario::ScenarioErrors>(())
//! ```

#![forbid(unsafe_code)]

mod diagnostic;
mod expose;
mod fields;
mod files;
mod flags;
mod live;
mod network;
mod node;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_net::Topology;
use toml_edit::Document;

pub use diagnostic::ScenarioErrors;
use diagnostic::{Diagnostic, TextSpan};
use fields::{ProblemList, TableFields};
use flags::FlagTable;
pub use flags::{RunOverrides, ScenarioSetting};
pub use live::{PeerAddress, PeerClock, PeerEndpoint, PeerReach, PeerReadiness, ScenarioPeer};
use node::NodeDraft;

/// A system as its file describes it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The nodes, in the order of the file; the position of each is the number of its host in the
    /// topology.
    pub nodes: Vec<ScenarioNode>,
    /// Networks, addresses, routers and routes.
    pub topology: Arc<Topology>,
    /// The settings of the sections for the run as a whole.
    pub overrides: RunOverrides,
}

/// A node as its file describes it. Paths of the host are absolute or relative to the current folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioNode {
    /// Its name.
    pub name: String,
    /// Its own name for itself.
    pub hostname: String,
    /// Bitcode, or a native executable that carries it.
    pub program: PathBuf,
    /// The peer that it stands for, if it is live. Then it has no program of its own.
    pub live: Option<ScenarioPeer>,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Its environment.
    pub env: Vec<(String, String)>,
    /// Files and folders of the host that it sees.
    pub mounts: Vec<NodeMount>,
    /// UNIX sockets of the node, each with the node and the TCP port that its connections lead to.
    pub forwards: Vec<(String, String)>,
    /// UNIX sockets of the node that others reach, each with the TCP port that stands for it.
    pub exposed: Vec<(String, u16)>,
    /// Files with known contents, by their paths in the simulation.
    pub files: Vec<(String, String)>,
    /// Its working directory, if not the usual one.
    pub cwd: Option<String>,
    /// The file that is its standard input.
    pub stdin: Option<PathBuf>,
    /// Nodes with a lower number are started earlier.
    pub start: u32,
    /// The virtual time at which it begins, in nanoseconds.
    pub start_after_ns: u64,
    /// True if the node is a server, which may wait for work for ever when all others are done. `None` if
    /// the scenario does not say; the place where the node waits decides then.
    pub server: Option<bool>,
    /// Its symbolic inputs: its own, and those of the section `[inputs]` that it has none of its own
    /// for.
    pub inputs: Vec<ScenarioSetting>,
    /// Orders in which it sees messages, instead of those of the section `[orders]`.
    pub orders: Vec<ScenarioSetting>,
    /// Faults that may happen on its own paths, instead of those of the section `[faults]`.
    pub faults: Vec<ScenarioSetting>,
}

/// A file or a folder of the host that a node sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeMount {
    /// The path in the simulation.
    pub guest: String,
    /// The path on the host.
    pub host: PathBuf,
}

impl ScenarioNode {
    /// The node's surroundings as flags of `everett run`, but for inputs that `given` says are on the
    /// command line, and for environment variables that `is_set` says have a value there. Its program,
    /// arguments, files and place in the system are not flags.
    pub fn words(
        &self,
        given: impl Fn(&str) -> bool,
        is_set: impl Fn(&str) -> bool,
    ) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut flag = |name: &str, value: OsString| {
            let mut word = OsString::from(format!("--{name}="));
            word.push(value);
            words.push(word);
        };
        flag("hostname", self.hostname.clone().into());
        for (name, value) in self.env.iter().filter(|(name, _)| !is_set(name)) {
            flag("env", format!("{name}={value}").into());
        }
        for NodeMount { guest, host } in &self.mounts {
            let mut both = host.clone().into_os_string();
            both.push(format!(":{guest}"));
            flag("mount", both);
        }
        for (path, target) in &self.forwards {
            flag("forward", format!("{path}={target}").into());
        }
        for (path, port) in &self.exposed {
            flag("expose", format!("{path}={port}").into());
        }
        if let Some(cwd) = &self.cwd {
            flag("cwd", cwd.into());
        }
        if let Some(stdin) = &self.stdin {
            flag("stdin", stdin.clone().into_os_string());
        }
        let own = self.inputs.iter().chain(&self.orders).chain(&self.faults);
        let settings = own.filter(|setting| !given(&setting.flag));
        words.extend(settings.flat_map(|setting| setting.words.iter().cloned()));
        words
    }
}

/// Reads a scenario. Programs and other files that it names are looked at, too.
pub fn load(path: &Path) -> Result<Scenario, ScenarioErrors> {
    let bytes = everett_input::files::read(path)
        .map_err(|error| ScenarioErrors::unreadable(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| ScenarioErrors::not_text(path, &error))?;
    read(&text, path, files::FileChecking::On)
}

/// Understands the text of a scenario without looking at the files that it names.
pub fn parse(text: &str, path: &Path) -> Result<Scenario, ScenarioErrors> {
    read(text, path, files::FileChecking::Off)
}

fn read(
    text: &str,
    path: &Path,
    checking: files::FileChecking,
) -> Result<Scenario, ScenarioErrors> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut problems = ProblemList::default();
    let scenario = match Document::parse(text) {
        Ok(document) => system(document.as_table(), folder, checking, &mut problems),
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            problems.add(Diagnostic::new(span, error.message()));
            None
        }
    };
    match scenario {
        Some(scenario) if problems.is_empty() => Ok(scenario),
        _ => Err(ScenarioErrors::new(path, text, problems.into_list())),
    }
}

/// The keys of the file beside the sections of flags.
const PARTS: [&str; 3] = ["node", "network", "router"];

fn system(
    root: &toml_edit::Table,
    folder: &Path,
    checking: files::FileChecking,
    problems: &mut ProblemList,
) -> Option<Scenario> {
    let flags = FlagTable::of_run();
    let known: Vec<&str> = PARTS.into_iter().chain(flags.sections()).collect();
    let fields =
        TableFields::new(root, TextSpan { start: 0, end: 0 }, "a scenario", &known, problems);
    let mut overrides = RunOverrides::default();
    let mut inputs = Vec::new();
    for section in flags.sections() {
        let Some((key, item)) = fields.entry(section) else { continue };
        let settings = flags.section(section, key, item, folder, problems);
        if section == flags::INPUTS {
            inputs = settings;
        } else {
            overrides.settings.extend(settings);
        }
    }
    let mut parts = network::TopologyParts::default();
    parts.networks(&fields, problems);
    let nodes = node::nodes(&fields, &flags, folder, &mut parts, problems);
    parts.routers(&fields, problems);
    if nodes.is_empty() && problems.is_empty() {
        problems.add(
            Diagnostic::new(0..0, "a scenario without nodes does nothing")
                .help("add a table [[node]] with the keys `name` and `program`"),
        );
    }
    let names: Vec<&str> = nodes.iter().map(NodeDraft::name).collect();
    let live: Vec<&str> = nodes.iter().filter(|node| node.is_live()).map(NodeDraft::name).collect();
    nodes.iter().for_each(|node| node.check_targets(&names, &live, problems));
    let mut checker = files::FileChecker::new(checking);
    let mut nodes: Vec<ScenarioNode> =
        nodes.into_iter().map(|node| node.finish(&inputs, &mut checker, problems)).collect();
    expose::give_ports(&mut nodes);
    let names: Vec<&str> = nodes.iter().map(|node| &*node.name).collect();
    let of_nodes = nodes.iter().flat_map(|node| &node.faults);
    let mut settings: Vec<&ScenarioSetting> = overrides.settings.iter().chain(of_nodes).collect();
    // Nodes that are written once and counted have the same ones.
    settings.sort_by_key(|setting| setting.span.start);
    settings.dedup_by_key(|setting| setting.span.start);
    settings.into_iter().for_each(|setting| setting.check_nodes(&names, problems));
    let topology = if problems.is_empty() { parts.build(problems) } else { None };
    Some(Scenario { nodes, topology: topology?, overrides })
}
