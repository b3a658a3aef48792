//! The places of everything in the picture of a topology.
//!
//! Invariant: cards overlap neither each other nor the panels of other networks, and two wires share
//! neither their lane nor a height at a panel.

use everett_base::Map;

use crate::{Host, HostKind, Network, NetworkId, Topology};

pub(super) const MARGIN: usize = 24;
pub(super) const LINE: usize = 16;
pub(super) const CARD_WIDTH: usize = 168;
/// Between two cards, with room for a pile.
const GAP: usize = 18;
const LANE: usize = 14;
/// Between two wires that run side by side.
const CLEAR: usize = 4;
/// Room inside a panel for the names on its wires.
const PLUG: usize = 150;
const CARDS_IN_A_ROW: usize = 5;
/// Up to this many hosts each has a card of its own.
const SINGLE_CARDS: usize = 30;

/// The picture.
pub(super) struct TopologyLayout {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) panels: Vec<NetworkPanel>,
    pub(super) cards: Vec<HostCard>,
    pub(super) wires: Vec<CardWire>,
}

/// A network.
pub(super) struct NetworkPanel {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) name: String,
    pub(super) subnet: String,
}

/// A host, or several that are alike.
pub(super) struct HostCard {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) height: usize,
    pub(super) kind: HostKind,
    pub(super) name: String,
    pub(super) lines: Vec<String>,
    pub(super) hosts: usize,
}

/// The line that attaches a card outside of the panels to some of them.
pub(super) struct CardWire {
    pub(super) lane: usize,
    /// The place where it meets the card.
    pub(super) card: (usize, usize),
    /// The places where it meets panels.
    pub(super) ends: Vec<(usize, usize)>,
    pub(super) name: String,
}

/// Hosts that share a card.
struct AlikeHosts<'a> {
    hosts: Vec<&'a Host>,
    networks: Vec<NetworkId>,
}

impl TopologyLayout {
    pub(super) fn new(topology: &Topology) -> TopologyLayout {
        let groups = groups(topology);
        let (inner, outer): (Vec<&AlikeHosts<'_>>, Vec<&AlikeHosts<'_>>) =
            groups.iter().partition(|group| group.networks.len() == 1);
        let inside = |network: usize| {
            let on_it = inner.iter().filter(move |group| group.networks[0].index() == network);
            on_it.copied().collect::<Vec<_>>()
        };
        let most = (0..topology.networks.len()).map(|network| inside(network).len()).max();
        let columns = most.unwrap_or(0).clamp(1, CARDS_IN_A_ROW);
        let plug = if outer.is_empty() { 0 } else { PLUG };
        let panel_width = (columns * (CARD_WIDTH + GAP) + GAP + plug).max(2 * CARD_WIDTH);
        let mut layout = TopologyLayout {
            width: 0,
            height: 0,
            panels: Vec::new(),
            cards: Vec::new(),
            wires: Vec::new(),
        };
        let mut y = MARGIN;
        for (index, network) in topology.networks.iter().enumerate() {
            let wires = outer.iter().filter(|group| group.on(index)).count();
            y = layout.panel(topology, network, &inside(index), (y, panel_width, columns, wires));
        }
        let bottom = layout.column(topology, &outer, MARGIN + panel_width);
        layout.height = y.max(bottom);
        let cards_end = layout.cards.iter().map(|card| card.x + CARD_WIDTH + GAP).max();
        layout.width = cards_end.unwrap_or(0).max(MARGIN + panel_width) + MARGIN;
        layout
    }

