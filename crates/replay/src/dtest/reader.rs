//! From a tree of XML to a [`DTest`].
//!
//! Each element takes the attributes and children that it knows; what is left over is an error that
//! names it. Only what belongs to other namespaces has been left out before, in `document.rs`.

use std::net::IpAddr;
use std::str::FromStr;

use super::document::{NameSpace, XmlElement};
use super::escape::{unescaped, unescaped_list};
use super::{
    DTest, TestAddress, TestFault, TestInterface, TestMessage, TestNetwork, TestNode,
    TestNodeRecord, TestOutcome, TestPlace, TestPreemption, TestRecord, TestRoute, TestRouter,
    TestSetting, TestTiming, VERSION,
};
use crate::error::{DTestError, DTestProblem};

type Result<T> = std::result::Result<T, DTestError>;

const NUMBER: &str = "a number";
const TRUTH: &str = "`true` or `false`";
const ADDRESS: &str = "an address such as 10.0.0.1 or fd00::1";
const MASK: &str = "a number from 0 to 128";
const ESCAPED: &str = "text, in which a backslash begins an escape";

/// The test that a document is.
pub(super) fn read(root: &XmlElement) -> Result<DTest> {
    if !root.is(NameSpace::Published, "test") {
        return Err(root.unexpected("<test>"));
    }
    let mut fields = ElementFields::of(root);
    let version = fields.ours("version")?.map(|text| fields.number(&text, "everett:version"));
    let version: Option<u32> = version.transpose()?;
    let boots = fields.ours_truth("boots")?;
    let time = fields
        .ours("time")?
        .map(|text| text.parse().map_err(|_| fields.wrong("everett:time", &text, NUMBER)));
    let time_ns: Option<u64> = time.transpose()?;
    fields.finish()?;
    if let Some(found) = version.filter(|version| *version != VERSION) {
        return Err(root.place.error(DTestProblem::Version { found, known: VERSION }));
    }
    let mut parts = RootParts { versioned: version.is_some(), ..RootParts::default() };
    root.children.iter().try_for_each(|child| parts.child(child))?;
    let RootParts { test, mut record, outcome, .. } = parts;
    let record = match (version, outcome) {
        (None, _) if boots || time_ns.is_some() => return Err(root.missing("everett:version")),
        (None, _) => None,
        (Some(_), None) => {
            let inside = root.shown();
            let name = "everett:finding>, <everett:ended> or <everett:unfinished";
            return Err(root.place.error(DTestProblem::MissingElement { inside, name }));
        }
        (Some(_), Some(outcome)) => {
            (record.boots, record.outcome) = (boots, outcome);
            record.time_ns = time_ns.ok_or_else(|| root.missing("everett:time"))?;
            Some(record)
        }
    };
    if let Some(_) = &record
        && let Some(at) = test.nodes.iter().position(|node| node.record.is_none())
    {
        let nodes = root.children.iter().filter(|child| child.is(NameSpace::Published, "node"));
        let place = { nodes }.nth(at).unwrap_or(root);
        return Err(place.missing("everett:program"));
    }
    Ok(DTest { record, ..test })
}

/// The parts that are read from the children of the root.
#[derive(Default)]
struct RootParts {
    versioned: bool,
    test: DTest,
    record: TestRecord,
    outcome: Option<TestOutcome>,
    has_messages: bool,
}

