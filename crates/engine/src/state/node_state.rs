//! The engine's part of a state: the simulated node, and what primitives remember along a path.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use everett_base::hash::hash_one;
use everett_base::plist::List;
use everett_base::{Apart, Copies, shares_nothing};
use everett_expr::{Pool, Support, TermId};
use everett_interp::{Bug, BugKind, Flow, Interp, PathEnding, ProgramId, State};
use everett_ir::FuncId;
use everett_live::Position;
use everett_memory::ByteValue;
use everett_posix::{FaultKind, Guest, KeptChoices, Node, Payload, SharedMessage, VisibleEffect};
use everett_replay::{KTest, KTestObject};
use everett_solver::PathCondition;
use everett_world::{ActivationId, Arrival, NodeId, Stamp, StateId};

use crate::api::report::{Input, PathOutcome};
use crate::programs::places;
use crate::state::boot::BootDeclarations;
use crate::state::exposure::Exposures;
use crate::state::inputs::fresh_bytes;
use crate::state::trojan::{AcceptingStack, TrojanMark, TrojanVerdict};
use crate::state::twin::TwinName;

/// The interpreter of the engine's states.
pub(crate) type Interpreter<'a> = Interp<'a, NodeState>;

/// A state at the end of a path so far: the interpreter's part, with the engine's in its `extra`.
pub(crate) type PathState = State<NodeState>;

/// Several states. They move between tables of boxes, so that they are not copied.
#[allow(clippy::vec_box, reason = "a state is moved as a pointer")]
pub(crate) type PathStates = Vec<Box<PathState>>;

// There may be a million states, and a size class of the allocator costs a sixth of their memory.
const _: () = assert!(size_of::<PathState>() <= 384, "one byte more, and the allocator takes 448");

/// The engine's part of a state: its place in the set of worlds, the simulated node, and what primitives
/// remember. The larger parts are shared between branches until one of them changes it.
#[derive(Clone)]
pub(crate) struct NodeState {
    /// Its number.
    pub(crate) id: StateId,
    /// The node whose state it is.
    pub(crate) of: NodeId,
    /// The searcher knows it: it may be chosen to run.
    pub(crate) ready: bool,
    /// When it was activated last, in pieces that fill gaps, and the instructions of the path by then.
    activated_time: u64,
    activated_round: u32,
    pub(crate) activated_after: u64,
    /// The activation that it runs next with.
    pub(crate) due: Option<Arc<DueActivation>>,
    /// The end of its path, if it has exited or ended, or if it waits and a deadlock of it was found.
    pub(crate) outcome: Option<Arc<PathOutcome>>,
    /// How rare its path is, and whether it has ended.
    pub(crate) mark: PathMark,
    /// The workers that want to know what it does, while it runs or is to run.
    pub(crate) running: StateRunner,
    /// Other workers have it, or may come to have it.
    pub(crate) is_shared: bool,
    /// Names what invariants can tell of it, if there are any: as of when it ran last.
    pub(crate) look: u64,
    links: Arc<NodeLinks>,
    book: Arc<PathNotebook>,
    node: Arc<Node>,
}

everett_base::portable!(struct NodeState {
    id, of, ready, activated_time, activated_round, activated_after, due, outcome, mark, running,
    is_shared, look, links, book, node,
});

/// How rare a path is, and whether it has ended, in the two bytes that there are for it.
///
/// Rarity is the base-2 logarithm of the number of paths that there would be if all were as rare as this one:
/// each fork into n sides adds that of n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PathMark(u16);

everett_base::portable!(struct PathMark(value));

impl PathMark {
    const ENDED: u16 = 1 << 15;
    /// Parts of one: an error of one of them is half a per cent of the chance.
    const PARTS: f64 = 128.0;

    /// The path has ended otherwise than by exiting: its worlds do with this round.
    pub(crate) fn has_ended(self) -> bool {
        self.0 & PathMark::ENDED != 0
    }

    pub(crate) fn end(&mut self) {
        self.0 |= PathMark::ENDED;
    }

    /// The path has forked into so many sides. The rarest paths all count as equally rare.
    pub(crate) fn fork(&mut self, sides: usize) {
        let more = ((sides.max(1) as f64).log2() * PathMark::PARTS).round() as u16;
        let rarity = (self.0 & !PathMark::ENDED) + more.min(PathMark::ENDED);
        self.0 = self.0 & PathMark::ENDED | rarity.min(PathMark::ENDED - 1);
    }