    /// Adds a panel with its cards, and says where the next begins.
    fn panel(
        &mut self,
        topology: &Topology,
        network: &Network,
        groups: &[&AlikeHosts<'_>],
        (y, width, columns, wires): (usize, usize, usize, usize),
    ) -> usize {
        let mut below = y + 2 * LINE;
        for row in groups.chunks(columns) {
            let mut lowest = below;
            for (position, group) in row.iter().enumerate() {
                let x = MARGIN + GAP + position * (CARD_WIDTH + GAP);
                let card = group.card(topology, (x, below));
                lowest = lowest.max(below + card.height + GAP);
                self.cards.push(card);
            }
            below = lowest;
        }
        let height = (below - y).max(2 * LINE + wires * LINE);
        self.panels.push(NetworkPanel {
            x: MARGIN,
            y,
            width,
            height,
            name: network.name.clone(),
            subnet: network
                .subnets()
                .map(|subnet| subnet.to_string())
                .collect::<Vec<_>>()
                .join(" "),
        });
        y + height + MARGIN
    }

    /// Adds the cards outside of the panels with their wires, and says where they end.
    fn column(&mut self, topology: &Topology, groups: &[&AlikeHosts<'_>], edge: usize) -> usize {
        let left = edge + (groups.len() + 1) * LANE + GAP;
        let mut plugged = vec![0; topology.networks.len()];
        let mut plug = |network: &NetworkId| {
            let slot = &mut plugged[network.index()];
            *slot += 1;
            (edge, self.panels[network.index()].y + *slot * LINE)
        };
        let all: Vec<Vec<(usize, usize)>> =
            groups.iter().map(|group| group.networks.iter().map(&mut plug).collect()).collect();
        let taken: Vec<usize> = all.iter().flatten().map(|(_, y)| *y).collect();
        let mut y = MARGIN;
        for (position, (group, ends)) in groups.iter().zip(all).enumerate() {
            let card = group.card(topology, (left, y));
            let lane = edge + (position + 1) * LANE;
            let name = card.name.clone();
            self.wires.push(CardWire { lane, card: (left, plug_of(&card, &taken)), ends, name });
            y += card.height + GAP;
            self.cards.push(card);
        }
        y + MARGIN
    }
}

/// The place where a wire meets its card: near the middle, and not where a wire lies that crosses it.
fn plug_of(card: &HostCard, taken: &[usize]) -> usize {
    let middle = card.y + card.height / 2;
    let near = (0..LINE / 2).flat_map(|off| [middle + off, middle - off]);
    let is_free = |y: &usize| taken.iter().all(|other| other.abs_diff(*y) >= CLEAR);
    near.into_iter().find(is_free).unwrap_or(middle)
}

impl AlikeHosts<'_> {
    fn on(&self, network: usize) -> bool {
        self.networks.iter().any(|each| each.index() == network)
    }

    fn card(&self, topology: &Topology, (x, y): (usize, usize)) -> HostCard {
        let (first, last) = (self.hosts[0], self.hosts[self.hosts.len() - 1]);
        let mut lines = Vec::new();
        let name = if self.hosts.len() == 1 {
            first.name.clone()
        } else {
            lines.push(format!("{} hosts", self.hosts.len()));
            format!("{} \u{2026} {}", first.name, last.name)
        };
        for (one, other) in first.interfaces.iter().zip(&last.interfaces) {
            let network = topology.network(one.network);
            for address in &one.addresses {
                lines.push(match self.networks.len() {
                    1 => address.to_string(),
                    _ => format!("{} {}", network.name, address.ip),
                });
            }
            if self.hosts.len() > 1 {
                lines.push(format!("\u{2026} {}", other.address()));
            }
        }
        let height = (lines.len() + 1) * LINE + LINE / 2;
        HostCard { x, y, height, kind: first.kind, name, lines, hosts: self.hosts.len() }
    }
}

/// The hosts, those that are alike together if there are many.
fn groups(topology: &Topology) -> Vec<AlikeHosts<'_>> {
    let mut groups: Vec<AlikeHosts<'_>> = Vec::new();
    let mut known: Map<(HostKind, &str, Vec<NetworkId>), usize> = Map::default();
    let many = topology.hosts.len() > SINGLE_CARDS;
    for host in &topology.hosts {
        let attached: Vec<NetworkId> = host.interfaces.iter().map(|each| each.network).collect();
        let mut networks = attached.clone();
        networks.sort_unstable();
        networks.dedup();
        let numbered = stem(&host.name).filter(|_| many);
        if let Some(stem) = numbered {
            let group = *known.entry((host.kind, stem, attached)).or_insert(groups.len());
            if let Some(group) = groups.get_mut(group) {
                group.hosts.push(host);
                continue;
            }
        }
        groups.push(AlikeHosts { hosts: vec![host], networks });
    }
    groups
}