impl RootParts {
    fn child(&mut self, child: &XmlElement) -> Result<()> {
        if child.space == NameSpace::Ours && !self.versioned {
            let (element, name) = ("test".to_owned(), "everett:version".to_owned());
            return Err(child.place.error(DTestProblem::MissingAttribute { element, name }));
        }
        match (child.space, &*child.name) {
            (NameSpace::Published, "network") => self.test.networks.push(network(child)?),
            (NameSpace::Published, "router") => self.test.routers.push(router(child)?),
            (NameSpace::Published, "node") => self.test.nodes.push(node(child, self.versioned)?),
            (NameSpace::Ours, "option") => self.record.options.push(setting(child)?),
            (NameSpace::Ours, "fault") => self.record.faults.push(fault(child)?),
            (NameSpace::Ours, "preemption") => self.record.preemptions.push(preemption(child)?),
            (NameSpace::Ours, "finding" | "ended" | "unfinished") => {
                if self.outcome.is_some() {
                    return Err(child.place.error(DTestProblem::Repeated(child.shown())));
                }
                self.outcome = Some(outcome(child)?);
            }
            (NameSpace::Ours, "messages") => {
                if std::mem::replace(&mut self.has_messages, true) {
                    return Err(child.place.error(DTestProblem::Repeated(child.shown())));
                }
                let mut fields = ElementFields::of(child);
                self.record.messages_omitted = fields.parsed("omitted", NUMBER)?;
                fields.finish()?;
                self.record.messages = children(child, "message", message)?;
            }
            (NameSpace::Published, _) => {
                return Err(child.unexpected("<network>, <router> or <node>"));
            }
            (NameSpace::Ours, _) => {
                let expected = "<everett:option>, <everett:finding>, <everett:ended>, \
                                <everett:unfinished>, <everett:fault>, <everett:preemption> or \
                                <everett:messages>";
                return Err(child.unexpected(expected));
            }
        }
        Ok(())
    }
}

fn network(element: &XmlElement) -> Result<TestNetwork> {
    let mut fields = ElementFields::of(element);
    let name = fields.plain("name")?;
    let subnet = fields.subnet("subnet", "everett:subnet", "a subnet such as 10.0.0.0/24")?;
    let subnet6 = fields.subnet("subnet6", "everett:subnet6", "a subnet such as fd00::/64")?;
    let timing = fields.timing()?;
    fields.finish()?;
    element.no_children()?;
    Ok(TestNetwork { name, subnet, subnet6, timing })
}

fn router(element: &XmlElement) -> Result<TestRouter> {
    let mut fields = ElementFields::of(element);
    let (hostname, name) = (fields.plain("hostname")?, fields.ours("name")?);
    fields.finish()?;
    let mut router = TestRouter { hostname, name, ..TestRouter::default() };
    for child in &element.children {
        match (child.space, &*child.name) {
            (NameSpace::Published, "interface") => router.interfaces.push(interface(child)?),
            (NameSpace::Published, "route") => router.routes.push(route(child)?),
            _ => return Err(child.unexpected("<interface> or <route>")),
        }
    }
    Ok(router)
}

fn interface(element: &XmlElement) -> Result<TestInterface> {
    let mut fields = ElementFields::of(element);
    let interface = TestInterface {
        identifier: fields.parsed("identifier", NUMBER)?,
        network: fields.plain("network")?,
        name: fields.ours("name")?,
        primary: fields.ours_truth("primary")?,
        timing: fields.timing()?,
        addresses: Vec::new(),
    };
    fields.finish()?;
    let mut addresses = Vec::new();
    for child in &element.children {
        if !child.is(NameSpace::Published, "address") {
            return Err(child.unexpected("<address>"));
        }
        let mut fields = ElementFields::of(child);
        addresses.push(TestAddress {
            ip: fields.parsed("ip", ADDRESS)?,
            mask: fields.mask()?,
            primary: fields.parsed("primary", TRUTH)?,
        });
        fields.finish()?;
        child.no_children()?;
    }
    Ok(TestInterface { addresses, ..interface })
}

fn route(element: &XmlElement) -> Result<TestRoute> {
    let mut fields = ElementFields::of(element);
    let number = fields.ours("interface")?;
    let interface = number.map(|text| fields.number(&text, "everett:interface")).transpose()?;
    let route = TestRoute {
        destination: fields.address_or_null("destination")?,
        mask: fields.mask()?,
        gateway: fields.address_or_null("gateway")?,
        interface,
    };
    fields.finish()?;
    element.no_children()?;
    Ok(route)
}

