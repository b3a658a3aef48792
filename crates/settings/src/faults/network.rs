//! The flags of `everett run` about faults of the network.

use std::fmt::Display;
use std::time::Duration;

use everett_engine::{FaultBudgets, FaultKind, LinkBudget, NetworkCut, NetworkFaults};

use everett_input::suggest;
use everett_input::units::parse_duration;

use crate::error::{Result, SettingsError};

/// The faults of the network.
#[derive(clap::Args)]
pub(super) struct NetworkFaultOptions {
    /// Let these happen only between some nodes: a,b|c in both directions, a>c in one, a|* [default: all]
    #[arg(long, value_name = "CUT")]
    fault_link: Vec<String>,
    /// Let a kind happen up to K times between some nodes, such as 'a|b:loss=1'; elsewhere only if the
    /// kind has a budget of its own, which holds here, too
    #[arg(long, value_name = "CUT:KIND=K")]
    link_budget: Vec<String>,
    /// Lose up to K datagrams on their way
    #[arg(long, alias = "loss", value_name = "K", default_value_t = 0)]
    lost_packet_count: u32,
    /// Let up to K datagrams arrive twice
    #[arg(long, alias = "duplicate", value_name = "K", default_value_t = 0)]
    duplicate_packet_count: u32,
    /// Put datagrams to a socket into other orders, up to K times
    #[arg(long, alias = "reorder", value_name = "K", default_value_t = 0)]
    reorder_packet_count: u32,
    /// Number of datagrams that are put into other orders together
    #[arg(long, value_name = "N", default_value_t = NetworkFaults::REORDER_WINDOW)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=7))]
    reorder_window: u32,
    /// Time within which others overtake a datagram; at the same virtual time by default
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse_duration)]
    reorder_time: Duration,
    /// Let up to K datagrams and pieces of streams be late
    #[arg(long, alias = "delay", value_name = "K", default_value_t = 0)]
    delay_packet_count: u32,
    /// Times by which they are late; with several, each is tried
    #[arg(long, value_name = "TIMES", default_value = "2s", value_parser = parse_duration)]
    #[arg(value_delimiter = ',')]
    delay_time: Vec<Duration>,
    /// Replace bytes of up to K datagrams by symbolic ones
    #[arg(long, alias = "corrupt", value_name = "K", default_value_t = 0)]
    corrupt_packet_count: u32,
    /// The first byte that is replaced
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    corrupt_data_offset: u32,
    /// Number of bytes that are replaced [default: all that follow]
    #[arg(long, value_name = "BYTES")]
    corrupt_data_size: Option<u32>,
    /// Replace them by printable ASCII only
    #[arg(long)]
    corrupt_printable: bool,
    /// Replace up to K messages by ones that no sender can send, after a run that collects what they send
    #[arg(long, alias = "trojan", value_name = "K", default_value_t = 0)]
    trojan_count: u32,
    /// Only messages that these nodes send [default: all]
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    trojan_from: Vec<String>,
    /// Only messages that these nodes get [default: all]
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    trojan_to: Vec<String>,
    /// Report a finding where such a message is accepted
    #[arg(long)]
    trojan_accepted: bool,
    /// A message is accepted by a call of this function alone [default: by an answer, a change of files or of
    /// exposed data, or an end with status 0]
    #[arg(long, value_name = "FUNCTION")]
    trojan_accept_at: Option<String>,
    /// Cut up to K datagrams short: to nothing, to half of them, and by one byte
    #[arg(long, alias = "truncate", value_name = "K", default_value_t = 0)]
    truncate_packet_count: u32,
    /// Cut those that are longer to this size instead
    #[arg(long, value_name = "BYTES")]
    truncate_data_size: Option<u32>,
    /// Cut what is read from TCP connections in two, up to K times
    #[arg(long, alias = "fragment", value_name = "K", default_value_t = 0)]
    fragment_count: u32,
    /// Number of places to cut at that are tried in each read
    #[arg(long, value_name = "N", default_value_t = NetworkFaults::FRAGMENT_CUTS)]
    fragment_cuts: u32,
    /// Break up to K TCP connections off when bytes arrive
    #[arg(long, alias = "reset", value_name = "K", default_value_t = 0)]
    reset_count: u32,
    /// Let up to K attempts to connect be refused or time out
    #[arg(long, alias = "connect", value_name = "K", default_value_t = 0)]
    connect_fail_count: u32,
    /// Let the network break apart up to K times along each cut
    #[arg(long, alias = "partition", value_name = "K", default_value_t = 0)]
    partition_count: u32,
    /// Cut of the network: a,b|c in both directions, a>c in one, a|* between one node and all others
    #[arg(long, value_name = "CUT")]
    partition_cut: Vec<String>,
    /// Duration of a partition [default: any time, or for ever]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    partition_time: Option<Duration>,
    /// Let the link of some node be down up to K times
    #[arg(long, value_name = "K", alias = "link-down", default_value_t = 0)]
    link_down_count: u32,
    /// Only the links of these nodes [default: all]
    #[arg(long, value_name = "NODES", value_delimiter = ',')]
    link_down_nodes: Vec<String>,
    /// Time for which a link is down [default: any time, or for ever]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    link_down_time: Option<Duration>,
}

