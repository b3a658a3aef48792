//! The gates of a run, in the first part of the page.

use maud::{Markup, html};

use super::context::PageContext;

/// What became of each gate; nothing if there are none.
pub(super) fn section(page: &PageContext<'_>) -> Markup {
    let Some(gates) = &page.record.summary.gates else { return html! {} };
    html! {
        h3 { "Gates" }
        table.wide {
            thead { tr { th { "gate" } th { "" } th { "" } } }
            tbody {
                @for result in gates.each() {
                    @let (class, text) = if result.passed { ("good", "passed") } else { ("bad", "failed") };
                    tr {
                        th scope="row" { (result.gate) }
                        td class=(class) { (text) }
                        td {
                            (result.what)
                            @if let Some(advice) = &result.advice { " " span.faint { (advice) } }
                        }
                    }
                }
            }
        }
        @if !gates.absent().is_empty() {
            p { "Entries of the baseline that were not found any more:" }
            ul { @for entry in gates.absent() { li { code { (entry) } } } }
        }
    }
}
