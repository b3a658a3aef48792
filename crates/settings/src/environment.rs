//! The flags of `everett run` about the surroundings of the program: inputs, files, identity.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::ArgAction;
use everett_engine::{
    CommandArgument, ExposedSocket, Mount, NodeConfig, NodeIdentity, SocketForward, Stdin,
};
use everett_input::files;
use everett_input::units::parse_size;

use crate::error::{Result, SettingsError};

/// Largest symbolic input that a flag may ask for.
const MAX_INPUT_BYTES: u32 = 1 << 24;

/// The longest path of a UNIX socket, see unix(7).
const SOCKET_PATH_BYTES: usize = 107;

/// The surroundings of the program.
#[derive(clap::Args)]
pub(crate) struct EnvironmentOptions {
    /// Append an argument of up to N symbolic bytes; may be given several times
    #[arg(long, value_name = "N")]
    sym_arg: Vec<u32>,
    /// Append between MIN and MAX arguments of up to N symbolic bytes each; may be given several times
    #[arg(long, value_names = ["MIN", "MAX", "N"], num_args = 3)]
    sym_args: Vec<u32>,
    /// Standard input is N symbolic bytes
    #[arg(long, value_name = "N", conflicts_with = "stdin")]
    sym_stdin: Option<u32>,
    /// Standard input is the content of this file [default: empty]
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// Add a file of N symbolic bytes; a relative path is in the working directory; may be given
    /// several times
    #[arg(long, value_name = "PATH=N")]
    sym_file: Vec<OsString>,
    /// Add COUNT files of N symbolic bytes, called A, B, C, ...
    #[arg(long, value_names = ["COUNT", "N"], num_args = 2, action = ArgAction::Set)]
    sym_files: Vec<u32>,
    /// Let random numbers of the kernel be symbolic
    #[arg(long)]
    sym_random: bool,
    /// Let rand, random, drand48 and their relatives give any number of their range
    #[arg(long)]
    sym_rand: bool,
    /// Let the times that clocks tell be symbolic; they never run backwards
    #[arg(long)]
    sym_time: bool,

    /// Add a variable to the program's environment, which is empty otherwise
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<OsString>,
    /// Show a file or folder of the host to the program; its changes stay in the simulation
    #[arg(long, value_name = "HOST:GUEST")]
    mount: Vec<OsString>,
    /// Let connections to a UNIX socket lead to a TCP port of another node; may be given several times
    #[arg(long, value_name = "PATH=NODE:PORT")]
    forward: Vec<OsString>,
    /// Let connections of other nodes to a TCP port lead to a UNIX socket; may be given several times
    #[arg(long, value_name = "PATH=PORT")]
    expose: Vec<OsString>,
    /// Working directory of the program
    #[arg(long, value_name = "DIR", default_value = "/home/user")]
    cwd: OsString,
    /// User and group that the program runs as
    #[arg(long, value_name = "UID[:GID]", default_value = "1000", value_parser = parse_user)]
    user: (u32, u32),
    /// Name of the simulated host
    #[arg(long, value_name = "NAME", default_value = "node0")]
    hostname: String,
    /// Bytes that a socket holds in each direction before its writer has to wait
    #[arg(long, value_name = "SIZE", default_value = "208K", value_parser = parse_size)]
    socket_buffer: u64,
    /// Explore orders of threads with up to N preemptions along a path; 'all' is every order that a
    /// program can tell apart
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse_preemptions)]
    preempt: u32,
    /// With '--preempt all': 'on' explores orders that no thread can tell apart once, 'off' explores each
    #[arg(
        long, value_name = "on|off", default_value = "on", action = clap::ArgAction::Set,
        value_parser = on_or_off()
    )]
    reduction: bool,
}

impl EnvironmentOptions {
    /// Fills in what the flags say.
    pub(crate) fn apply(&self, node: &mut NodeConfig) -> Result<()> {
        self.check_variables()?;
        node.envp = self.env.iter().map(|variable| variable.as_bytes().to_vec()).collect();
        node.more_args = self.arguments()?;
        node.stdin = self.standard_input()?;
        node.symbolic_files = self.files()?;
        node.mounts = self.mount.iter().map(|text| mount(text)).collect::<Result<_>>()?;
        let cwd = self.cwd.as_bytes();
        if !cwd.starts_with(b"/") {
            let problem = "name an absolute path";
            return Err(SettingsError::value("cwd", self.cwd.display(), problem));
        }
        let kernel = &mut node.kernel;
        kernel.cwd = cwd.to_vec();
        kernel.identity = NodeIdentity { uid: self.user.0, gid: self.user.1 };
        kernel.hostname.clone_from(&self.hostname);
        kernel.preemptions = self.preempt;
        kernel.reduces_orders = self.reduction;
        kernel.socket_buffer = u32::try_from(self.socket_buffer.max(1)).unwrap_or(u32::MAX);
        kernel.symbolic_random = self.sym_random;
        kernel.symbolic_draws = self.sym_rand;
        kernel.symbolic_clocks = self.sym_time;
        kernel.forwards = self.forwards()?;
        kernel.exposed = self.exposed()?;
        Ok(())
    }

