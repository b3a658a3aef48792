//! [`SystemAround`]: the system in which a sender is explored that is a program alone.
//!
//! The hosts that the trace sends to are nodes. Their program opens the ports of the trace and waits for
//! ever: so datagrams and connections arrive, and nothing is answered.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr};

use anyhow::{Context, Result, bail};
use everett_settings::RunOptions;
use everett_traffic::TraceMessage;
use tempfile::TempDir;

/// Hosts that the trace may send to.
const HOSTS_MAX: usize = 64;
/// Ports of one host that are opened.
const PORTS_MAX: usize = 256;
/// The name of the sender in the system.
const SENDER: &str = "sender";

/// A scenario that holds a program and the hosts that it sends to.
pub(crate) struct SystemAround {
    folder: TempDir,
}

impl SystemAround {
    /// Writes the scenario into a folder of its own.
    pub(crate) fn new(options: &RunOptions, messages: &[TraceMessage]) -> Result<SystemAround> {
        let mut hosts: BTreeMap<Ipv4Addr, BTreeSet<u16>> = BTreeMap::new();
        let mut sources = BTreeSet::new();
        for message in messages {
            let ends = (message.source.ip(), message.destination.ip());
            let (IpAddr::V4(source), IpAddr::V4(destination)) = ends else {
                bail!("{}", advice("the trace has messages of IPv6"));
            };
            if source.is_loopback() || destination.is_loopback() {
                bail!("{}", advice("the trace was recorded on a loopback interface"));
            }
            let is_host = |address: Ipv4Addr| {
                !address.is_unspecified() && !address.is_broadcast() && !address.is_multicast()
            };
            if !is_host(source) || !is_host(destination) {
                bail!("{}", advice("the trace has messages that are not from one host to another"));
            }
            sources.insert(source);
            hosts.entry(destination).or_default().insert(message.destination.port());
        }
        let Some(&source) = sources.first().filter(|_| sources.len() == 1) else {
            let several = sources.iter().map(Ipv4Addr::to_string).collect::<Vec<_>>().join(", ");
            bail!("several hosts send: {several}; choose one with --from");
        };
        if hosts.len() > HOSTS_MAX || hosts.values().any(|ports| ports.len() > PORTS_MAX) {
            bail!("{}", advice("the trace has too many receivers"));
        }
        let folder = tempfile::tempdir().context("cannot make a folder for a scenario")?;
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
        };
        let program = std::path::absolute(&options.program)?;
        let program = program.to_str().context("the name of the program is to be UTF-8")?;
        let arguments = options.args.iter().map(|word| word.to_str().map(quoted));
        let arguments: Option<Vec<String>> = arguments.collect();
        let arguments = arguments.context("arguments of the program are to be UTF-8")?.join(", ");
        let mut text = String::new();
        for (number, (address, ports)) in (1..).zip(&hosts) {
            write(&format!("host{number}.ll"), &open_ports(ports))?;
            let _ = writeln!(
                text,
                "[[node]]\nname = \"host{number}\"\nprogram = \"host{number}.ll\"\n\
                 address = \"{address}\"\nserver = true\n"
            );
        }
        let subnet = subnet(hosts.keys().copied().chain([source]));
        let _ = writeln!(
            text,
            "[[node]]\nname = \"{SENDER}\"\nprogram = {}\nargs = [{arguments}]\n\
             address = \"{source}\"\nstart = 1\n\n[network.net0]\nsubnet = \"{subnet}\"",
            quoted(program)
        );
        write("system.toml", &text)?;
        Ok(SystemAround { folder })
    }

    /// The name of the sender.
    pub(crate) fn sender(&self) -> &'static str {
        SENDER
    }

    /// The words of `everett run` that explore the system instead of the program.
    pub(crate) fn words(&self, words: &[OsString], options: &RunOptions) -> Vec<OsString> {
        let words = words.iter().take_while(|word| *word != "--");
        let replaced = words.map(|word| match *word == options.program.as_os_str() {
            true => self.folder.path().join("system.toml").into_os_string(),
            false => word.clone(),
        });
        replaced.collect()
    }
}

fn advice(reason: &str) -> String {
    format!(
        "{reason}, and a program alone cannot be explored with these; write a scenario, and name it with \
         --sender SYSTEM.toml --node NODE"
    )
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}

/// The smallest network that has all addresses, and room for those of the network itself.
fn subnet(addresses: impl Iterator<Item = Ipv4Addr>) -> String {
    let all: Vec<u32> = addresses.map(u32::from).collect();
    let fits = |length: &u32| {
        let host_bits = u32::MAX >> length;
        let first = all[0] & !host_bits;
        let is_host = |address: u32| address & host_bits != 0 && address & host_bits != host_bits;
        all.iter().all(|&address| address & !host_bits == first && is_host(address))
    };
    let length = (1..=30).rev().find(fits).unwrap_or(0);
    let host_bits = u32::MAX.checked_shr(length).unwrap_or(0);
    format!("{}/{length}", Ipv4Addr::from(all[0] & !host_bits))
}

/// A program that opens UDP and TCP ports, and waits for ever.
fn open_ports(ports: &BTreeSet<u16>) -> String {
    let mut text =
        "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-\
                    n8:16:32:64-S128\"\n\
                    target triple = \"x86_64-pc-linux-gnu\"\n\
                    declare i32 @socket(i32, i32, i32)\n\
                    declare i32 @bind(i32, ptr, i32)\n\
                    declare i32 @listen(i32, i32)\n\
                    declare i32 @pause()\n"
            .to_owned();
    for port in ports {
        let [high, low] = port.to_be_bytes();
        // A `struct sockaddr_in`: family 2, the port, any address.
        let zeros = "\\00".repeat(12);
        let _ = writeln!(
            text,
            "@port{port} = constant [16 x i8] c\"\\02\\00\\{high:02X}\\{low:02X}{zeros}\""
        );
    }
    text.push_str("define i32 @main() {\n");
    for port in ports {
        for (kind, name) in [(2, "u"), (1, "t")] {
            let socket = format!("%{name}{port}");
            let _ = writeln!(text, "  {socket} = call i32 @socket(i32 2, i32 {kind}, i32 0)");
            let _ = writeln!(text, "  call i32 @bind(i32 {socket}, ptr @port{port}, i32 16)");
        }
        let _ = writeln!(text, "  call i32 @listen(i32 %t{port}, i32 128)");
    }
    text + "  br label %wait\nwait:\n  call i32 @pause()\n  br label %wait\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_network_has_room_for_all_hosts() {
        let of = |texts: &[&str]| {
            subnet(texts.iter().map(|text| text.parse::<Ipv4Addr>().expect("this is an address")))
        };
        assert_eq!(of(&["10.0.0.1", "10.0.0.2"]), "10.0.0.0/30");
        assert_eq!(of(&["10.0.0.1", "10.0.0.3"]), "10.0.0.0/29");
        assert_eq!(of(&["10.0.0.4"]), "10.0.0.0/29");
        assert_eq!(of(&["10.0.1.1", "10.1.0.2"]), "10.0.0.0/15");
    }

    #[test]
    fn texts_are_quoted_for_toml() {
        assert_eq!(quoted("a \"b\" \\ \n"), r#""a \"b\" \\ \u000a""#);
    }
}
