//! Options of sockets that are numbers, and what each of them may be.
//!
//! Most options are a number that the program sets and reads again; [`SETTINGS`] lists them. Those
//! that have another form, or that do something when they are set, are in `sys/socket/option.rs`.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use everett_base::{Apart, Copies};
use everett_net::DEFAULT_TTL;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::state::ids::Time;

/// The options of a socket. An accepted socket has those of the one that listens.
#[derive(Clone, Debug, Default)]
pub(crate) struct SocketOptions {
    /// Those that are not as they are by default, by level and name.
    values: Arc<BTreeMap<(u32, u32), i32>>,
    /// `SO_LINGER`, in seconds, if it is on.
    pub(crate) linger: Option<u32>,
    /// The longest time that a call waits.
    pub(crate) receive_timeout: Option<Time>,
    pub(crate) send_timeout: Option<Time>,
    /// Bytes that may wait in each direction.
    pub(crate) send_buffer: u32,
    pub(crate) receive_buffer: u32,
}

everett_base::portable!(struct SocketOptions {
    values, linger, receive_timeout, send_timeout, send_buffer, receive_buffer,
});

impl Apart for SocketOptions {
    fn apart(&mut self, copies: &mut Copies) {
        let SocketOptions {
            values,
            linger: _,
            receive_timeout: _,
            send_timeout: _,
            send_buffer: _,
            receive_buffer: _,
        } = self;
        values.apart(copies);
    }
}

/// The sockets that have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionOwner {
    Any,
    Inet,
    Inet6,
    Tcp,
    Udp,
    Unix,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionForm {
    /// 0, or anything else for 1.
    Flag,
    /// A number in these limits.
    Number(i32, i32),
}

/// An option that is a number.
struct OptionSetting {
    level: u32,
    name: u32,
    owner: OptionOwner,
    form: OptionForm,
    default: i32,
}

const fn setting(
    level: u32,
    name: u32,
    owner: OptionOwner,
    form: OptionForm,
    default: i32,
) -> OptionSetting {
    OptionSetting { level, name, owner, form, default }
}

const SOCKET: u32 = linux::SOL_SOCKET;
const IP: u32 = linux::SOL_IP;
const IPV6: u32 = linux::SOL_IPV6;
const TCP: u32 = linux::SOL_TCP;
const UDP: u32 = linux::SOL_UDP;
/// `UDP_CORK`.
pub(crate) const UDP_CORK: u32 = 1;
/// An option that Linux does not have, for programs of ours: a TCP socket that listens answers no request for
/// a connection before its program has decided about it (`net/tcp/decision.rs`). `runtime-c/live/protocol.h`
/// has the same numbers.
pub(crate) const DECIDES: u32 = 0x4556_0001;
/// Another one: the first request that waits for a decision, or that has come to nothing after it.
pub(crate) const FIRST_REQUEST: u32 = 0x4556_0002;
/// Another one: the decision about the first request.
pub(crate) const ADMITS: u32 = 0x4556_0003;
const ANY: OptionForm = OptionForm::Number(i32::MIN, i32::MAX);

