//! The key `live` of a node: the peer that is real, how it is started or where it is, and its endpoints.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use everett_input::units::parse_duration;
use toml_edit::{Item, Value};

use super::diagnostic::{Diagnostic, TextSpan};
use super::expose;
use super::fields::{ProblemList, Spanned, TableFields, kind_of_value, span_of, span_of_value};

const KEYS: [&str; 8] =
    ["command", "address", "listens", "connects", "socket", "ready", "forgets", "clock"];

/// A peer that a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioPeer {
    /// The way in which it is reached.
    pub reach: PeerReach,
    /// The places at which nodes reach it, or at which it reaches them.
    pub endpoints: Vec<PeerEndpoint>,
    /// The UNIX socket of a command, in its folder, which its only endpoint stands for.
    pub socket: Option<PathBuf>,
    /// The sign that a command is ready.
    pub ready: PeerReadiness,
    /// It does not remember what it was told on connections that are closed.
    pub forgets: bool,
    /// The clock of a command.
    pub clock: PeerClock,
}

/// The clock that a command sees, and where its random bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerClock {
    /// It moves with the conversation, if that is possible, and random bytes are always the same.
    Conversation,
    /// They are those of the machine.
    Machine,
}

/// The way in which a peer is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerReach {
    /// A command is started, by these words.
    Command(Vec<String>),
    /// It is there already, at this address.
    Address(PeerAddress),
    /// Whoever embeds the engine brings it.
    Embedder,
}

/// The address of a peer that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerAddress {
    /// An address and a port.
    Internet(SocketAddr),
    /// A UNIX socket.
    Unix(PathBuf),
}

/// A place at which nodes reach a peer, or at which it reaches them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerEndpoint {
    /// It listens for TCP connections on this port of its node.
    Tcp(u16),
    /// It receives datagrams on this port of its node.
    Udp(u16),
    /// It makes TCP connections to this port of another node.
    Connects {
        /// The name of the node.
        node: String,
        /// The port.
        port: u16,
    },
    /// It makes connections to a UNIX socket of another node.
    ConnectsToSocket {
        /// The name of the node.
        node: String,
        /// The path of the socket.
        path: String,
    },
}

impl PeerEndpoint {
    /// The node that it connects to.
    fn target(&self) -> Option<&str> {
        match self {
            PeerEndpoint::Tcp(_) | PeerEndpoint::Udp(_) => None,
            PeerEndpoint::Connects { node, .. } | PeerEndpoint::ConnectsToSocket { node, .. } => {
                Some(node)
            }
        }
    }

    /// The text between braces that stands for its port or its socket of the host in a command.
    pub fn placeholder(&self) -> String {
        match self {
            PeerEndpoint::Tcp(port) | PeerEndpoint::Udp(port) => format!("{{{port}}}"),
            PeerEndpoint::Connects { node, port } => format!("{{{node}:{port}}}"),
            PeerEndpoint::ConnectsToSocket { node, path } => format!("{{{node}:{path}}}"),
        }
    }
}

/// The sign that a command is ready to be talked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerReadiness {
    /// It runs.
    Running,
    /// It listens at all of its endpoints.
    Listening,
    /// It has printed a line that contains this text.
    Line(String),
    /// It has run for this time.
    Delay(Duration),
}

