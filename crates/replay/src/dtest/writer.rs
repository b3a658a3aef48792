//! From a [`DTest`] to XML.
//!
//! Every structure is taken apart completely, so that a new field does not compile until it is written.

use std::net::IpAddr;

use quick_xml::Writer;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};
use quick_xml::name::QName;

use super::escape::{escaped, escaped_list};
use super::{
    DTest, NAMESPACE, TestAddress, TestFault, TestInterface, TestMessage, TestNetwork, TestNode,
    TestNodeRecord, TestOutcome, TestPlace, TestPreemption, TestRecord, TestRoute, TestRouter,
    TestSetting, TestTiming, VERSION,
};

/// The contents of a test file.
pub(super) fn write(test: &DTest) -> String {
    let DTest { networks, routers, nodes, record } = test;
    let mut xml = XmlWriter { writer: Writer::new_with_indent(Vec::new(), b' ', 2) };
    xml.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    let mut root = XmlTag::new("test");
    if let Some(TestRecord { boots, time_ns, .. }) = record {
        root = root.plain("xmlns:everett", NAMESPACE).ours("version", VERSION);
        root = root.ours("time", time_ns);
        root = if *boots { root.ours("boots", true) } else { root };
    }
    xml.element(root, |xml| {
        record.iter().for_each(|record| xml.settings(&record.options));
        record.iter().for_each(|record| xml.outcome(&record.outcome));
        networks.iter().for_each(|network| xml.network(network));
        routers.iter().for_each(|router| xml.router(router));
        nodes.iter().for_each(|node| xml.node(node));
        record.iter().for_each(|record| xml.story(record));
    });
    String::from_utf8(xml.writer.into_inner()).expect("all that is written is text") + "\n"
}