    /// The chance that the path is taken if each side of each fork is as likely as another.
    pub(crate) fn chance(self) -> f64 {
        (-f64::from(self.0 & !PathMark::ENDED) / PathMark::PARTS).exp2()
    }
}

/// The worker that runs a state, and others who want to know what comes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateRunner {
    /// The worker that has it; there is nobody else.
    Alone,
    /// Whichever worker comes to it first.
    Open(ActivationId),
    /// The worker that has it; others wait for what comes of it.
    Ours(ActivationId),
}

everett_base::portable!(enum StateRunner { 0 = Alone, 1 = Open(value), 2 = Ours(value) });

/// An activation that is due.
pub(crate) struct DueActivation {
    pub(crate) at: Stamp,
    pub(crate) arrivals: Vec<Arrival<SharedMessage>>,
}

everett_base::portable!(struct DueActivation { at, arrivals });

/// What a state has to do with others: what it knows of other nodes, and what it shares with other paths.
#[derive(Clone, Default)]
pub(crate) struct NodeLinks {
    /// Symbolic bytes of other nodes that have come here.
    pub(crate) received: Support,
    /// Symbolic bytes that were sent in the last activation.
    pub(crate) sent: Support,
    /// Messages sent and received, newest first.
    pub(crate) history: List<MessageRecord>,
    /// Those before them, of a path that has many.
    pub(crate) older: OlderMessages,
    /// The data that it has exposed to invariants.
    pub(crate) exposures: Exposures,
    /// Faults of other nodes that it knows of.
    pub(crate) spent: Vec<SpentBudget>,
    /// Its name, if other jobs may have it as well.
    twin: Option<TwinName>,
    /// The choices between threads at which others may still be asked for.
    choices: KeptChoices<NodeState>,
    /// The message of it that was replaced, if one was.
    pub(crate) trojan: Option<Arc<TrojanMark>>,
    /// The messages that the program has named with `everett_message`, newest first.
    pub(crate) framed: List<Payload>,
    /// Its place in the conversation with its peer, if it has one and something was said.
    pub(crate) live: Option<Position>,
    /// The functions that its programs have named as decoders of messages, in order.
    pub(crate) decoders: Arc<Vec<ProgramDecoder>>,
}

everett_base::portable!(struct NodeLinks {
    received, sent, history, older, exposures, spent, twin, choices, trojan, framed, live,
    decoders,
});

/// A function that a program has named as a decoder of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramDecoder {
    /// The name of the protocol.
    pub(crate) name: String,
    /// The program that named it, and its function.
    pub(crate) program: ProgramId,
    pub(crate) function: FuncId,
}

everett_base::portable!(struct ProgramDecoder { name, program, function });
everett_base::shares_nothing!(ProgramDecoder);

/// A kind of fault, or a link, of whose faults a world has a limited number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum FaultBudget {
    /// Faults of a kind.
    Kind(FaultKind),
    /// Those on a link, by their number in [`crate::EngineConfig::links`].
    Link(u32),
}

everett_base::portable!(enum FaultBudget { 0 = Kind(value), 1 = Link(value) });

/// A lower bound of the faults of a budget that have happened on a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SpentBudget {
    pub(crate) node: NodeId,
    pub(crate) of: FaultBudget,
    pub(crate) count: u32,
}

everett_base::portable!(struct SpentBudget { node, of, count });

impl SpentBudget {
    /// Returns `true` if both are about the same budget and node.
    pub(crate) fn is_same(&self, other: &SpentBudget) -> bool {
        (self.node, self.of) == (other.node, other.of)
    }

    /// Adds it to what is known, sorted.
    pub(crate) fn add_to(self, known: &mut Vec<SpentBudget>) {
        match known.iter_mut().find(|other| other.is_same(&self)) {
            Some(other) => other.count = other.count.max(self.count),
            None => {
                let place = (self.node, self.of);
                let at = known.partition_point(|other| (other.node, other.of) < place);
                known.insert(at, self);
            }
        }
    }
}

/// A message in the history of a state.
#[derive(Clone)]
pub(crate) struct MessageRecord {
    /// When it was sent or received.
    pub(crate) at: Stamp,
    /// The node at the other end.
    pub(crate) peer: NodeId,
    /// It was sent from here.
    pub(crate) sent: bool,
    /// The number of bytes that the message carries.
    pub(crate) size: usize,
    /// The message, or one that carries the beginning of its bytes.
    pub(crate) message: SharedMessage,
}

