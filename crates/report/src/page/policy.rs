//! The content security policies of pages: nothing is loaded, and only their own script and style sheet run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub(super) const STYLE: &str = include_str!("report.css");
pub(super) const SCRIPT: &str = include_str!("report.js");

/// The policy of a page that is a file, as it states it of itself.
pub(super) fn saved() -> String {
    policy(STYLE, SCRIPT) + "; form-action 'none'"
}

/// The policy of a page that is served: it may ask its own server, and nobody else.
pub(super) fn served(style: &str, script: &str) -> String {
    policy(style, script) + "; connect-src 'self'; form-action 'self'"
}

fn policy(style: &str, script: &str) -> String {
    let (script, style) = (digest(script), digest(style));
    format!("default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'")
}

fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