/// Reads the key `live` of a node.
pub(super) fn read(
    fields: &TableFields<'_>,
    folder: &Path,
    problems: &mut ProblemList,
) -> Option<ScenarioPeer> {
    let (key, item) = fields.entry("live")?;
    let span = span_of(key, item);
    let Some(table) = item.as_table_like() else {
        problems.expected(
            "a table for `live`, such as { command = \"...\", listens = 80 }",
            item,
            span,
        );
        return None;
    };
    let fields = TableFields::new(table, span, "`live`", &KEYS, problems);
    let command = command(&fields, folder, problems);
    let address = fields.text("address", problems);
    let mut endpoints = Vec::new();
    for port in values(&fields, "listens") {
        endpoints.extend(listens(port, problems));
    }
    for target in values(&fields, "connects") {
        endpoints.extend(connects(target, problems));
    }
    let reach = match (command, address) {
        (Some(command), None) => PeerReach::Command(command),
        (None, Some(address)) => PeerReach::Address(peer_address(&address, problems)?),
        (Some(_), Some(address)) => {
            let message = "a peer has either a `command` or an `address`";
            problems.add(Diagnostic::new(address.span, message));
            return None;
        }
        (None, None) => PeerReach::Embedder,
    };
    if let PeerReach::Address(address) = &reach {
        add_default(address, &mut endpoints);
        let is_one = matches!(endpoints[..], [PeerEndpoint::Tcp(_) | PeerEndpoint::Udp(_)]);
        if !is_one {
            let message = "a peer with an `address` has one endpoint";
            let help = "write one `listens`: the port of the node that stands for the address";
            problems.add(Diagnostic::new(span, message).help(help));
        }
    }
    if endpoints.is_empty() {
        let message = "`live` needs `listens` or `connects`";
        let help = "write the port at which nodes reach the peer, `listens = 80`, or the node that it \
                    connects to, `connects = \"server:80\"`";
        problems.add(Diagnostic::new(span, message).help(help));
    }
    let ready = readiness(&fields, &endpoints, problems);
    let forgets = fields.truth("forgets", problems).unwrap_or(false);
    let socket = own_socket(&fields, &reach, &endpoints, problems);
    if socket.is_none() {
        check_sockets(&reach, &endpoints, span, problems);
    }
    let clock = clock(&fields, problems);
    Some(ScenarioPeer { reach, endpoints, socket, ready, forgets, clock })
}

/// The socket of a command, by its path in the folder of the command.
fn own_socket(
    fields: &TableFields<'_>,
    reach: &PeerReach,
    endpoints: &[PeerEndpoint],
    problems: &mut ProblemList,
) -> Option<PathBuf> {
    let socket = fields.text("socket", problems)?;
    let is_one_stream = matches!(
        endpoints,
        [PeerEndpoint::Tcp(_)
            | PeerEndpoint::Connects { .. }
            | PeerEndpoint::ConnectsToSocket { .. }]
    );
    if !matches!(reach, PeerReach::Command(_)) || !is_one_stream {
        let message = "only a `command` with one endpoint has a `socket`";
        problems.add(Diagnostic::new(socket.span, message));
    }
    Some(PathBuf::from(socket.value))
}

/// Complains about a command that connects to a UNIX socket and is not told where it is.
fn check_sockets(
    reach: &PeerReach,
    endpoints: &[PeerEndpoint],
    span: TextSpan,
    problems: &mut ProblemList,
) {
    let PeerReach::Command(words) = reach else { return };
    for endpoint in endpoints {
        let named = endpoint.placeholder();
        let is_named = words.iter().any(|word| word.contains(&named));
        if let PeerEndpoint::ConnectsToSocket { node, path } = endpoint
            && !is_named
        {
            let message =
                format!("the `command` is not told which socket stands for `{node}:{path}`");
            let help = format!("write `{named}` where the command is to have its path");
            problems.add(Diagnostic::new(span, message).help(help));
        }
    }
}

fn clock(fields: &TableFields<'_>, problems: &mut ProblemList) -> PeerClock {
    let Some(clock) = fields.text("clock", problems) else { return PeerClock::Conversation };
    match clock.value {
        "conversation" => PeerClock::Conversation,
        "machine" => PeerClock::Machine,
        text => {
            let message = format!("`{text}` is no clock of a peer");
            let help = "write `conversation` or `machine`";
            problems.add(Diagnostic::new(clock.span, message).help(help));
            PeerClock::Conversation
        }
    }
}

