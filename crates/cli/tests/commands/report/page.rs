//! What holds for every page: it is well-formed, refers to nothing outside, states a policy that allows its
//! own script alone, and has a target for each link.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scraper::{Html, Selector};
use sha2::{Digest, Sha256};

/// Bytes of a page at most.
const BYTES_MAX: usize = 5 << 20;

/// The elements that pages are made of.
#[rustfmt::skip]
const ELEMENTS: [&str; 45] = [
    "a", "abbr", "aside", "body", "circle", "code", "details", "dialog", "div", "figcaption", "figure", "h1",
    "h2", "h3", "h4", "head", "header", "html", "li", "line", "main", "meta", "nav", "ol", "p", "path",
    "polyline", "pre", "rect", "script", "section", "span", "strong", "style", "summary", "svg", "table",
    "tbody", "td", "text", "th", "thead", "title", "tr", "ul",
];

/// A page for which all of this holds.
pub(crate) struct CheckedPage {
    page: Html,
}

fn selector(text: &str) -> Selector {
    Selector::parse(text).unwrap()
}

impl CheckedPage {
    /// Reads a page and checks it.
    pub(crate) fn read(file: &Path) -> CheckedPage {
        let text = fs::read_to_string(file).unwrap();
        assert!(text.len() <= BYTES_MAX);
        let page = Html::parse_document(&text);
        assert_eq!(page.errors, Vec::<String>::new(), "{}", file.display());
        let page = CheckedPage { page };
        page.check_attributes();
        page.check_policy();
        page
    }

    fn check_attributes(&self) {
        let all = selector("*");
        let mut ids = BTreeSet::new();
        for element in self.page.select(&all) {
            let name = element.value().name();
            assert!(ELEMENTS.contains(&name), "an element that no part of the page makes: {name}");
            for (attribute, value) in element.value().attrs() {
                assert!(
                    !attribute.starts_with("on") && attribute != "style",
                    "{attribute}={value}"
                );
                assert!(
                    !["src", "srcset", "action", "data"].contains(&attribute),
                    "{attribute}={value}"
                );
                if attribute == "id" {
                    assert!(ids.insert(value.to_owned()), "two of {value}");
                }
            }
        }
        for link in self.page.select(&selector("[href]")) {
            let target = link.value().attr("href").unwrap();
            let name = target.strip_prefix('#').unwrap_or_else(|| panic!("outside: {target}"));
            assert!(ids.contains(name), "no target of {target}");
        }
    }

    fn check_policy(&self) {
        let meta = selector("meta[http-equiv='Content-Security-Policy']");
        let meta = self.page.select(&meta);
        let policies: Vec<&str> = meta.filter_map(|meta| meta.value().attr("content")).collect();
        let [policy] = policies[..] else { panic!("{policies:?}") };
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        for name in ["script", "style"] {
            let content: Vec<String> =
                self.page.select(&selector(name)).map(|element| element.text().collect()).collect();
            let [content] = &content[..] else { panic!("one {name} and no other") };
            let digest = STANDARD.encode(Sha256::digest(content.as_bytes()));
            assert!(policy.contains(&format!("{name}-src 'sha256-{digest}'")), "{name}: {policy}");
        }
    }

    /// The names of its parts.
    pub(crate) fn sections(&self) -> Vec<String> {
        let all = selector("main > section");
        let id = |section: scraper::ElementRef<'_>| section.value().attr("id").unwrap().to_owned();
        self.page.select(&all).map(id).collect()
    }

    /// The text of all elements that a selector finds.
    pub(crate) fn text(&self, of: &str) -> String {
        self.page.select(&selector(of)).flat_map(|element| element.text()).collect()
    }

    /// The number of elements that a selector finds.
    pub(crate) fn count(&self, of: &str) -> usize {
        self.page.select(&selector(of)).count()
    }
}
