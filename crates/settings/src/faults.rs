//! The flags of `everett run` about faults and their budgets.

mod network;
mod orders;

use std::time::Duration;

use everett_engine::{
    FaultBudgets, FaultConfig, FaultKind, FaultTimes, calls_named, errno_named, errnos,
    names_of_calls,
};

use everett_input::suggest;
use everett_input::units::{parse_duration, parse_size};

use self::network::NetworkFaultOptions;
use self::orders::OrderOptions;
use crate::error::{Result, SettingsError};

/// The faults of the environment. Budgets hold for all nodes of a world together.
#[derive(clap::Args)]
pub(crate) struct FaultOptions {
    #[command(flatten)]
    orders: OrderOptions,
    #[command(flatten)]
    network: NetworkFaultOptions,
    /// Let up to N system calls fail that would have succeeded
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_sys_fail: u32,
    /// Only these functions and system calls fail, such as open,pwrite [default: all that can]
    #[arg(long, value_name = "CALLS", value_delimiter = ',')]
    sys_fail: Vec<String>,
    /// Let calls fail with each error that programs tell apart, not only with the usual one
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
    /// Let up to N waits be ended by a signal that the program handles (EINTR)
    #[arg(long, alias = "interrupt", value_name = "N", default_value_t = 0)]
    interrupts: u32,
    /// Every Nth operation on a socket that does not wait finds it not ready (EAGAIN)
    #[arg(long, value_name = "N", default_value_t = 0)]
    socket_block_interval: u32,
    /// Every Nth select, poll or epoll_wait fails
    #[arg(long, value_name = "N", default_value_t = 0)]
    select_fail_interval: u32,
    /// Let the times of files be symbolic, from long ago to far ahead
    #[arg(long)]
    fstat_sym_time: bool,
    /// Let up to N allocations fail
    #[arg(long, alias = "malloc", value_name = "N", default_value_t = 0)]
    max_malloc_fail: u32,
    /// Let allocations fail that make the heap of a process larger than this
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_heap: Option<u64>,
    /// Let the disk be full after this many more bytes, in blocks of 4 KiB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    disk_full: Option<u64>,
    /// Descriptors that a process may have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(3..))]
    max_files: Option<u64>,
    /// Processes and threads that a node may have
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_processes: Option<u64>,
    /// Crash up to N nodes for good, where they send, receive, make or end connections, change or sync files,
    /// or expose
    #[arg(long, alias = "crash", value_name = "N", default_value_t = 0)]
    max_crashes: u32,
    /// Crash nodes up to N times and start them again, with what they have synced
    #[arg(long, alias = "reboot", value_name = "N", default_value_t = 0)]
    max_reboots: u32,
    /// Let up to N of these crashes leave something of what was not synced
    #[arg(long, alias = "torn", value_name = "N", default_value_t = 0)]
    torn_files: u32,
    /// Time for which a node is down before it starts again
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    reboot_time: Duration,
    /// Pause nodes up to N times, where they send, receive or change files
    #[arg(long, alias = "pause", value_name = "N", default_value_t = 0)]
    max_pauses: u32,
    /// Length of a pause
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pause_time: Duration,
    /// Let the clocks of up to N nodes be ahead or behind
    #[arg(long, alias = "clock-skew", value_name = "N", default_value_t = 0)]
    skewed_clocks: u32,
    /// Time by which a clock is ahead or behind
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_duration)]
    clock_skew_time: Duration,
    /// Let clocks jump forward or back up to N times
    #[arg(long, alias = "clock-jump", value_name = "N", default_value_t = 0)]
    clock_jumps: u32,
    /// Time by which a clock jumps
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = parse_duration)]
    clock_jump_time: Duration,
}

impl FaultOptions {
    /// Returns the number of times that each kind may happen.
    pub(crate) fn budgets(&self) -> FaultBudgets {
        let mut budgets = FaultBudgets::default();
        self.orders.limit(&mut budgets);
        self.network.limit(&mut budgets);
        for (kind, most) in [
            (FaultKind::SysFail, self.max_sys_fail),
            (FaultKind::ShortRead, self.short_reads),
            (FaultKind::ShortWrite, self.short_writes),
            (FaultKind::Interrupt, self.interrupts),
            (FaultKind::Malloc, self.max_malloc_fail),
            (FaultKind::Crash, self.max_crashes),
            (FaultKind::Reboot, self.max_reboots),
            (FaultKind::Torn, self.torn_files),
            (FaultKind::Pause, self.max_pauses),
            (FaultKind::ClockSkew, self.skewed_clocks),
            (FaultKind::ClockJump, self.clock_jumps),
        ] {
            budgets.set(kind, most);
        }
        budgets
    }