/// A peer at an address is reached at the same port of its node, if nothing else is said.
fn add_default(address: &PeerAddress, endpoints: &mut Vec<PeerEndpoint>) {
    if let PeerAddress::Internet(address) = address
        && endpoints.is_empty()
    {
        endpoints.push(PeerEndpoint::Tcp(address.port()));
    }
}

/// The values of a key that has one or a list of them.
fn values<'a>(fields: &TableFields<'a>, name: &str) -> Vec<Spanned<&'a Value>> {
    let Some((key, item)) = fields.entry(name) else { return Vec::new() };
    let span = span_of(key, item);
    let spanned = |value: &'a Value| Spanned { value, span: span_of_value(value, span) };
    match item {
        Item::Value(Value::Array(list)) => list.iter().map(spanned).collect(),
        Item::Value(value) => vec![spanned(value)],
        _ => Vec::new(),
    }
}

/// The words of a command: a list, or a text as for a shell.
fn command(
    fields: &TableFields<'_>,
    folder: &Path,
    problems: &mut ProblemList,
) -> Option<Vec<String>> {
    let (key, item) = fields.entry("command")?;
    let span = span_of(key, item);
    let words: Vec<String> = match item.as_str() {
        Some(text) => match shlex::split(text) {
            Some(words) => words,
            None => {
                problems
                    .add(Diagnostic::new(span, "a quotation mark of the `command` is not closed"));
                return None;
            }
        },
        None => {
            fields.texts("command", problems).iter().map(|word| word.value.to_owned()).collect()
        }
    };
    if words.is_empty() {
        problems.add(Diagnostic::new(span, "the `command` is empty"));
        return None;
    }
    // The folder of a file without one is the present one.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let folder = folder.display().to_string();
    Some(words.iter().map(|word| word.replace("{scenario}", &folder)).collect())
}

fn peer_address(address: &Spanned<&str>, problems: &mut ProblemList) -> Option<PeerAddress> {
    if address.value.starts_with('/') {
        return Some(PeerAddress::Unix(address.value.into()));
    }
    match address.value.parse() {
        Ok(address) => Some(PeerAddress::Internet(address)),
        Err(_) => {
            let message = format!("`{}` is not an address with a port", address.value);
            let help = "write one such as `127.0.0.1:5000`, or the path of a UNIX socket";
            problems.add(Diagnostic::new(address.span, message).help(help));
            None
        }
    }
}

fn listens(value: Spanned<&Value>, problems: &mut ProblemList) -> Option<PeerEndpoint> {
    let text = match value.value {
        Value::Integer(port) => port.value().to_string(),
        Value::String(text) => text.value().clone(),
        other => {
            let message = format!("expected a port, found {}", kind_of_value(other));
            problems.add(Diagnostic::new(value.span, message));
            return None;
        }
    };
    let (protocol, port) = text.split_once(':').unwrap_or(("tcp", &text));
    match (protocol, parse_port(port)) {
        ("tcp", Some(port)) => Some(PeerEndpoint::Tcp(port)),
        ("udp", Some(port)) => Some(PeerEndpoint::Udp(port)),
        _ => {
            let message = format!("`{text}` is not a port");
            let help = "write a number from 1 to 65535, or one behind `udp:`";
            problems.add(Diagnostic::new(value.span, message).help(help));
            None
        }
    }
}

fn connects(value: Spanned<&Value>, problems: &mut ProblemList) -> Option<PeerEndpoint> {
    let text = value.value.as_str().unwrap_or_default();
    match (node_and_port(text), expose::node_and_socket(text)) {
        (Some((node, port)), _) => Some(PeerEndpoint::Connects { node: node.to_owned(), port }),
        (None, Some((node, path))) => {
            let (node, path) = (node.to_owned(), path.to_owned());
            Some(PeerEndpoint::ConnectsToSocket { node, path })
        }
        (None, None) => {
            let message = "`connects` needs a node and its port or UNIX socket";
            let help = "write them such as `server:80` or `server:/run/socket`";
            problems.add(Diagnostic::new(value.span, message).help(help));
            None
        }
    }
}

