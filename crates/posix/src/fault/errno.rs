//! The errors with which a system call is let fail on a node.

use syscalls::{Errno, Sysno};

use crate::calls::{self, CallObject};
use crate::config::FaultConfig;

/// The number of an error of this name, such as `ENOENT`.
pub fn errno_named(name: &str) -> Option<u16> {
    errnos().find(|(known, _)| *known == name).map(|(_, number)| number)
}

/// All errors by their names.
pub fn errnos() -> impl Iterator<Item = (&'static str, u16)> {
    const MOST: u16 = 133;
    (1..=MOST).filter_map(|number| Some((Errno::new(i32::from(number)).name()?, number)))
}

/// The errors that a call fails with on this node: all of them, and how many of the first are explored.
pub(super) fn chosen(config: &FaultConfig, call: Sysno, object: CallObject) -> (Vec<u32>, usize) {
    let own = match call {
        call if calls::facts(call).opens() => &config.open_errnos[..],
        Sysno::chdir => &config.chdir_errnos[..],
        _ => &[],
    };
    if !own.is_empty() {
        let own: Vec<u32> = own.iter().copied().map(u32::from).collect();
        let count = own.len();
        return (own, count);
    }
    let errnos: Vec<u32> = calls::documented(call, object)
        .iter()
        .map(|errno| errno.into_raw().unsigned_abs())
        .collect();
    let wanted = config
        .failing_calls
        .as_ref()
        .is_none_or(|calls| calls.iter().any(|name| name == call.name()));
    let explored = match (wanted, config.errno_variety) {
        (false, _) => 0,
        (true, false) => errnos.len().min(1),
        (true, true) => errnos.len(),
    };
    (errnos, explored)
}
