//! The end of a run as text: aligned, short, and with what to do next.

pub(crate) mod dropped;

use std::fmt::Write;
use std::time::Duration;

use everett_engine::{
    FaultSummary, Finding, IgnoredFinding, Loss, OrderSummary, Outcome, PctSummary, SpillCounts,
    Summary, TreeEstimate, WorldCount,
};

use crate::finding::blamed_place;
use crate::gates::gates_text;
use crate::live::live_text;
use crate::number::{about, bytes, count_of, duration, grouped, percent, rate, share, time_share};
use crate::paint::PaintMode;
use crate::place::place_text;
use crate::run_info::RunInfo;
use crate::trojans::trojans_text;
use dropped::dropped_lines;

/// The summary as a person reads it.
pub fn summary_text(summary: &Summary, info: &RunInfo, paint: PaintMode) -> String {
    let mut out = format!("{}\n", headline(summary, info, paint));
    for (label, text) in figures(summary, info) {
        let _ = writeln!(out, "  {} {text}", paint.faint(&format!("{label:12}")));
    }
    if !summary.dropped.is_empty() {
        let _ = writeln!(out, "  {}", paint.caution("not explored"));
        for line in dropped_lines(&summary.dropped) {
            let _ = writeln!(out, "    {line}");
        }
    }
    if let Some(text) = timers_text(summary) {
        let _ = writeln!(out, "  {text}");
    }
    if !summary.faults.is_empty() && !info.replay {
        let _ = writeln!(out, "  {}", paint.strong("faults"));
        out.push_str(&faults_table(&summary.faults));
    }
    out.push_str(&live_text(&summary.live, paint));
    if let Some(trojans) = &summary.trojans {
        out.push_str(&trojans_text(trojans, paint));
    }
    if !summary.findings.is_empty() {
        let _ = writeln!(out, "  {}", paint.alarm("findings"));
        out.push_str(&findings_table(&summary.findings));
    }
    if !summary.ignored.is_empty() {
        let _ = writeln!(out, "  {}", paint.caution("ignored"));
        out.push_str(&ignored_table(&summary.ignored));
    }
    if let Some(gates) = &info.gates {
        out.push_str(&gates_text(gates, paint));
    }
    out.push_str(&next_steps(summary, info));
    out
}

fn headline(summary: &Summary, info: &RunInfo, paint: PaintMode) -> String {
    let found = summary.findings.len() as u64;
    let bugs = match found {
        0 => "no findings".to_owned(),
        n => count_of(n, "finding"),
    };
    let how = match (summary.outcome, &summary.limit) {
        _ if info.unstored => "stopped, as results could not be stored".to_owned(),
        (Outcome::Exhausted, _) if info.replay => "ran on the given inputs".to_owned(),
        (Outcome::Exhausted, _) => {
            format!(
                "all paths{} explored{}{}",
                and_orders(summary),
                in_orders(summary),
                how_far(summary)
            )
        }
        (Outcome::Limit, Some(limit)) if limit.loss() == Loss::Limit => {
            format!("stopped by the {limit}")
        }
        (Outcome::Limit, _) => "done, but not everything was explored".to_owned(),
        (Outcome::Stopped, _) => "stopped on request".to_owned(),
        (Outcome::Running, _) => "still running".to_owned(),
        (Outcome::Failed, _) => "stopped by an internal error".to_owned(),
    };
    let text = format!("{bugs}; {how}");
    match (found, summary.outcome) {
        (0, Outcome::Exhausted) if !info.unstored => paint.good(&text),
        (0, _) => paint.caution(&text),
        _ => paint.alarm(&text),
    }
}

/// Returns the words that go with "all paths" where orders were explored, too.
fn and_orders(summary: &Summary) -> &'static str {
    let OrderSummary { most, preemptions, .. } = summary.orders;
    let messages = (summary.nodes > 1).then_some(most);
    let all = messages.into_iter().chain(preemptions).all(|most| most == u32::MAX);
    if all && (messages.is_some() || preemptions.is_some()) { " and orders" } else { "" }
}

