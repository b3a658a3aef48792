//! The looks of faults of the network: plain data.

use std::fmt;

use super::FaultKind;

/// The looks of faults of the network, where a budget allows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkFaults {
    /// The messages that something happens to, by who sends them to whom; none: all. Where the network
    /// breaks is said apart.
    pub only: Vec<NetworkCut>,
    /// Budgets for what crosses some cuts; at most [`LinkBudget::MOST`] of these.
    pub links: Vec<LinkBudget>,
    /// So many datagrams that arrive together at a socket are put into other orders.
    pub reorder_window: u32,
    /// The time within which datagrams overtake one that comes behind them, in nanoseconds.
    pub reorder_ns: u64,
    /// The delays that a message which is late can have, in nanoseconds; at least one.
    pub delays_ns: Vec<u64>,
    /// The first byte of a payload that is corrupted.
    pub corrupt_offset: u32,
    /// The most bytes that are; `None`: all from there on.
    pub corrupt_size: Option<u32>,
    /// True if corrupted bytes are printable ASCII.
    pub corrupt_printable: bool,
    /// The length that a truncated datagram is cut to; `None`: nothing, half of it, and all but one byte.
    pub truncate_size: Option<u32>,
    /// The most places that a stream is cut at in one read; more are spread evenly.
    pub fragment_cuts: u32,
    /// The cuts along which the network may break apart.
    pub cuts: Vec<NetworkCut>,
    /// The time that this lasts, in nanoseconds; `None`: any time, or for ever.
    pub partition_ns: Option<u64>,
    /// The nodes whose links may be down; none: all.
    pub link_down_nodes: Vec<String>,
    /// The time that a link is down; `None`: any time, or for ever.
    pub link_down_ns: Option<u64>,
    /// The nodes whose messages are replaced by Trojan messages; none: all.
    pub trojan_from: Vec<String>,
    /// The nodes that get Trojan messages; none: all.
    pub trojan_to: Vec<String>,
    /// A Trojan message that is accepted is a finding.
    pub trojan_accepted: bool,
    /// The function whose call accepts a message; none: what a program does decides.
    pub trojan_accept_at: Option<String>,
}

everett_base::portable!(struct NetworkFaults {
    only, links, reorder_window, reorder_ns, delays_ns, corrupt_offset, corrupt_size,
    corrupt_printable, truncate_size, fragment_cuts, cuts, partition_ns, link_down_nodes,
    link_down_ns, trojan_from, trojan_to, trojan_accepted, trojan_accept_at,
});

impl NetworkFaults {
    /// The nodes that cuts, links and budgets name.
    pub fn nodes(&self) -> impl Iterator<Item = &String> {
        let links = self.links.iter().map(|link| &link.cut);
        let cuts = self.cuts.iter().chain(&self.only).chain(links);
        let trojans = self.trojan_from.iter().chain(&self.trojan_to);
        cuts.flat_map(NetworkCut::nodes).chain(&self.link_down_nodes).chain(trojans)
    }

    /// The number of datagrams that are put into other orders by default.
    pub const REORDER_WINDOW: u32 = 4;
    /// The delay of late messages by default.
    pub const DELAY_NS: u64 = 2_000_000_000;
    /// The number of places that a stream is cut at by default.
    pub const FRAGMENT_CUTS: u32 = 16;
}

impl Default for NetworkFaults {
    fn default() -> NetworkFaults {
        NetworkFaults {
            only: Vec::new(),
            links: Vec::new(),
            reorder_window: NetworkFaults::REORDER_WINDOW,
            reorder_ns: 0,
            delays_ns: vec![NetworkFaults::DELAY_NS],
            corrupt_offset: 0,
            corrupt_size: None,
            corrupt_printable: false,
            truncate_size: None,
            fragment_cuts: NetworkFaults::FRAGMENT_CUTS,
            cuts: Vec::new(),
            partition_ns: None,
            link_down_nodes: Vec::new(),
            link_down_ns: None,
            trojan_from: Vec::new(),
            trojan_to: Vec::new(),
            trojan_accepted: false,
            trojan_accept_at: None,
        }
    }
}

/// The budget of a kind for what crosses a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkBudget {
    /// The cut.
    pub cut: NetworkCut,
    /// The kind.
    pub kind: FaultKind,
    /// So often, in one world.
    pub most: u32,
}

everett_base::portable!(struct LinkBudget { cut, kind, most });

impl LinkBudget {
    /// Budgets of links that there may be.
    pub const MOST: usize = 32;

    /// Returns true if what happens is something that happens between two nodes.
    fn is_of_links(kind: FaultKind) -> bool {
        use FaultKind::{
            Connect, Corrupt, Delay, Duplicate, Fragment, Late, Loss, Order, Reorder, Reset,
            Truncate,
        };
        matches!(
            kind,
            Loss | Duplicate
                | Reorder
                | Delay
                | Corrupt
                | Truncate
                | Fragment
                | Reset
                | Connect
                | Order
                | Late
        )
    }

