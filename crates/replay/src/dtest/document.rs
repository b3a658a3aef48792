//! XML as a tree of elements with their places; what they mean is the business of `reader.rs`.
//!
//! Elements and attributes of namespaces that are neither the published form's nor ours are left out
//! here, so that nobody else sees them. Entities other than the five of XML, and declarations of types,
//! are refused: nothing that is read grows.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, NamespaceResolver, ResolveResult};
use quick_xml::reader::NsReader;

use super::NAMESPACE;
use crate::error::{DTestError, DTestProblem};

/// Deeper nesting than this is no test.
const DEPTH_MAX: usize = 16;

/// The namespace of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameSpace {
    /// The published form, which has no namespace.
    Published,
    /// The namespace of the parts that this project adds.
    Ours,
}

/// An element.
#[derive(Debug)]
pub(super) struct XmlElement {
    pub(super) space: NameSpace,
    pub(super) name: String,
    pub(super) attributes: Vec<XmlAttribute>,
    pub(super) children: Vec<XmlElement>,
    pub(super) place: TextPosition,
}

/// An attribute.
#[derive(Debug)]
pub(super) struct XmlAttribute {
    pub(super) space: NameSpace,
    pub(super) name: String,
    pub(super) value: String,
}

/// A line and a column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    line: u32,
    column: u32,
}

impl TextPosition {
    pub(super) fn error(self, problem: DTestProblem) -> DTestError {
        DTestError { line: self.line, column: self.column, problem }
    }
}

/// Counts lines as far as the reader has come.
struct PositionCounter<'a> {
    text: &'a str,
    at: usize,
    spot: TextPosition,
}

impl PositionCounter<'_> {
    fn advance(&mut self, to: usize) -> TextPosition {
        let to = to.min(self.text.len());
        let passed = self.text.as_bytes().get(self.at..to).unwrap_or_default();
        for &byte in passed {
            if byte == b'\n' {
                self.spot = TextPosition { line: self.spot.line + 1, column: 1 };
            } else if byte & 0xc0 != 0x80 {
                // Bytes that continue a character are no columns.
                self.spot.column += 1;
            }
        }
        self.at = self.at.max(to);
        self.spot
    }
}

/// The root element of a document.
pub(super) fn parse(bytes: &[u8]) -> Result<XmlElement, DTestError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let (valid, _) = bytes.split_at(error.valid_up_to());
            let text = std::str::from_utf8(valid).unwrap_or_default();
            return Err(end_of(text).error(DTestProblem::NotText));
        }
    };
    let control = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t');
    if let Some(at) = text.find(control) {
        return Err(end_of(&text[..at]).error(DTestProblem::NotText));
    }
    let mut reader = NsReader::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    reader.config_mut().check_comments = false;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut position = PositionCounter { text, at: 0, spot: TextPosition { line: 1, column: 1 } };
    let mut tree = ElementTree::default();
    loop {
        // White space belongs to what is behind it.
        let here = reader.buffer_position() as usize;
        let spot = position.advance(here);
        let event = reader.read_event().map_err(|error| {
            let at = (reader.error_position() as usize).max(here);
            position.advance(at).error(DTestProblem::Xml(error.to_string()))
        })?;
        match event {
            Event::Start(start) => tree.open(element(&start, reader.resolver(), spot)?, spot)?,
            Event::Empty(start) => {
                tree.open(element(&start, reader.resolver(), spot)?, spot)?;
                tree.close(spot)?;
            }
            Event::End(_) => tree.close(spot)?,
            Event::Text(text) if text.trim_ascii().is_empty() => {}
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => tree.text(spot)?,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::DocType(_) => return Err(spot.error(DTestProblem::DocType)),
            Event::Eof => break tree.finish(spot),
        }
    }
}

fn end_of(text: &str) -> TextPosition {
    let mut position = PositionCounter { text, at: 0, spot: TextPosition { line: 1, column: 1 } };
    position.advance(text.len())
}

/// Elements as they are opened and closed.
#[derive(Default)]
struct ElementTree {
    /// Those that are open; `None` if it is not ours to understand.
    open: Vec<Option<XmlElement>>,
    root: Option<XmlElement>,
}

impl ElementTree {
    fn open(&mut self, element: Option<XmlElement>, spot: TextPosition) -> Result<(), DTestError> {
        if self.open.is_empty() && self.root.is_some() {
            return Err(spot.error(DTestProblem::Xml("a second root element".to_owned())));
        }
        if self.open.len() >= DEPTH_MAX {
            return Err(spot.error(DTestProblem::TooDeep { most: DEPTH_MAX }));
        }
        // What is inside of something foreign is foreign.
        let inside = self.open.last().is_none_or(Option::is_some);
        self.open.push(element.filter(|_| inside));
        Ok(())
    }

    fn close(&mut self, spot: TextPosition) -> Result<(), DTestError> {
        let Some(closed) = self.open.pop() else {
            return Err(spot.error(DTestProblem::Xml("an end without a beginning".to_owned())));
        };
        let Some(element) = closed else { return Ok(()) };
        match self.open.last_mut() {
            Some(Some(parent)) => parent.children.push(element),
            // Nothing inside of something foreign is kept.
            Some(None) => {}
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&self, spot: TextPosition) -> Result<(), DTestError> {
        match self.open.last() {
            Some(None) => Ok(()),
            Some(Some(_)) | None => Err(spot.error(DTestProblem::Text)),
        }
    }

    fn finish(self, spot: TextPosition) -> Result<XmlElement, DTestError> {
        if !self.open.is_empty() {
            let problem = "the file ends inside of an element".to_owned();
            return Err(spot.error(DTestProblem::Xml(problem)));
        }
        self.root.ok_or_else(|| spot.error(DTestProblem::NoRoot))
    }
}

/// An element without its children; `None` if it belongs to somebody else.
fn element(
    start: &BytesStart<'_>,
    resolver: &NamespaceResolver,
    spot: TextPosition,
) -> Result<Option<XmlElement>, DTestError> {
    let xml = |error: String| spot.error(DTestProblem::Xml(error));
    let (space, name) = resolver.resolve_element(start.name());
    let Some(space) = space_of(&space, spot)? else { return Ok(None) };
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| xml(error.to_string()))?;
        if attribute.key.as_namespace_binding().is_some() {
            continue;
        }
        let (of, key) = resolver.resolve_attribute(attribute.key);
        let Some(of) = space_of(&of, spot)? else { continue };
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|error| xml(error.to_string()))?.into_owned();
        if value.chars().any(|letter| letter.is_control() && !"\n\r\t".contains(letter)) {
            return Err(spot.error(DTestProblem::NotText));
        }
        attributes.push(XmlAttribute { space: of, name: key.as_ref().to_owned(), value });
    }
    let children = Vec::new();
    let name = name.as_ref().to_owned();
    Ok(Some(XmlElement { space, name, attributes, children, place: spot }))
}

fn space_of(
    result: &ResolveResult<'_>,
    spot: TextPosition,
) -> Result<Option<NameSpace>, DTestError> {
    match result {
        ResolveResult::Unbound => Ok(Some(NameSpace::Published)),
        ResolveResult::Bound(Namespace(name)) if *name == NAMESPACE => Ok(Some(NameSpace::Ours)),
        ResolveResult::Bound(_) => Ok(None),
        ResolveResult::Unknown(prefix) => {
            let prefix = String::from_utf8_lossy(prefix.as_ref());
            Err(spot.error(DTestProblem::Xml(format!("the prefix `{prefix}` is not declared"))))
        }
    }
}