/// Returns the words behind "all paths explored" that say in which orders of messages and threads.
fn in_orders(summary: &Summary) -> String {
    let OrderSummary { most, late, preemptions, .. } = summary.orders;
    let messages = (summary.nodes > 1).then_some(most);
    let mut text = match (messages, preemptions) {
        (Some(0), Some(0)) => " in the fixed order of messages and threads".to_owned(),
        (Some(0), _) => " in the fixed order of messages".to_owned(),
        (_, Some(0)) => " in the fixed order of threads".to_owned(),
        _ => String::new(),
    };
    if let Some(most) = messages.filter(|most| !matches!(*most, 0 | u32::MAX)) {
        text += &format!(" in orders with at most {}", count_of(most.into(), "deviation"));
    }
    if let Some(most) = preemptions.filter(|most| !matches!(*most, 0 | u32::MAX)) {
        text += &format!(" with at most {}", count_of(most.into(), "preemption"));
    }
    match late {
        0 => text,
        late if summary.nodes > 1 => {
            format!("{text}, with at most {} late", count_of(late.into(), "message"))
        }
        _ => text,
    }
}

/// Returns the words behind "all paths explored" that say how far, where there would be more.
fn how_far(summary: &Summary) -> &'static str {
    match (summary.worlds_idle, summary.worlds_horizon) {
        (0, 0) => "",
        (_, 0) => ", until servers only followed their timers",
        (0, _) => ", up to the horizon",
        _ => ", until servers only followed their timers or the horizon was reached",
    }
}

/// The states that were put on disk for lack of memory, if there were any.
fn spill_text(spill: &SpillCounts) -> Option<String> {
    let of = |states, size| format!("{} ({})", count_of(states, "state"), bytes(size));
    let out = of(spill.states_out, spill.bytes_out);
    let parts = count_of(spill.parts_out, "part");
    let back = match spill.parts_back {
        back if back == spill.parts_out => "all came back".to_owned(),
        0 => "none came back".to_owned(),
        _ => format!("{} came back", of(spill.states_back, spill.bytes_back)),
    };
    (spill.parts_out > 0).then(|| format!("{out} for lack of memory, in {parts}; {back}"))
}

fn figures(summary: &Summary, info: &RunInfo) -> Vec<(&'static str, String)> {
    let s = summary;
    let per_second = rate(s.instructions, s.wall_time).map_or(String::new(), |r| format!(" ({r})"));
    let mut rows = vec![("paths", paths_text(s))];
    if s.nodes > 1 {
        rows.push(("worlds", worlds_text(s)));
    }
    if s.worlds_idle + s.worlds_horizon > 0 {
        rows.push(("ends", ends_text(s)));
    }
    rows.extend(order_figures(s));
    rows.extend([
        ("instructions", format!("{}{per_second}", grouped(s.instructions))),
        (
            "states",
            format!(
                "{} created, {}{} at once",
                grouped(s.states_created),
                if s.workers > 1 { "at most " } else { "" },
                grouped(s.states_peak)
            ),
        ),
    ]);
    rows.extend(spill_text(&s.spill).map(|text| ("on disk", text)));
    rows.extend([
        (
            "solver",
            format!(
                "{}, {} ({} of the {})",
                count_of(s.queries, "query"),
                duration(s.solver_time),
                time_share(s.solver_time, s.wall_time, s.workers),
                if s.workers > 1 { "workers' time" } else { "time" }
            ),
        ),
        (
            "coverage",
            format!(
                "{} of {} ({})",
                grouped(s.coverage.covered),
                count_of(s.coverage.total, "instruction"),
                percent(s.coverage.covered, s.coverage.total)
            ),
        ),
    ]);
    let memory = match info.peak_rss_bytes {
        0 => String::new(),
        peak => format!(", {} of memory", bytes(peak)),
    };
    rows.push(("needed", format!("{}{memory}", duration(s.wall_time))));
    if let Some(code) = s.exit_code {
        rows.push(("exit code", code.to_string()));
    }
    if info.replay {
        // One path says nothing about paths, states and the solver.
        rows.retain(|(label, _)| ["instructions", "needed", "exit code"].contains(label));
    }
    rows
}

