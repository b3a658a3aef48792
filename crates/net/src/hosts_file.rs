//! `/etc/hosts` as a host sees it: a line for every address of every host.
//!
//! Programs take the first line with a name, so the lines of a host with several addresses begin with
//! those on a network of the reader, its primary address first among equals.

use std::fmt::Write;
use std::net::IpAddr;

use crate::{Host, HostId, Topology};

/// The lines of the loopback addresses.
const LOCALHOST: &str = "127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n";

impl Topology {
    /// The contents of `/etc/hosts` on a host: `localhost`, itself, and then all others.
    pub fn hosts_file(&self, of: HostId) -> String {
        let reader = self.host(of);
        let mut text = String::from(LOCALHOST);
        lines(&mut text, reader, reader);
        for (id, host) in self.hosts.iter().enumerate() {
            if id != of.index() {
                lines(&mut text, reader, host);
            }
        }
        text
    }

    /// The address by which one host finds another one.
    pub fn address_seen(&self, by: HostId, of: HostId) -> IpAddr {
        let (reader, host) = (self.host(by), self.host(of));
        nearest_first(reader, host).first().copied().unwrap_or_else(|| host.address())
    }
}

fn lines(text: &mut String, reader: &Host, host: &Host) {
    let Host { name, hostname, .. } = host;
    for address in nearest_first(reader, host) {
        let written = match name == hostname {
            true => writeln!(text, "{address}\t{name}"),
            false => writeln!(text, "{address}\t{hostname} {name}"),
        };
        written.expect("writing to a string does not fail");
    }
}

fn nearest_first(reader: &Host, host: &Host) -> Vec<IpAddr> {
    let mut order: Vec<usize> = (0..host.interfaces.len()).collect();
    order.sort_by_key(|&each| {
        let network = host.interfaces[each].network;
        let near = reader.interfaces.iter().any(|own| own.network == network);
        (!near, each != host.primary)
    });
    let addresses = order.into_iter().flat_map(|each| &host.interfaces[each].addresses);
    addresses.map(|address| address.ip).collect()
}