impl NetworkFaultOptions {
    /// Sets the number of times that each kind may happen.
    pub(super) fn limit(&self, budgets: &mut FaultBudgets) {
        for (kind, most) in [
            (FaultKind::Loss, self.lost_packet_count),
            (FaultKind::Duplicate, self.duplicate_packet_count),
            (FaultKind::Reorder, self.reorder_packet_count),
            (FaultKind::Delay, self.delay_packet_count),
            (FaultKind::Corrupt, self.corrupt_packet_count),
            (FaultKind::Truncate, self.truncate_packet_count),
            (FaultKind::Fragment, self.fragment_count),
            (FaultKind::Reset, self.reset_count),
            (FaultKind::Connect, self.connect_fail_count),
            (FaultKind::Partition, self.partition_count),
            (FaultKind::LinkDown, self.link_down_count),
            (FaultKind::Trojan, self.trojan_count),
        ] {
            budgets.set(kind, most);
        }
    }

    /// Returns the faults of the network.
    pub(super) fn config(&self) -> Result<NetworkFaults> {
        once("link-down-nodes", &self.link_down_nodes)?;
        once("trojan-from", &self.trojan_from)?;
        once("trojan-to", &self.trojan_to)?;
        Ok(NetworkFaults {
            only: cuts("fault-link", &self.fault_link)?,
            links: link_budgets(&self.link_budget)?,
            reorder_window: self.reorder_window,
            reorder_ns: nanoseconds(self.reorder_time),
            delays_ns: delays(&self.delay_time)?,
            corrupt_offset: self.corrupt_data_offset,
            corrupt_size: self.corrupt_data_size,
            corrupt_printable: self.corrupt_printable,
            truncate_size: self.truncate_data_size,
            fragment_cuts: self.fragment_cuts,
            cuts: cuts("partition-cut", &self.partition_cut)?,
            partition_ns: self.partition_time.map(nanoseconds),
            link_down_nodes: self.link_down_nodes.clone(),
            link_down_ns: self.link_down_time.map(nanoseconds),
            trojan_from: self.trojan_from.clone(),
            trojan_to: self.trojan_to.clone(),
            trojan_accepted: self.trojan_accepted,
            trojan_accept_at: self.trojan_accept_at.clone(),
        })
    }
}

/// The delays of late messages, each given once.
fn delays(times: &[Duration]) -> Result<Vec<u64>> {
    let delays: Vec<u64> = times.iter().copied().map(nanoseconds).collect();
    let again = delays.iter().enumerate().find(|(at, delay)| delays[..*at].contains(delay));
    match again {
        Some((at, _)) => {
            Err(SettingsError::Twice { name: "delay-time", value: format!("{:?}", times[at]) })
        }
        None => Ok(delays),
    }
}

fn link_budgets(texts: &[String]) -> Result<Vec<LinkBudget>> {
    if texts.len() > LinkBudget::MOST {
        let problem = format!("at most {} of these", LinkBudget::MOST);
        return Err(SettingsError::value("link-budget", "", problem));
    }
    let budget = |text: &String| match LinkBudget::parse(text) {
        Some(budget) => Ok(budget),
        None => Err(SettingsError::value("link-budget", text, wrong_budget(text))),
    };
    let budgets: Vec<LinkBudget> = texts.iter().map(budget).collect::<Result<_>>()?;
    for (at, budget) in budgets.iter().enumerate() {
        let same = |other: &LinkBudget| (&other.cut, other.kind) == (&budget.cut, budget.kind);
        if budgets[..at].iter().any(same) {
            let LinkBudget { cut, kind, .. } = budget;
            let value = format!("{cut}:{}", kind.name());
            return Err(SettingsError::Twice { name: "link-budget", value });
        }
    }
    Ok(budgets)
}

/// Returns advice about the budget of a link that cannot be read.
fn wrong_budget(text: &str) -> String {
    let kind = text.rsplit_once(':').and_then(|(_, budget)| budget.split_once('='));
    let known = || FaultKind::ALL.iter().map(|kind| kind.name());
    let misspelt =
        kind.map(|(kind, _)| kind.trim()).filter(|kind| !known().any(|name| name == *kind));
    match misspelt.and_then(|kind| Some((kind, suggest::nearest(kind, known())?))) {
        Some((kind, near)) => {
            format!("there is no kind `{kind}` of faults; did you mean `{near}`?")
        }
        None => "write 'a|b:loss=1', with a cut as fault-link has it and a kind that happens to \
                 messages"
            .to_owned(),
    }
}

fn cuts(name: &'static str, texts: &[String]) -> Result<Vec<NetworkCut>> {
    let cut = |text: &String| match NetworkCut::parse(text) {
        Some(cut) => Ok(cut),
        None => {
            let problem = "write 'a,b|c', 'a>c' or 'a|*', with a node on one side only";
            Err(SettingsError::value(name, text, problem))
        }
    };
    let cuts: Vec<NetworkCut> = texts.iter().map(cut).collect::<Result<_>>()?;
    once(name, &cuts)?;
    Ok(cuts)
}

/// Refuses what is given twice: each of the two would be tried by itself.
fn once<T: PartialEq + Display>(name: &'static str, given: &[T]) -> Result<()> {
    let again = given.iter().enumerate().find(|(at, one)| given[..*at].contains(one));
    match again {
        Some((_, one)) => Err(SettingsError::Twice { name, value: one.to_string() }),
        None => Ok(()),
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
