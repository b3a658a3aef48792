//! [`WorldWalk`]: the worlds that were run, and the pages about their steps.

use anyhow::{Context, Result};
use everett_engine::StoppedRun;
use everett_explorer::PreparedRun;
use everett_replay::KTest;
use everett_report::{
    WorldEnd, WorldEntry, WorldLinks, WorldOption, WorldValue, WorldView, count_of, world_html,
};
use everett_rerun::{Alternative, TestWorlds, WalkedWorld};

use super::test::NamedTest;
use crate::commands::replay::{context, loading};
use crate::environment;
use crate::errors::{explorer_error, replay_error};
use crate::local_server::{LocalAnswer, LocalRequest, field};
use crate::sources::SourceFiles;

/// Worlds that are kept.
const WORLDS_MAX: usize = 200;

/// The worlds that were run.
pub(super) struct WorldWalk {
    tests: TestWorlds,
    test: String,
    worlds: Vec<WalkedWorld>,
    entries: Vec<WorldEntry>,
    sources: SourceFiles,
    /// The world and the step that are before the eyes of the user, with what the nodes do there.
    last: Option<(usize, u64, StoppedRun)>,
    /// Something to tell on the next page.
    notice: Option<String>,
}

impl WorldWalk {
    /// Runs the world of the test.
    pub(super) fn begin(test: &NamedTest) -> Result<WorldWalk> {
        let programs = environment::programs()?;
        let context = context(&programs);
        let tests = match test {
            NamedTest::System(file) => {
                TestWorlds::of_system(file, loading(&programs), context).map_err(replay_error)?
            }
            NamedTest::Program(file, words) => {
                let ktest = KTest::read(file)?;
                let mut words = words.clone();
                words.splice(0..0, ["--ktest".into(), file.clone().into_os_string()]);
                let prepared = PreparedRun::of_words(words, &programs).map_err(explorer_error)?;
                let PreparedRun { mut nodes, config, .. } = prepared;
                anyhow::ensure!(
                    nodes.len() == 1,
                    "{} is the test of one node: name the .dtest beside it",
                    file.display()
                );
                TestWorlds::of_program(nodes.swap_remove(0), config, ktest, context)
            }
        };
        let original = tests.original().map_err(replay_error)?;
        let entry = WorldEntry { title: "the test".to_owned(), outcome: original.outcome.clone() };
        Ok(WorldWalk {
            tests,
            test: test.file().display().to_string(),
            worlds: vec![original],
            entries: vec![entry],
            sources: SourceFiles::default(),
            last: None,
            notice: None,
        })
    }

    /// Answers a request.
    pub(super) fn answer(&mut self, base: &str, request: &mut LocalRequest) -> Result<LocalAnswer> {
        let path: Vec<String> = request.path().into_iter().map(str::to_owned).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let nothing = || Ok(LocalAnswer::NotFound("there is no such page".to_owned()));
        let ["world", world, rest @ ..] = &path[..] else {
            let is_start = path.is_empty() && !request.is_post;
            return if is_start { Ok(step_of(0, 0)) } else { nothing() };
        };
        let Some(world) = world.parse().ok().filter(|world| *world < self.worlds.len()) else {
            return nothing();
        };
        match (rest, request.is_post) {
            (["step", step], false) => match step.parse() {
                Ok(step) => self.page(base, world, step),
                Err(_) => nothing(),
            },
            (["line"], false) => Ok(self.go_to_line(world, request)),
            (["option" | "input", number], true) => match number.parse() {
                Ok(number) => self.run_other(world, rest[0] == "option", number, &request.form()?),
                Err(_) => nothing(),
            },
            _ => nothing(),
        }
    }

    /// The page of a step; behind the last one, that of the end.
    fn page(&mut self, base: &str, number: usize, step: u64) -> Result<LocalAnswer> {
        let world = &self.worlds[number];
        let steps = world.steps.len() as u64;
        if step > steps {
            return Ok(step_of(number, steps));
        }
        let is_end = step == steps;
        let is_known = matches!(&self.last, Some((of, at, _)) if (*of, *at) == (number, step));
        if !is_end && !is_known {
            let stopped = self.tests.before_step(world, step).map_err(replay_error)?;
            let stopped = stopped.context("the world is another one when it is run again")?;
            self.last = Some((number, step, stopped));
        }
        let now = match &self.last {
            Some((_, _, stopped)) if !is_end => stopped,
            _ => &world.end,
        };
        let options: Vec<WorldOption> =
            world.alternatives.iter().map(|of| option(world, of, step)).collect();
        let sent = now.messages.len() as u64 + now.messages_omitted;
        let message_steps: Vec<u64> =
            (1..=sent).map(|count| world.step_of_message(count)).collect();
        let notice = self.notice.take();
        let view = WorldView {
            base,
            test: &self.test,
            worlds: &self.entries,
            world: number,
            step,
            steps,
            steps_beyond: world.steps_beyond,
            links: links(world, step),
            now,
            place: world.steps.get(step as usize).map(|step| world.place(step)),
            end: is_end.then_some(WorldEnd {
                outcome: &world.outcome,
                finding: world.finding.as_ref(),
                difference: world.difference.as_deref(),
            }),
            message_steps: &message_steps,
            options: &options,
            no_options: world.no_alternatives.as_deref(),
            values: &values(world),
            notice: notice.as_deref(),
        };
        Ok(LocalAnswer::Page(world_html(&view, &self.sources)?))
    }