    /// Returns the faults that may happen to a node.
    pub(crate) fn config(&self) -> Result<FaultConfig> {
        let mut budgets = self.budgets();
        // Faults that follow a rule happen as often as the rule says, without a budget.
        for (kind, interval) in [
            (FaultKind::WouldBlock, self.socket_block_interval),
            (FaultKind::SelectFail, self.select_fail_interval),
        ] {
            budgets.set(kind, if interval > 0 { u32::MAX } else { 0 });
        }
        Ok(FaultConfig {
            budgets,
            failing_calls: failing_calls(&self.sys_fail)?,
            errno_variety: self.errno_variety,
            open_errnos: numbers("open-errno", &self.open_errno)?,
            chdir_errnos: numbers("chdir-errno", &self.chdir_errno)?,
            block_interval: self.socket_block_interval,
            select_interval: self.select_fail_interval,
            symbolic_times: self.fstat_sym_time,
            disk_bytes: self.disk_full,
            heap_bytes: self.max_heap,
            open_files: self.max_files,
            processes: self.max_processes,
            times: FaultTimes {
                reboot_ns: nanoseconds("reboot-time", self.reboot_time)?,
                pause_ns: nanoseconds("pause-time", self.pause_time)?,
                skew_ns: nanoseconds("clock-skew-time", self.clock_skew_time)?,
                jump_ns: nanoseconds("clock-jump-time", self.clock_jump_time)?,
            },
            network: self.network.config()?,
        })
    }
}

/// A time of the simulated world, which has to pass.
fn nanoseconds(name: &'static str, time: Duration) -> Result<u64> {
    match u64::try_from(time.as_nanos()) {
        Ok(0) => Err(SettingsError::value(name, "0", "give a time that is not zero")),
        Ok(nanoseconds) => Ok(nanoseconds),
        Err(_) => Err(SettingsError::value(name, "", "a time of centuries")),
    }
}

/// The system calls that names of functions and system calls stand for; `None` if there are no names.
fn failing_calls(names: &[String]) -> Result<Option<Vec<String>>> {
    let mut calls = Vec::new();
    for name in names {
        let named = calls_named(name);
        if named.is_empty() {
            let hint = match suggest::nearest(name, names_of_calls()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "docs/system-calls.md lists those that can".to_owned(),
            };
            let problem = "no function or system call of this name fails by itself";
            return Err(SettingsError::value("sys-fail", name, format!("{problem}; {hint}")));
        }
        calls.extend(named.into_iter().map(str::to_owned));
    }
    Ok((!calls.is_empty()).then_some(calls))
}

/// The numbers of errors by their names.
fn numbers(flag: &'static str, names: &[String]) -> Result<Vec<u16>> {
    let number = |name: &String| match errno_named(name) {
        Some(number) => Ok(number),
        None => {
            let near = suggest::nearest(name, errnos().map(|(name, _)| name));
            let hint = near.map_or("write a name such as ENOENT".to_owned(), |near| {
                format!("did you mean `{near}`?")
            });
            Err(SettingsError::value(flag, name, format!("there is no such error; {hint}")))
        }
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
        faults: FaultOptions,
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
    fn functions_stand_for_their_system_calls() {
        let faults = config(&["--sys-fail", "pwrite,recv"]).unwrap();
        assert_eq!(faults.failing_calls.unwrap(), ["pwrite64", "recvfrom"]);
    }

    #[test]
    fn misspelt_names_are_refused_with_what_may_be_meant() {
        let said = |args: &[&str]| config(args).unwrap_err().to_string();
        assert!(said(&["--sys-fail", "pwrit"]).ends_with("did you mean `pwrite`?"));
        assert!(said(&["--open-errno", "ENOET"]).ends_with("did you mean `ENOENT`?"));
        assert!(said(&["--link-budget", "a|b:los=1"]).ends_with("did you mean `loss`?"));
    }

    #[test]
    fn each_flag_changes_what_may_happen() {
        let flags: [&[&str]; 15] = [
            &["--lost-packet-count", "1"],
            &["--corrupt-packet-count", "1"],
            &["--corrupt-data-offset", "2"],
            &["--corrupt-data-size", "2"],
            &["--corrupt-printable"],
            &["--max-sys-fail", "1"],
            &["--errno-variety"],
            &["--open-errno", "EMFILE"],
            &["--chdir-errno", "EACCES"],
            &["--socket-block-interval", "2"],
            &["--select-fail-interval", "2"],
            &["--fstat-sym-time"],
            &["--max-malloc-fail", "1"],
            &["--max-heap", "1M"],
            &["--link-budget", "a|b:loss=1"],
        ];
        let mut seen = vec![FaultConfig::default()];
        for args in flags {
            let faults = config(args).unwrap();
            assert!(!seen.contains(&faults), "{args:?}");
            seen.push(faults);
        }
        assert!(config(&["--link-budget", "a|b:malloc=1"]).is_err());
    }

    #[test]
    fn the_network_breaks_where_it_is_said() {
        let faults = config(&["--partition", "1", "--partition-cut", "a,b|c"]).unwrap();
        assert_eq!(faults.budgets.get(FaultKind::Partition), 1);
        assert_eq!(faults.network.cuts[0].to_string(), "a,b|c");
        assert!(config(&["--partition-cut", "a|a"]).is_err());
    }
}
