//! Networks, routers, interfaces and routes of a scenario: [`TopologyParts`] hands them to the builder of
//! topologies, and remembers where each stands in the file.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use everett_input::suggest;
use everett_input::units::parse_rate;
use everett_net::{
    AddressSpec, HostSpec, InterfaceSpec, LinkTiming, RouteSpec, Subnet, Topology, TopologyBuilder,
    TopologyError, TopologyPlace, TopologyProblem,
};
use toml_edit::TableLike;

use super::diagnostic::{Diagnostic, TextSpan};
use super::fields::{ElementContent, ListElement, ProblemList, Spanned, TableFields, span_of};

/// The most latencies that a network or a link may have.
const MOST_LATENCIES: usize = 16;

/// The parts that the topology is built of.
#[derive(Default)]
pub(super) struct TopologyParts {
    builder: TopologyBuilder,
    networks: Vec<NetworkSpans>,
    hosts: Vec<HostSpans>,
}

/// The places of the parts of a network in the file.
struct NetworkSpans {
    name: String,
    named: TextSpan,
    subnet: TextSpan,
    subnet6: TextSpan,
}

/// The places of the parts of a host in the file.
#[derive(Clone)]
struct HostSpans {
    name: TextSpan,
    /// Its host name, if it has one of its own.
    hostname: Option<(String, TextSpan)>,
    interfaces: Vec<(TextSpan, Vec<TextSpan>)>,
    routes: Vec<TextSpan>,
}

/// The attachment of a host to a network.
#[derive(Default)]
pub(super) struct Attachment {
    interfaces: Vec<Spanned<InterfaceSpec>>,
    /// The places of the addresses of each interface.
    addresses: Vec<Vec<TextSpan>>,
    routes: Vec<Spanned<RouteSpec>>,
}

impl TopologyParts {
    /// Reads `[network.NAME]`.
    pub(super) fn networks(&mut self, root: &TableFields<'_>, problems: &mut ProblemList) {
        for (name, table) in named(root, "network", problems) {
            let what = format!("network `{}`", name.value);
            let fields = TableFields::new(
                table,
                name.span,
                &what,
                &["subnet", "subnet6", "latency", "bandwidth"],
                problems,
            );
            let [subnet, subnet6] = ["subnet", "subnet6"].map(|key| fields.text(key, problems));
            let timing = timing(&fields, problems);
            self.networks.push(NetworkSpans {
                name: name.value.to_owned(),
                named: name.span,
                subnet: subnet.as_ref().map_or(name.span, |text| text.span),
                subnet6: subnet6.as_ref().map_or(name.span, |text| text.span),
            });
            let mut of_family = |text: Option<Spanned<&str>>, is_ipv4| {
                let text = text?;
                let subnet = parsed::<Subnet>(&text, problems)?;
                let is_right = subnet.base().is_ipv4() == is_ipv4;
                if !is_right {
                    let (family, key) =
                        if is_ipv4 { ("IPv6", "subnet6") } else { ("IPv4", "subnet") };
                    let message = format!("{subnet} is a subnet of {family}: its key is `{key}`");
                    problems.add(Diagnostic::new(text.span, message));
                }
                Some(subnet).filter(|_| is_right)
            };
            let (subnet, subnet6) = (of_family(subnet, true), of_family(subnet6, false));
            self.builder.network(name.value, subnet).subnet6(subnet6).timing(timing);
        }
    }

    /// Reads `[router.NAME]`.
    pub(super) fn routers(&mut self, root: &TableFields<'_>, problems: &mut ProblemList) {
        for (name, table) in named(root, "router", problems) {
            let what = format!("router `{}`", name.value);
            let fields =
                TableFields::new(table, name.span, &what, &["interfaces", "routes"], problems);
            let attachment = Attachment::read(&fields, problems);
            let host = HostSpec { name: name.value.to_owned(), ..HostSpec::default() };
            self.builder.router(attachment.apply(host, 0));
            self.hosts.push(attachment.places(name.span, None));
        }
    }