/// A node and a port of it: `server:80`.
pub(super) fn node_and_port(text: &str) -> Option<(&str, u16)> {
    let (node, port) = text.rsplit_once(':').filter(|(node, _)| !node.is_empty())?;
    Some((node, parse_port(port)?))
}

/// Complains about a node that is not there.
pub(super) fn complain_about_node(
    node: &str,
    known: &[&str],
    span: TextSpan,
    problems: &mut ProblemList,
) {
    let message = format!("there is no node `{node}`");
    let help = everett_input::suggest::help(node, known);
    problems.add(Diagnostic::new(span, message).help(help));
}

fn parse_port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port > 0)
}

fn readiness(
    fields: &TableFields<'_>,
    endpoints: &[PeerEndpoint],
    problems: &mut ProblemList,
) -> PeerReadiness {
    let usual = match endpoints.iter().any(|endpoint| endpoint.target().is_none()) {
        true => PeerReadiness::Listening,
        false => PeerReadiness::Running,
    };
    let Some(ready) = fields.text("ready", problems) else { return usual };
    match ready.value {
        "listening" => PeerReadiness::Listening,
        "running" => PeerReadiness::Running,
        text => match (text.strip_prefix("line:"), parse_duration(text)) {
            (Some(line), _) => PeerReadiness::Line(line.trim_start().to_owned()),
            (None, Ok(time)) => PeerReadiness::Delay(time),
            (None, Err(_)) => {
                let message = format!("`{text}` is no sign that a peer is ready");
                let help = "write `listening`, `running`, a time such as `500ms`, or `line: TEXT`";
                problems.add(Diagnostic::new(ready.span, message).help(help));
                usual
            }
        },
    }
}

impl ScenarioPeer {
    /// The same peer, with placeholders of its node filled in.
    pub(super) fn filled(mut self, fill: impl Fn(&str) -> String) -> ScenarioPeer {
        if let PeerReach::Command(words) = &mut self.reach {
            words.iter_mut().for_each(|word| *word = fill(word));
        }
        self
    }

