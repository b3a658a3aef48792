//! The flags of `everett run` about what the environment may do: faults and their budgets.

mod network;

use anyhow::{Result, bail};
use everett_engine::{Budgets, FaultConfig, FaultKind, errno_named, fails};

use self::network::Network;

/// What the environment may do. Budgets hold for all nodes of a world together.
#[derive(clap::Args)]
#[command(next_help_heading = "Faults")]
pub(crate) struct Faults {
    #[command(flatten)]
    network: Network,
    /// Let up to N system calls fail that would have succeeded
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_sys_fail: u32,
    /// Only these system calls fail, such as open,write [default: all that can]
    #[arg(long, value_name = "CALLS", value_delimiter = ',')]
    sys_fail: Vec<String>,
    /// Let them fail with each error that programs tell apart, not only with the usual one
    #[arg(long)]
    errno_variety: bool,
    /// Errors of open instead of the usual one, such as ENOENT,EMFILE
    #[arg(long, value_name = "ERRORS", value_delimiter = ',')]
    open_errno: Vec<String>,
    /// Errors of chdir instead of the usual one
    #[arg(long, value_name = "ERRORS", value_delimiter = ',')]
    chdir_errno: Vec<String>,
    /// Let up to N reads give fewer bytes than there are: one, or all but one
    #[arg(long, alias = "short-read", value_name = "N", default_value_t = 0)]
    short_reads: u32,
    /// Let up to N writes take fewer bytes than they are given
    #[arg(long, alias = "short-write", value_name = "N", default_value_t = 0)]
    short_writes: u32,
}

impl Faults {
    /// How often each kind may happen.
    pub(super) fn budgets(&self) -> Budgets {
        let mut budgets = Budgets::default();
        self.network.limit(&mut budgets);
        for (kind, most) in [
            (FaultKind::SysFail, self.max_sys_fail),
            (FaultKind::ShortRead, self.short_reads),
            (FaultKind::ShortWrite, self.short_writes),
        ] {
            budgets.set(kind, most);
        }
        budgets
    }

    /// What may happen to a node.
    pub(super) fn config(&self) -> Result<FaultConfig> {
        if let Some(name) = self.sys_fail.iter().find(|name| !fails(name)) {
            bail!("--sys-fail {name}: there is no such system call that fails by itself");
        }
        Ok(FaultConfig {
            budgets: self.budgets(),
            failing_calls: (!self.sys_fail.is_empty()).then(|| self.sys_fail.clone()),
            errno_variety: self.errno_variety,
            open_errnos: errnos("--open-errno", &self.open_errno)?,
            chdir_errnos: errnos("--chdir-errno", &self.chdir_errno)?,
            network: self.network.config()?,
        })
    }
}

/// The numbers of errors by their names.
fn errnos(flag: &str, names: &[String]) -> Result<Vec<u16>> {
    let number = |name: &String| match errno_named(name) {
        Some(number) => Ok(number),
        None => bail!("{flag} {name}: there is no such error; write ENOENT"),
    };
    names.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        faults: Faults,
    }

    fn config(args: &[&str]) -> Result<FaultConfig> {
        Only::try_parse_from(["run"].iter().chain(args)).unwrap().faults.config()
    }

    #[test]
    fn nothing_happens_unless_it_is_asked_for() {
        assert_eq!(config(&[]).unwrap(), FaultConfig::default());
    }

    #[test]
    fn budgets_and_errors_are_read() {
        let faults = config(&["--loss", "2", "--open-errno", "ENOENT,EMFILE"]).unwrap();
        assert_eq!(faults.budgets.get(FaultKind::Loss), 2);
        assert_eq!(faults.open_errnos, [2, 24]);
        assert!(config(&["--open-errno", "EVERYTHING"]).is_err());
        assert!(config(&["--sys-fail", "getpid"]).is_err());
    }

    #[test]
    fn the_network_breaks_where_it_is_said() {
        let faults = config(&["--partition", "1", "--partition-cut", "a,b|c"]).unwrap();
        assert_eq!(faults.budgets.get(FaultKind::Partition), 1);
        assert_eq!(faults.network.cuts[0].to_string(), "a,b|c");
        assert!(config(&["--partition-cut", "a|a"]).is_err());
    }
}
