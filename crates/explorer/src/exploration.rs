//! [`Exploration`]: a program or a system with its settings, from its file to its [`Summary`].

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use everett_engine::{Engine, EngineConfig, MonotonicClock, Observer, Summary, SystemNode};
use everett_input::suggest;
use everett_live::Peer;
use everett_replay::dtest::TestNodeRecord;
use everett_rerun::{TestRecorder, digest};
use everett_settings::{RunOptions, SettingOwner, is_scenario, recorded};
use everett_toolchain::ProgramCaching;

use crate::ProgramFiles;
use crate::error::{ExplorerError, Result};
use crate::live::EmbedderPeers;
use crate::system::ScenarioSystem;

/// Prepares to make the tests of worlds, which is worth its time only if there are some.
pub type MakeRecorder = Box<dyn FnOnce() -> Result<TestRecorder> + Send>;

/// A program or a scenario that is to be explored.
#[derive(Clone, Debug)]
pub struct Exploration {
    file: PathBuf,
    settings: Vec<OsString>,
    arguments: Vec<OsString>,
    clock: Option<MonotonicClock>,
    peers: EmbedderPeers,
}

impl Exploration {
    /// The exploration of a program, or of a scenario if the name of the file ends in `.toml`.
    pub fn new(file: impl Into<PathBuf>) -> Exploration {
        Exploration {
            file: file.into(),
            settings: Vec::new(),
            arguments: Vec::new(),
            clock: None,
            peers: EmbedderPeers::default(),
        }
    }

    /// Sets a setting of `everett run`, named as in scenarios: `"max-time"`, `"lost-packet-count"`. What is
    /// set here wins over the scenario.
    pub fn set(mut self, name: &str, value: impl AsRef<OsStr>) -> Exploration {
        let mut word = OsString::from(format!("--{name}="));
        word.push(value);
        self.settings.push(word);
        self
    }

    /// Turns a setting on that has no value: `"stop-at-first"`.
    pub fn switch_on(mut self, name: &str) -> Exploration {
        self.settings.push(format!("--{name}").into());
        self
    }

    /// Adds an argument of the program. The nodes of a scenario have their own.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Exploration {
        self.arguments.push(argument.into());
        self
    }

    /// Lets a live node of the scenario stand for this peer. The node needs nothing but its endpoints, such
    /// as `live = { listens = 80 }`.
    pub fn peer(mut self, node: &str, peer: Arc<dyn Peer>) -> Exploration {
        self.peers.0.insert(node.to_owned(), peer);
        self
    }

    /// Gives the exploration a clock. Without one, time stands still, and limits of time never strike.
    pub fn clock(mut self, clock: MonotonicClock) -> Exploration {
        self.clock = Some(clock);
        self
    }

    /// Explores all of it; results go to the observer as they appear.
    pub fn run(self, programs: &ProgramFiles, observer: &mut dyn Observer) -> Result<Summary> {
        let clock = self.clock.clone();
        let mut prepared = self.prepare(programs)?;
        prepared.config.clock = clock.unwrap_or(prepared.config.clock);
        prepared.run(observer)
    }

    /// Loads the programs, and leaves the rest to the caller.
    pub fn prepare(self, programs: &ProgramFiles) -> Result<PreparedRun> {
        let Exploration { file, settings, mut arguments, clock: _, peers } = self;
        let mut words = vec![file.into_os_string()];
        words.extend(settings);
        if !arguments.is_empty() {
            words.push("--".into());
            words.append(&mut arguments);
        }
        let options = RunOptions::parse(words.iter().cloned())?;
        PreparedRun::of_options_and_peers(options, words, peers, programs)
    }
}

/// A program or a system with its programs, ready to be explored.
pub struct PreparedRun {
    /// The settings, those of the scenario among them.
    pub options: RunOptions,
    /// The nodes; one if it is a program.
    pub nodes: Vec<SystemNode>,
    /// The configuration of the engine.
    pub config: EngineConfig,
    /// The maker of the tests of worlds.
    pub recorder: MakeRecorder,
}

impl std::fmt::Debug for PreparedRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("file", &self.options.program).finish_non_exhaustive()
    }
}

