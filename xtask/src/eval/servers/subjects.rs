//! What is explored: the programs, how they are started, and what is said to them.
//!
//! A server talks to `client.c`, a client to `answer.c`, and a tool reads what `feed.c` writes. All run in
//! the folder `site`, natively as in the engine, so that their arguments are the same.

use std::fmt::Write as _;

/// A program under test.
pub(super) struct Subject {
    pub(super) name: &'static str,
    pub(super) role: Role,
    /// Its executable, and the arguments. `@HOST@` stands for the other side's name.
    pub(super) program: &'static str,
    pub(super) args: &'static [&'static str],
    /// What is said to it, in the notation of `text.h`.
    pub(super) concrete: &'static str,
    /// The same with a `@` in the place of the symbolic characters. Of three characters in brackets behind
    /// it, as many are symbolic and the others stay.
    pub(super) symbolic: &'static str,
    /// What the network may do to it once.
    pub(super) mishap: Option<&'static str>,
}

/// How a program is spoken to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It listens at a port.
    Server { protocol: &'static str, port: u16 },
    /// It asks a server at a port.
    Client { port: u16 },
    /// It reads its standard input.
    Tool,
}

/// A run of a subject.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Variant {
    /// Symbolic characters in what is said.
    pub(super) characters: usize,
    /// Nodes of `client.c`, or of the client or tool under test.
    pub(super) clients: usize,
    /// Faults of the node under test, as a line of TOML.
    pub(super) faults: Option<&'static str>,
    /// Shows the answer, which is compared then. Otherwise nobody looks at its bytes.
    pub(super) prints: bool,
}

/// All of them, in the order of the table.
pub(super) const SUBJECTS: [Subject; 8] = [
    Subject {
        name: "redis",
        role: Role::Server { protocol: "tcp", port: 21001 },
        program: "redis-server",
        args: &["--port", "21001", "--save", "", "--protected-mode", "no", "--bind", "0.0.0.0"],
        concrete: r"PING\r\nSET key value\r\nGET key\r\n",
        symbolic: r"SET key @\r\nGET key\r\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "memcached",
        role: Role::Server { protocol: "tcp", port: 21002 },
        program: "memcached",
        args: &["-p", "21002", "-u", "root", "-m", "8", "-t", "1"],
        concrete: r"set key 0 0 5\r\nvalue\r\nget key\r\n",
        symbolic: r"get @\r\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "nginx",
        role: Role::Server { protocol: "tcp", port: 21003 },
        program: "nginx",
        args: &["-p", ".", "-e", "stderr", "-c", "nginx.conf"],
        concrete: r"GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        symbolic: r"GET /@ HTTP/1.0\r\n\r\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "lighttpd",
        role: Role::Server { protocol: "tcp", port: 21004 },
        program: "lighttpd",
        args: &["-D", "-f", "lighttpd.conf"],
        concrete: r"GET / HTTP/1.0\r\nHost: a\r\n\r\n",
        symbolic: r"GET /@ HTTP/1.0\r\n\r\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "dnsmasq",
        role: Role::Server { protocol: "udp", port: 21005 },
        program: "dnsmasq",
        args: &[
            "--no-daemon",
            "--port=21005",
            "--user=root",
            "--conf-file=/dev/null",
            "--pid-file",
            "--no-resolv",
            "--no-hosts",
            "--address=/everett.test/10.9.8.7",
        ],
        concrete: concat!(
            r"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00",
            r"\x07everett\x04test\x00\x00\x01\x00\x01"
        ),
        symbolic: concat!(
            r"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00",
            r"\x07@[eve]rett\x04test\x00\x00\x01\x00\x01"
        ),
        mishap: Some("lost-packet-count = 1"),
    },
    Subject {
        name: "curl",
        role: Role::Client { port: 21006 },
        program: "curl",
        args: &["--silent", "--include", "--max-time", "5", "http://@HOST@:21006/"],
        concrete: r"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n",
        symbolic: r"HTTP/1.0 200 OK\r\nContent-Length: @\r\n\r\nhello\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "wget",
        role: Role::Client { port: 21007 },
        program: "wget",
        args: &["--no-config", "-q", "--tries=1", "--timeout=5", "-O", "-", "http://@HOST@:21007/"],
        concrete: r"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n",
        symbolic: r"HTTP/1.0 200 OK\r\nContent-Length: @\r\n\r\nhello\n",
        mishap: Some("fragment-count = 1"),
    },
    Subject {
        name: "sqlite3",
        role: Role::Tool,
        program: "sqlite3",
        args: &["-batch", "-init", "/dev/null", ":memory:"],
        concrete: concat!(
            r"create table t(a, b);\ninsert into t values (1, 'x'), (2, 'y');\n",
            r"select sum(a), group_concat(b) from t;\n"
        ),
        symbolic: r"create table t(a);\nselect @a from t;\n",
        mishap: None,
    },
];