everett_base::portable!(struct MessageRecord { at, peer, sent, size, message });

/// Bytes of a message that tests have for people, and that are kept at least.
pub(crate) const SHOWN_BYTES: usize = 64;
/// Known bytes that messages carry before only the beginning of them is kept. Findings have as many.
pub(crate) const WHOLE_BYTES_MAX: usize = 1024;

impl MessageRecord {
    /// Leaves out most of what a long message carries, if all of it is known. A path may go on for ever.
    pub(crate) fn shortened(self) -> MessageRecord {
        match &self.message.payload {
            Payload::Known(bytes) if bytes.len() > WHOLE_BYTES_MAX => {
                let beginning = self.message.payload.first(SHOWN_BYTES);
                MessageRecord { message: Arc::new(self.message.with_payload(beginning)), ..self }
            }
            _ => self,
        }
    }
}

/// Messages of a path that are so long ago that only a trace of them is left.
#[derive(Clone, Copy, Default)]
pub(crate) struct OlderMessages {
    /// Those that were sent.
    pub(crate) sent: u64,
    /// Tells them from others; 0 if there are none.
    pub(crate) hash: u64,
}

everett_base::portable!(struct OlderMessages { sent, hash });

impl OlderMessages {
    fn add(&mut self, record: &MessageRecord) {
        self.sent += u64::from(record.sent);
        self.hash = hash_one(&(self.hash, record.at, record.sent, record.message.id)).max(1);
    }
}

/// The memory of primitives along a path: inputs, aliases, marks.
#[derive(Clone, Default)]
pub(crate) struct PathNotebook {
    /// The test case whose inputs are used instead of symbolic ones.
    pub(crate) replay: Option<Arc<KTest>>,
    /// Inputs taken from it.
    pub(crate) replayed: usize,
    /// The inputs of the path so far, if each has one value.
    pub(crate) given: Option<Vec<Input>>,
    /// Conditions that tests should satisfy if they can, oldest first.
    pub(crate) preferences: Vec<TermId>,
    /// The beginning of the symbols of this node's inputs, so that no two nodes share one.
    pub(crate) symbol_prefix: String,
    /// The number of inputs of each name.
    pub(crate) names: BTreeMap<String, u32>,
    /// Calls that the program has redirected; a later entry wins over an earlier one.
    pub(crate) aliases: Vec<FunctionAlias>,
    /// Networks and the node that the program has declared.
    pub(crate) boot: Arc<BootDeclarations>,
    /// Addresses that the program has declared to be in use for ever.
    pub(crate) marked: BTreeSet<u64>,
}

everett_base::portable!(struct PathNotebook {
    replay, replayed, given, preferences, symbol_prefix, names, aliases, boot, marked,
});

impl PathNotebook {
    /// The test case's object for the next input of a name, if inputs are matched by name.
    pub(crate) fn next_known(&self, name: &str) -> Option<&KTestObject> {
        let test = self.replay.as_ref()?;
        let is_named = |object: &&KTestObject| object.name == name.as_bytes();
        // As long as each input was the next one of the test, so is this one.
        let asked = self.given.as_ref().map_or(0, Vec::len);
        if self.replayed == asked
            && let Some(next) = test.objects.get(asked).filter(is_named)
        {
            return Some(next);
        }
        let before = self.names.get(name).copied().unwrap_or(0);
        test.objects.iter().filter(is_named).nth(before as usize)
    }
}

/// Calls of some functions that go to another one.
#[derive(Clone)]
pub(crate) struct FunctionAlias {
    /// The name or pattern that the program gave.
    pub(crate) pattern: String,
    /// The functions whose calls are redirected.
    pub(crate) from: Vec<FuncId>,
    /// Where they go.
    pub(crate) to: FuncId,
}

everett_base::portable!(struct FunctionAlias { pattern, from, to });

impl NodeState {
    pub(crate) fn new(of: NodeId, book: PathNotebook, node: Node) -> NodeState {
        NodeState {
            id: StateId(0),
            of,
            ready: false,
            activated_time: 0,
            activated_round: 0,
            activated_after: 0,
            due: None,
            outcome: None,
            mark: PathMark::default(),
            running: StateRunner::Alone,
            is_shared: false,
            look: 0,
            links: Arc::default(),
            book: Arc::new(book),
            node: Arc::new(node),
        }
    }

