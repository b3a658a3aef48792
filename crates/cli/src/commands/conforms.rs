//! `everett conforms`: can recorded traffic come from a program?

mod alone;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use everett_base::interrupt::Interrupt;
use everett_engine::{
    Engine, MessageOrigin, NodeId, Observer, Outcome, Progress, SentMessages, TrojanOptions,
};
use everett_explorer::PreparedRun;
use everett_report::{
    ConformanceRow, ConformanceTable, SentVerdict, conformance_json, conformance_text,
};
use everett_settings::{RunOptions, SETTINGS, SettingRow, SettingSection, given, is_scenario};
use everett_traffic::{EndpointFilter, TcpFraming, Trace, TraceMessage, TraceOptions};

use crate::clock::{MemoryMeter, running_clock};
use crate::commands::faults::without;
use crate::commands::run::{self, OutputFolder, ProgressDisplay, Watchdog, WatchedRun};
use crate::errors::{engine_error, explorer_error};
use crate::exit_codes::{EXIT_FAILED, EXIT_FINDINGS, EXIT_LIMIT};
use crate::message_fields::{byte_names, masked_ranges};
use crate::panics::panic_log;
use crate::terminal;
use alone::SystemAround;

/// Say which messages of recorded traffic a program cannot have sent, and why
///
/// The sender is a node of a system, or a program alone: then the hosts that it sends to in the trace are
/// there, take everything, and answer nothing. All messages that the sender can send are collected, and
/// compared with those of the trace. The result is a table and conforms.json. Exit code: 0 if the sender can
/// have sent all messages, 1 if there are some that it cannot have sent, 2 if the input or the engine failed,
/// 3 if there are none of these, but messages that are not decided, or the trace has gaps.
#[derive(clap::Args)]
#[command(override_usage = "everett conforms [OPTIONS] TRACE --sender PROGRAM [-- ARGS]\n       \
    everett conforms [OPTIONS] TRACE --sender SYSTEM.toml --node NODE")]
