//! A script for people: a line an event.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

use super::api::{ApiKind, ScriptApi};
use super::{EventFlags, Script, ScriptEvent, word_address};

/// Bytes of data that are shown.
const MOST_BYTES: usize = 32;

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, event) in self.events.iter().enumerate() {
            let thread = self.threads.get(event.thread as usize);
            let node = thread.and_then(|thread| self.nodes.get(thread.node as usize));
            let name = node.map_or("?", |node| node.name.as_str());
            write!(f, "{number:4} {name}")?;
            if let Some(thread) = thread.filter(|thread| self.has_several(thread.node)) {
                write!(f, " t{}", event.thread)?;
                if thread.boot > 0 {
                    write!(f, " boot {}", thread.boot)?;
                }
            }
            writeln!(f, ": {event}")?;
        }
        Ok(())
    }
}

impl Script {
    fn has_several(&self, node: u32) -> bool {
        self.threads.iter().filter(|thread| thread.node == node).count() > 1
    }
}

impl fmt::Display for ScriptEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.api.name())?;
        if self.fd >= 0 {
            write!(f, "({})", self.fd)?;
        }
        if !self.flags.has(EventFlags::BLOCKS) && self.api.kind() != ApiKind::Happening {
            write!(f, " = {}", self.result)?;
        }
        if self.errno != 0 {
            write!(f, " errno {}", self.errno)?;
        }
        for (flag, name) in EventFlags::ALL {
            if self.flags.has(flag) {
                write!(f, " {name}")?;
            }
        }
        self.numbers(f)?;
        if self.ordinal > 0 {
            write!(f, " call {}", self.ordinal)?;
        }
        if let Some(partner) = self.partner {
            write!(f, " of event {partner}")?;
        }
        for (data, is_address) in self.both_data().into_iter().filter(|(data, _)| !data.is_empty())
        {
            match inet(data).filter(|_| is_address) {
                Some(address) => write!(f, " {address}")?,
                None => write!(f, " {}", shown(data))?,
            }
        }
        for (from, count) in &self.unwritten {
            write!(f, " (never written: {count} from {from})")?;
        }
        if !self.site.is_empty() {
            write!(f, " at {}", self.site)?;
        }
        Ok(())
    }
}

impl ScriptEvent {
    /// Writes the further numbers, where they mean something.
    fn numbers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, fourth] = self.aux;
        match self.api {
            ScriptApi::Connect => {
                self.addresses(f, [("to", first), ("from", second)])?;
                if fourth == 0 { write!(f, " in vain") } else { Ok(()) }
            }
            ScriptApi::Send
            | ScriptApi::Sendto
            | ScriptApi::Sendmsg
            | ScriptApi::Sendmmsg
            | ScriptApi::Write
            | ScriptApi::Writev => {
                let pair = [("to", first), ("from", second)];
                self.addresses(f, pair)
            }
            ScriptApi::Accept
            | ScriptApi::Accept4
            | ScriptApi::Recv
            | ScriptApi::Recvfrom
            | ScriptApi::Recvmsg
            | ScriptApi::Recvmmsg
            | ScriptApi::Read => {
                let pair = [("from", first), ("to", second)];
                self.addresses(f, pair)
            }
            ScriptApi::Bind => self.addresses(f, [("to", second), ("to", 0)]),
            ScriptApi::Exit | ScriptApi::ThreadExit if self.result != 0 => {
                write!(f, " status {}", self.result)
            }
            ScriptApi::Preempt if first == 0 && second == 0 => write!(f, " before op {third}"),
            ScriptApi::Preempt if first == 0 && self.ordinal > 0 => write!(f, " after op {third}"),
            ScriptApi::Race => write!(f, " of op {third} with op {fourth} of t{first}"),
            ScriptApi::Signal => write!(f, " {}", self.result),
            ScriptApi::PosixSpawn | ScriptApi::System | ScriptApi::Popen | ScriptApi::Pclose
                if self.result > 0 && second > 0 =>
            {
                write!(f, " status {first} t{second}")
            }
            ScriptApi::PosixSpawn | ScriptApi::System => write!(f, " t{first}"),
            ScriptApi::Popen if self.result > 0 => write!(f, " t{first}"),
            ScriptApi::PthreadCreate
            | ScriptApi::Fork
            | ScriptApi::Vfork
            | ScriptApi::Daemon
            | ScriptApi::Restart => {
                write!(f, " t{first}")
            }
            ScriptApi::Wait | ScriptApi::Waitpid | ScriptApi::Wait4 if self.result > 0 => {
                write!(f, " status {first} t{second}")
            }
            ScriptApi::Kill => write!(f, " pid {first} signal {second}"),
            _ if self.flags.has(EventFlags::LOCAL) && second > 0 => {
                write!(f, " system call {first} number {second}")
            }
            _ if self.api.kind() == ApiKind::Net => self.network(f),
            _ if self.api.kind() == ApiKind::Clock => write!(f, " {second}.{third:09}"),
            _ => Ok(()),
        }
    }

    /// Writes the content of a call of `netklee.h`, where that is not text.
    fn network(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third, fourth] = self.aux;
        let ip = |word: u64| Ipv4Addr::from((word as u32).to_le_bytes());
        match self.api {
            _ if self.flags.has(EventFlags::REFUSED) => Ok(()),
            ScriptApi::AddInterface => write!(f, " interface {first}"),
            ScriptApi::AddAddress => write!(f, " {} interface {fourth}", ip(first)),
            ScriptApi::AddRoute => write!(f, " to {} via {}", ip(first), ip(third)),
            ScriptApi::HostSetup if self.result == 0 && !self.flags.has(EventFlags::RETURN) => {
                write!(f, " server {first} sequence {second}")
            }
            ScriptApi::EventRemove | ScriptApi::EventDataAlloc => write!(f, " of {first:#x}"),
            ScriptApi::EventsGet => records(f, &self.data),
            ScriptApi::EventPut => records(f, &self.data2),
            ScriptApi::WillGetEvents | ScriptApi::HasPendingEvents => {
                write!(f, " at least {first}:")?;
                records(f, &self.data2)
            }
            _ => Ok(()),
        }
    }

    /// Its data, and whether that is an address.
    fn both_data(&self) -> [(&[u8], bool); 2] {
        match self.api {
            ScriptApi::EventsGet | ScriptApi::WillGetEvents | ScriptApi::HasPendingEvents => {
                return [(&[], false); 2];
            }
            ScriptApi::EventPut => return [(&self.data, false), (&[], false)],
            // The second is what the program wants to be told, for the library.
            ScriptApi::EpollWait | ScriptApi::EpollPwait => {
                return [(&self.data, false), (&[], false)];
            }
            _ => {}
        }
        use ScriptApi::{
            Accept, Accept4, Bind, Connect, Getpeername, Getsockname, Sendmsg, Sendto,
        };
        let named =
            matches!(self.api, Bind | Connect | Accept | Accept4 | Getsockname | Getpeername);
        [(&self.data, named), (&self.data2, matches!(self.api, Sendto | Sendmsg))]
    }

    fn addresses(&self, f: &mut fmt::Formatter<'_>, pair: [(&str, u64); 2]) -> fmt::Result {
        for (word, address) in pair.into_iter().filter(|(_, address)| *address != 0) {
            write!(f, " {word} {}", word_address(address))?;
        }
        Ok(())
    }
}