    fn forwards(&self) -> Result<Vec<SocketForward>> {
        let mut forwards: Vec<SocketForward> = Vec::new();
        for text in &self.forward {
            let new = forward(text)?;
            if forwards.iter().any(|other| other.path == new.path) {
                let path = OsStr::from_bytes(&new.path).display();
                let problem = format!("{path} is given twice; leave out one of the two");
                return Err(SettingsError::value("forward", text.display(), problem));
            }
            forwards.push(new);
        }
        Ok(forwards)
    }

    fn exposed(&self) -> Result<Vec<ExposedSocket>> {
        let mut exposed: Vec<ExposedSocket> = Vec::new();
        for text in &self.expose {
            let new = expose(text)?;
            if exposed.iter().any(|other| other.path == new.path || other.port == new.port) {
                let problem = "its path or its port is given twice; leave out one of the two";
                return Err(SettingsError::value("expose", text.display(), problem));
            }
            exposed.push(new);
        }
        Ok(exposed)
    }

    /// The names of the environment variables that are set.
    pub(crate) fn variable_names(&self) -> Vec<Vec<u8>> {
        let name = |variable: &OsString| {
            let bytes = variable.as_bytes();
            let end = bytes.iter().position(|byte| *byte == b'=').unwrap_or(bytes.len());
            bytes[..end].to_vec()
        };
        self.env.iter().map(name).collect()
    }

    /// Refuses what is no variable, and a second value of the same one: programs see only the first.
    fn check_variables(&self) -> Result<()> {
        let mut names: Vec<&[u8]> = Vec::new();
        for variable in &self.env {
            let bytes = variable.as_bytes();
            let Some(at) = bytes.iter().position(|byte| *byte == b'=') else {
                return Err(SettingsError::value("env", variable.display(), "write NAME=VALUE"));
            };
            let name = &bytes[..at];
            if names.contains(&name) {
                let name = OsStr::from_bytes(name).display();
                let problem = format!("{name} is set twice; leave out one of the two");
                return Err(SettingsError::value("env", variable.display(), problem));
            }
            names.push(name);
        }
        Ok(())
    }

    fn arguments(&self) -> Result<Vec<CommandArgument>> {
        let single = self.sym_arg.iter().map(|size| CommandArgument::Symbolic(*size));
        let mut arguments: Vec<CommandArgument> = single.collect();
        for triple in self.sym_args.chunks(3) {
            let [min, max, size] = triple else {
                return Err(SettingsError::value("sym-args", "", "give MIN, MAX and N"));
            };
            if min > max {
                let values = format!("{min} {max} {size}");
                return Err(SettingsError::value("sym-args", values, "MIN is more than MAX"));
            }
            arguments.push(CommandArgument::SymbolicMany { min: *min, max: *max, size: *size });
        }
        Ok(arguments)
    }

    fn standard_input(&self) -> Result<Stdin> {
        if let Some(size) = self.sym_stdin {
            return Ok(Stdin::Symbolic(check_size("sym-stdin", size)?));
        }
        let Some(file) = &self.stdin else { return Ok(Stdin::Empty) };
        let bytes = files::read(file)
            .map_err(|source| SettingsError::Read { path: file.clone(), source })?;
        Ok(Stdin::Known(bytes))
    }

    fn files(&self) -> Result<Vec<(Vec<u8>, u32)>> {
        let mut files = Vec::new();
        for text in &self.sym_file {
            let wrong = || SettingsError::value("sym-file", text.display(), "write PATH=N");
            let bytes = text.as_bytes();
            let at = bytes.iter().rposition(|byte| *byte == b'=').ok_or_else(wrong)?;
            let size = std::str::from_utf8(&bytes[at + 1..]).ok().and_then(|n| n.parse().ok());
            let size = check_size("sym-file", size.ok_or_else(wrong)?)?;
            files.push((bytes[..at].to_vec(), size));
        }
        if !self.sym_files.is_empty() {
            let [count, size] = self.sym_files[..] else {
                return Err(SettingsError::value("sym-files", "", "give COUNT and N"));
            };
            if count > 26 {
                let values = format!("{count} {size}");
                let problem = "there are names for 26 files";
                return Err(SettingsError::value("sym-files", values, problem));
            }
            let size = check_size("sym-files", size)?;
            files.extend((b'A'..).take(count as usize).map(|name| (vec![name], size)));
        }
        Ok(files)
    }
}

fn check_size(name: &'static str, size: u32) -> Result<u32> {
    if size > MAX_INPUT_BYTES {
        let problem = format!("{size} bytes are too many, the most is {MAX_INPUT_BYTES}");
        return Err(SettingsError::value(name, "", problem));
    }
    Ok(size)
}