/// Returns the figures of orders, of searches among them, and of how much there is.
fn order_figures(s: &Summary) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if s.orders.redundant > 0 {
        rows.push((
            "orders",
            format!("{} dropped, as others do the same", count_of(s.orders.redundant, "path")),
        ));
    }
    if let Some(text) = walks_text(s) {
        rows.push(("walks", text));
    }
    if let Some(TreeEstimate { total, explored }) = s.estimate {
        let what = if s.nodes > 1 { "worlds" } else { "paths" };
        let explored = share(explored);
        rows.push((
            "estimate",
            format!("about {} {what} in all, {explored} explored", about(total)),
        ));
    }
    rows
}

/// Returns the words for the walks of a search.
fn walks_text(summary: &Summary) -> Option<String> {
    let walks = count_of(summary.orders.walks?, "walk");
    let Some(pct) = summary.orders.pct else { return Some(format!("{walks} at random")) };
    let PctSummary { depth, actors, choices, runs: _ } = pct;
    Some(format!(
        "{walks} by priorities of {} threads or flows, with up to {}; one of at most {} finds a bug of \
         depth {depth}",
        grouped(actors),
        count_of(choices.into(), "choice"),
        about(1.0 / pct.bound())
    ))
}

fn worlds_text(summary: &Summary) -> String {
    let worlds = match summary.worlds {
        WorldCount::Exactly(count) => grouped(count),
        WorldCount::AtLeast(count) => format!("more than {}", grouped(count)),
    };
    let nodes = count_of(summary.nodes, "node");
    let events = count_of(summary.events_sent, "message");
    format!("{worlds} of {nodes}; {events} sent")
}

/// Returns the words for the ends of worlds in which timers would have gone on.
fn ends_text(summary: &Summary) -> String {
    let idle = count_of(summary.worlds_idle, "world");
    let horizon = count_of(summary.worlds_horizon, "world");
    match (summary.worlds_idle, summary.worlds_horizon) {
        (_, 0) => format!("{idle} idle (--idle off goes on)"),
        (0, _) => format!("{horizon} at the horizon (--max-virtual-time)"),
        _ => format!("{idle} idle, {horizon} at the horizon (--max-virtual-time)"),
    }
}

/// Virtual time after which a run that is cut off has most likely followed timers only.
const LONG_TIME: Duration = Duration::from_secs(60);

/// Returns advice about a run that was cut off while timers went on and on.
fn timers_text(summary: &Summary) -> Option<String> {
    let at = summary.unfinished_at.filter(|at| *at >= LONG_TIME)?;
    Some(format!(
        "virtual time had come to {}: if timers go on for ever, end worlds with --max-virtual-time",
        duration(at)
    ))
}

fn paths_text(summary: &Summary) -> String {
    let mut text = format!("{} completed", grouped(summary.paths));
    let others = [
        (summary.paths_failed, "failed"),
        (summary.paths_silent, "ended silently"),
        (summary.paths_cut, "ended with their world"),
        (summary.paths_ignored, "ended at ignored findings"),
    ];
    for (count, what) in others {
        if count > 0 {
            let _ = write!(text, ", {} {what}", grouped(count));
        }
    }
    let _ = write!(text, "; {} written", count_of(summary.tests, "test"));
    text
}

/// Findings that are named beside a kind of fault.
const NAMED_FINDINGS: usize = 8;

/// Returns the table of the kinds of fault that were allowed, with their effects.
fn faults_table(faults: &[FaultSummary]) -> String {
    let width = faults.iter().map(|fault| fault.kind.name().len()).max().unwrap_or(0);
    faults.iter().fold(String::new(), |mut out, fault| {
        let FaultSummary { kind, offered, taken, findings, paths, ref led_to } = *fault;
        let _ = write!(out, "    {:width$}  ", kind.name());
        let _ = match offered {
            0 => writeln!(out, "never possible"),
            _ => writeln!(
                out,
                "possible at {}, happened {}; led to {}{} and {} completed",
                count_of(offered, "place"),
                count_of(taken, "time"),
                count_of(findings, "failed path"),
                numbers(led_to),
                count_of(paths, "path")
            ),
        };
        out
    })
}

