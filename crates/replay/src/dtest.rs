//! Distributed test cases: one test for all nodes of a system.
//!
//! A [`DTest`] is XML. It says which networks, routers and nodes there are and names a ktest for each
//! node, in the form that earlier tools published; in a namespace of ours, which other readers skip,
//! it has what is needed to run the test again: programs, arguments and options, and the outcome that
//! is expected. `docs/dtest.md` describes the format for users.
//!
//! Nothing that decides what happens is said twice: inputs, faults and preemptions are in the ktests,
//! everything else is here. The lists of faults and messages are for people.
//!
//! Invariant: what [`DTest::to_xml`] writes, [`DTest::from_xml`] reads as the same test.
//!
//! Not here: building a system out of a test (the driver).

mod document;
mod escape;
mod reader;
mod writer;

use std::fs;
use std::io::Read;
use std::net::IpAddr;
use std::path::Path;

use crate::error::{DTestError, DTestProblem, ReplayError};
use everett_input::host;

/// The namespace of what we add.
pub const NAMESPACE: &str = "urn:everett:dtest";
/// The version of it that is written, and the only one that is read.
pub const VERSION: u32 = 1;
/// The largest file that [`DTest::read`] accepts.
pub const DTEST_BYTES_MAX: u64 = 1 << 26;

/// A test of a system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DTest {
    /// The networks.
    pub networks: Vec<TestNetwork>,
    /// Hosts that forward.
    pub routers: Vec<TestRouter>,
    /// Hosts that run programs.
    pub nodes: Vec<TestNode>,
    /// The part that this project adds; a test of another tool has none.
    pub record: Option<TestRecord>,
}

/// A network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestNetwork {
    /// Its name.
    pub name: String,
    /// Its addresses: the first one, and the bits that they have in common. Ours.
    pub subnet: Option<(IpAddr, u8)>,
    /// Its addresses of IPv6, if it has any. Ours.
    pub subnet6: Option<(IpAddr, u8)>,
    /// The time that messages take on it. Ours.
    pub timing: TestTiming,
}

/// Latency and bandwidth of a network, or of the link of an interface. All of it is ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestTiming {
    /// The latencies that it may have, in nanoseconds; none: it takes no time.
    pub latencies_ns: Vec<u64>,
    /// Bytes that it carries in a second; `None`: any number.
    pub bytes_per_second: Option<u64>,
}

/// A host that forwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestRouter {
    /// Its name.
    pub hostname: String,
    /// Its name in the topology, if that is another. Ours.
    pub name: Option<String>,
    /// Its interfaces.
    pub interfaces: Vec<TestInterface>,
    /// Its routes.
    pub routes: Vec<TestRoute>,
}

/// The attachment of a host to a network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestInterface {
    /// Its number on the host, from 1.
    pub identifier: u32,
    /// The name of the network.
    pub network: String,
    /// Its name, if not the usual one. Ours.
    pub name: Option<String>,
    /// True if its address stands for the host, though it is not the first interface. Ours.
    pub primary: bool,
    /// The time that messages take on its link. Ours.
    pub timing: TestTiming,
    /// Its addresses.
    pub addresses: Vec<TestAddress>,
}

/// An address of an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestAddress {
    /// The address.
    pub ip: IpAddr,
    /// The number of its bits that all addresses on the link have in common.
    pub mask: u8,
    /// True if it is the one that the interface sends from.
    pub primary: bool,
}

/// A route of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestRoute {
    /// The destination; `None` is everywhere in IPv4, and is written `null`.
    pub destination: Option<IpAddr>,
    /// The number of bits of the destination that count.
    pub mask: u8,
    /// The router; `None`, written `null`, if the destination is on the link of the interface.
    pub gateway: Option<IpAddr>,
    /// The number of the interface, where the gateway does not determine it. Ours.
    pub interface: Option<u32>,
}

/// A host that runs a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestNode {
    /// Its ktest, beside the file of the test.
    pub filename: String,
    /// Its name.
    pub hostname: String,
    /// Left empty by us.
    pub filesystem: String,
    /// True if it may wait for work for ever.
    pub server: bool,
    /// Nodes with a lower number start earlier.
    pub sequence: u32,
    /// Its interfaces.
    pub interfaces: Vec<TestInterface>,
    /// Its routes.
    pub routes: Vec<TestRoute>,
    /// The part that this project adds.
    pub record: Option<TestNodeRecord>,
}

/// The part of a test that this project adds to the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestRecord {
    /// True if one program makes all nodes itself; networks and nodes are then a description only.
    pub boots: bool,
    /// Options of the run as a whole.
    pub options: Vec<TestSetting>,
    /// The end that is expected.
    pub outcome: TestOutcome,
    /// Virtual time of the end in nanoseconds, for people.
    pub time_ns: u64,
    /// The faults that have happened: for people, and to find their places in a changed program.
    pub faults: Vec<TestFault>,
    /// The preemptions of threads, for the same.
    pub preemptions: Vec<TestPreemption>,
    /// The messages that were sent, for the same.
    pub messages: Vec<TestMessage>,
    /// Earlier messages that are left out.
    pub messages_omitted: u64,
}

