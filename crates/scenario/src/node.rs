//! The nodes of a scenario: `[[node]]`, one of them for each node or, with `count`, for several.

use std::path::{Path, PathBuf};

use everett_net::HostSpec;

use super::diagnostic::{Diagnostic, TextSpan};
use super::expose;
use super::fields::{ElementContent, ProblemList, Spanned, TableFields, span_of};
use super::files::{FileChecker, FileUse};
use super::flags::{self, FlagTable};
use super::live::{self, ScenarioPeer};
use super::network::{Attachment, TopologyParts};
use super::{NodeMount, ScenarioNode, ScenarioSetting};

const KEYS: [&str; 22] = [
    "name",
    "program",
    "live",
    "args",
    "env",
    "mount",
    "forward",
    "expose",
    "cwd",
    "stdin",
    "files",
    "start",
    "start-after",
    "count",
    "server",
    "hostname",
    "address",
    "interfaces",
    "routes",
    "inputs",
    "orders",
    "faults",
];

/// The most nodes of a scenario.
const MOST: u32 = 10_000;
const SYM_STDIN: &str = "sym-stdin";

/// A node whose files have not been looked at.
pub(super) struct NodeDraft {
    node: ScenarioNode,
    program: TextSpan,
    live: TextSpan,
    mounts: Vec<TextSpan>,
    forwards: Vec<TextSpan>,
    stdin: Option<TextSpan>,
}