#[command(mut_arg("program", |argument| argument.long("sender").value_name("PROGRAM")))]
#[group(skip)]
pub(crate) struct ConformsOptions {
    /// Recorded traffic: a pcap or pcapng file
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// The node of the system that is the sender
    #[arg(long, value_name = "NODE", help_heading = "Recorded traffic")]
    node: Option<String>,
    /// Compare only messages from this address, port or both, such as 10.0.0.1, :53 or 10.0.0.1:53
    #[arg(long, value_name = "ADDRESS[:PORT]", help_heading = "Recorded traffic")]
    from: Option<EndpointFilter>,
    /// Compare only messages to this address, port or both
    #[arg(long, value_name = "ADDRESS[:PORT]", help_heading = "Recorded traffic")]
    to: Option<EndpointFilter>,
    /// Take the data of each TCP segment for a message, or all data of a direction of a connection
    #[arg(long, value_name = "segments|streams", default_value = "segments")]
    #[arg(value_parser = ["segments", "streams"], help_heading = "Recorded traffic")]
    tcp: String,
    /// Do not compare these bytes: offsets such as 4 or 4-7, or a field such as `struct header.checksum`
    #[arg(long, value_name = "BYTES|FIELD", value_delimiter = ',')]
    #[arg(help_heading = "Recorded traffic")]
    mask: Vec<String>,
    /// Name bytes of messages by the fields of this struct type of the sender
    #[arg(long, value_name = "TYPE", help_heading = "Recorded traffic")]
    fields: Option<String>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// Flags of this command that `everett run` does not have; each has a value.
const OWN: [&str; 7] = ["--sender", "--node", "--from", "--to", "--tcp", "--mask", "--fields"];

/// Compares, shows and stores the results. `words` are those of the command line behind `conforms`.
pub(crate) fn run(options: &ConformsOptions, words: Vec<OsString>) -> Result<ExitCode> {
    let words = run_words(options, words)?;
    let trace = read_trace(options)?;
    let mut recorded = RecordedTraffic::new(&trace);
    let messages = trace.into_messages(framing(options));
    recorded.refuse_nothing(options, &messages)?;
    let around = match is_scenario(&options.run.program) {
        true => None,
        false => Some(SystemAround::new(&options.run, &messages)?),
    };
    let words = match &around {
        Some(around) => around.words(&words, &options.run),
        None => words,
    };
    let mut prepared = run::prepare(words)?;
    let names = prepared.nodes.iter().map(|node| &*node.config.kernel.hostname);
    let names: Vec<&str> = names.collect();
    let named = around.as_ref().map(SystemAround::sender).or(options.node.as_deref());
    let node = sender_node(&names, named)?;
    let sender = match around {
        Some(_) => options.run.program.display().to_string(),
        None => format!("{} of {}", names[node.index()], options.run.program.display()),
    };
    let program = prepared.nodes[node.index()].program.clone();
    let masked = masked_ranges(&options.mask, &[&program])?;
    prepared.config.trojans = TrojanOptions { masked, ..TrojanOptions::default() };
    let longest = messages.iter().map(|message| message.bytes.len()).max().unwrap_or(0);
    let fields = options.fields.as_ref().map(|ty| byte_names(ty, &[&program], longest as u64));
    let fields = fields.transpose()?.unwrap_or_default();
    let folder = OutputFolder::create(prepared.options.out.as_deref(), &run::command_line())?;
    let quiet = prepared.options.quiet;
    let (sent, rows) = explore_and_compare(prepared, node, messages)
        .with_context(|| format!("cannot run {}", options.run.program.display()))?;
    recorded.rows = rows;
    let table = recorded.table(options, sender, fields, &sent);
    folder.write("conforms.json", &conformance_json(&table))?;
    if !quiet {
        terminal::out(&conformance_text(&table, terminal::paint()));
        terminal::out(&format!("results in {}\n", folder.path().display()));
    }
    Ok(ExitCode::from(exit_code(&table, recorded.is_whole)))
}

/// Collects what a node can send, and compares the messages with it.
fn explore_and_compare(
    prepared: PreparedRun,
    node: NodeId,
    messages: Vec<TraceMessage>,
) -> Result<(SentMessages, Vec<ConformanceRow>)> {
    let PreparedRun { options, nodes, mut config, .. } = prepared;
    config.clock = running_clock();
    config.panics = panic_log();
    let interrupt = config.interrupt.clone();
    run::listen(interrupt.clone(), config.clock.clone(), false)?;
    let watched = WatchedRun {
        interrupt,
        clock: config.clock.clone(),
        // The engine ends at its limit by itself. An interrupt would leave no time to compare messages.
        time: None,
        memory: config.limits.memory,
        spills: false,
        winds_down: false,
        so_far: None,
    };
    let watchdog = Watchdog::start(watched)?;
    let mut engine = Engine::system(nodes, config).map_err(engine_error)?;
    let (memory, display) = (MemoryMeter::new(), ProgressDisplay::new(options.quiet));
    let mut observer = ConformanceObserver { memory, display };
    let mut sent = engine.sent_messages(node, &mut observer);
    observer.display.clear();
    let rows = Interrupt::catch(|| compare(&mut sent, messages));
    drop(watchdog);
    let rows = rows.map_err(|_| anyhow!("the comparison was stopped"))??;
    Ok((sent, rows))
}

fn framing(options: &ConformsOptions) -> TcpFraming {
    match options.tcp.as_str() {
        "streams" => TcpFraming::Streams,
        _ => TcpFraming::Segments,
    }
}

fn read_trace(options: &ConformsOptions) -> Result<Trace> {
    let name = options.trace.display();
    let file = File::open(&options.trace).with_context(|| format!("cannot open {name}"))?;
    let wanted = TraceOptions {
        from: options.from.unwrap_or_default(),
        to: options.to.unwrap_or_default(),
        ..TraceOptions::default()
    };
    Trace::read(file, &wanted).with_context(|| format!("cannot read the trace {name}"))
}

/// The words of `everett run` that explore the sender: without the flags of this command, and with the
/// sender instead of the trace.
fn run_words(options: &ConformsOptions, words: Vec<OsString>) -> Result<Vec<OsString>> {
    let words = without(words, &OWN);
    // A flag may have the name of the trace for its value. Without it, the line does not name the sender.
    let places = words.iter().enumerate().filter(|(_, word)| **word == options.trace.as_os_str());
    let mut lines = places.map(|(at, _)| {
        let mut line = words.clone();
        line[at] = options.run.program.clone().into_os_string();
        line
    });
    let line = lines.find(|line| {
        given(line).is_ok()
            && RunOptions::parse(line.iter().cloned())
                .is_ok_and(|parsed| parsed.program == options.run.program)
    });
    let line = line.context("the trace has to be a word of its own on the command line")?;
    let given = given(&line).map_err(|error| explorer_error(error.into()))?;
    if given.contains("checkpoint") && options.run.checkpoint().is_some() {
        bail!("--checkpoint: a comparison cannot be gone on with; leave it out");
    }
    let of_runs = |row: &&SettingRow| {
        ["export", "watch"].contains(&row.name) || row.section == SettingSection::Gates
    };
    if let Some(row) = SETTINGS.iter().filter(of_runs).find(|row| given.contains(row.name)) {
        bail!("--{}: a comparison has results of its own; leave it out", row.name);
    }
    if options.run.cluster.is_some() {
        bail!("--cluster: a comparison runs in one process; leave it out");
    }
    if options.run.is_replay() {
        bail!("--ktest: a comparison needs all that the sender can send; leave it out");
    }
    Ok(line)
}

/// The node that is the sender.
fn sender_node(names: &[&str], named: Option<&str>) -> Result<NodeId> {
    let at = match (named, names) {
        (None, [_]) => Some(0),
        (None, _) => bail!("--node: say which node is the sender: {}", names.join(", ")),
        (Some(named), _) => names.iter().position(|name| *name == named),
    };
    let at = at.with_context(|| {
        format!("--node {}: the nodes are {}", named.unwrap_or_default(), names.join(", "))
    })?;
    Ok(NodeId::from_index(at))
}

/// Asks for the origin of each message; messages with the same contents have the same one.
fn compare(sent: &mut SentMessages, messages: Vec<TraceMessage>) -> Result<Vec<ConformanceRow>> {
    let is_explored = sent.senders().is_explored_to_end();
    let mut origins: BTreeMap<Vec<u8>, MessageOrigin> = BTreeMap::new();
    let mut rows = Vec::new();
    for message in messages {
        let origin = match origins.get(&message.bytes) {
            Some(known) => known.clone(),
            None => sent.origin(&message.bytes)?,
        };
        let TraceMessage { packet, time, transport, source, destination, bytes } = message;
        let verdict = match (&origin.obstacle, origin.senders.certain.is_empty()) {
            (_, false) => SentVerdict::Yes,
            (Some(_), true) if is_explored => SentVerdict::No,
            _ => SentVerdict::Undecided,
        };
        let obstacle = origin.obstacle.clone();
        let nearest = obstacle.as_ref().and_then(|obstacle| obstacle.nearest.clone());
        rows.push(ConformanceRow {
            packet,
            time: time.map(|time| time.to_string()),
            transport: transport.name(),
            ends: [source.to_string(), destination.to_string()],
            sent: verdict,
            paths: origin.senders.certain.len() as u64,
            core: obstacle.map(|obstacle| obstacle.core),
            nearest: nearest.map(|near| near.bytes),
            bytes: bytes.clone(),
        });
        origins.insert(bytes, origin);
    }
    Ok(rows)
}

/// A clean comparison has missed nothing.
fn exit_code(table: &ConformanceTable, is_whole: bool) -> u8 {
    let has = |verdict| table.rows.iter().any(|row| row.sent == verdict);
    match table.outcome {
        Outcome::Failed => EXIT_FAILED,
        _ if has(SentVerdict::No) => EXIT_FINDINGS,
        _ if has(SentVerdict::Undecided) || !is_whole => EXIT_LIMIT,
        _ => 0,
    }
}

/// The trace beside its messages, and the results about these.
struct RecordedTraffic {
    packets: u64,
    left_out: Vec<(String, u64)>,
    gaps: Vec<([String; 2], i64, u64)>,
    /// Nothing is missing that a sender may have sent.
    is_whole: bool,
    rows: Vec<ConformanceRow>,
}

impl RecordedTraffic {
    fn new(trace: &Trace) -> RecordedTraffic {
        let mut left_out: Vec<(String, u64)> =
            trace.left_out().iter().map(|(why, count)| (why.to_string(), *count)).collect();
        let contradictions = trace.contradictions();
        if contradictions > 0 {
            let reason = "parts of TCP segments that repeat data with other values".to_owned();
            left_out.push((reason, contradictions));
        }
        let gaps: Vec<_> = trace
            .streams()
            .iter()
            .flat_map(|stream| {
                let ends = [stream.source().to_string(), stream.destination().to_string()];
                let gaps = stream.gaps().into_iter();
                gaps.map(move |gap| (ends.clone(), gap.offset, gap.length))
            })
            .collect();
        let has_loss = trace.left_out().keys().any(|reason| reason.is_loss());
        RecordedTraffic {
            packets: trace.packets(),
            left_out,
            is_whole: !has_loss && gaps.is_empty() && contradictions == 0,
            gaps,
            rows: Vec::new(),
        }
    }