impl Subject {
    /// The text that is said, with its symbolic characters.
    fn text(&self, variant: Variant) -> String {
        let count = variant.characters;
        if count == 0 {
            return self.concrete.to_owned();
        }
        let (before, after) = self.symbolic.split_once('@').unwrap_or((self.symbolic, ""));
        let (kept, after) = match after.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((places, after)) => (&places[count..], after),
            None => ("", after),
        };
        [before, &r"\?".repeat(count), kept, after].concat()
    }

    /// The arguments of the program, where the other side is `host`.
    pub(super) fn arguments(&self, host: &str) -> Vec<String> {
        self.args.iter().map(|arg| arg.replace("@HOST@", host)).collect()
    }

    /// The command line of our program on the other side: its name and arguments.
    pub(super) fn other_side(&self, variant: Variant, host: &str) -> (&'static str, Vec<String>) {
        let text = self.text(variant);
        match self.role {
            Role::Server { protocol, port } => {
                let prints = if variant.prints { "print" } else { "drop" };
                let words = [protocol, prints, host, &port.to_string(), &text].map(str::to_owned);
                ("client", words.to_vec())
            }
            Role::Client { port } => ("answer", vec![port.to_string(), text]),
            Role::Tool => {
                let program = format!("../bin/{}", self.program);
                let words = [vec![text, program], self.arguments("")].concat();
                ("feed", words)
            }
        }
    }

    /// The scenario of a run. It is in the folder of the subject, with the executables in `../bin`.
    pub(super) fn scenario(&self, variant: Variant) -> String {
        let count = variant.clients;
        let (ours, ours_args) = self.other_side(variant, "server");
        let mut text = "[system]\nuser = \"root\"\n".to_owned();
        let faults = variant.faults;
        match self.role {
            Role::Server { .. } => {
                node(&mut text, "server", self.program, &self.arguments("server"));
                put_faults(&mut text, faults);
                node(&mut text, "client", ours, &ours_args);
                let _ = write!(text, "start = 1\ncount = {count}\n");
            }
            Role::Client { .. } => {
                node(&mut text, "server", ours, &ours_args);
                node(&mut text, "client", self.program, &self.arguments("server"));
                put_faults(&mut text, faults);
                let _ = write!(text, "start = 1\ncount = {count}\n");
            }
            Role::Tool => {
                node(&mut text, "client", ours, &ours_args);
                put_faults(&mut text, faults);
                let _ = writeln!(text, "count = {count}");
            }
        }
        text
    }
}

fn node(text: &mut String, name: &str, program: &str, args: &[String]) {
    let quoted: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
    let args = quoted.join(", ");
    let _ = write!(
        text,
        "\n[[node]]\nname = \"{name}\"\nprogram = \"../bin/{program}\"\nargs = [{args}]\n\
         mount = {{ \"/srv/site\" = \"site\", \"/srv/bin\" = \"../bin\" }}\ncwd = \"/srv/site\"\n"
    );
}

fn put_faults(text: &mut String, faults: Option<&str>) {
    if let Some(faults) = faults {
        let _ = writeln!(text, "faults = {{ {faults} }}");
    }
}

/// A string of TOML. Literal strings have no escapes, so that ours are left alone.
fn quoted(text: &str) -> String {
    if text.contains('\'') {
        format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_have_symbolic_characters_where_the_text_has_its_mark() {
        let variant =
            Variant { characters: 2, clients: 1, faults: Some("reset = 1"), prints: false };
        let scenario = SUBJECTS[0].scenario(variant);
        assert!(scenario.contains(r"'SET key \?\?\r\nGET key\r\n'"), "{scenario}");
        assert!(scenario.contains("faults = { reset = 1 }"), "{scenario}");
        assert!(SUBJECTS.iter().all(|subject| subject.symbolic.matches('@').count() == 1));
        let dnsmasq =
            SUBJECTS.iter().find(|subject| subject.name == "dnsmasq").expect("it is there");
        assert!(dnsmasq.text(variant).contains(r"\x07\?\?erett"), "{}", dnsmasq.text(variant));
    }

    #[test]
    fn strings_with_quotes_are_escaped() {
        assert_eq!(quoted(r"a\r"), r"'a\r'");
        assert_eq!(quoted(r#"it's "a\n""#), r#""it's \"a\\n\"""#);
    }
}