    /// When it was activated last.
    pub(crate) fn activated(&self) -> Stamp {
        Stamp { time: self.activated_time, round: self.activated_round }
    }

    /// Notes that it is activated, after so many instructions of the path.
    pub(crate) fn note_activation(&mut self, at: Stamp, instructions: u64) {
        (self.activated_time, self.activated_round) = (at.time, at.round);
        self.activated_after = instructions;
    }

    /// Its knowledge of other nodes.
    pub(crate) fn links(&self) -> &NodeLinks {
        &self.links
    }

    /// Its knowledge of other nodes, to change it.
    pub(crate) fn links_mut(&mut self) -> &mut NodeLinks {
        Arc::make_mut(&mut self.links)
    }

    /// Forgets the oldest messages of a path that has more than twice as many as are kept.
    pub(crate) fn forget_old_messages(&mut self, kept: usize) {
        if self.links.history.len() / 2 <= kept {
            return;
        }
        let links = self.links_mut();
        let all: Vec<MessageRecord> = links.history.iter().cloned().collect();
        let (newer, older) = all.split_at(kept);
        older.iter().rev().for_each(|record| links.older.add(record));
        links.history = List::new();
        newer.iter().rev().for_each(|record| links.history.push(record.clone()));
    }

    /// The message of it that was replaced, to change what is known about it.
    pub(crate) fn trojan_mut(&mut self) -> Option<&mut TrojanMark> {
        self.links.trojan.as_ref()?;
        self.links_mut().trojan.as_mut().map(Arc::make_mut)
    }

    /// Its name, if other jobs may have it as well.
    pub(crate) fn twin(&self) -> Option<TwinName> {
        self.links.twin
    }

    /// Names it.
    pub(crate) fn set_twin(&mut self, name: TwinName) {
        self.links_mut().twin = Some(name);
    }

    /// The memory of primitives, to change it.
    pub(crate) fn notebook_mut(&mut self) -> &mut PathNotebook {
        Arc::make_mut(&mut self.book)
    }
}

impl Apart for NodeState {
    fn apart(&mut self, copies: &mut Copies) {
        // What is due, and what has become of it, is looked at once.
        let NodeState {
            id: _,
            of: _,
            ready: _,
            activated_time: _,
            activated_round: _,
            activated_after: _,
            due: _,
            outcome: _,
            mark: _,
            running: _,
            is_shared: _,
            look: _,
            links,
            book,
            node,
        } = self;
        links.apart(copies);
        book.apart(copies);
        node.apart(copies);
    }
}

impl Apart for NodeLinks {
    fn apart(&mut self, copies: &mut Copies) {
        // Workers have choices in common.
        let NodeLinks {
            received: _,
            sent: _,
            history,
            older: _,
            exposures: _,
            spent: _,
            twin: _,
            choices: _,
            trojan: _,
            framed,
            live: _,
            decoders,
        } = self;
        decoders.apart(copies);
        framed.apart(copies);
        history.apart(copies);
    }
}

shares_nothing!(PathNotebook);

impl Deref for NodeState {
    type Target = PathNotebook;

    fn deref(&self) -> &PathNotebook {
        &self.book
    }
}