/// All options that are numbers. Those that calls ask for often come first.
const SETTINGS: &[OptionSetting] = &[
    setting(SOCKET, linux::SO_DEBUG, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_REUSEADDR, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_REUSEPORT, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_DONTROUTE, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_BROADCAST, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_KEEPALIVE, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_OOBINLINE, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_NO_CHECK, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_PRIORITY, OptionOwner::Any, ANY, 0),
    setting(SOCKET, linux::SO_MARK, OptionOwner::Any, ANY, 0),
    setting(SOCKET, linux::SO_BUSY_POLL, OptionOwner::Any, OptionForm::Number(0, i32::MAX), 0),
    setting(SOCKET, linux::SO_INCOMING_CPU, OptionOwner::Any, ANY, -1),
    setting(SOCKET, linux::SO_MAX_PACING_RATE, OptionOwner::Any, ANY, -1),
    setting(SOCKET, linux::SO_PASSCRED, OptionOwner::Unix, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_RCVLOWAT, OptionOwner::Any, ANY, 1),
    setting(SOCKET, linux::SO_TIMESTAMP, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_TIMESTAMPNS, OptionOwner::Any, OptionForm::Flag, 0),
    setting(SOCKET, linux::SO_RXQ_OVFL, OptionOwner::Any, OptionForm::Flag, 0),
    setting(IP, linux::IP_TOS, OptionOwner::Inet, OptionForm::Number(0, 255), 0),
    setting(IP, linux::IP_TTL, OptionOwner::Inet, OptionForm::Number(-1, 255), 64),
    setting(IP, linux::IP_RECVOPTS, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_PKTINFO, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_MTU_DISCOVER, OptionOwner::Inet, OptionForm::Number(0, 5), 1),
    setting(IP, linux::IP_RECVERR, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_RECVTTL, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_RECVTOS, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_RECVORIGDSTADDR, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_FREEBIND, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_TRANSPARENT, OptionOwner::Inet, OptionForm::Flag, 0),
    setting(IP, linux::IP_MULTICAST_TTL, OptionOwner::Inet, OptionForm::Number(-1, 255), 1),
    setting(IP, linux::IP_MULTICAST_LOOP, OptionOwner::Inet, OptionForm::Flag, 1),
    setting(IP, linux::IP_MULTICAST_ALL, OptionOwner::Inet, OptionForm::Number(0, 1), 1),
    setting(IP, linux::IP_BIND_ADDRESS_NO_PORT, OptionOwner::Inet, OptionForm::Number(0, 1), 0),
    setting(TCP, linux::TCP_NODELAY, OptionOwner::Tcp, OptionForm::Flag, 0),
    setting(TCP, linux::TCP_MAXSEG, OptionOwner::Tcp, OptionForm::Number(88, 32767), 536),
    setting(TCP, linux::TCP_CORK, OptionOwner::Tcp, OptionForm::Flag, 0),
    setting(TCP, linux::TCP_KEEPIDLE, OptionOwner::Tcp, OptionForm::Number(1, 32767), 7200),
    setting(TCP, linux::TCP_KEEPINTVL, OptionOwner::Tcp, OptionForm::Number(1, 32767), 75),
    setting(TCP, linux::TCP_KEEPCNT, OptionOwner::Tcp, OptionForm::Number(1, 127), 9),
    setting(TCP, linux::TCP_SYNCNT, OptionOwner::Tcp, OptionForm::Number(1, 127), 6),
    setting(TCP, linux::TCP_LINGER2, OptionOwner::Tcp, ANY, 60),
    setting(TCP, linux::TCP_DEFER_ACCEPT, OptionOwner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_QUICKACK, OptionOwner::Tcp, OptionForm::Flag, 1),
    setting(TCP, linux::TCP_USER_TIMEOUT, OptionOwner::Tcp, OptionForm::Number(0, i32::MAX), 0),
    setting(TCP, linux::TCP_FASTOPEN, OptionOwner::Tcp, OptionForm::Number(0, i32::MAX), 0),
    setting(TCP, linux::TCP_NOTSENT_LOWAT, OptionOwner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_WINDOW_CLAMP, OptionOwner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_THIN_LINEAR_TIMEOUTS, OptionOwner::Tcp, OptionForm::Number(0, 1), 0),
    setting(TCP, DECIDES, OptionOwner::Tcp, OptionForm::Flag, 0),
    setting(UDP, UDP_CORK, OptionOwner::Udp, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_V6ONLY, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_UNICAST_HOPS, OptionOwner::Inet6, OptionForm::Number(-1, 255), 64),
    setting(IPV6, linux::IPV6_MULTICAST_HOPS, OptionOwner::Inet6, OptionForm::Number(-1, 255), 1),
    setting(IPV6, linux::IPV6_MULTICAST_LOOP, OptionOwner::Inet6, OptionForm::Number(0, 1), 1),
    setting(IPV6, linux::IPV6_MULTICAST_ALL, OptionOwner::Inet6, OptionForm::Number(0, 1), 1),
    setting(IPV6, linux::IPV6_MTU_DISCOVER, OptionOwner::Inet6, OptionForm::Number(0, 5), 1),
    setting(IPV6, linux::IPV6_RECVERR, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_RECVPKTINFO, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_RECVHOPLIMIT, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_RECVTCLASS, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_TCLASS, OptionOwner::Inet6, OptionForm::Number(-1, 255), 0),
    setting(IPV6, linux::IPV6_DONTFRAG, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_AUTOFLOWLABEL, OptionOwner::Inet6, OptionForm::Flag, 1),
    setting(IPV6, linux::IPV6_FREEBIND, OptionOwner::Inet6, OptionForm::Flag, 0),
    setting(IPV6, linux::IPV6_TRANSPARENT, OptionOwner::Inet6, OptionForm::Flag, 0),
];