/// The part of a name before the number at its end, if there is one.
fn stem(name: &str) -> Option<&str> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem.len() < name.len()).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HostSpec, InterfaceSpec, TopologyBuilder};

    /// A system with many networks, hosts on one, two and three of them.
    fn mixed(networks: usize, hosts: usize) -> TopologyLayout {
        let mut builder = TopologyBuilder::new();
        (0..networks).for_each(|network| {
            builder.network(format!("w{network}"), None);
        });
        for index in 0..hosts {
            let mut host = HostSpec::new(format!("{}{index}", ["a", "b", "c"][index % 3]));
            for step in 0..(index % 5).saturating_sub(1).max(1) {
                host = host.interface(InterfaceSpec::on(format!("w{}", (index + step) % networks)));
            }
            if index % 4 == 3 {
                builder.router(host)
            } else {
                builder.node(host)
            };
        }
        TopologyLayout::new(&builder.build().unwrap())
    }

    fn apart(one: (usize, usize, usize, usize), other: (usize, usize, usize, usize)) -> bool {
        one.0 + one.2 <= other.0
            || other.0 + other.2 <= one.0
            || one.1 + one.3 <= other.1
            || other.1 + other.3 <= one.1
    }

    #[test]
    fn nothing_overlaps_and_all_is_inside() {
        for (networks, hosts) in [(1, 1), (1, 30), (3, 7), (5, 29), (8, 200), (2, 0)] {
            let layout = mixed(networks, hosts);
            let cards: Vec<_> =
                layout.cards.iter().map(|card| (card.x, card.y, CARD_WIDTH, card.height)).collect();
            for (index, one) in cards.iter().enumerate() {
                assert!(one.0 + one.2 <= layout.width && one.1 + one.3 <= layout.height);
                assert!(cards[..index].iter().all(|other| apart(*one, *other)), "{hosts} hosts");
            }
            let panels: Vec<_> = layout
                .panels
                .iter()
                .map(|each| (each.x, each.y, each.width, each.height))
                .collect();
            for (index, one) in panels.iter().enumerate() {
                assert!(one.0 + one.2 <= layout.width && one.1 + one.3 <= layout.height);
                assert!(panels[..index].iter().all(|other| apart(*one, *other)));
                for card in &cards {
                    let inside = card.0 >= one.0
                        && card.0 + card.2 <= one.0 + one.2
                        && card.1 >= one.1
                        && card.1 + card.3 <= one.1 + one.3;
                    assert!(inside || apart(*card, *one), "a card is half inside of a panel");
                }
            }
        }
    }

    #[test]
    fn wires_have_their_own_lanes_and_plugs() {
        let layout = mixed(5, 29);
        let mut lanes: Vec<usize> = layout.wires.iter().map(|wire| wire.lane).collect();
        let mut plugs: Vec<_> = layout.wires.iter().flat_map(|wire| wire.ends.clone()).collect();
        assert!(lanes.len() > 5 && plugs.len() > 10);
        let counts = (lanes.len(), plugs.len());
        lanes.dedup();
        plugs.sort_unstable();
        plugs.dedup();
        assert_eq!((lanes.len(), plugs.len()), counts);
        for wire in &layout.wires {
            assert!(plugs.iter().all(|(_, y)| y.abs_diff(wire.card.1) >= CLEAR), "wires overlap");
        }
        for (_, y) in plugs {
            assert!(layout.panels.iter().any(|panel| panel.y < y && y < panel.y + panel.height));
        }
    }

    #[test]
    fn many_alike_hosts_share_a_card() {
        let mut builder = TopologyBuilder::new();
        builder.node(HostSpec::new("server"));
        for number in 1..=100 {
            builder.node(HostSpec::new(format!("client{number}")));
            if number == 50 {
                builder.node(HostSpec::new("spare"));
            }
        }
        let layout = TopologyLayout::new(&builder.build().unwrap());
        let cards: Vec<_> =
            layout.cards.iter().map(|card| (card.name.as_str(), card.hosts)).collect();
        assert_eq!(cards, [("server", 1), ("client1 \u{2026} client100", 100), ("spare", 1)]);
        assert_eq!(layout.cards[1].lines, ["100 hosts", "10.0.0.2/24", "\u{2026} 10.0.0.102"]);
    }
}
