//! The rules of rounds, deliveries and mappings, one by one, on scripted states.

use everett_base::Map;
use everett_world::{
    Arrival, CarriedConstraints, MappingKind, NextWake, NodeId, RemovalReason, SentMessage,
    SplitWishes, Stamp, StateId, StateOwner, Universe, UniverseChange, UniverseOptions,
};
use smallvec::SmallVec;

const N0: NodeId = NodeId(0);
const N1: NodeId = NodeId(1);
const N2: NodeId = NodeId(2);

/// States are numbers with a condition: the set of values of one symbol that satisfy it.
#[derive(Default)]
struct Script {
    next: u32,
    conditions: Map<StateId, u8>,
    patient: bool,
}

impl Script {
    fn condition(&self, state: StateId) -> u8 {
        self.conditions.get(&state).copied().unwrap_or(u8::MAX)
    }
}

impl StateOwner for Script {
    type Message = u8;

    fn copy(&mut self, state: StateId) -> StateId {
        let copy = StateId(self.next);
        self.next += 1;
        self.conditions.insert(copy, self.condition(state));
        copy
    }

    fn carried(&mut self, from: StateId, _to: StateId) -> CarriedConstraints {
        CarriedConstraints(u32::from(!self.condition(from)))
    }

    fn joins(&mut self, state: StateId, arrivals: &[Arrival<u8>]) -> bool {
        let carried = arrivals.iter().map(|arrival| !(arrival.carried.0 as u8));
        carried.fold(self.condition(state), |all, condition| all & condition) != 0
    }

    fn jointly(&mut self, states: &[StateId]) -> bool {
        states.iter().fold(u8::MAX, |all, &state| all & self.condition(state)) != 0
    }

    fn symbols(&mut self, state: StateId) -> SmallVec<[u32; 4]> {
        (self.condition(state) != u8::MAX).then_some(0).into_iter().collect()
    }

    fn waits(&mut self, _state: StateId) -> bool {
        !self.patient
    }
}

/// A universe with one state a node, all of which run at the beginning.
struct Play {
    universe: Universe<u8>,
    script: Script,
}

impl Play {
    fn new(nodes: u32, mapping: MappingKind) -> Play {
        let options = UniverseOptions { mapping, ..UniverseOptions::default() };
        Play::starting(options, &vec![Stamp::ZERO; nodes as usize])
    }

    fn starting(options: UniverseOptions, starts: &[Stamp]) -> Play {
        let nodes = starts.len() as u32;
        let mut universe = Universe::new(nodes, options);
        let mut script = Script { next: 100, ..Script::default() };
        let first: Vec<_> =
            starts.iter().zip(0..).map(|(&at, n)| (NodeId(n), StateId(n), at)).collect();
        universe.begin(&mut script, &first);
        Play { universe, script }
    }

    fn changes(&mut self) -> Vec<UniverseChange<u8>> {
        self.universe.changes().collect()
    }

    fn branch(&mut self, parent: u32, child: u32, conditions: (u8, u8)) {
        self.universe.branched(&mut self.script, StateId(parent), StateId(child));
        self.script.conditions.insert(StateId(parent), conditions.0);
        self.script.conditions.insert(StateId(child), conditions.1);
    }

    fn block(&mut self, state: u32, next: NextWake, sent: &[(NodeId, u64, u8)]) {
        let sent = sent
            .iter()
            .map(|&(to, delay, message)| SentMessage { to, delay, message })
            .collect::<Vec<_>>();
        self.universe.blocked(&mut self.script, StateId(state), next, false, sent);
    }

    fn stall(&mut self, state: u32) {
        self.block(state, NextWake::Never, &[]);
    }

    fn end(&mut self, state: u32) {
        self.universe.ended(&mut self.script, StateId(state));
    }
}

/// What runs, when, with which messages.
fn runs(changes: &[UniverseChange<u8>]) -> Vec<(u32, (u64, u32), Vec<u8>)> {
    let run = |change: &UniverseChange<u8>| match change {
        UniverseChange::Run { state, at, arrivals, .. } => {
            let messages = arrivals.iter().map(|arrival| arrival.message).collect();
            Some((state.0, (at.time, at.round), messages))
        }
        _ => None,
    };
    changes.iter().filter_map(run).collect()
}