fn node(element: &XmlElement, versioned: bool) -> Result<TestNode> {
    let mut fields = ElementFields::of(element);
    let mut node = TestNode {
        filename: fields.plain("filename")?,
        hostname: fields.plain("hostname")?,
        filesystem: fields.plain("filesystem")?,
        server: fields.parsed("server", TRUTH)?,
        sequence: fields.parsed("sequence", NUMBER)?,
        ..TestNode::default()
    };
    let mut record = TestNodeRecord { name: fields.ours("name")?, ..TestNodeRecord::default() };
    record.server_detected = match fields.ours("server")?.as_deref() {
        None => false,
        Some("detected") => true,
        Some(other) => return Err(fields.wrong("everett:server", other, "`detected`")),
    };
    record.start_after_ns = fields.ours_number("start-after")?.unwrap_or(0);
    let program = fields.ours_bytes("program")?;
    let digest = fields.ours("digest")?;
    let has_record = program.is_some();
    if has_record && !versioned {
        let (element_name, name) = ("test".to_owned(), "everett:version".to_owned());
        let problem = DTestProblem::MissingAttribute { element: element_name, name };
        return Err(element.place.error(problem));
    }
    match (program, digest) {
        (Some(program), Some(digest)) => (record.program, record.digest) = (program, digest),
        (Some(_), None) => return Err(element.missing("everett:digest")),
        (None, Some(_)) => return Err(element.missing("everett:program")),
        (None, None) if record != TestNodeRecord::default() => {
            return Err(element.missing("everett:program"));
        }
        (None, None) => {}
    }
    fields.finish()?;
    for child in &element.children {
        match (child.space, &*child.name) {
            (NameSpace::Published, "interface") => node.interfaces.push(interface(child)?),
            (NameSpace::Published, "route") => node.routes.push(route(child)?),
            (NameSpace::Ours, _) if !has_record => return Err(element.missing("everett:program")),
            (NameSpace::Ours, "argument") => record.arguments.push(argument(child)?),
            (NameSpace::Ours, "option") => record.options.push(setting(child)?),
            (NameSpace::Ours, "file") => record.files.push(file(child)?),
            _ => {
                let expected = "<everett:argument>, <everett:option>, <everett:file>, <interface> \
                                or <route>";
                return Err(child.unexpected(expected));
            }
        }
    }
    node.record = has_record.then_some(record);
    Ok(node)
}

fn argument(element: &XmlElement) -> Result<Vec<u8>> {
    let mut fields = ElementFields::of(element);
    let value = fields.bytes("value")?;
    fields.finish()?;
    element.no_children()?;
    Ok(value)
}

fn setting(element: &XmlElement) -> Result<TestSetting> {
    let mut fields = ElementFields::of(element);
    let name = fields.text("name")?;
    let values = match fields.take(NameSpace::Published, "values") {
        None => Vec::new(),
        Some(text) => unescaped_list(text).ok_or_else(|| fields.wrong("values", text, ESCAPED))?,
    };
    fields.finish()?;
    element.no_children()?;
    Ok(TestSetting { name, values })
}

fn file(element: &XmlElement) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut fields = ElementFields::of(element);
    let both = (fields.bytes("path")?, fields.bytes("content")?);
    fields.finish()?;
    element.no_children()?;
    Ok(both)
}

fn outcome(element: &XmlElement) -> Result<TestOutcome> {
    let mut fields = ElementFields::of(element);
    if element.name == "ended" {
        fields.finish()?;
        return Ok(TestOutcome::Ended(children(element, "end", end)?));
    }
    if element.name == "unfinished" {
        let instructions = fields.parsed("instructions", NUMBER)?;
        fields.finish()?;
        element.no_children()?;
        return Ok(TestOutcome::Unfinished { instructions });
    }
    let (kind, node, message) =
        (fields.text("kind")?, fields.text("node")?, fields.text("message")?);
    fields.finish()?;
    Ok(TestOutcome::Finding { kind, node, message, stack: children(element, "place", place)? })
}

fn end(fields: &mut ElementFields<'_>) -> Result<(String, String)> {
    Ok((fields.text("node")?, fields.text("status")?))
}

fn place(fields: &mut ElementFields<'_>) -> Result<TestPlace> {
    Ok(TestPlace {
        function: fields.text("function")?,
        file: fields.text("file")?,
        line: fields.parsed("line", NUMBER)?,
        column: fields.parsed("column", NUMBER)?,
    })
}

fn message(fields: &mut ElementFields<'_>) -> Result<TestMessage> {
    Ok(TestMessage {
        time_ns: fields.parsed("time", NUMBER)?,
        round: fields.parsed("round", NUMBER)?,
        from: fields.text("from")?,
        to: fields.text("to")?,
        kind: fields.text("kind")?,
        size: fields.parsed("size", NUMBER)?,
        bytes: fields.bytes_if("bytes")?,
        received: fields.parsed("received", TRUTH)?,
    })
}

