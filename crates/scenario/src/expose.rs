//! UNIX sockets of nodes that other nodes reach: each has a port of its node that stands for it.
//!
//! A scenario may name a socket wherever it names a port of another node (`server:/run/socket`). Then the
//! socket has a port that nobody else has, and the port is what the rest of the system knows.

use super::ScenarioNode;
use super::diagnostic::{Diagnostic, TextSpan};
use super::fields::{ProblemList, Spanned};
use super::live::PeerEndpoint;

/// A node and a UNIX socket of it: `server:/run/socket`.
pub(super) fn node_and_socket(text: &str) -> Option<(&str, &str)> {
    let at = text.find(":/").filter(|at| *at > 0)?;
    Some((&text[..at], &text[at + 1..]))
}

/// Reads the sockets of a node that have a port, as `expose` says. `fill` puts in what placeholders stand
/// for.
pub(super) fn read(
    pairs: &[(Spanned<&str>, Spanned<String>)],
    fill: impl Fn(&str) -> String,
    problems: &mut ProblemList,
) -> Vec<(String, u16)> {
    let mut exposed: Vec<(String, u16)> = Vec::new();
    for (path, text) in pairs {
        let filled = fill(&text.value);
        let port = filled.parse().ok().filter(|port| *port > 0);
        let Some(port) = port else {
            let message = format!("`{filled}` is not a port");
            let help = "write a number from 1 to 65535";
            problems.add(Diagnostic::new(text.span, message).help(help));
            continue;
        };
        if exposed.iter().any(|(_, other)| *other == port) {
            let message = format!("the port {port} stands for another socket already");
            problems.add(Diagnostic::new(text.span, message));
        }
        exposed.push((path.value.to_owned(), port));
    }
    exposed
}

/// Complains about a socket of a node that is live: it has none.
pub(super) fn complain_about_live(node: &str, span: TextSpan, problems: &mut ProblemList) {
    let message = format!("the node `{node}` is live and has no UNIX socket");
    let help = "name the port at which it `listens`";
    problems.add(Diagnostic::new(span, message).help(help));
}

/// Gives a port to each socket that is named and has none, and puts it where the socket is named.
pub(super) fn give_ports(nodes: &mut [ScenarioNode]) {
    let mut wanted: Vec<(String, String)> = Vec::new();
    for node in nodes.iter() {
        let targets = node.forwards.iter().filter_map(|(_, target)| node_and_socket(target));
        wanted.extend(targets.map(|(node, path)| (node.to_owned(), path.to_owned())));
        for endpoint in node.live.iter().flat_map(|peer| &peer.endpoints) {
            if let PeerEndpoint::ConnectsToSocket { node, path } = endpoint {
                wanted.push((node.clone(), path.clone()));
            }
        }
    }
    for (name, path) in wanted {
        let Some(node) = nodes.iter_mut().find(|node| node.name == name) else { continue };
        if node.exposed_port(&path).is_none() {
            let is_free = |port: &u16| node.exposed.iter().all(|(_, taken)| taken != port);
            // Programs hardly ever ask for the last ones, and are never given one that they do not ask for.
            let port = (1..=u16::MAX).rev().find(is_free);
            node.exposed.extend(port.map(|port| (path, port)));
        }
    }
    let ports: Vec<(String, Vec<(String, u16)>)> =
        nodes.iter().map(|node| (node.name.clone(), node.exposed.clone())).collect();
    for (_, target) in nodes.iter_mut().flat_map(|node| &mut node.forwards) {
        let Some((name, path)) = node_and_socket(target) else { continue };
        let of_node = ports.iter().filter(|(node, _)| node == name).flat_map(|(_, ports)| ports);
        let port = { of_node }.find(|(exposed, _)| exposed == path).map(|(_, port)| *port);
        if let Some(port) = port {
            *target = format!("{name}:{port}");
        }
    }
}

impl ScenarioNode {
    /// The port that stands for a UNIX socket of the node.
    pub fn exposed_port(&self, path: &str) -> Option<u16> {
        let found = self.exposed.iter().find(|(exposed, _)| exposed == path);
        found.map(|(_, port)| *port)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    const NODES: &str = "[[node]]\nname = 'server'\nprogram = 's'\n\
                         [[node]]\nname = 'db'\nlive = { listens = 1 }\n\
                         [[node]]\nname = 'client'\nprogram = 'c'\n";

    fn parsed(client: &str) -> Result<crate::Scenario, String> {
        let text = format!("{NODES}{client}");
        crate::parse(&text, Path::new("a.toml")).map_err(|errors| errors.to_string())
    }

    #[test]
    fn a_socket_that_is_named_has_a_port() {
        let scenario = parsed(
            "forward = { '/a' = 'server:/run/b', '/c' = 'server:/run/b', '/d' = 'server:/e' }",
        );
        let scenario = scenario.unwrap();
        let exposed = [("/run/b".to_owned(), 65535), ("/e".to_owned(), 65534)];
        assert_eq!(scenario.nodes[0].exposed, exposed);
        let targets: Vec<&str> =
            scenario.nodes[2].forwards.iter().map(|(_, target)| &**target).collect();
        assert_eq!(targets, ["server:65535", "server:65535", "server:65534"]);
    }

    #[test]
    fn a_port_that_is_given_is_kept() {
        let scenario = parsed("expose = { '/a' = 80 }\nforward = { '/b' = 'client:/a' }").unwrap();
        assert_eq!(scenario.nodes[2].forwards, [("/b".to_owned(), "client:80".to_owned())]);
    }

    #[test]
    fn sockets_that_cannot_be_reached_are_told_of() {
        let cases = [
            ("forward = { '/a' = 'db:/run/b' }", "is live and has no UNIX socket"),
            ("forward = { '/a' = 'sever:/run/b' }", "there is no node `sever`"),
            ("expose = { '/a' = 0 }", "`0` is not a port"),
            ("expose = { '/a' = 5, '/b' = 5 }", "stands for another socket already"),
            ("expose = { 'a' = 5 }", "is not an absolute path"),
        ];
        for (client, message) in cases {
            let told = parsed(client).unwrap_err();
            assert!(told.contains(message), "{client}: {told}");
        }
    }
}