fn gone(changes: &[UniverseChange<u8>]) -> Vec<(u32, RemovalReason)> {
    let gone = |change: &UniverseChange<u8>| match change {
        UniverseChange::Gone { state, why } => Some((state.0, *why)),
        _ => None,
    };
    let mut all: Vec<_> = changes.iter().filter_map(gone).collect();
    all.sort_unstable();
    all
}

fn deadlocks(changes: &[UniverseChange<u8>]) -> Vec<(u32, Vec<u32>)> {
    let deadlock = |change: &UniverseChange<u8>| match change {
        UniverseChange::Deadlock { state, world } => {
            Some((state.0, world.iter().map(|s| s.0).collect()))
        }
        _ => None,
    };
    changes.iter().filter_map(deadlock).collect()
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn what_is_sent_in_a_round_arrives_in_the_next() {
    let mut play = Play::new(2, MappingKind::Sds);
    is_send(&play.universe);
    assert_eq!(runs(&play.changes()), [(0, (0, 0), vec![]), (1, (0, 0), vec![])]);
    play.block(0, NextWake::Never, &[(N1, 0, 7), (N1, 5, 8)]);
    assert_eq!(play.changes(), []);
    play.stall(1);
    assert_eq!(runs(&play.changes()), [(1, (0, 1), vec![7])]);
    play.stall(1);
    assert_eq!(runs(&play.changes()), [(1, (5, 0), vec![8])]);
}

#[test]
fn arrivals_are_sorted_by_stamp_sender_and_number() {
    let mut play = Play::new(3, MappingKind::Sds);
    play.stall(2);
    play.block(1, NextWake::Never, &[(N2, 0, 21), (N2, 3, 24), (N2, 0, 22)]);
    play.block(0, NextWake::Never, &[(N2, 0, 11), (N2, 3, 13)]);
    assert_eq!(runs(&play.changes())[3..], [(2, (0, 1), vec![11, 21, 22])]);
    play.stall(2);
    assert_eq!(runs(&play.changes()), [(2, (3, 0), vec![13, 24])]);
}

#[test]
fn a_node_hears_itself_in_the_next_round() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.stall(1);
    play.block(0, NextWake::Never, &[(N0, 0, 3)]);
    assert_eq!(runs(&play.changes()), [(0, (0, 1), vec![3])]);
}

#[test]
fn wakes_in_the_past_are_in_the_next_round() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.stall(1);
    play.block(0, NextWake::At(0), &[]);
    assert_eq!(runs(&play.changes()), [(0, (0, 1), vec![])]);
    play.block(0, NextWake::NextRound, &[]);
    assert_eq!(runs(&play.changes()), [(0, (0, 2), vec![])]);
    play.block(0, NextWake::At(9), &[]);
    assert_eq!(runs(&play.changes()), [(0, (9, 0), vec![])]);
}

#[test]
fn nodes_start_in_their_order() {
    let starts = [Stamp::new(0, 0), Stamp::new(0, 1), Stamp::new(0, 1)];
    let mut play = Play::starting(UniverseOptions::default(), &starts);
    assert_eq!(runs(&play.changes()), [(0, (0, 0), vec![])]);
    play.stall(0);
    assert_eq!(runs(&play.changes()), [(1, (0, 1), vec![]), (2, (0, 1), vec![])]);
}

#[test]
fn a_state_waits_for_all_worlds_that_it_is_in() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.branch(0, 50, (1, 2));
    play.block(1, NextWake::At(5), &[]);
    play.block(0, NextWake::At(9), &[]);
    play.changes();
    // One state of the other node is still at the beginning.
    play.block(50, NextWake::At(3), &[]);
    assert_eq!(runs(&play.changes()), [(50, (3, 0), vec![])]);
    play.block(50, NextWake::At(7), &[]);
    assert_eq!(runs(&play.changes()), [(1, (5, 0), vec![])]);
}

/// Node 0 branches, and one of both sends to node 1; node 2 has nothing to do with it.
fn one_of_two_sends(mapping: MappingKind) -> (Play, Vec<UniverseChange<u8>>) {
    let mut play = Play::new(3, mapping);
    play.script.patient = true;
    play.stall(1);
    play.block(2, NextWake::At(9), &[]);
    play.branch(0, 50, (0x0f, 0xf0));
    play.block(0, NextWake::At(9), &[(N1, 0, 7)]);
    play.block(50, NextWake::At(9), &[]);
    let changes = play.changes();
    (play, changes)
}