fn fault(element: &XmlElement) -> Result<TestFault> {
    let mut fields = ElementFields::of(element);
    let fault = TestFault {
        node: fields.text("node")?,
        kind: fields.text("kind")?,
        point: fields.parsed("point", NUMBER)?,
        choice: fields.parsed("choice", NUMBER)?,
        time_ns: fields.parsed("time", NUMBER)?,
        what: fields.text("what")?,
        place: place_inside(element)?,
    };
    fields.finish()?;
    Ok(fault)
}

fn preemption(element: &XmlElement) -> Result<TestPreemption> {
    let mut fields = ElementFields::of(element);
    let preemption = TestPreemption {
        node: fields.text("node")?,
        point: fields.parsed("point", NUMBER)?,
        from: fields.parsed("from", NUMBER)?,
        to: fields.parsed("to", NUMBER)?,
        time_ns: fields.parsed("time", NUMBER)?,
        place: place_inside(element)?,
    };
    fields.finish()?;
    Ok(preemption)
}

/// The place inside an element that has one at most.
fn place_inside(element: &XmlElement) -> Result<Option<TestPlace>> {
    let mut places = children(element, "place", place)?;
    match element.children.get(1) {
        Some(second) => Err(second.place.error(DTestProblem::Repeated(second.shown()))),
        None => Ok(places.pop()),
    }
}

/// The children of one of our elements that has one kind of them only.
fn children<T>(
    element: &XmlElement,
    name: &'static str,
    read: impl Fn(&mut ElementFields<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let child = |child: &XmlElement| {
        if !child.is(NameSpace::Ours, name) {
            return Err(child.unexpected(match name {
                "message" => "<everett:message>",
                "place" => "<everett:place>",
                _ => "<everett:end>",
            }));
        }
        let mut fields = ElementFields::of(child);
        let value = read(&mut fields)?;
        fields.finish()?;
        child.no_children()?;
        Ok(value)
    };
    element.children.iter().map(child).collect()
}

impl XmlElement {
    fn is(&self, space: NameSpace, name: &str) -> bool {
        self.space == space && self.name == name
    }

    /// Its name as it is usually written.
    fn shown(&self) -> String {
        shown(self.space, &self.name)
    }

    fn unexpected(&self, expected: &'static str) -> DTestError {
        self.place.error(DTestProblem::Element { found: self.shown(), expected })
    }

    fn missing(&self, name: &str) -> DTestError {
        let (element, name) = (self.shown(), name.to_owned());
        self.place.error(DTestProblem::MissingAttribute { element, name })
    }

    fn no_children(&self) -> Result<()> {
        self.children.first().map_or(Ok(()), |child| Err(child.unexpected("nothing inside")))
    }
}

fn shown(space: NameSpace, name: &str) -> String {
    match space {
        NameSpace::Published => name.to_owned(),
        NameSpace::Ours => format!("everett:{name}"),
    }
}

fn mask(text: &str) -> Option<u8> {
    text.parse().ok().filter(|mask| *mask <= 128)
}

/// The attributes of an element, and which of them were asked for.
struct ElementFields<'a> {
    element: &'a XmlElement,
    taken: Vec<bool>,
}

impl<'a> ElementFields<'a> {
    fn of(element: &'a XmlElement) -> ElementFields<'a> {
        ElementFields { element, taken: vec![false; element.attributes.len()] }
    }

    fn take(&mut self, space: NameSpace, name: &str) -> Option<&'a str> {
        let mut all = self.element.attributes.iter();
        let at = all.position(|attribute| attribute.space == space && attribute.name == name)?;
        self.taken[at] = true;
        Some(&self.element.attributes[at].value)
    }

    /// Complains about attributes that nobody asked for.
    fn finish(self) -> Result<()> {
        let Some(at) = self.taken.iter().position(|taken| !taken) else { return Ok(()) };
        let attribute = &self.element.attributes[at];
        let found = shown(attribute.space, &attribute.name);
        let element = self.element.shown();
        Err(self.element.place.error(DTestProblem::Attribute { element, found }))
    }

    fn wrong(&self, attribute: &str, found: &str, expected: &'static str) -> DTestError {
        let (attribute, found) = (attribute.to_owned(), found.to_owned());
        self.element.place.error(DTestProblem::Value { attribute, found, expected })
    }