    /// Goes on to a line.
    fn go_to_line(&mut self, number: usize, request: &LocalRequest) -> LocalAnswer {
        let world = &self.worlds[number];
        let from: u64 = request.query("from").and_then(|from| from.parse().ok()).unwrap_or(0);
        let at = request.query("at").unwrap_or_default();
        let node = request.query("node").and_then(|node| node.parse().ok());
        let place = at.trim().rsplit_once(':');
        let Some((file, line)) = place.and_then(|(file, line)| Some((file, line.parse().ok()?)))
        else {
            self.notice = Some(format!("'{at}' is no line: write it as file.c:12"));
            return step_of(number, from);
        };
        match world.step_at_line(from + 1, (file, line), node) {
            Some(step) => step_of(number, step),
            None => {
                let before = world.step_at_line(0, (file, line), node);
                let earlier =
                    before.map_or(String::new(), |step| format!("; it was at step {step}"));
                self.notice = Some(format!("no node comes to {file}:{line} from here on{earlier}"));
                step_of(number, from)
            }
        }
    }

    /// Runs a world in which something else happens.
    fn run_other(
        &mut self,
        number: usize,
        is_option: bool,
        at: usize,
        form: &str,
    ) -> Result<LocalAnswer> {
        let step: u64 = field(form, "step").and_then(|step| step.parse().ok()).unwrap_or(0);
        if self.worlds.len() >= WORLDS_MAX {
            self.notice = Some(format!("{WORLDS_MAX} worlds are kept, and no more: begin anew"));
            return Ok(step_of(number, step));
        }
        let world = &self.worlds[number];
        let (other, what) = if is_option {
            let what = world
                .alternatives
                .get(at)
                .map(|of| format!("{} on {}: {}", of.kind, world.nodes[of.node], of.what));
            (self.tests.other_side(world, at), what)
        } else {
            let Some(mut input) = world.inputs().into_iter().nth(at) else {
                return Ok(LocalAnswer::NotFound("there is no such input".to_owned()));
            };
            let Some(bytes) = bytes_of(&field(form, "hex").unwrap_or_default()) else {
                self.notice =
                    Some("bytes are pairs of hexadecimal digits, such as 0a ff".to_owned());
                return Ok(step_of(number, step));
            };
            input.bytes = bytes;
            let what = format!("{} is {}", input.name, field(form, "hex").unwrap_or_default());
            (self.tests.with_input(world, &input), Some(what))
        };
        let Some(other) = other.map_err(replay_error)? else {
            return Ok(LocalAnswer::NotFound("there is nothing else at that place".to_owned()));
        };
        if other.missing_faults > 0 {
            self.notice = Some(format!(
                "{} of this world was not possible in it, and has not happened",
                count_of(other.missing_faults as u64, "fault")
            ));
        }
        let title = format!("of world {}, {}", number + 1, what.unwrap_or_default());
        self.entries.push(WorldEntry { title, outcome: other.outcome.clone() });
        let step = step.min(other.steps.len() as u64);
        self.worlds.push(other);
        Ok(step_of(self.worlds.len() - 1, step))
    }
}

/// The page of a step.
fn step_of(world: usize, step: u64) -> LocalAnswer {
    LocalAnswer::SeeOther(format!("world/{world}/step/{step}"))
}

fn links(world: &WalkedWorld, step: u64) -> WorldLinks {
    let steps = &world.steps;
    let (at, end) = (step as usize, steps.len() as u64);
    let here = steps.get(at);
    let sent = here.map_or(u64::MAX, |here| here.messages);
    let before = &steps[..at.min(steps.len())];
    let fewer = before.partition_point(|before| before.messages < sent);
    // The first step of those with as many messages as the last one with fewer.
    let message_back = fewer.checked_sub(1).map(|last| world.step_of_message(steps[last].messages));
    let more = steps.get(at..).unwrap_or_default().iter().position(|next| next.messages > sent);
    let is_own = |other: &everett_rerun::WalkStep| here.is_some_and(|here| here.node == other.node);
    let node_forward = steps.get(at + 1..).unwrap_or_default().iter().position(is_own);
    WorldLinks {
        back: step.checked_sub(1),
        forward: (step < end).then_some(step + 1),
        message_back,
        message_forward: more.map(|more| step + more as u64),
        node_back: before.iter().rposition(is_own).map(|at| at as u64),
        node_forward: node_forward.map(|next| step + 1 + next as u64),
    }
}

fn option(world: &WalkedWorld, of: &Alternative, step: u64) -> WorldOption {
    let here = world.steps.get(step as usize);
    let is_line = |step: &everett_rerun::WalkStep| {
        let place = of.place.as_ref();
        of.is_at(step) && place.is_none_or(|place| world.place(step).line == place.line)
    };
    let at = world.steps.iter().position(is_line);
    let at = at.or_else(|| world.steps.iter().position(|step| of.is_at(step)));
    WorldOption {
        node: world.nodes.get(of.node).cloned().unwrap_or_default(),
        time_ns: of.time_ns,
        round: of.round,
        kind: of.kind.clone(),
        what: of.what.clone(),
        place: of.place.clone(),
        is_here: here.is_some_and(|here| of.is_at(here)),
        step: at.map(|at| at as u64),
    }
}

fn values(world: &WalkedWorld) -> Vec<WorldValue> {
    let value = |input: everett_rerun::WorldInput| WorldValue {
        node: world.nodes.get(input.node).cloned().unwrap_or_default(),
        name: input.name,
        bytes: input.bytes,
    };
    world.inputs().into_iter().map(value).collect()
}

/// Bytes that are written as hexadecimal digits.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    let byte = |pair: &[u8; 2]| {
        let is_hex = pair.iter().all(u8::is_ascii_hexdigit);
        is_hex.then(|| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())?
    };
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}