    /// Complains about nodes that it connects to and that are not there, or have no UNIX socket.
    pub(super) fn check_nodes(
        &self,
        known: &[&str],
        live: &[&str],
        span: TextSpan,
        problems: &mut ProblemList,
    ) {
        for endpoint in &self.endpoints {
            if let Some(node) = endpoint.target()
                && !known.contains(&node)
            {
                complain_about_node(node, known, span, problems);
            }
            if let PeerEndpoint::ConnectsToSocket { node, .. } = endpoint
                && live.contains(&node.as_str())
            {
                expose::complain_about_live(node, span, problems);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(live: &str) -> Result<ScenarioPeer, String> {
        peer_in(live, "dir/a.toml")
    }

    fn peer_in(live: &str, file: &str) -> Result<ScenarioPeer, String> {
        let text = format!(
            "[[node]]\nname = 'peer'\nlive = {live}\n[[node]]\nname = 'server'\nlive = {{ listens = 9 }}\n"
        );
        let scenario = crate::parse(&text, Path::new(file));
        let scenario = scenario.map_err(|errors| errors.to_string())?;
        Ok(scenario.nodes[0].live.clone().expect("the node is live"))
    }

    #[test]
    fn a_command_has_endpoints() {
        let command = r#"command = "run 'a b' {80} {server:9}""#;
        let endpoints = "listens = [80, 'udp:53'], connects = 'server:9'";
        let peer = peer(&format!("{{ {command}, {endpoints} }}")).unwrap();
        let words = ["run", "a b", "{80}", "{server:9}"].map(str::to_owned).to_vec();
        assert_eq!(peer.reach, PeerReach::Command(words));
        let target = PeerEndpoint::Connects { node: "server".to_owned(), port: 9 };
        assert_eq!(peer.endpoints, [PeerEndpoint::Tcp(80), PeerEndpoint::Udp(53), target.clone()]);
        assert_eq!(target.placeholder(), "{server:9}");
        assert_eq!((peer.ready, peer.forgets), (PeerReadiness::Listening, false));
    }

    #[test]
    fn a_command_is_ready_as_it_says() {
        let ready = |text: &str| {
            peer(&format!("{{ command = 'x', listens = 1, ready = '{text}' }}")).unwrap().ready
        };
        assert_eq!(ready("line: Ready to"), PeerReadiness::Line("Ready to".to_owned()));
        assert_eq!(ready("500ms"), PeerReadiness::Delay(Duration::from_millis(500)));
        let connects = peer("{ command = 'x', connects = 'server:1' }").unwrap();
        assert_eq!(connects.ready, PeerReadiness::Running);
        assert_eq!(connects.clock, PeerClock::Conversation);
    }

    #[test]
    fn a_command_has_the_clock_that_it_asks_for() {
        let peer = peer("{ command = 'x', listens = 1, clock = 'machine' }").unwrap();
        assert_eq!(peer.clock, PeerClock::Machine);
    }

    #[test]
    fn an_address_has_the_port_of_its_node() {
        let peer = peer("{ address = '127.0.0.1:5000', forgets = true }").unwrap();
        assert_eq!((&peer.endpoints[..], peer.forgets), (&[PeerEndpoint::Tcp(5000)][..], true));
    }

    #[test]
    fn the_folder_of_the_scenario_has_a_name() {
        let live = "{ command = ['python3', '{scenario}/p.py'], listens = 1 }";
        let here = std::env::current_dir().unwrap();
        for (file, script) in
            [("dir/a.toml", "dir/p.py"), ("a.toml", "p.py"), ("/x/a.toml", "/x/p.py")]
        {
            let PeerReach::Command(words) = peer_in(live, file).unwrap().reach else {
                panic!("it is a command");
            };
            assert_eq!(Path::new(&words[1]), here.join(script));
        }
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let complaint = |live: &str| peer(live).unwrap_err();
        let cases = [
            ("{ command = 'x' }", "needs `listens` or `connects`"),
            (
                "{ command = 'x', address = '127.0.0.1:1', listens = 1 }",
                "either a `command` or an `address`",
            ),
            ("{ command = \"x 'y\", listens = 1 }", "is not closed"),
            ("{ command = '', listens = 1 }", "is empty"),
            ("{ command = 'x', listens = 70000 }", "`70000` is not a port"),
            ("{ command = 'x', listens = 'sctp:1' }", "`sctp:1` is not a port"),
            ("{ command = 'x', listens = true }", "expected a port"),
            ("{ command = 'x', connects = '80' }", "needs a node and its port"),
            ("{ command = 'x', connects = 'server:/s' }", "not told which socket"),
            ("{ command = '{serve:/s}', connects = 'serve:/s' }", "there is no node `serve`"),
            ("{ command = '{peer:/s}', connects = 'peer:/s' }", "is live and has no UNIX socket"),
            ("{ command = 'x', connects = 'serve:80' }", "there is no node `serve`"),
            ("{ address = 'somewhere' }", "is not an address with a port"),
            ("{ address = '127.0.0.1:1', listens = [1, 2] }", "has one endpoint"),
            ("{ command = 'x', listens = 1, ready = 'soon' }", "is no sign"),
            ("{ command = 'x', listens = [1, 2], socket = 's' }", "has a `socket`"),
            ("{ command = 'x', listens = 1, clock = 'cuckoo' }", "`cuckoo` is no clock"),
            ("{ comand = 'x', listens = 1 }", "unknown key `comand`"),
            ("'redis'", "expected a table for `live`"),
        ];
        for (live, message) in cases {
            let told = complaint(live);
            assert!(told.contains(message), "{live}: {told}");
        }
    }
}