    fn needed(&mut self, name: &str) -> Result<&'a str> {
        self.take(NameSpace::Published, name).ok_or_else(|| self.element.missing(name))
    }

    /// An attribute of the published form.
    fn plain(&mut self, name: &str) -> Result<String> {
        self.needed(name).map(str::to_owned)
    }

    /// An attribute of one of our elements.
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>> {
        let text = self.needed(name)?;
        unescaped(text).ok_or_else(|| self.wrong(name, text, ESCAPED))
    }

    /// The same for one that earlier tests do not have.
    fn bytes_if(&mut self, name: &str) -> Result<Vec<u8>> {
        match self.take(NameSpace::Published, name) {
            Some(_) => self.bytes(name),
            None => Ok(Vec::new()),
        }
    }

    fn text(&mut self, name: &str) -> Result<String> {
        let bytes = self.bytes(name)?;
        let text = self.needed(name)?;
        String::from_utf8(bytes).map_err(|_| self.wrong(name, text, "text in UTF-8"))
    }

    /// An attribute of ours on an element of the published form.
    fn ours_bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(text) = self.take(NameSpace::Ours, name) else { return Ok(None) };
        let wrong = || self.wrong(&shown(NameSpace::Ours, name), text, ESCAPED);
        unescaped(text).ok_or_else(wrong).map(Some)
    }

    fn ours(&mut self, name: &str) -> Result<Option<String>> {
        let Some(bytes) = self.ours_bytes(name)? else { return Ok(None) };
        let text = String::from_utf8(bytes);
        text.map(Some)
            .map_err(|_| self.wrong(&shown(NameSpace::Ours, name), "\\x..", "text in UTF-8"))
    }

    /// One of ours that is false unless it is there.
    fn ours_truth(&mut self, name: &str) -> Result<bool> {
        let Some(text) = self.ours(name)? else { return Ok(false) };
        text.parse().map_err(|_| self.wrong(&shown(NameSpace::Ours, name), &text, TRUTH))
    }

    /// One of ours that is a number, if it is there.
    fn ours_number(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(text) = self.ours(name)? else { return Ok(None) };
        let wrong = |_| self.wrong(&shown(NameSpace::Ours, name), &text, NUMBER);
        text.parse().map(Some).map_err(wrong)
    }

    /// Latency and bandwidth.
    fn timing(&mut self) -> Result<TestTiming> {
        let text = self.ours("latency")?.unwrap_or_default();
        let latencies =
            text.split_whitespace().map(str::parse).collect::<std::result::Result<Vec<u64>, _>>();
        let expected = "times in nanoseconds, between spaces";
        let latencies_ns = latencies.map_err(|_| self.wrong("everett:latency", &text, expected))?;
        Ok(TestTiming { latencies_ns, bytes_per_second: self.ours_number("bandwidth")? })
    }

    fn parsed<T: FromStr>(&mut self, name: &str, expected: &'static str) -> Result<T> {
        let text = self.needed(name)?;
        text.parse().map_err(|_| self.wrong(name, text, expected))
    }

    fn number(&self, text: &str, name: &str) -> Result<u32> {
        text.parse().map_err(|_| self.wrong(name, text, NUMBER))
    }

    fn mask(&mut self) -> Result<u8> {
        let text = self.needed("mask")?;
        mask(text).ok_or_else(|| self.wrong("mask", text, MASK))
    }

    /// One of our attributes that is a subnet, by its name with and without the space of names.
    fn subnet(
        &mut self,
        name: &str,
        full_name: &str,
        expected: &'static str,
    ) -> Result<Option<(IpAddr, u8)>> {
        let Some(text) = self.ours(name)? else { return Ok(None) };
        let (base, prefix) = text.split_once('/').unwrap_or((&text, ""));
        let both = base.parse().ok().zip(mask(prefix));
        both.map(Some).ok_or_else(|| self.wrong(full_name, &text, expected))
    }

    fn address_or_null(&mut self, name: &str) -> Result<Option<IpAddr>> {
        match self.needed(name)? {
            "null" => Ok(None),
            text => {
                text.parse().map(Some).map_err(|_| self.wrong(name, text, "an address or `null`"))
            }
        }
    }
}