#[test]
fn sds_copies_the_receiver_only() {
    let (play, changes) = one_of_two_sends(MappingKind::Sds);
    // The state that sent nothing goes on in its worlds; the bystander waits for the others.
    assert_eq!(runs(&changes)[3..], [(50, (9, 0), vec![]), (100, (0, 1), vec![7])]);
    let from = |change: &UniverseChange<u8>| {
        matches!(change, UniverseChange::Run { from: Some(StateId(1)), .. })
    };
    assert!(changes.iter().any(from));
    assert_eq!((play.universe.counts().copies, play.universe.counts().dstates), (1, 2));
}

#[test]
fn cow_copies_what_both_parts_need() {
    let (play, changes) = one_of_two_sends(MappingKind::Cow);
    let expected = [(50, (9, 0), vec![]), (1, (0, 1), vec![7]), (101, (9, 0), vec![])];
    assert_eq!(runs(&changes)[3..], expected);
    let copied: Vec<_> = changes
        .iter()
        .filter_map(|change| match change {
            UniverseChange::Copied { from, .. } => Some(from.0),
            _ => None,
        })
        .collect();
    assert_eq!(copied, [1, 2]);
    assert_eq!((play.universe.counts().copies, play.universe.counts().dstates), (2, 2));
}

#[test]
fn cob_copies_all_others_at_the_branch() {
    let mut play = Play::new(3, MappingKind::Cob);
    play.changes();
    play.stall(1);
    play.branch(0, 50, (0x0f, 0xf0));
    let copied =
        |state, from| UniverseChange::Copied { state: StateId(state), from: StateId(from) };
    assert_eq!(play.changes(), [copied(100, 1), copied(101, 2)]);
    play.block(0, NextWake::Never, &[(N1, 0, 7)]);
    play.stall(2);
    assert_eq!(runs(&play.changes()), [(1, (0, 1), vec![7])]);
    // The copy of a running state runs as well.
    play.stall(101);
    assert_eq!(runs(&play.changes()), []);
    play.stall(50);
    assert_eq!(play.universe.counts().final_worlds, 1);
}

#[test]
fn equal_messages_do_not_part_worlds() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.stall(1);
    play.branch(0, 50, (u8::MAX, u8::MAX));
    play.block(0, NextWake::At(3), &[(N1, 0, 7)]);
    play.block(50, NextWake::At(4), &[(N1, 0, 7)]);
    assert_eq!(runs(&play.changes()), [(1, (0, 1), vec![7])]);
    assert_eq!(play.universe.counts().splits, 0);
}

#[test]
fn what_must_travel_parts_worlds() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.stall(1);
    play.branch(0, 50, (0x0f, 0xf0));
    play.block(0, NextWake::At(3), &[(N1, 0, 7)]);
    play.block(50, NextWake::At(4), &[(N1, 0, 7)]);
    assert_eq!(runs(&play.changes()).len(), 2);
    assert_eq!(play.universe.counts().splits, 1);
}

#[test]
fn who_contradicts_a_message_is_not_in_its_worlds() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.branch(1, 60, (0x0f, 0xf0));
    play.stall(1);
    play.block(60, NextWake::At(9), &[]);
    play.changes();
    play.script.conditions.insert(StateId(0), 0xf0);
    play.block(0, NextWake::At(9), &[(N1, 0, 7)]);
    let changes = play.changes();
    assert_eq!(gone(&changes), [(1, RemovalReason::Separated)]);
    assert_eq!(runs(&changes), [(60, (0, 1), vec![7])]);
    assert_eq!(play.universe.world_with(&mut play.script, StateId(1)), None);
    assert!(play.universe.world_with(&mut play.script, StateId(60)).is_some());
}