/// The options for decisions about requests for connections, by their names in C.
pub fn decision_options() -> [(&'static str, u32); 3] {
    [("TCP_DECIDES", DECIDES), ("TCP_FIRST_REQUEST", FIRST_REQUEST), ("TCP_ADMITS", ADMITS)]
}

fn find(level: u32, name: u32) -> Option<&'static OptionSetting> {
    SETTINGS.iter().find(|setting| setting.level == level && setting.name == name)
}

impl SocketOptions {
    /// The value of an option that is a number, as it was set or as it is by default.
    pub(crate) fn number(&self, level: u32, name: u32) -> i32 {
        let default = || find(level, name).map_or(0, |setting| setting.default);
        self.values.get(&(level, name)).copied().unwrap_or_else(default)
    }

    /// Returns true if an option is on.
    pub(crate) fn flag(&self, level: u32, name: u32) -> bool {
        self.number(level, name) != 0
    }

    /// The hops that a packet to an address may make.
    pub(crate) fn hops(&self, to: IpAddr) -> u8 {
        let hops = match (to, to.is_multicast()) {
            (IpAddr::V4(_), false) => self.number(IP, linux::IP_TTL),
            (IpAddr::V4(_), true) => self.number(IP, linux::IP_MULTICAST_TTL),
            (IpAddr::V6(_), false) => self.number(IPV6, linux::IPV6_UNICAST_HOPS),
            (IpAddr::V6(_), true) => self.number(IPV6, linux::IPV6_MULTICAST_HOPS),
        };
        u8::try_from(hops).unwrap_or(DEFAULT_TTL)
    }

    /// Sets an option, which may be one that is not in the list.
    pub(crate) fn put(&mut self, level: u32, name: u32, value: i32) {
        Arc::make_mut(&mut self.values).insert((level, name), value);
    }
}

/// The answer to whether a socket of this domain and protocol has an option that is a number: `None` if
/// the option is not one of the list, otherwise whether it is for such sockets.
pub(crate) fn is_setting(level: u32, name: u32, domain: u32, protocol: u32) -> Option<bool> {
    let setting = find(level, name)?;
    let inet = matches!(domain, linux::AF_INET | linux::AF_INET6);
    Some(match setting.owner {
        OptionOwner::Any => true,
        OptionOwner::Inet => inet,
        OptionOwner::Inet6 => domain == linux::AF_INET6,
        OptionOwner::Tcp => inet && protocol == TCP,
        OptionOwner::Udp => inet && protocol == UDP,
        OptionOwner::Unix => domain == linux::AF_UNIX,
    })
}

/// The value that an option of the list has once it is set to another.
pub(crate) fn settled(level: u32, name: u32, value: i32) -> Result<i32, Errno> {
    match find(level, name).map(|setting| setting.form) {
        Some(OptionForm::Flag) => Ok((value != 0).into()),
        Some(OptionForm::Number(least, most)) if (least..=most).contains(&value) => Ok(value),
        _ => Err(Errno::EINVAL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_listed_once() {
        for (i, a) in SETTINGS.iter().enumerate() {
            let again = SETTINGS[i + 1..].iter().any(|b| (a.level, a.name) == (b.level, b.name));
            assert!(!again, "{} {}", a.level, a.name);
        }
    }

    #[test]
    fn a_flag_becomes_one_and_a_number_keeps_its_limits() {
        assert_eq!(settled(SOCKET, linux::SO_KEEPALIVE, 7), Ok(1));
        assert_eq!(settled(TCP, linux::TCP_KEEPCNT, 128), Err(Errno::EINVAL));
        let mut options = SocketOptions::default();
        assert_eq!(options.number(IP, linux::IP_TTL), 64);
        options.put(IP, linux::IP_TTL, 3);
        assert_eq!(options.clone().number(IP, linux::IP_TTL), 3);
    }
}