/// The part of a node that this project adds to the format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestNodeRecord {
    /// Its name in the topology, if that is another than its host name.
    pub name: Option<String>,
    /// True if the engine decides from where the node waits that it is a server; [`TestNode::server`] then
    /// has no meaning.
    pub server_detected: bool,
    /// The virtual time at which it begins, in nanoseconds.
    pub start_after_ns: u64,
    /// The file of its program.
    pub program: Vec<u8>,
    /// A digest of that file: another build is another test.
    pub digest: String,
    /// The arguments of the program, its own name first.
    pub arguments: Vec<Vec<u8>>,
    /// The options of the node: files, environment, user.
    pub options: Vec<TestSetting>,
    /// Files with known contents: path and content.
    pub files: Vec<(Vec<u8>, Vec<u8>)>,
}

/// An option, as flags of `everett run` have it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestSetting {
    /// Its name without dashes.
    pub name: String,
    /// Its values; none if it is a switch.
    pub values: Vec<Vec<u8>>,
}

/// The expected end of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// A finding.
    Finding {
        /// Its kind.
        kind: String,
        /// The node.
        node: String,
        /// The message of the finding, for people.
        message: String,
        /// The call stack, innermost place first.
        stack: Vec<TestPlace>,
    },
    /// Without a finding: each node by name, and its state in the end.
    Ended(Vec<(String, String)>),
    /// No end: the test still runs after so many instructions of all nodes.
    Unfinished {
        /// So many.
        instructions: u64,
    },
}

impl Default for TestOutcome {
    fn default() -> TestOutcome {
        TestOutcome::Ended(Vec::new())
    }
}

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestPlace {
    /// The function.
    pub function: String,
    /// The file as the compiler recorded it.
    pub file: String,
    /// The line, 0 if unknown.
    pub line: u32,
    /// The column, 0 if unknown.
    pub column: u32,
}

/// A fault that has happened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestFault {
    /// The node.
    pub node: String,
    /// The kind.
    pub kind: String,
    /// The position, from 1, among the places on the node's path where a fault of this kind was possible.
    pub point: u64,
    /// The number of the alternative that was taken.
    pub choice: u32,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// A description of the fault, in words.
    pub what: String,
    /// The place in the program's own code where it happened, if it happened in code.
    pub place: Option<TestPlace>,
}

/// A preemption of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestPreemption {
    /// The node.
    pub node: String,
    /// The position, from 1, among the places on the node's path where a preemption was possible.
    pub point: u64,
    /// The thread that was preempted.
    pub from: u32,
    /// The thread that ran instead.
    pub to: u32,
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// The place in the program's own code where the preempted thread was.
    pub place: Option<TestPlace>,
}

/// A message that was sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestMessage {
    /// Virtual time in nanoseconds.
    pub time_ns: u64,
    /// Round within that time.
    pub round: u32,
    /// The sender.
    pub from: String,
    /// The receiver.
    pub to: String,
    /// The kind of message.
    pub kind: String,
    /// Size of its payload.
    pub size: u64,
    /// The beginning of its payload.
    pub bytes: Vec<u8>,
    /// True if the receiver has got it.
    pub received: bool,
}

impl DTest {
    /// Reads a test file.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than [`DTEST_BYTES_MAX`], or is not a test of a system.
    pub fn read(file: &Path) -> Result<DTest, ReplayError> {
        let io = |error| ReplayError::Io { action: "read", file: file.to_path_buf(), error };
        let wrong = |error| ReplayError::DTest { file: file.to_path_buf(), error };
        let mut bytes = Vec::new();
        let limited = fs::File::open(host::real(file)).map_err(io)?.take(DTEST_BYTES_MAX + 1);
        { limited }.read_to_end(&mut bytes).map_err(io)?;
        if bytes.len() as u64 > DTEST_BYTES_MAX {
            let problem = DTestProblem::TooLarge { most: DTEST_BYTES_MAX };
            return Err(wrong(DTestError { line: 1, column: 1, problem }));
        }
        DTest::from_xml(&bytes).map_err(wrong)
    }

    /// Writes a test file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), ReplayError> {
        let io = |error| ReplayError::Io { action: "write", file: file.to_path_buf(), error };
        fs::write(file, self.to_xml()).map_err(io)
    }

    /// Understands the contents of a test file.
    ///
    /// # Errors
    /// When they are not those of one; the error says where and why.
    pub fn from_xml(bytes: &[u8]) -> Result<DTest, DTestError> {
        reader::read(&document::parse(bytes)?)
    }

    /// The contents of a test file.
    pub fn to_xml(&self) -> String {
        writer::write(self)
    }
}

#[cfg(test)]
mod tests;