#[test]
fn a_state_may_come_to_contradict_what_is_on_its_way() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.script.conditions.insert(StateId(0), 0xf0);
    play.block(0, NextWake::At(9), &[(N1, 5, 7)]);
    play.block(1, NextWake::At(3), &[]);
    play.changes();
    play.branch(1, 60, (0x0f, 0xf0));
    play.block(1, NextWake::Never, &[]);
    play.block(60, NextWake::Never, &[]);
    let changes = play.changes();
    assert_eq!(gone(&changes), [(1, RemovalReason::Separated)]);
    assert_eq!(runs(&changes), [(60, (5, 0), vec![7])]);
}

#[test]
fn an_ended_state_stays_until_the_end_of_the_round() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.end(0);
    assert_eq!(play.changes(), []);
    let world = play.universe.world_with(&mut play.script, StateId(1));
    assert_eq!(world, Some(vec![StateId(0), StateId(1)]));
    play.stall(1);
    assert_eq!(gone(&play.changes()), [(0, RemovalReason::Ended), (1, RemovalReason::WorldEnded)]);
    assert_eq!(play.universe.counts().final_worlds, 0);
}

#[test]
fn worlds_without_the_ended_state_go_on() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.branch(0, 50, (1, 2));
    play.end(50);
    play.block(0, NextWake::At(3), &[]);
    play.stall(1);
    let changes = play.changes();
    assert_eq!(gone(&changes), [(50, RemovalReason::Ended)]);
    assert_eq!(runs(&changes), [(0, (3, 0), vec![])]);
}

#[test]
fn a_deadlock_is_reported_once_with_a_world() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.branch(0, 50, (0x0f, 0xf0));
    play.script.conditions.insert(StateId(1), 0x0f);
    play.changes();
    play.stall(1);
    play.block(0, NextWake::At(3), &[]);
    play.block(50, NextWake::Never, &[]);
    // The stalled states contradict each other: there is no such world.
    let changes = play.changes();
    assert_eq!(deadlocks(&changes), []);
    play.stall(0);
    let mut found = deadlocks(&play.changes());
    found.sort();
    assert_eq!(found, [(0, vec![0, 1]), (1, vec![0, 1])]);
    assert_eq!(play.universe.counts().final_worlds, 1);
}

#[test]
fn patient_states_are_not_deadlocked() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.script.patient = true;
    play.stall(0);
    play.stall(1);
    let changes = play.changes();
    assert_eq!(deadlocks(&changes), []);
    assert_eq!(gone(&changes), [(0, RemovalReason::Over), (1, RemovalReason::Over)]);
}

#[test]
fn stalled_states_with_only_final_worlds_leave_early() {
    for detect_stalled in [true, false] {
        let options = UniverseOptions { detect_stalled, ..UniverseOptions::default() };
        let mut play = Play::starting(options, &[Stamp::ZERO; 2]);
        play.branch(0, 50, (1, 2));
        play.stall(1);
        play.stall(0);
        play.changes();
        play.block(50, NextWake::At(3), &[]);
        let changes = play.changes();
        let expected: &[_] = if detect_stalled { &[(0, RemovalReason::Over)] } else { &[] };
        assert_eq!(gone(&changes), expected);
        assert_eq!(deadlocks(&changes).is_empty(), !detect_stalled);
        play.stall(50);
        assert_eq!(play.universe.counts().final_worlds, 2);
    }
}

#[test]
fn an_exited_state_still_gets_events() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.universe.blocked(&mut play.script, StateId(1), NextWake::Never, true, Vec::new());
    play.changes();
    play.block(0, NextWake::Never, &[(N1, 0, 7)]);
    assert_eq!(runs(&play.changes()), [(1, (0, 1), vec![7])]);
}

#[test]
fn a_killed_state_takes_its_worlds_with_it() {
    for mapping in [MappingKind::Sds, MappingKind::Cow, MappingKind::Cob] {
        let mut play = Play::new(2, mapping);
        play.changes();
        play.universe.killed(&mut play.script, StateId(0));
        assert_eq!(
            gone(&play.changes()),
            [(0, RemovalReason::Ended), (1, RemovalReason::WorldEnded)]
        );
        assert_eq!(play.universe.counts().dstates, 0);
    }
}

