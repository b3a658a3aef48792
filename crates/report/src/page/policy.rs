//! The content security policy of the page: nothing is loaded, and only its own script and style sheet run.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

pub(super) const STYLE: &str = include_str!("report.css");
pub(super) const SCRIPT: &str = include_str!("report.js");

/// The policy, as the page states it of itself.
pub(super) fn policy() -> String {
    let (script, style) = (digest(SCRIPT), digest(STYLE));
    format!(
        "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; \
         form-action 'none'"
    )
}

fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