/// Numbers of findings, the first ones by name.
fn numbers(findings: &[u32]) -> String {
    let named: Vec<String> = findings.iter().take(NAMED_FINDINGS).map(u32::to_string).collect();
    let more = if findings.len() > NAMED_FINDINGS { ", ..." } else { "" };
    match findings.len() {
        0 => String::new(),
        1 => format!(" (finding {})", named[0]),
        _ => format!(" (findings {}{more})", named.join(", ")),
    }
}

/// Returns the table of findings that were ignored, and of their paths.
fn ignored_table(ignored: &[IgnoredFinding]) -> String {
    let width = ignored.iter().map(|entry| entry.kind.name().len()).max().unwrap_or(0);
    let mut out = String::new();
    for IgnoredFinding { kind, place, went_on, ended } in ignored {
        let at = match place.file.is_empty() {
            true => format!("in {}", place.function),
            false => format!("{} in {}", place_text(place), place.function),
        };
        let counts = [(*went_on, "went on"), (*ended, "ended")];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> =
            counts.map(|(count, what)| format!("{what} {}", count_of(*count, "time"))).collect();
        let _ = writeln!(out, "    {:width$}  {at}  {}", kind.name(), counts.join(", "));
    }
    if ignored.iter().any(|entry| entry.went_on > 0) {
        let _ =
            writeln!(out, "    what went on is not exactly what the machine does from there on");
    }
    out
}