impl Guest for NodeState {
    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.node)
    }

    fn choices(&self) -> &KeptChoices<NodeState> {
        &self.links.choices
    }

    fn choices_mut(&mut self) -> &mut KeptChoices<NodeState> {
        &mut self.links_mut().choices
    }

    fn new_input(
        cx: &mut Interp<'_, NodeState>,
        st: &mut State<NodeState>,
        name: &str,
        size: u32,
    ) -> Result<Vec<ByteValue>, Flow> {
        fresh_bytes(cx, st, name, size)
    }

    fn replaced(st: &mut State<NodeState>, senders: u32, bytes: &[ByteValue]) {
        // Those of a test are known.
        let is_known = st.extra.replay.is_some();
        let input = st.inputs.iter().next().filter(|_| !is_known);
        let mark = TrojanMark {
            senders,
            message: input.map(|input| input.symbol),
            length: bytes.len() as u32,
            files: st.extra.node().fs().clone(),
            effect: None,
            has_sent: false,
            verdict: TrojanVerdict::Open,
            followed: Default::default(),
        };
        // Calls are looked at, for those that accept the message.
        st.plain_calls = false;
        st.extra.links_mut().trojan = Some(Arc::new(mark));
    }

    fn watches_effects(st: &State<NodeState>) -> bool {
        st.extra.links.trojan.as_ref().is_some_and(|mark| mark.is_open() && !mark.has_sent)
    }

    fn noticed(cx: &Interp<'_, NodeState>, st: &mut State<NodeState>, effect: VisibleEffect) {
        let Some(mark) = &st.extra.links.trojan else { return };
        let is_unchanged =
            effect == VisibleEffect::Stored && st.extra.node().fs().is_unchanged_since(&mark.files);
        if is_unchanged || mark.effect.is_some() && effect != VisibleEffect::Sent {
            return;
        }
        let place = accepting_stack(cx, st);
        let Some(mark) = st.extra.trojan_mut() else { return };
        mark.has_sent |= effect == VisibleEffect::Sent;
        mark.effect.get_or_insert((effect, place));
    }

    fn crashed(st: &mut State<NodeState>) {
        let book = st.extra.notebook_mut();
        book.aliases.clear();
        book.marked.clear();
    }

    fn woken_at(st: &State<NodeState>) -> Stamp {
        st.extra.activated()
    }

    fn adopt_exposed(st: &mut State<NodeState>, other: &State<NodeState>) {
        let exposures = &other.extra.links().exposures;
        if st.extra.links().exposures.log() != exposures.log() {
            st.extra.links_mut().exposures = exposures.clone();
        }
    }

    fn world_bytes(
        cx: &mut Interp<'_, NodeState>,
        st: &mut State<NodeState>,
        name: &str,
        size: u32,
    ) -> Vec<ByteValue> {
        let symbol = cx.pool.symbol(name, size);
        let terms = (0..size).map(|i| cx.pool.byte(symbol, i));
        // They are as if another node had sent them: what others assume about them matters here.
        let links = st.extra.links_mut();
        for term in terms.clone() {
            let support = cx.pool.support(term);
            if !links.received.contains_all(support) {
                links.received = links.received.union(support);
            }
        }
        terms.map(ByteValue::Symbolic).collect()
    }

    fn next_input_is(st: &State<NodeState>, name: &str) -> bool {
        if st.extra.given.is_some() {
            return st.extra.next_known(name).is_some();
        }
        let next = st.extra.replay.as_ref().and_then(|test| test.objects.get(st.extra.replayed));
        next.is_some_and(|object| object.name == name.as_bytes())
    }
}

/// The end of a path in a bug that concerns no object.
pub(crate) fn bug(kind: BugKind, message: impl Into<String>) -> Flow {
    Flow::End(PathEnding::Bug(Box::new(Bug::new(kind, message))))
}

/// The bytes that a path wrote to its standard streams, under the model of a path.
pub(crate) fn written(pool: &Pool, st: &PathState, model: &PathCondition) -> Vec<u8> {
    let output = st.extra.node().output();
    let bytes = output.iter().flat_map(|piece| piece.bytes.iter());
    bytes.map(|byte| byte_under(pool, st, model, byte)).collect()
}

/// A byte of a path under the model of that path, or of one that assumes more.
pub(crate) fn byte_under(
    pool: &Pool,
    st: &PathState,
    model: &PathCondition,
    byte: &ByteValue,
) -> u8 {
    match byte {
        ByteValue::Concrete(byte) => *byte,
        ByteValue::Symbolic(term) => {
            pool.eval_u64(st.path.simplify(pool, *term), model.model()) as u8
        }
    }
}

/// Where the program of a state is, as the place at which it accepts a message.
pub(crate) fn accepting_stack(cx: &Interp<'_, NodeState>, st: &PathState) -> AcceptingStack {
    let stack = places::stack(&cx.images.image(st.program).program, &st.stack);
    AcceptingStack { node: st.extra.of, stack }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_of_forks_share_the_chance_of_their_path() {
        let mut mark = PathMark::default();
        assert_eq!(mark.chance(), 1.0);
        (0..3).for_each(|_| mark.fork(2));
        assert_eq!((mark.chance(), mark.has_ended()), (0.125, false));
        mark.end();
        mark.fork(3);
        assert!(mark.has_ended());
        assert!((mark.chance() * 24.0 - 1.0).abs() < 0.003, "{mark:?}");
        (0..10_000).for_each(|_| mark.fork(1000));
        assert!(mark.has_ended() && mark.chance() > 0.0);
    }
}
