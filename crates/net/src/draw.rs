//! A topology as a picture: [`Topology::draw`] gives an SVG document.
//!
//! Each network is a panel that holds the hosts which are on it alone. Hosts on several networks, most
//! of them routers, stand in a column to the right, and each has a lane of its own from which wires
//! lead into the panels, so that no two wires lie on each other. Beyond thirty hosts those that are
//! alike (`client1`, `client2`, ...) become one card.
//!
//! Not here: where everything is placed (`layout.rs`). Invariant: the same topology gives the same
//! text, byte for byte, and text is escaped.

mod layout;

use std::fmt::Write;

use crate::{HostKind, Topology};
use layout::{CARD_WIDTH, CardWire, HostCard, LINE, MARGIN, NetworkPanel, TopologyLayout};

/// Characters of a name that fit on a card.
const NAME_TEXT: usize = 21;
/// Characters of the smaller lines below it.
const LINE_TEXT: usize = 25;

const STYLE: &str = "\
text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2933}\
.small{font-size:10px;fill:#52606d}.name{font-weight:600}\
.panel{fill:#f5f7fa;stroke:#9aa5b1}.node{fill:#fff;stroke:#3e7cb1}\
.router{fill:#fff6e5;stroke:#b8741a}.wire{fill:none;stroke:#7b8794;stroke-width:1.5}\
.dot{fill:#7b8794}";

impl Topology {
    /// The topology as an SVG document.
    pub fn draw(&self) -> String {
        let layout = TopologyLayout::new(self);
        let TopologyLayout { width, height, panels, cards, wires } = &layout;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{} and {}</title>\n\
             <style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
            count(self.hosts.len(), "host"),
            count(self.networks.len(), "network"),
        );
        panels.iter().for_each(|panel| panel.draw(&mut svg));
        wires.iter().for_each(|wire| wire.draw(&mut svg));
        cards.iter().for_each(|card| card.draw(&mut svg));
        svg.push_str("</svg>\n");
        svg
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Adds to a document.
macro_rules! put {
    ($svg:expr, $($format:tt)*) => {
        writeln!($svg, $($format)*).expect("writing to a string does not fail")
    };
}

impl NetworkPanel {
    fn draw(&self, svg: &mut String) {
        let NetworkPanel { x, y, width, height, name, subnet } = self;
        put!(
            svg,
            "<rect class=\"panel\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>"
        );
        let (x, y) = (x + MARGIN / 2, y + LINE);
        put!(
            svg,
            "<text x=\"{x}\" y=\"{y}\"><tspan class=\"name\">{}</tspan> <tspan class=\"small\">{}</tspan>\
             </text>",
            escaped(&shortened(name, NAME_TEXT)),
            escaped(subnet)
        );
    }
}

impl HostCard {
    fn draw(&self, svg: &mut String) {
        let HostCard { x, y, height, kind, name, lines, hosts } = self;
        let class = match kind {
            HostKind::Node => "node",
            HostKind::Router => "router",
        };
        put!(svg, "<g><title>{}</title>", escaped(name));
        // Several hosts look like a pile.
        let behind = if *hosts > 1 { &[6, 3, 0][..] } else { &[0] };
        for shift in behind {
            put!(
                svg,
                "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{CARD_WIDTH}\" height=\"{height}\" \
                 rx=\"4\"/>",
                x + shift,
                y + shift
            );
        }
        let (x, mut at) = (x + 8, y + LINE);
        put!(
            svg,
            "<text class=\"name\" x=\"{x}\" y=\"{at}\">{}</text>",
            escaped(&shortened(name, NAME_TEXT))
        );
        for line in lines {
            at += LINE;
            let line = escaped(&shortened(line, LINE_TEXT));
            put!(svg, "<text class=\"small\" x=\"{x}\" y=\"{at}\">{line}</text>");
        }
        put!(svg, "</g>");
    }
}

impl CardWire {
    fn draw(&self, svg: &mut String) {
        let CardWire { lane, card: (card_x, card_y), ends, name } = self;
        let all = || ends.iter().map(|(_, y)| *y).chain([*card_y]);
        let (top, bottom) = (all().min().unwrap_or(*card_y), all().max().unwrap_or(*card_y));
        put!(svg, "<path class=\"wire\" d=\"M{lane} {top}V{bottom}M{lane} {card_y}H{card_x}\"/>");
        for (x, y) in ends {
            put!(svg, "<path class=\"wire\" d=\"M{x} {y}H{lane}\"/>");
            put!(svg, "<circle class=\"dot\" cx=\"{lane}\" cy=\"{y}\" r=\"3\"/>");
            let (x, y) = (x - 5, y + 4);
            let name = escaped(&shortened(name, LINE_TEXT - 1));
            put!(
                svg,
                "<text class=\"small\" x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>"
            );
        }
    }
}

/// At most so many characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most - 1).collect();
    format!("{start}\u{2026}")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML has no way to write most control characters.
            _ if character.is_control() => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HostSpec, InterfaceSpec, TopologyBuilder};

    #[test]
    fn names_and_addresses_of_all_hosts_are_shown() {
        let mut builder = TopologyBuilder::new();
        builder.network("lan", None).network("dmz", None);
        builder.node(HostSpec::new("alone").interface(InterfaceSpec::on("lan")));
        let both = |name: &str| {
            HostSpec::new(name)
                .interface(InterfaceSpec::on("lan"))
                .interface(InterfaceSpec::on("dmz"))
        };
        builder.node(both("both")).router(both("gate"));
        let svg = builder.build().unwrap().draw();
        for text in ["alone", "both", "gate", "10.0.0.1", "10.0.0.2", "10.0.1.254", "10.0.1.0/24"] {
            assert!(svg.contains(text), "{text} is missing:\n{svg}");
        }
        assert!(svg.contains("<title>3 hosts and 2 networks</title>"));
        assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
        assert_eq!(svg.matches("class=\"router\"").count(), 1);
        assert_eq!(svg.matches("<circle").count(), 4);
    }

    #[test]
    fn text_is_escaped_and_shortened() {
        assert_eq!(escaped("a<b>&\"c\"\u{1}"), "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}");
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab\u{2026}");
    }
}