impl PreparedRun {
    /// Loads what words of a command line behind `everett run` name.
    pub fn of_words(words: Vec<OsString>, programs: &ProgramFiles) -> Result<PreparedRun> {
        let options = RunOptions::parse(words.iter().cloned())?;
        PreparedRun::of_options(options, words, programs)
    }

    /// Loads what options of `everett run` name, which were read from `words`.
    pub fn of_options(
        options: RunOptions,
        words: Vec<OsString>,
        programs: &ProgramFiles,
    ) -> Result<PreparedRun> {
        PreparedRun::of_options_and_peers(options, words, EmbedderPeers::default(), programs)
    }

    fn of_options_and_peers(
        options: RunOptions,
        words: Vec<OsString>,
        peers: EmbedderPeers,
        programs: &ProgramFiles,
    ) -> Result<PreparedRun> {
        match is_scenario(&options.program) {
            true => PreparedRun::of_system(words, peers, programs),
            false => PreparedRun::of_program(options, words, programs),
        }
    }

    fn of_program(
        options: RunOptions,
        words: Vec<OsString>,
        programs: &ProgramFiles,
    ) -> Result<PreparedRun> {
        let file = options.program.clone();
        // First, as it says what is wrong with a file that is no program.
        let program = programs.load(&file, caching(&options))?;
        let mut config = options.config()?;
        if let Some(forward) = config.node.kernel.forwards.first() {
            let (name, help) = (forward.node.clone(), suggest::help(&forward.node, &[]));
            return Err(ExplorerError::NoNode { setting: "forward", name, help });
        }
        let mut node = config.node.clone();
        node.executable = Some(file.clone());
        config.programs = Some(programs.source(caching(&options)));
        let nodes = vec![SystemNode { program, config: node, start: 0, server: None }];
        let (arguments, digest) = (options.argv(), digest(&file)?);
        let recorder = Box::new(move || of_program(&file, arguments, digest, &words));
        Ok(PreparedRun { options, nodes, config, recorder })
    }

    fn of_system(
        words: Vec<OsString>,
        peers: EmbedderPeers,
        programs: &ProgramFiles,
    ) -> Result<PreparedRun> {
        let mut system = ScenarioSystem::read(words)?;
        system.set_peers(peers)?;
        system.install_gateway(programs.cache())?;
        if system.starts_peers()? {
            programs.leave_clocks(&mut system);
            system.set_peer_library(programs.peer_library());
        }
        let digests = system.digests()?;
        let options = system.options()?;
        let caching = caching(&options);
        let nodes = system.nodes(|file| Ok(programs.load(file, caching)?))?;
        let mut config = options.config()?;
        config.programs = Some(programs.source(caching));
        let recorder = Box::new(move || system.recorder(&digests));
        Ok(PreparedRun { options, nodes, config, recorder })
    }

    /// The engine that explores it.
    pub fn engine(self) -> Result<Engine> {
        let PreparedRun { options, nodes, config, recorder: _ } = self;
        let file = options.program;
        Engine::system(nodes, config).map_err(|source| ExplorerError::Engine { file, source })
    }

    /// Explores all of it; results go to the observer as they appear.
    pub fn run(self, observer: &mut dyn Observer) -> Result<Summary> {
        Ok(self.engine()?.run(observer))
    }
}

/// Returns whether programs that were read before are looked for.
pub(crate) fn caching(options: &RunOptions) -> ProgramCaching {
    if options.no_program_cache { ProgramCaching::Off } else { ProgramCaching::On }
}

/// Returns the maker of the tests of worlds whose nodes a program has made itself.
fn of_program(
    file: &Path,
    arguments: Vec<Vec<u8>>,
    digest: String,
    words: &[OsString],
) -> Result<TestRecorder> {
    let node = TestNodeRecord {
        program: absolute(file)?,
        digest,
        arguments,
        options: recorded(words, SettingOwner::Node)?,
        ..TestNodeRecord::default()
    };
    let options = recorded(words, SettingOwner::Run)?;
    Ok(TestRecorder { nodes: vec![node], options, alone: false })
}

/// The path of a file from the root.
pub(crate) fn absolute(file: &Path) -> Result<Vec<u8>> {
    match everett_input::host::absolute(file) {
        Ok(file) => Ok(file.into_os_string().into_vec()),
        Err(source) => Err(ExplorerError::Place { file: file.to_path_buf(), source }),
    }
}