    /// Adds a node; `further` is how far its addresses are from the given ones. The places are those
    /// of its name and of its host name.
    pub(super) fn node(
        &mut self,
        host: HostSpec,
        (name, hostname): (TextSpan, Option<TextSpan>),
        at: &Attachment,
        further: u32,
    ) {
        let hostname = host.hostname.clone().zip(hostname);
        self.builder.node(at.apply(host, further));
        self.hosts.push(at.places(name, hostname));
    }

    pub(super) fn build(&self, problems: &mut ProblemList) -> Option<Arc<Topology>> {
        match self.builder.build() {
            Ok(topology) => Some(topology),
            Err(error) => {
                problems.add(self.topology_problem(&error));
                None
            }
        }
    }

    fn topology_problem(&self, error: &TopologyError) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.place_of(error), error.to_string());
        let help = match &error.problem {
            TopologyProblem::UnknownNetwork { network, .. } => {
                let known = self.networks.iter().map(|each| each.name.as_str());
                match suggest::nearest(network, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("declare it with [network.{network}]"),
                }
            }
            TopologyProblem::NoFreeAddress { .. } => "give the network a larger subnet".to_owned(),
            TopologyProblem::GatewayNotRouter { .. } => {
                "only routers forward: declare [router.NAME] with that address".to_owned()
            }
            TopologyProblem::AddressOnNoNetwork { .. } => {
                "declare a network whose subnet holds it".to_owned()
            }
            TopologyProblem::NoSubnet6 { network, .. } => {
                format!("give it one: [network.{network}] with subnet6 = \"fd00::/64\"")
            }
            TopologyProblem::DuplicateHost(_) => {
                "names and host names of all nodes and routers differ; with `count`, `{i}` in a \
                 host name is the number of the node"
                    .to_owned()
            }
            _ => return diagnostic,
        };
        diagnostic.help(help)
    }

    fn place_of(&self, error: &TopologyError) -> TextSpan {
        match (&error.problem, error.place) {
            (
                TopologyProblem::OverlappingNetworks { subnet, .. }
                | TopologyProblem::ReservedSubnet(subnet, _),
                TopologyPlace::Network(index),
            ) => {
                let span = |each: &NetworkSpans| match subnet.base() {
                    IpAddr::V4(_) => each.subnet,
                    IpAddr::V6(_) => each.subnet6,
                };
                self.networks.get(index).map(span).unwrap_or_default()
            }
            (
                TopologyProblem::DuplicateHost(name) | TopologyProblem::BadName(name),
                TopologyPlace::Host(index),
            ) => {
                let own = self.hosts.get(index).and_then(|places| places.hostname.as_ref());
                let own = own.filter(|(hostname, _)| hostname == name);
                own.map_or_else(|| self.place(error.place), |(_, span)| *span)
            }
            _ => self.place(error.place),
        }
    }

    fn place(&self, place: TopologyPlace) -> TextSpan {
        let host = |host: usize| self.hosts.get(host);
        let found = match place {
            TopologyPlace::Network(index) => self.networks.get(index).map(|each| each.named),
            TopologyPlace::Host(index) => host(index).map(|places| places.name),
            TopologyPlace::Interface { host: index, interface } => host(index).map(|places| {
                places.interfaces.get(interface).map_or(places.name, |(span, _)| *span)
            }),
            TopologyPlace::Address { host: index, interface, address } => {
                host(index).map(|places| {
                    let interface = places.interfaces.get(interface);
                    let address = interface.and_then(|(_, addresses)| addresses.get(address));
                    address.or(interface.map(|(span, _)| span)).copied().unwrap_or(places.name)
                })
            }
            TopologyPlace::Route { host: index, route } => {
                host(index).map(|places| places.routes.get(route).copied().unwrap_or(places.name))
            }
        };
        found.unwrap_or_default()
    }
}