fn findings_table(findings: &[Finding]) -> String {
    let rows: Vec<[String; 4]> = findings
        .iter()
        .map(|finding| {
            let place = blamed_place(&finding.stack).map_or(String::new(), |place| {
                match place.file.is_empty() {
                    true => format!("in {}", place.function),
                    false => format!("{} in {}", place_text(place), place.function),
                }
            });
            let count = match finding.count {
                0 | 1 => String::new(),
                n => format!("on {}", count_of(n, "path")),
            };
            [finding.id.to_string(), finding.kind.to_string(), place, count]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    rows.iter().fold(String::new(), |mut out, [id, kind, place, count]| {
        let [w0, w1, w2] = widths;
        let line = format!("    {id:>w0$}  {kind:w1$}  {place:w2$}  {count}");
        let _ = writeln!(out, "{}", line.trim_end());
        out
    })
}

fn next_steps(summary: &Summary, info: &RunInfo) -> String {
    let mut out = String::new();
    if let Some(folder) = &info.folder {
        let _ = writeln!(out, "  results in {folder}");
    }
    let reproducible = summary.findings.iter().find_map(|f| Some((f.id, info.test_path(f)?)));
    if let (Some((id, test)), Some(_)) = (reproducible, &info.folder) {
        if test.ends_with(".dtest") {
            let _ = writeln!(out, "  run finding {id} again:  everett replay {test}");
        } else {
            let program = &info.program;
            let _ = writeln!(out, "  inputs of finding {id}:  everett ktest {test}");
            let _ = writeln!(out, "  run it again:         everett run --ktest {test} {program}");
        }
    }
    let is_only_path = summary.forks == 0 && summary.outcome == Outcome::Exhausted;
    if summary.symbolic_inputs == 0 && is_only_path && !info.replay {
        let _ = writeln!(out, "  no input was symbolic:  {HOW_TO_MAKE_SYMBOLIC}");
    }
    if let Some(folder) = info.folder.as_ref().filter(|_| info.has_page) {
        let _ = writeln!(out, "  as a page:            {folder}/report.html");
    }
    out
}

/// Advice after a run that had nothing to choose from.
const HOW_TO_MAKE_SYMBOLIC: &str =
    "try --sym-arg N, --sym-stdin N, --sym-file PATH=N, or klee_make_symbolic() in the program";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::{Expect, expect};

    use everett_engine::{DropReason, FaultKind, Omission};

    use super::*;
    use crate::samples::{clean, limited};

    fn check(summary: &Summary, info: &RunInfo, expected: Expect) {
        expected.assert_eq(&summary_text(summary, info, PaintMode::Plain));
    }

    fn info() -> RunInfo {
        RunInfo {
            peak_rss_bytes: 23 << 20,
            folder: Some("everett-out/007".to_owned()),
            nodes: Vec::new(),
            preemptions: 0,
            program: "request.bc".to_owned(),
            replay: false,
            has_page: false,
            unstored: false,
            gates: None,
        }
    }

    #[test]
    fn clean_run_says_that_all_was_explored() {
        check(
            &clean(),
            &info(),
            expect![[r#"
                no findings; all paths explored
                  paths        16,384 completed; 2 tests written
                  instructions 1,234,567 (10.3 M/s)
                  states       16,384 created, 15 at once
                  solver       14 queries, 3.0 ms (3% of the time)
                  coverage     40 of 52 instructions (77%)
                  needed       120 ms, 23.0 MiB of memory
                  results in everett-out/007
            "#]],
        );
    }

    #[test]
    fn states_on_disk_are_told_of() {
        let out = SpillCounts {
            parts_out: 3,
            states_out: 1200,
            bytes_out: 5 << 20,
            ..SpillCounts::default()
        };
        let text = |spill| spill_text(&spill).unwrap_or_default();
        assert_eq!(text(SpillCounts::default()), "");
        let begin = "1,200 states (5.0 MiB) for lack of memory, in 3 parts";
        assert_eq!(text(out), format!("{begin}; none came back"));
        let some = SpillCounts { parts_back: 1, states_back: 1, bytes_back: 1 << 20, ..out };
        assert_eq!(text(some), format!("{begin}; 1 state (1.0 MiB) came back"));
        let all = SpillCounts { parts_back: 3, states_back: 1200, bytes_back: 5 << 20, ..out };
        assert_eq!(text(all), format!("{begin}; all came back"));
    }

    #[test]
    fn run_with_findings_says_what_was_dropped_and_how_to_go_on() {
        check(
            &limited(),
            &info(),
            expect![[r#"
                2 findings; stopped by the time limit
                  paths        5 completed, 4 failed; 2 tests written
                  instructions 1,234,567 (10.3 M/s)
                  states       16,384 created, 15 at once
                  solver       14 queries, 3.0 ms (3% of the time)
                  coverage     40 of 52 instructions (77%)
                  needed       120 ms, 23.0 MiB of memory
                  not explored
                    12 paths ended by the time limit (give more time with --max-time)
                    1 path ended: unsupported: inline assembly `cpuid` at a.c:3
                    1 symbolic floating-point operand replaced by one possible value in mean at a.c:7
                  findings
                    1  out-of-bounds   src/request.c:18:11 in copy  on 3 paths
                    2  use-after-free  list.c:50:9 in main
                  results in everett-out/007
                  inputs of finding 1:  everett ktest everett-out/007/tests/test000003.ktest
                  run it again:         everett run --ktest everett-out/007/tests/test000003.ktest request.bc
            "#]],
        );
    }

    #[test]
    fn a_search_that_is_cut_off_says_how_many_paths_there_are() {
        let estimate = Some(TreeEstimate { total: 1.24e6, explored: 0.03 });
        let pct = PctSummary { depth: 3, actors: 4, choices: 50, runs: 700 };
        let orders = OrderSummary { walks: Some(700), pct: Some(pct), ..OrderSummary::default() };
        let text =
            summary_text(&Summary { estimate, orders, ..limited() }, &info(), PaintMode::Plain);
        assert!(
            text.contains("estimate     about 1.2 million paths in all, 3% explored\n"),
            "{text}"
        );
        let walks = "walks        700 walks by priorities of 4 threads or flows, with up to 50 choices; \
                     one of at most 10,000 finds a bug of depth 3\n";
        assert!(text.contains(walks), "{text}");
        let orders = OrderSummary { walks: Some(700), ..OrderSummary::default() };
        let text = summary_text(&Summary { orders, ..limited() }, &info(), PaintMode::Plain);
        assert!(text.contains("walks        700 walks at random\n"), "{text}");
    }

    #[test]
    fn run_without_a_folder_names_no_files() {
        let summary = Summary { exit_code: Some(3), ..limited() };
        let text = summary_text(&summary, &RunInfo::default(), PaintMode::Plain);
        assert!(!text.contains("ktest"), "{text}");
        assert!(text.contains("exit code    3\n"), "{text}");
    }

    #[test]
    fn figures_of_several_workers_say_what_they_are() {
        let (solver_time, wall_time) = (Duration::from_secs(5), Duration::from_secs(4));
        let summary = Summary { workers: 2, solver_time, wall_time, ..clean() };
        let text = summary_text(&summary, &info(), PaintMode::Plain);
        assert!(text.contains("16,384 created, at most 15 at once\n"), "{text}");
        assert!(text.contains("14 queries, 5.00 s (63% of the workers' time)\n"), "{text}");
    }

    #[test]
    fn a_run_without_symbolic_input_says_how_to_have_some() {
        let summary = Summary { symbolic_inputs: 0, forks: 0, ..clean() };
        let text = summary_text(&summary, &info(), PaintMode::Plain);
        assert!(text.contains(HOW_TO_MAKE_SYMBOLIC), "{text}");
        let replay = RunInfo { replay: true, ..info() };
        let others = [(clean(), info()), (summary, replay)];
        for (summary, info) in others {
            let text = summary_text(&summary, &info, PaintMode::Plain);
            assert!(!text.contains("symbolic"), "{text}");
        }
    }

    #[test]
    fn run_on_given_inputs_is_summed_up_briefly() {
        let info = RunInfo { replay: true, ..RunInfo::default() };
        let summary = Summary { exit_code: Some(0), ..clean() };
        check(
            &summary,
            &info,
            expect![[r#"
            no findings; ran on the given inputs
              instructions 1,234,567 (10.3 M/s)
              needed       120 ms
              exit code    0
        "#]],
        );
    }

    #[test]
    fn faults_are_shown_with_what_they_led_to() {
        let count = |kind, offered, taken, findings, paths, led_to: &[u32]| FaultSummary {
            kind,
            offered,
            taken,
            findings,
            paths,
            led_to: led_to.to_vec(),
        };
        let faults = [
            count(FaultKind::Loss, 12, 12, 1, 3, &[4]),
            count(FaultKind::Delay, 9, 9, 5, 0, &[1, 4]),
            count(FaultKind::ShortRead, 0, 0, 0, 0, &[]),
        ];
        // A line without indentation, so that the indentation of the others is seen.
        expect![[r#"
            faults
                loss        possible at 12 places, happened 12 times; led to 1 failed path (finding 4) and 3 paths completed
                delay       possible at 9 places, happened 9 times; led to 5 failed paths (findings 1, 4) and 0 paths completed
                short-read  never possible
        "#]]
        .assert_eq(&format!("faults\n{}", faults_table(&faults)));
    }

    #[test]
    fn run_that_left_values_out_does_not_claim_everything() {
        let float = DropReason::Omitted(Omission::FloatOperand, "main at a.c:3".to_owned());
        let outcome = Outcome::Limit;
        let summary = Summary { outcome, dropped: vec![(float, 2)], ..clean() };
        let text = headline(&summary, &info(), PaintMode::Plain);
        assert_eq!(text, "no findings; done, but not everything was explored");
        let summary = Summary { findings: limited().findings, ..summary };
        let text = headline(&summary, &info(), PaintMode::Plain);
        assert_eq!(text, "2 findings; done, but not everything was explored");
    }
}
