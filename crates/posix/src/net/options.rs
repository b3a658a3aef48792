//! Options of sockets that are numbers, and what each of them may be.
//!
//! Most options are a number that the program sets and reads again; [`SETTINGS`] lists them. Those
//! that have another form, or that do something when they are set, are in `sys/socket/option.rs`.

use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::{Apart, Copies};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use crate::state::ids::Time;

/// The options of a socket. An accepted socket has those of the one that listens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Those that are not as they are by default, by level and name.
    values: Arc<BTreeMap<(u32, u32), i32>>,
    /// `SO_LINGER`, in seconds, if it is on.
    pub(crate) linger: Option<u32>,
    /// How long a call waits at most.
    pub(crate) receive_timeout: Option<Time>,
    pub(crate) send_timeout: Option<Time>,
    /// Bytes that may wait in each direction.
    pub(crate) send_buffer: u32,
    pub(crate) receive_buffer: u32,
}

impl Apart for Options {
    fn apart(&mut self, copies: &mut Copies) {
        let Options {
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

/// Which sockets have an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Any,
    Inet,
    Tcp,
    Udp,
    Unix,
}

/// What an option may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// 0, or anything else for 1.
    Flag,
    /// A number in these limits.
    Number(i32, i32),
}

/// An option that is a number.
struct Setting {
    level: u32,
    name: u32,
    owner: Owner,
    form: Form,
    default: i32,
}

const fn setting(level: u32, name: u32, owner: Owner, form: Form, default: i32) -> Setting {
    Setting { level, name, owner, form, default }
}

const SOCKET: u32 = linux::SOL_SOCKET;
const IP: u32 = linux::SOL_IP;
const TCP: u32 = linux::SOL_TCP;
const UDP: u32 = linux::SOL_UDP;
/// `UDP_CORK`.
pub(crate) const UDP_CORK: u32 = 1;
const ANY: Form = Form::Number(i32::MIN, i32::MAX);

/// All options that are numbers.
const SETTINGS: &[Setting] = &[
    setting(SOCKET, linux::SO_DEBUG, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_REUSEADDR, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_REUSEPORT, Owner::Inet, Form::Flag, 0),
    setting(SOCKET, linux::SO_DONTROUTE, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_BROADCAST, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_KEEPALIVE, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_OOBINLINE, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_NO_CHECK, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_PRIORITY, Owner::Any, ANY, 0),
    setting(SOCKET, linux::SO_MARK, Owner::Any, ANY, 0),
    setting(SOCKET, linux::SO_BUSY_POLL, Owner::Any, Form::Number(0, i32::MAX), 0),
    setting(SOCKET, linux::SO_INCOMING_CPU, Owner::Any, ANY, -1),
    setting(SOCKET, linux::SO_MAX_PACING_RATE, Owner::Any, ANY, -1),
    setting(SOCKET, linux::SO_PASSCRED, Owner::Unix, Form::Flag, 0),
    setting(SOCKET, linux::SO_RCVLOWAT, Owner::Any, ANY, 1),
    setting(SOCKET, linux::SO_TIMESTAMP, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_TIMESTAMPNS, Owner::Any, Form::Flag, 0),
    setting(SOCKET, linux::SO_RXQ_OVFL, Owner::Any, Form::Flag, 0),
    setting(IP, linux::IP_TOS, Owner::Inet, Form::Number(0, 255), 0),
    setting(IP, linux::IP_TTL, Owner::Inet, Form::Number(-1, 255), 64),
    setting(IP, linux::IP_RECVOPTS, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_PKTINFO, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_MTU_DISCOVER, Owner::Inet, Form::Number(0, 5), 1),
    setting(IP, linux::IP_RECVERR, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_RECVTTL, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_RECVTOS, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_RECVORIGDSTADDR, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_FREEBIND, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_TRANSPARENT, Owner::Inet, Form::Flag, 0),
    setting(IP, linux::IP_MULTICAST_TTL, Owner::Inet, Form::Number(-1, 255), 1),
    setting(IP, linux::IP_MULTICAST_LOOP, Owner::Inet, Form::Flag, 1),
    setting(IP, linux::IP_MULTICAST_ALL, Owner::Inet, Form::Number(0, 1), 1),
    setting(IP, linux::IP_BIND_ADDRESS_NO_PORT, Owner::Inet, Form::Number(0, 1), 0),
    setting(TCP, linux::TCP_NODELAY, Owner::Tcp, Form::Flag, 0),
    setting(TCP, linux::TCP_MAXSEG, Owner::Tcp, Form::Number(88, 32767), 536),
    setting(TCP, linux::TCP_CORK, Owner::Tcp, Form::Flag, 0),
    setting(TCP, linux::TCP_KEEPIDLE, Owner::Tcp, Form::Number(1, 32767), 7200),
    setting(TCP, linux::TCP_KEEPINTVL, Owner::Tcp, Form::Number(1, 32767), 75),
    setting(TCP, linux::TCP_KEEPCNT, Owner::Tcp, Form::Number(1, 127), 9),
    setting(TCP, linux::TCP_SYNCNT, Owner::Tcp, Form::Number(1, 127), 6),
    setting(TCP, linux::TCP_LINGER2, Owner::Tcp, ANY, 60),
    setting(TCP, linux::TCP_DEFER_ACCEPT, Owner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_QUICKACK, Owner::Tcp, Form::Flag, 1),
    setting(TCP, linux::TCP_USER_TIMEOUT, Owner::Tcp, Form::Number(0, i32::MAX), 0),
    setting(TCP, linux::TCP_FASTOPEN, Owner::Tcp, Form::Number(0, i32::MAX), 0),
    setting(TCP, linux::TCP_NOTSENT_LOWAT, Owner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_WINDOW_CLAMP, Owner::Tcp, ANY, 0),
    setting(TCP, linux::TCP_THIN_LINEAR_TIMEOUTS, Owner::Tcp, Form::Number(0, 1), 0),
    setting(UDP, UDP_CORK, Owner::Udp, Form::Flag, 0),
];

fn find(level: u32, name: u32) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.level == level && setting.name == name)
}

