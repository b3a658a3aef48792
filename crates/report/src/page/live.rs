//! [`live_html`]: the page about a run that goes on, which follows it as long as somebody serves it.
//!
//! The page asks for itself again and again, and takes over what is new: what is open stays open. Without its
//! script it has to be loaded again.

use maud::{Markup, html};

use super::policy::{self, SCRIPT, STYLE};
use super::{PageLook, body, document, title};
use crate::finding::source::SourceLines;
use crate::record::RunRecord;

/// The script of the page of a run that goes on.
const LIVE_SCRIPT: &str = concat!(include_str!("report.js"), include_str!("live.js"));
const _: () = assert!(LIVE_SCRIPT.len() > SCRIPT.len());

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub enum LiveState<'a> {
    /// It goes on; a line says where it stands.
    Running(&'a str),
    /// It is over, and this is the file of its page, if there is one.
    Over(Option<&'a str>),
}

/// The page about a run as far as it is.
pub fn live_html(record: &RunRecord, now: &dyn SourceLines, state: LiveState<'_>) -> String {
    let policy = policy::served(STYLE, LIVE_SCRIPT);
    let look = PageLook { title: &title(record), style: STYLE, script: LIVE_SCRIPT, policy };
    document(&look, &body(record, now, &notice(state)))
}

fn notice(state: LiveState<'_>) -> Markup {
    match state {
        LiveState::Running(line) => html! {
            p id="live" data-state="running" { strong { "Running" } " " span.mono { (line) } }
        },
        LiveState::Over(page) => html! {
            p id="live" data-state="over" {
                strong { "The run is over." }
                @if let Some(page) = page { " " code { (page) } " has this page." }
            }
        },
    }
}