fn mount(text: &OsStr) -> Result<Mount> {
    let bytes = text.as_bytes();
    let problem = "write HOST:GUEST, GUEST absolute";
    let wrong = || SettingsError::value("mount", text.display(), problem);
    let at = bytes.iter().rposition(|byte| *byte == b':').ok_or_else(wrong)?;
    let (host, guest) = (&bytes[..at], &bytes[at + 1..]);
    if host.is_empty() || !guest.starts_with(b"/") {
        return Err(wrong());
    }
    let host = PathBuf::from(OsStr::from_bytes(host));
    match everett_input::host::canonical(&host) {
        Ok(host) => Ok(Mount { host, guest: guest.to_vec() }),
        Err(source) => Err(SettingsError::Mount { path: host, source }),
    }
}

fn forward(text: &OsStr) -> Result<SocketForward> {
    let problem = "write PATH=NODE:PORT, PATH absolute";
    let wrong = || SettingsError::value("forward", text.display(), problem);
    let bytes = text.as_bytes();
    let at = bytes.iter().rposition(|byte| *byte == b'=').ok_or_else(wrong)?;
    let (path, target) = (&bytes[..at], std::str::from_utf8(&bytes[at + 1..]));
    let (node, port) = target.ok().and_then(|to| to.rsplit_once(':')).ok_or_else(wrong)?;
    let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?;
    if !is_socket_path(path) || node.is_empty() {
        return Err(wrong());
    }
    Ok(SocketForward { path: path.to_vec(), node: node.to_owned(), port })
}

fn expose(text: &OsStr) -> Result<ExposedSocket> {
    let wrong = || SettingsError::value("expose", text.display(), "write PATH=PORT, PATH absolute");
    let bytes = text.as_bytes();
    let at = bytes.iter().rposition(|byte| *byte == b'=').ok_or_else(wrong)?;
    let (path, port) = (&bytes[..at], std::str::from_utf8(&bytes[at + 1..]));
    let port = port.ok().and_then(|port| port.parse().ok()).filter(|port| *port > 0);
    match port {
        Some(port) if is_socket_path(path) => Ok(ExposedSocket { path: path.to_vec(), port }),
        _ => Err(wrong()),
    }
}

fn is_socket_path(path: &[u8]) -> bool {
    path.starts_with(b"/") && path.len() <= SOCKET_PATH_BYTES
}

/// A user and a group: `1000`, `0:0`, `root`.
fn parse_user(text: &str) -> std::result::Result<(u32, u32), String> {
    if text == "root" {
        return Ok((0, 0));
    }
    let wrong = |_| "write UID, UID:GID or root".to_owned();
    let (uid, gid) = text.split_once(':').unwrap_or((text, text));
    Ok((uid.parse().map_err(wrong)?, gid.parse().map_err(wrong)?))
}

/// Reads the number of preemptions.
fn parse_preemptions(text: &str) -> std::result::Result<u32, String> {
    match text {
        "all" => Ok(u32::MAX),
        text => text.parse().map_err(|_| "'all' or a number is expected".to_owned()),
    }
}

/// Reads `on` or `off`.
fn on_or_off() -> impl clap::builder::TypedValueParser<Value = bool> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(["on", "off"]).map(|text| text == "on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_numbers_or_root() {
        assert_eq!(parse_user("root"), Ok((0, 0)));
        assert_eq!(parse_user("7"), Ok((7, 7)));
        assert_eq!(parse_user("7:8"), Ok((7, 8)));
        assert!(parse_user("me").is_err());
    }

    #[test]
    fn a_forward_names_a_path_and_a_port() {
        let forward = |text: &str| forward(OsStr::new(text)).map_err(|error| error.to_string());
        let expected = (b"/run/a=b".to_vec(), "db".to_owned(), 6379);
        let parts = |forward: SocketForward| (forward.path, forward.node, forward.port);
        assert_eq!(forward("/run/a=b=db:6379").map(parts), Ok(expected));
        for wrong in ["run/a=db:1", "/run/a", "/run/a=db", "/run/a=db:0", "/run/a=:1"] {
            assert!(forward(wrong).unwrap_err().contains("PATH=NODE:PORT"), "{wrong}");
        }
    }

    #[test]
    fn an_exposed_socket_has_a_path_and_a_port() {
        let expose = |text: &str| expose(OsStr::new(text)).map_err(|error| error.to_string());
        let expected = ExposedSocket { path: b"/run/a=b".to_vec(), port: 80 };
        assert_eq!(expose("/run/a=b=80"), Ok(expected));
        for wrong in ["run/a=1", "/run/a", "/run/a=0", "/run/a=70000", "=1"] {
            assert!(expose(wrong).unwrap_err().contains("PATH=PORT"), "{wrong}");
        }
    }

    #[test]
    fn mounts_name_two_places() {
        assert_eq!(mount(OsStr::new("/:/host")).unwrap().guest, b"/host");
        assert!(mount(OsStr::new("/tmp")).unwrap_err().to_string().contains("HOST:GUEST"));
        assert!(mount(OsStr::new("/nowhere-at-all:/x")).is_err());
    }
}