/// A `struct sockaddr_in` or `struct sockaddr_in6`.
fn inet(data: &[u8]) -> Option<SocketAddr> {
    let [family @ (2 | 10), 0, high, low, a, b, c, d, ref rest @ ..] = *data else { return None };
    let ip = match family {
        2 => IpAddr::from([a, b, c, d]),
        _ => IpAddr::from(*rest.first_chunk::<16>()?),
    };
    Some(SocketAddr::new(ip, u16::from_be_bytes([high, low])))
}

/// Events or masks of `netklee.h`: an array of `struct net_event`. What is 0 is left out.
fn records(f: &mut fmt::Formatter<'_>, data: &[u8]) -> fmt::Result {
    let (records, _) = data.as_chunks::<30>();
    for (at, record) in records.iter().enumerate() {
        let number = |at: usize, bytes: usize| {
            let bytes = record[at..at + bytes].iter().rev();
            bytes.fold(0, |number: u64, byte| number << 8 | u64::from(*byte))
        };
        let end = |ip: usize, port: usize| {
            let ip = Ipv4Addr::new(record[ip], record[ip + 1], record[ip + 2], record[ip + 3]);
            SocketAddrV4::new(ip, number(port, 2) as u16)
        };
        f.write_str(if at == 0 { " " } else { ", " })?;
        let kinds = ["data", "request", "reply", "close"].into_iter().enumerate();
        let kinds = kinds.filter(|(bit, _)| record[0] >> bit & 1 != 0).map(|(_, name)| name);
        f.write_str(&kinds.collect::<Vec<_>>().join("|"))?;
        for (word, end) in [(" from", end(10, 18)), (" to", end(14, 20))] {
            if !end.ip().is_unspecified() || end.port() != 0 {
                write!(f, "{word} {end}")?;
            }
        }
        let numbers = [(" number", 2, 8), (" request", 22, 4), (" connection", 26, 4)];
        for (word, at, bytes) in numbers {
            match number(at, bytes) {
                0 => {}
                value => write!(f, "{word} {value:#x}")?,
            }
        }
    }
    Ok(())
}

fn shown(data: &[u8]) -> String {
    let part = &data[..data.len().min(MOST_BYTES)];
    let mut text = format!("\"{}\"", part.escape_ascii());
    if part.len() < data.len() {
        text.push_str(&format!("... ({} bytes)", data.len()));
    }
    text
}