impl Options {
    /// The value of an option that is a number, as it was set or as it is by default.
    pub(crate) fn number(&self, level: u32, name: u32) -> i32 {
        let default = || find(level, name).map_or(0, |setting| setting.default);
        self.values.get(&(level, name)).copied().unwrap_or_else(default)
    }

    /// Whether an option is on.
    pub(crate) fn flag(&self, level: u32, name: u32) -> bool {
        self.number(level, name) != 0
    }

    /// Sets an option, which may be one that is not in the list.
    pub(crate) fn put(&mut self, level: u32, name: u32, value: i32) {
        Arc::make_mut(&mut self.values).insert((level, name), value);
    }
}

/// Whether a socket of this domain and protocol has an option that is a number: `None` if the option
/// is not one of the list, otherwise whether it is for such sockets.
pub(crate) fn is_setting(level: u32, name: u32, domain: u32, protocol: u32) -> Option<bool> {
    let setting = find(level, name)?;
    let inet = domain == linux::AF_INET;
    Some(match setting.owner {
        Owner::Any => true,
        Owner::Inet => inet,
        Owner::Tcp => inet && protocol == TCP,
        Owner::Udp => inet && protocol == UDP,
        Owner::Unix => domain == linux::AF_UNIX,
    })
}

/// What an option of the list becomes when it is set to a value.
pub(crate) fn settled(level: u32, name: u32, value: i32) -> Result<i32, Errno> {
    match find(level, name).map(|setting| setting.form) {
        Some(Form::Flag) => Ok((value != 0).into()),
        Some(Form::Number(least, most)) if (least..=most).contains(&value) => Ok(value),
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
        let mut options = Options::default();
        assert_eq!(options.number(IP, linux::IP_TTL), 64);
        options.put(IP, linux::IP_TTL, 3);
        assert_eq!(options.clone().number(IP, linux::IP_TTL), 3);
    }
}