    /// The budget in a text: `a|b:loss=1`, with a cut as [`NetworkCut::parse`] has it.
    pub fn parse(text: &str) -> Option<LinkBudget> {
        let (cut, budget) = text.rsplit_once(':')?;
        let (name, most) = budget.split_once('=')?;
        let kind = FaultKind::ALL.iter().copied().find(|kind| kind.name() == name.trim())?;
        let most = most.trim().parse().ok().filter(|_| LinkBudget::is_of_links(kind))?;
        Some(LinkBudget { cut: NetworkCut::parse(cut)?, kind, most })
    }
}

/// A border between nodes, along which a network may break apart: then nothing that the nodes on the left
/// send gets to the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkCut {
    /// The nodes on the left.
    pub left: PartitionSide,
    /// The nodes on the right.
    pub right: PartitionSide,
    /// True if what the right sends gets to the left.
    pub one_way: bool,
}

everett_base::portable!(struct NetworkCut { left, right, one_way });

/// One side of a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartitionSide {
    /// These nodes.
    Nodes(Vec<String>),
    /// All that are not on the other side.
    Others,
}

everett_base::portable!(enum PartitionSide { 0 = Nodes(value), 1 = Others });

impl PartitionSide {
    fn nodes(&self) -> &[String] {
        match self {
            PartitionSide::Nodes(nodes) => nodes,
            PartitionSide::Others => &[],
        }
    }

    fn has(&self, node: &str, other: &PartitionSide) -> bool {
        match self {
            PartitionSide::Nodes(nodes) => nodes.iter().any(|name| name == node),
            PartitionSide::Others => {
                !matches!(other, PartitionSide::Nodes(nodes) if nodes.iter().any(|n| n == node))
            }
        }
    }
}

impl NetworkCut {
    /// The cut in a text: `a,b|c` in both directions, `a,b>c` in one, `a|*` between one and all others.
    pub fn parse(text: &str) -> Option<NetworkCut> {
        let (sides, one_way) = match text.split_once('>') {
            Some(sides) => (sides, true),
            None => (text.split_once('|')?, false),
        };
        let side = |text: &str| {
            let nodes: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
            let is_name =
                |name: &String| !name.is_empty() && !name.contains(['*', '|', '>', ' ', '\t']);
            match &nodes[..] {
                [all] if all == "*" => Some(PartitionSide::Others),
                nodes if nodes.iter().all(is_name) => Some(PartitionSide::Nodes(nodes.to_vec())),
                _ => None,
            }
        };
        let cut = NetworkCut { left: side(sides.0)?, right: side(sides.1)?, one_way };
        let both = |name: &String| cut.right.has(name, &cut.left);
        match (&cut.left, &cut.right) {
            (PartitionSide::Others, PartitionSide::Others) => None,
            (PartitionSide::Nodes(left), PartitionSide::Nodes(_)) if left.iter().any(both) => None,
            _ => Some(cut),
        }
    }

    /// The nodes that it names.
    pub fn nodes(&self) -> impl Iterator<Item = &String> {
        self.left.nodes().iter().chain(self.right.nodes())
    }

    /// Returns true if what one node sends to another has to cross it.
    pub(crate) fn separates(&self, from: &str, to: &str) -> bool {
        let NetworkCut { left, right, one_way } = self;
        left.has(from, right) && right.has(to, left)
            || !one_way && right.has(from, left) && left.has(to, right)
    }
}

impl fmt::Display for NetworkCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &PartitionSide| match side {
            PartitionSide::Nodes(nodes) => nodes.join(","),
            PartitionSide::Others => "*".to_owned(),
        };
        let between = if self.one_way { '>' } else { '|' };
        write!(f, "{}{between}{}", side(&self.left), side(&self.right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_are_read_as_they_are_written() {
        for text in ["a,b|c", "a>*", "*|b"] {
            assert_eq!(NetworkCut::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "a", "a|", "a,|b", "*|*", "a|a", "a b|c", "a,b>b", "a|b|c", "*,a|b"] {
            assert_eq!(NetworkCut::parse(text), None, "{text}");
        }
    }

    #[test]
    fn budgets_of_links_are_read() {
        let budget = LinkBudget::parse("a,b>c:loss=2").unwrap();
        assert_eq!((budget.kind, budget.most), (FaultKind::Loss, 2));
        assert!(budget.cut.separates("a", "c") && !budget.cut.separates("c", "a"));
        for text in ["a|b", "a|b:loss", "a|b:loss=x", "a|b:malloc=1", "a:loss=1", "a|b:partition=1"]
        {
            assert_eq!(LinkBudget::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_cut_separates_its_sides() {
        let cut = NetworkCut::parse("a,b | c").unwrap();
        assert!(cut.separates("a", "c") && cut.separates("c", "b"));
        assert!(!cut.separates("a", "b") && !cut.separates("a", "d"));
        let cut = NetworkCut::parse("a>*").unwrap();
        assert!(cut.separates("a", "d") && !cut.separates("d", "a") && !cut.separates("c", "d"));
    }
}