/// One table as it stands in the file.
struct NodeTable<'a> {
    name: Spanned<&'a str>,
    hostname: Option<Spanned<&'a str>>,
    /// There is none if the node is live.
    program: Option<Spanned<&'a str>>,
    live: Option<ScenarioPeer>,
    live_span: TextSpan,
    args: Vec<Spanned<&'a str>>,
    env: Vec<(Spanned<&'a str>, Spanned<String>)>,
    mount: Vec<(Spanned<&'a str>, Spanned<String>)>,
    forward: Vec<(Spanned<&'a str>, Spanned<String>)>,
    expose: Vec<(Spanned<&'a str>, Spanned<String>)>,
    files: Vec<(Spanned<&'a str>, Spanned<String>)>,
    cwd: Option<Spanned<&'a str>>,
    stdin: Option<Spanned<&'a str>>,
    start: u32,
    /// One for all nodes, or one for each; in nanoseconds.
    start_after: Vec<Spanned<u64>>,
    count: Option<u32>,
    server: Option<bool>,
    inputs: Vec<ScenarioSetting>,
    orders: Vec<ScenarioSetting>,
    faults: Vec<ScenarioSetting>,
}

/// Reads all nodes, and adds them to the parts of the topology.
pub(super) fn nodes(
    root: &TableFields<'_>,
    flags: &FlagTable,
    folder: &Path,
    parts: &mut TopologyParts,
    problems: &mut ProblemList,
) -> Vec<NodeDraft> {
    let mut drafts = Vec::new();
    for element in root.list("node", problems) {
        let ElementContent::Table(table) = element.content else {
            problems.add(Diagnostic::new(element.span, "expected a table [[node]]"));
            continue;
        };
        let fields = TableFields::new(table, element.span, "a node", &KEYS, problems);
        let attachment = Attachment::read(&fields, problems);
        let Some(form) = NodeTable::read(&fields, flags, folder, problems) else { continue };
        let count = form.count.unwrap_or(1);
        if drafts.len() + count as usize > MOST as usize {
            let message = format!("a scenario has at most {MOST} nodes");
            problems.add(Diagnostic::new(form.name.span, message));
            break;
        }
        for number in 1..=count {
            let draft = form.draft(number, folder, problems);
            let host = HostSpec {
                name: draft.node.name.clone(),
                hostname: Some(draft.node.hostname.clone()),
                ..HostSpec::default()
            };
            let hostname = form.hostname.as_ref().map(|hostname| hostname.span);
            parts.node(host, (form.name.span, hostname), &attachment, number - 1);
            drafts.push(draft);
        }
    }
    drafts
}

impl<'a> NodeTable<'a> {
    fn read(
        fields: &TableFields<'a>,
        flags: &FlagTable,
        folder: &Path,
        problems: &mut ProblemList,
    ) -> Option<NodeTable<'a>> {
        let name = fields.needed("name", "a node", problems);
        let live = live::read(fields, folder, problems);
        let is_live = fields.entry("live").is_some();
        let program = match is_live {
            true => fields.text("program", problems),
            false => fields.needed("program", "a node", problems),
        };
        let form = NodeTable {
            hostname: fields.text("hostname", problems),
            args: fields.texts("args", problems),
            env: fields.pairs("env", problems),
            mount: fields.pairs("mount", problems),
            forward: fields.pairs("forward", problems),
            expose: fields.pairs("expose", problems),
            files: fields.pairs("files", problems),
            cwd: fields.text("cwd", problems),
            stdin: fields.text("stdin", problems),
            start: fields.number("start", 0..=u32::MAX, problems).map_or(0, |start| start.value),
            start_after: fields.times("start-after", problems),
            count: fields.number("count", 1..=MOST, problems).map(|count| count.value),
            server: fields.truth("server", problems),
            inputs: flags.of_node(flags::INPUTS, fields, folder, problems),
            orders: flags.of_node(flags::ORDERS, fields, folder, problems),
            faults: flags.of_node(flags::FAULTS, fields, folder, problems),
            live_span: fields
                .entry("live")
                .map_or(TextSpan::default(), |(key, item)| span_of(key, item)),
            live,
            name: name?,
            program,
        };
        if !is_live && form.program.is_none() {
            return None;
        }
        form.check(problems);
        Some(form)
    }

    fn check(&self, problems: &mut ProblemList) {
        let absolute = |guest: &Spanned<&str>, what: &str, problems: &mut ProblemList| {
            if !guest.value.starts_with('/') {
                let message = format!("{what} `{}` is not an absolute path", guest.value);
                let help = format!("write `/{}`", guest.value);
                problems.add(Diagnostic::new(guest.span, message).help(help));
            }
        };
        for (guest, _) in &self.mount {
            absolute(guest, "the place of the mount", problems);
        }
        for (path, _) in self.forward.iter().chain(&self.expose) {
            absolute(path, "the UNIX socket", problems);
        }
        if let Some(cwd) = &self.cwd {
            absolute(cwd, "the working directory", problems);
        }
        for (name, _) in &self.env {
            if name.value.is_empty() || name.value.contains('=') {
                let message = format!("`{}` is not the name of a variable", name.value);
                problems.add(Diagnostic::new(name.span, message));
            }
        }
        for (guest, _) in self.files.iter().filter(|(guest, _)| guest.value.is_empty()) {
            problems.add(Diagnostic::new(guest.span, "a file needs a name"));
        }
        self.check_start(problems);
        if let (Some(_), Some(program)) = (&self.live, &self.program) {
            let message = "a node has either a `program` or a peer that is `live`";
            problems.add(Diagnostic::new(program.span, message).help("leave out one of them"));
        }
        let symbolic = self.inputs.iter().any(|setting| setting.flag == SYM_STDIN);
        if let (Some(stdin), true) = (&self.stdin, symbolic) {
            let message = format!("the standard input is given here and by `{SYM_STDIN}`");
            problems.add(Diagnostic::new(stdin.span, message).help("leave out one of them"));
        }
    }

    /// The time at which the node with this number begins.
    fn start_after_of(&self, number: u32) -> u64 {
        match &self.start_after[..] {
            [] => 0,
            [all] => all.value,
            each => each.get(number as usize - 1).map_or(0, |time| time.value),
        }
    }

    /// Complains about times to begin at that do not fit the nodes.
    fn check_start(&self, problems: &mut ProblemList) {
        let count = self.count.unwrap_or(1) as usize;
        let Some(first) = self.start_after.first() else { return };
        let times = self.start_after.len();
        if times > 1 && times != count {
            let message = format!("`start-after` has {times} times for {count} nodes");
            let help = "write one time for all nodes, or one for each";
            problems.add(Diagnostic::new(first.span, message).help(help));
        }
        if self.start > 0 {
            let message = "a node has either a `start` or a `start-after`";
            let help = "leave out `start`: nodes that begin later begin behind all others";
            problems.add(Diagnostic::new(first.span, message).help(help));
        }
    }

    /// The node with this number among those that the table stands for.
    fn draft(&self, number: u32, folder: &Path, problems: &mut ProblemList) -> NodeDraft {
        let name = match self.count {
            None => self.name.value.to_owned(),
            Some(_) => format!("{}{number}", self.name.value),
        };
        let fill = |text: &str| match self.count {
            None => text.to_owned(),
            Some(count) => fill_placeholders(text, number, count, &name),
        };
        if self.name.value.is_empty() {
            problems.add(Diagnostic::new(self.name.span, "a node needs a name"));
        }
        let pairs = |pairs: &[(Spanned<&str>, Spanned<String>)]| -> Vec<(String, String)> {
            pairs.iter().map(|(left, right)| (left.value.to_owned(), fill(&right.value))).collect()
        };
        let mounts = pairs(&self.mount).into_iter();
        let exposed = expose::read(&self.expose, fill, problems);
        NodeDraft {
            program: self.program.as_ref().map_or(TextSpan::default(), |program| program.span),
            live: self.live_span,
            mounts: self.mount.iter().map(|(_, host)| host.span).collect(),
            forwards: self.forward.iter().map(|(_, target)| target.span).collect(),
            stdin: self.stdin.as_ref().map(|stdin| stdin.span),
            node: ScenarioNode {
                hostname: match &self.hostname {
                    Some(hostname) => fill(hostname.value),
                    None => name.clone(),
                },
                program: self
                    .program
                    .as_ref()
                    .map_or(PathBuf::new(), |program| folder.join(program.value)),
                live: self.live.clone().map(|peer| peer.filled(fill)),
                args: self.args.iter().map(|arg| fill(arg.value)).collect(),
                env: pairs(&self.env),
                mounts: mounts
                    .map(|(guest, host)| NodeMount { guest, host: folder.join(host) })
                    .collect(),
                forwards: pairs(&self.forward),
                exposed,
                files: pairs(&self.files),
                cwd: self.cwd.as_ref().map(|cwd| fill(cwd.value)),
                stdin: self.stdin.as_ref().map(|stdin| folder.join(fill(stdin.value))),
                start: self.start,
                start_after_ns: self.start_after_of(number),
                server: self.server,
                inputs: self.inputs.clone(),
                orders: self.orders.clone(),
                faults: self.faults.clone(),
                name,
            },
        }
    }
}

/// Puts in the number of the node, how many there are, and its name. Other braces stay.
fn fill_placeholders(text: &str, number: u32, count: u32, name: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let words =
            [("{i}", number.to_string()), ("{n}", count.to_string()), ("{name}", name.to_owned())];
        match words.iter().find(|(word, _)| rest.starts_with(word)) {
            Some((word, value)) => {
                filled.push_str(value);
                rest = &rest[word.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled.push_str(rest);
    filled
}

impl NodeDraft {
    /// Complains about nodes that its peer or its UNIX sockets lead to and that are not there, and about
    /// sockets of nodes that are live.
    pub(super) fn check_targets(&self, names: &[&str], live: &[&str], problems: &mut ProblemList) {
        for ((_, target), span) in self.node.forwards.iter().zip(&self.forwards) {
            let socket = expose::node_and_socket(target).map(|(node, _)| node);
            let node = live::node_and_port(target).map(|(node, _)| node).or(socket);
            match node {
                Some(node) if socket.is_some() && live.contains(&node) => {
                    expose::complain_about_live(node, *span, problems);
                }
                Some(node) if names.contains(&node) => {}
                Some(node) => live::complain_about_node(node, names, *span, problems),
                None => {
                    let message = format!("`{target}` is not a node and its port or UNIX socket");
                    let help = "write them such as `server:80` or `server:/run/socket`";
                    problems.add(Diagnostic::new(*span, message).help(help));
                }
            }
        }
        if let Some(peer) = &self.node.live {
            peer.check_nodes(names, live, self.live, problems);
        }
    }

    /// True if it stands for a peer.
    pub(super) fn is_live(&self) -> bool {
        self.node.live.is_some()
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.node.name
    }

    /// The node with the inputs that all nodes have, once its files have been looked at.
    pub(super) fn finish(
        self,
        common: &[ScenarioSetting],
        checker: &mut FileChecker,
        problems: &mut ProblemList,
    ) -> ScenarioNode {
        let NodeDraft { mut node, program, live: _, mounts, forwards: _, stdin } = self;
        let mut check = |what: FileUse, path: &PathBuf, span: TextSpan| {
            checker.check(what, &Spanned { value: path.clone(), span }, problems);
        };
        if node.live.is_none() {
            check(FileUse::Program, &node.program, program);
        }
        for (mount, span) in node.mounts.iter().zip(mounts) {
            check(FileUse::Mount, &mount.host, span);
        }
        if let (Some(path), Some(span)) = (&node.stdin, stdin) {
            check(FileUse::Stdin, path, span);
        }
        for setting in common {
            let own = node.inputs.iter().any(|own| own.flag == setting.flag);
            let other_stdin = setting.flag == SYM_STDIN && node.stdin.is_some();
            if !own && !other_stdin {
                node.inputs.push(setting.clone());
            }
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_in_and_other_braces_stay() {
        let fill = |text: &str| fill_placeholders(text, 2, 5, "peer2");
        assert_eq!(fill("--id={i}/{n} {name}"), "--id=2/5 peer2");
        assert_eq!(fill("{\"a\": {x}}{{i}"), "{\"a\": {x}}{2");
        assert_eq!(fill("{"), "{");
    }
}