    /// A comparison of nothing is a mistake.
    fn refuse_nothing(&self, options: &ConformsOptions, messages: &[TraceMessage]) -> Result<()> {
        if !messages.is_empty() {
            return Ok(());
        }
        let trace = options.trace.display();
        let reasons = self.left_out.iter().map(|(reason, count)| format!("{count} {reason}"));
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        match reasons.as_str() {
            "" => bail!("{trace} has no packets"),
            reasons => {
                bail!("{trace} has no message to compare; packets that are left out: {reasons}")
            }
        }
    }

    fn table(
        &mut self,
        options: &ConformsOptions,
        sender: String,
        fields: Vec<String>,
        sent: &SentMessages,
    ) -> ConformanceTable {
        ConformanceTable {
            trace: options.trace.display().to_string(),
            sender,
            outcome: sent.summary().outcome,
            sender_paths: sent.senders().path_count().into(),
            lengths: sent.senders().lengths().collect(),
            packets: self.packets,
            left_out: std::mem::take(&mut self.left_out),
            gaps: std::mem::take(&mut self.gaps),
            rows: std::mem::take(&mut self.rows),
            fields,
        }
    }
}

/// Shows how far the exploration of the sender has come.
struct ConformanceObserver {
    memory: MemoryMeter,
    display: ProgressDisplay,
}

impl Observer for ConformanceObserver {
    fn memory(&self) -> u64 {
        self.memory.resident_bytes()
    }

    fn progress(&mut self, progress: &Progress) {
        self.display.update(progress);
    }
}
