//! Nodes and exposures in memory: the provider of tests, examples and the command line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::domain::Domain;
use crate::provider::{DataProvider, DataTriple, ExposedData, ExposureStamp, NodeProvider};

/// A node of a [`Recording`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNode {
    /// Its name
    pub name: String,
    /// The name that it has for itself
    pub hostname: String,
    /// Its addresses
    pub addresses: Vec<String>,
    /// True if it is alive
    pub alive: bool,
}

impl RecordedNode {
    /// A node that is alive, has no addresses and calls itself by its name.
    pub fn new(name: impl Into<String>) -> RecordedNode {
        let name = name.into();
        RecordedNode { hostname: name.clone(), name, addresses: Vec::new(), alive: true }
    }
}

/// The data that was exposed under one triple, the oldest first.
type ExposureHistory<B> = Vec<(Vec<B>, ExposureStamp)>;

/// The data that the nodes of a system have exposed so far.
///
/// ```
/// use minvariant::{EvalLimits, Program, Providers, Recording, Verdict};
///
/// let program = Program::parse("quiet.minv", r#"
///     invariant quiet(data[] alarms) : nodes, states, keys { return alarms.length() == 0; }
///     string[] nodes() { return sys.nodes(); }
///     int[] states(string node) { return int[0]; }
///     string[] keys(string node, int state) { return string["alarm"]; }
/// "#)?;
/// let quiet = program.find("quiet").unwrap();
/// let mut recording = Recording::new(["a", "b"]);
/// let limits = EvalLimits::default();
/// assert_eq!(program.verdict(quiet, Providers::of(&recording), &limits)?, Verdict::Holds);
/// recording.expose("a", 0, "alarm", b"fire");
/// let verdict = program.verdict(quiet, Providers::of(&recording), &limits)?;
/// assert!(matches!(verdict, Verdict::Violated(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recording<B = u8> {
    /// The nodes, in the order in which they were named.
    pub nodes: Vec<RecordedNode>,
    /// The time in nanoseconds.
    pub time: u64,
    /// True if the world is at its end.
    pub ended: bool,
    exposing: Option<String>,
    sequence: u32,
    /// By node, state and key.
    histories: BTreeMap<String, BTreeMap<i64, BTreeMap<String, ExposureHistory<B>>>>,
}

impl<B: Clone> Recording<B> {
    /// A system of nodes with these names.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Recording<B> {
        Recording {
            nodes: names.into_iter().map(RecordedNode::new).collect(),
            time: 0,
            ended: false,
            exposing: None,
            sequence: 0,
            histories: BTreeMap::new(),
        }
    }

    /// Exposes bytes, one nanosecond after what came before.
    pub fn expose(&mut self, node: &str, state: i64, key: &str, bytes: &[B]) {
        let stamp = ExposureStamp { time: self.time + 1, round: 0, sequence: self.sequence };
        self.expose_at(stamp, DataTriple { node, state, key }, bytes);
    }

    /// Exposes bytes at a stamp, which becomes the time of the system.
    pub fn expose_at(&mut self, stamp: ExposureStamp, triple: DataTriple<'_>, bytes: &[B]) {
        self.time = self.time.max(stamp.time);
        self.sequence = self.sequence.wrapping_add(1);
        self.exposing = Some(triple.node.to_owned());
        let states = self.histories.entry(triple.node.to_owned()).or_default();
        let keys = states.entry(triple.state).or_default();
        keys.entry(triple.key.to_owned()).or_default().push((bytes.to_vec(), stamp));
    }

    /// Marks the end of the world.
    pub fn end(&mut self) {
        self.ended = true;
        self.exposing = None;
    }

    fn node(&self, name: &str) -> Option<&RecordedNode> {
        self.nodes.iter().find(|node| node.name == name)
    }

    fn history(&self, triple: DataTriple<'_>) -> &[(Vec<B>, ExposureStamp)] {
        let states = self.histories.get(triple.node);
        let keys = states.and_then(|states| states.get(&triple.state));
        keys.and_then(|keys| keys.get(triple.key)).map_or(&[], Vec::as_slice)
    }
}

impl<B: Clone> NodeProvider for Recording<B> {
    fn nodes(&self, each: &mut dyn FnMut(&str)) {
        self.nodes.iter().for_each(|node| each(&node.name));
    }

    fn hostname(&self, node: &str) -> Option<Cow<'_, str>> {
        self.node(node).map(|node| Cow::Borrowed(node.hostname.as_str()))
    }

    fn addresses(&self, node: &str) -> Option<Vec<String>> {
        self.node(node).map(|node| node.addresses.clone())
    }

    fn alive(&self, node: &str) -> Option<bool> {
        self.node(node).map(|node| node.alive)
    }

    fn time(&self) -> u64 {
        self.time
    }

    fn exposing(&self) -> Option<Cow<'_, str>> {
        self.exposing.as_deref().map(Cow::Borrowed)
    }

    fn ended(&self) -> bool {
        self.ended
    }
}

impl<D: Domain> DataProvider<D> for Recording<D::Byte> {
    fn count(&self, triple: DataTriple<'_>) -> usize {
        self.history(triple).len()
    }

    fn nth(&self, triple: DataTriple<'_>, index: usize) -> Option<ExposedData<'_, D::Byte>> {
        let (bytes, stamp) = self.history(triple).get(index)?;
        Some(ExposedData { bytes: Cow::Borrowed(bytes), stamp: *stamp })
    }

    fn latest(&self, triple: DataTriple<'_>) -> Option<ExposedData<'_, D::Byte>> {
        let (bytes, stamp) = self.history(triple).last()?;
        Some(ExposedData { bytes: Cow::Borrowed(bytes), stamp: *stamp })
    }
}