/// An element with its attributes.
struct XmlTag(BytesStart<'static>);

impl XmlTag {
    fn new(name: &'static str) -> XmlTag {
        XmlTag(BytesStart::new(name))
    }

    /// An attribute of the published form.
    fn plain(mut self, name: &str, value: impl ToString) -> XmlTag {
        let value = referenced(&value.to_string());
        self.0.push_attribute(Attribute { key: QName(name), value: value.into() });
        self
    }

    /// An attribute of one of our elements.
    fn text(self, name: &str, value: impl AsRef<[u8]>) -> XmlTag {
        self.plain(name, escaped(value.as_ref()))
    }

    /// An attribute of ours on an element of the published form.
    fn ours(self, name: &str, value: impl ToString) -> XmlTag {
        self.text(&format!("everett:{name}"), value.to_string())
    }

    fn timing(self, timing: &TestTiming) -> XmlTag {
        let TestTiming { latencies_ns, bytes_per_second } = timing;
        let latencies: Vec<String> = latencies_ns.iter().map(u64::to_string).collect();
        let latency = (!latencies.is_empty()).then(|| latencies.join(" "));
        self.ours_if("latency", latency).ours_if("bandwidth", *bytes_per_second)
    }

    fn ours_if(self, name: &str, value: Option<impl ToString>) -> XmlTag {
        match value {
            Some(value) => self.ours(name, value),
            None => self,
        }
    }
}

/// Replaces characters that XML cannot have in an attribute as they are.
fn referenced(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for letter in value.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out
}

struct XmlWriter {
    writer: Writer<Vec<u8>>,
}

impl XmlWriter {
    fn event(&mut self, event: Event<'_>) {
        self.writer.write_event(event).expect("memory can be written");
    }

    fn empty(&mut self, tag: XmlTag) {
        self.event(Event::Empty(tag.0));
    }

    fn element(&mut self, tag: XmlTag, inside: impl FnOnce(&mut XmlWriter)) {
        let name = tag.0.name().as_ref().to_owned();
        self.event(Event::Start(tag.0));
        inside(self);
        self.event(Event::End(BytesEnd::new(name)));
    }

    fn network(&mut self, network: &TestNetwork) {
        let TestNetwork { name, subnet, subnet6, timing } = network;
        let text =
            |subnet: &Option<(IpAddr, u8)>| subnet.map(|(base, prefix)| format!("{base}/{prefix}"));
        let tag = XmlTag::new("network").plain("name", name).ours_if("subnet", text(subnet));
        let tag = tag.ours_if("subnet6", text(subnet6));
        self.empty(tag.timing(timing));
    }

    fn router(&mut self, router: &TestRouter) {
        let TestRouter { hostname, name, interfaces, routes } = router;
        let tag = XmlTag::new("router").plain("hostname", hostname);
        self.element(tag.ours_if("name", name.as_ref()), |xml| xml.attached(interfaces, routes));
    }

    fn attached(&mut self, interfaces: &[TestInterface], routes: &[TestRoute]) {
        interfaces.iter().for_each(|interface| self.interface(interface));
        routes.iter().for_each(|route| self.route(route));
    }

    fn interface(&mut self, interface: &TestInterface) {
        let TestInterface { identifier, network, name, primary, timing, addresses } = interface;
        let tag =
            XmlTag::new("interface").plain("identifier", identifier).plain("network", network);
        let tag = tag.ours_if("name", name.as_ref()).ours_if("primary", primary.then_some(true));
        self.element(tag.timing(timing), |xml| {
            for TestAddress { ip, mask, primary } in addresses {
                let tag = XmlTag::new("address").plain("ip", ip).plain("mask", mask);
                xml.empty(tag.plain("primary", primary));
            }
        });
    }

    fn route(&mut self, route: &TestRoute) {
        let TestRoute { destination, mask, gateway, interface } = route;
        let or_null = |ip: &Option<IpAddr>| ip.map_or("null".to_owned(), |ip| ip.to_string());
        let tag =
            XmlTag::new("route").plain("destination", or_null(destination)).plain("mask", mask);
        let tag = tag.plain("gateway", or_null(gateway));
        self.empty(tag.ours_if("interface", *interface));
    }

    fn node(&mut self, node: &TestNode) {
        let TestNode {
            filename,
            hostname,
            filesystem,
            server,
            sequence,
            interfaces,
            routes,
            record,
        } = node;
        let mut tag = XmlTag::new("node")
            .plain("filename", filename)
            .plain("hostname", hostname)
            .plain("filesystem", filesystem)
            .plain("server", server)
            .plain("sequence", sequence);
        if let Some(TestNodeRecord { name, server_detected, start_after_ns, .. }) = record {
            tag = tag.ours_if("name", name.as_ref());
            tag = tag.ours_if("server", server_detected.then_some("detected"));
            tag = tag.ours_if("start-after", (*start_after_ns > 0).then_some(start_after_ns));
        }
        if let Some(TestNodeRecord { program, digest, .. }) = record {
            tag = tag.text("everett:program", program).text("everett:digest", digest);
        }
        self.element(tag, |xml| {
            record.iter().for_each(|record| xml.node_record(record));
            xml.attached(interfaces, routes);
        });
    }

    fn node_record(&mut self, record: &TestNodeRecord) {
        let TestNodeRecord { arguments, options, files, .. } = record;
        for argument in arguments {
            self.empty(XmlTag::new("everett:argument").text("value", argument));
        }
        self.settings(options);
        for (path, content) in files {
            self.empty(XmlTag::new("everett:file").text("path", path).text("content", content));
        }
    }

    fn settings(&mut self, settings: &[TestSetting]) {
        for TestSetting { name, values } in settings {
            let tag = XmlTag::new("everett:option").text("name", name);
            let values = (!values.is_empty()).then(|| escaped_list(values));
            self.empty(match values {
                Some(values) => tag.plain("values", values),
                None => tag,
            });
        }
    }

    fn outcome(&mut self, outcome: &TestOutcome) {
        match outcome {
            TestOutcome::Finding { kind, node, message, stack } => {
                let tag = XmlTag::new("everett:finding").text("kind", kind).text("node", node);
                self.element(tag.text("message", message), |xml| {
                    stack.iter().for_each(|place| xml.place(place));
                });
            }
            TestOutcome::Unfinished { instructions } => {
                self.empty(XmlTag::new("everett:unfinished").plain("instructions", instructions));
            }
            TestOutcome::Ended(nodes) => self.element(XmlTag::new("everett:ended"), |xml| {
                for (node, status) in nodes {
                    xml.empty(XmlTag::new("everett:end").text("node", node).text("status", status));
                }
            }),
        }
    }

    /// Writes the parts that are there for people.
    fn story(&mut self, record: &TestRecord) {
        let TestRecord {
            boots: _,
            options: _,
            outcome: _,
            time_ns: _,
            faults,
            preemptions,
            messages,
            messages_omitted,
        } = record;
        for TestFault { node, kind, point, choice, time_ns, what, place } in faults {
            let tag = XmlTag::new("everett:fault").text("node", node).text("kind", kind);
            let tag = tag.plain("point", point).plain("choice", choice).plain("time", time_ns);
            self.at_place(tag.text("what", what), place.as_ref());
        }
        for TestPreemption { node, point, from, to, time_ns, place } in preemptions {
            let tag = XmlTag::new("everett:preemption").text("node", node).plain("point", point);
            let tag = tag.plain("from", from).plain("to", to).plain("time", time_ns);
            self.at_place(tag, place.as_ref());
        }
        let tag = XmlTag::new("everett:messages").plain("omitted", messages_omitted);
        self.element(tag, |xml| {
            for TestMessage { time_ns, round, from, to, kind, size, bytes, received } in messages {
                let tag =
                    XmlTag::new("everett:message").plain("time", time_ns).plain("round", round);
                let tag = tag.text("from", from).text("to", to).text("kind", kind);
                let tag = tag.plain("size", size).text("bytes", bytes);
                xml.empty(tag.plain("received", received));
            }
        });
    }

    /// An element with a place inside, if there is one.
    fn at_place(&mut self, tag: XmlTag, place: Option<&TestPlace>) {
        match place {
            Some(place) => self.element(tag, |xml| xml.place(place)),
            None => self.empty(tag),
        }
    }

    fn place(&mut self, place: &TestPlace) {
        let TestPlace { function, file, line, column } = place;
        let tag = XmlTag::new("everett:place").text("function", function);
        self.empty(tag.text("file", file).plain("line", line).plain("column", column));
    }
}