impl Attachment {
    /// Reads `address`, `interfaces` and `routes` of a host.
    pub(super) fn read(fields: &TableFields<'_>, problems: &mut ProblemList) -> Attachment {
        let mut attachment = Attachment::default();
        if let Some(text) = fields.text("address", problems) {
            if let Some((key, _)) = fields.entry("interfaces") {
                let span = key.span().map_or(text.span, TextSpan::from);
                let message = "a host has either an `address` or `interfaces`";
                problems
                    .add(Diagnostic::new(span, message).help("move the address into an interface"));
            }
            if let Some(address) = parsed::<AddressSpec>(&text, problems) {
                let value = InterfaceSpec::at(address);
                attachment.interfaces.push(Spanned { value, span: text.span });
                attachment.addresses.push(vec![text.span]);
            }
        }
        for element in fields.list("interfaces", problems) {
            attachment.interface(&element, problems);
        }
        for element in fields.list("routes", problems) {
            attachment.routes.extend(route(&element, problems));
        }
        attachment
    }

    fn interface(&mut self, element: &ListElement<'_>, problems: &mut ProblemList) {
        let span = element.span;
        let table = match &element.content {
            ElementContent::Table(table) => *table,
            ElementContent::Value(value) => {
                match value.as_str() {
                    Some(network) => {
                        self.interfaces.push(Spanned { value: InterfaceSpec::on(network), span });
                        self.addresses.push(Vec::new());
                    }
                    None => problems.add(
                        Diagnostic::new(span, "expected an interface")
                            .help("write { network = \"NAME\", address = \"10.0.0.1/24\" }"),
                    ),
                }
                return;
            }
        };
        let known = ["network", "address", "addresses", "name", "primary", "latency", "bandwidth"];
        let fields = TableFields::new(table, span, "an interface", &known, problems);
        let mut texts = fields.texts("addresses", problems);
        texts.splice(0..0, fields.text("address", problems));
        let addresses: Vec<Spanned<AddressSpec>> = texts
            .iter()
            .filter_map(|text| {
                let value = parsed::<AddressSpec>(text, problems)?;
                Some(Spanned { value, span: text.span })
            })
            .collect();
        let owned = |text: Option<Spanned<&str>>| text.map(|text| text.value.to_owned());
        let value = InterfaceSpec {
            name: owned(fields.text("name", problems)),
            network: owned(fields.text("network", problems)),
            addresses: addresses.iter().map(|address| address.value).collect(),
            primary: fields.truth("primary", problems).unwrap_or(false),
            timing: timing(&fields, problems),
        };
        self.interfaces.push(Spanned { value, span });
        self.addresses.push(addresses.into_iter().map(|address| address.span).collect());
    }

    fn apply(&self, mut host: HostSpec, further: u32) -> HostSpec {
        host.interfaces = self.interfaces.iter().map(|each| each.value.clone()).collect();
        for address in host.interfaces.iter_mut().flat_map(|each| &mut each.addresses) {
            address.ip = further_address(address.ip, further);
        }
        host.routes = self.routes.iter().map(|each| each.value.clone()).collect();
        host
    }

    fn places(&self, name: TextSpan, hostname: Option<(String, TextSpan)>) -> HostSpans {
        let interfaces = self.interfaces.iter().map(|each| each.span);
        HostSpans {
            name,
            hostname,
            interfaces: interfaces.zip(self.addresses.iter().cloned()).collect(),
            routes: self.routes.iter().map(|each| each.span).collect(),
        }
    }
}

/// The address so many behind another one.
fn further_address(address: IpAddr, by: u32) -> IpAddr {
    match address {
        IpAddr::V4(address) => Ipv4Addr::from_bits(address.to_bits().saturating_add(by)).into(),
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits().saturating_add(by.into())).into()
        }
    }
}