#[test]
fn a_killed_state_holds_nobody_back() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.changes();
    play.branch(0, 50, (1, 2));
    play.block(0, NextWake::At(4), &[]);
    play.block(1, NextWake::At(3), &[]);
    play.universe.killed(&mut play.script, StateId(50));
    let changes = play.changes();
    assert_eq!(gone(&changes), [(50, RemovalReason::Ended)]);
    assert_eq!(runs(&changes), [(1, (3, 0), vec![])]);
    // A blocked one, too.
    play.universe.killed(&mut play.script, StateId(0));
    assert_eq!(gone(&play.changes()), [(0, RemovalReason::Ended), (1, RemovalReason::WorldEnded)]);
}

#[test]
fn final_worlds_are_counted_by_components_up_to_the_cap() {
    for (cap, expected) in [(100, (4, false)), (2, (2, true))] {
        let options = UniverseOptions { world_cap: cap, ..UniverseOptions::default() };
        let mut play = Play::starting(options, &[Stamp::ZERO; 3]);
        play.script.patient = true;
        // Of nine combinations of the first two nodes four are satisfiable.
        play.branch(0, 50, (0b001, 0b110));
        play.branch(50, 51, (0b010, 0b100));
        play.branch(1, 60, (0b001, 0b110));
        play.branch(60, 61, (0b110, 0b010));
        for state in [0, 50, 51, 1, 60, 61, 2] {
            play.stall(state);
        }
        let counts = play.universe.counts();
        assert_eq!((counts.final_worlds, counts.capped), expected);
    }
}

#[test]
fn independent_nodes_need_no_questions() {
    let mut play = Play::new(3, MappingKind::Sds);
    for state in [50, 51, 52] {
        play.branch(0, state, (u8::MAX, u8::MAX));
        play.branch(1, state + 10, (u8::MAX, u8::MAX));
    }
    for state in [0, 50, 51, 52, 1, 60, 61, 62, 2] {
        play.stall(state);
    }
    let counts = play.universe.counts();
    assert_eq!((counts.final_worlds, counts.joint_checks), (16, 0));
}

#[test]
fn worlds_are_listed_without_contradictions() {
    let mut play = Play::new(2, MappingKind::Sds);
    play.branch(0, 50, (0x0f, 0xf0));
    play.branch(1, 60, (0x0f, 0xf0));
    let worlds = play.universe.worlds(&mut play.script, 10);
    assert_eq!(worlds, [[StateId(0), StateId(1)], [StateId(50), StateId(60)]]);
    assert_eq!(play.universe.worlds(&mut play.script, 1).len(), 1);
}

const ANY_HALF: SplitWishes<'_> = SplitWishes { stay: &[], most_shared: usize::MAX, one_of: 2 };

#[test]
fn of_one_node_neighbours_stay_together() {
    let mut play = Play::new(1, MappingKind::Sds);
    (50..50 + 319).for_each(|child| play.branch(0, child, (1, 2)));
    let (other, _) = play.universe.split_off(&ANY_HALF).expect("states of one node are parts");
    let given = other.states();
    assert_eq!((given.len(), play.universe.states().len()), (160, 160));
    let begins = given.iter().filter(|state| !other.contains(StateId(state.0 - 1))).count();
    assert_eq!(begins, 8, "{given:?}");
}

#[test]
fn one_node_has_a_world_a_state() {
    let mut play = Play::new(1, MappingKind::Sds);
    play.script.patient = true;
    play.branch(0, 50, (1, 2));
    play.branch(0, 51, (1, 2));
    let (mut other, both) =
        play.universe.split_off(&ANY_HALF).expect("states of one node are parts");
    assert!(both.is_empty() && other.contains(StateId(50)));
    assert!(!play.universe.contains(StateId(50)));
    other.ended(&mut play.script, StateId(50));
    assert_eq!(gone(&other.changes().collect::<Vec<_>>()), [(50, RemovalReason::Ended)]);
    play.changes();
    play.block(0, NextWake::At(4), &[(N0, 9, 1)]);
    assert_eq!(runs(&play.changes()), [(0, (4, 0), vec![])]);
    play.stall(0);
    assert_eq!(runs(&play.changes()), [(0, (9, 0), vec![1])]);
    play.stall(51);
    play.stall(0);
    assert_eq!(gone(&play.changes()), [(0, RemovalReason::Over), (51, RemovalReason::Over)]);
    assert_eq!(play.universe.counts().final_worlds, 2);
    assert!(play.universe.split_off(&ANY_HALF).is_none());
}