/// Reads `latency` and `bandwidth` of a network or an interface.
fn timing(fields: &TableFields<'_>, problems: &mut ProblemList) -> LinkTiming {
    let times = fields.times("latency", problems);
    let mut latencies_ns = Vec::with_capacity(times.len());
    for Spanned { value, span } in times {
        if latencies_ns.contains(&value) {
            let message = "a latency that is given twice; leave out one of the two";
            problems.add(Diagnostic::new(span, message));
        }
        latencies_ns.push(value);
    }
    if let (true, Some((key, item))) =
        (latencies_ns.len() > MOST_LATENCIES, fields.entry("latency"))
    {
        let message = format!("`latency` has more than {MOST_LATENCIES} times");
        problems.add(Diagnostic::new(span_of(key, item), message));
    }
    let rate = fields.text("bandwidth", problems).and_then(|text| match parse_rate(text.value) {
        Ok(rate) => Some(rate),
        Err(problem) => {
            let message = format!("`bandwidth` is `{}`: {problem}", text.value);
            problems.add(Diagnostic::new(text.span, message));
            None
        }
    });
    LinkTiming { latencies_ns, bytes_per_second: rate }
}

fn route(element: &ListElement<'_>, problems: &mut ProblemList) -> Option<Spanned<RouteSpec>> {
    let ElementContent::Table(table) = element.content else {
        let help = "write { to = \"10.1.0.0/16\", via = \"10.0.0.9\" }";
        problems.add(Diagnostic::new(element.span, "expected a route").help(help));
        return None;
    };
    let fields =
        TableFields::new(table, element.span, "a route", &["to", "via", "interface"], problems);
    let to = fields.needed("to", "a route", problems);
    let is_default = to.as_ref().is_some_and(|text| text.value == "default");
    let subnet = to.filter(|_| !is_default).and_then(|text| parsed::<Subnet>(&text, problems));
    let via: Option<IpAddr> = match fields.text("via", problems) {
        None => None,
        Some(text) => match text.value.parse() {
            Ok(gateway) => Some(gateway),
            Err(_) => {
                let message = format!("`{}` is not an IP address", text.value);
                problems.add(Diagnostic::new(text.span, message));
                return None;
            }
        },
    };
    let to = match via {
        Some(IpAddr::V6(_)) if is_default => Some(Subnet::EVERYTHING_V6),
        _ if is_default => Some(Subnet::EVERYTHING),
        _ => subnet,
    };
    let interface = fields.text("interface", problems).map(|text| text.value.to_owned());
    Some(Spanned { value: RouteSpec { to: to?, via, interface }, span: element.span })
}

/// The tables `[KIND.NAME]`, with their names.
fn named<'a>(
    root: &TableFields<'a>,
    kind: &str,
    problems: &mut ProblemList,
) -> Vec<(Spanned<&'a str>, &'a dyn TableLike)> {
    let Some((key, item)) = root.entry(kind) else { return Vec::new() };
    let span = span_of(key, item);
    let Some(table) = item.as_table_like() else {
        problems.expected(&format!("tables [{kind}.NAME]"), item, span);
        return Vec::new();
    };
    let mut found = Vec::with_capacity(table.len());
    for (name, item) in table.iter() {
        let at = table.key(name).and_then(|key| key.span()).map_or(span, TextSpan::from);
        match item.as_table_like() {
            Some(inner) => found.push((Spanned { value: name, span: at }, inner)),
            None => problems.expected(&format!("a table [{kind}.{name}]"), item, at),
        }
    }
    found
}

fn parsed<T: std::str::FromStr<Err: ToString>>(
    text: &Spanned<&str>,
    problems: &mut ProblemList,
) -> Option<T> {
    match text.value.parse() {
        Ok(value) => Some(value),
        Err(error) => {
            problems.add(Diagnostic::new(text.span, T::Err::to_string(&error)));
            None
        }
    }
}
