//! Random programs that talk to random peers, compared with each of them talking to a peer of its own.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

#[path = "random/machine.rs"]
mod machine;
#[path = "random/program.rs"]
mod program;

use std::sync::{Arc, Mutex};

use everett_base::Rng;
use everett_live::{ConversationTree, LiveError, TreeOptions};

use machine::{MachinePeer, Transcript};
use program::{Program, check_alone, check_positions};

/// A tree with few sessions, and what it was asked by programs that are cloned now and then.
struct Run {
    tree: ConversationTree,
    programs: Vec<Program>,
    /// Programs that could not go on, as the peer did not repeat itself.
    stuck: usize,
}

impl Run {
    fn new(peer: MachinePeer, program: Program, rng: &mut Rng) -> Run {
        let options = TreeOptions {
            sessions_max: 1 + rng.below(4) as usize,
            memory_bytes_max: 1 + rng.below(2000) as usize,
            spill_folder: (rng.below(4) == 0).then(std::env::temp_dir),
            ..TreeOptions::default()
        };
        let tree = ConversationTree::new(Arc::new(peer), options);
        Run { tree, programs: vec![program], stuck: 0 }
    }

    fn steps(mut self, count: u64, rng: &mut Rng) -> Run {
        for _ in 0..count {
            let chosen = rng.below(self.programs.len() as u64) as usize;
            if rng.below(6) == 0 && self.programs.len() < 8 {
                let clone = self.programs[chosen].clone();
                self.programs.push(clone);
            }
            match self.programs[chosen].step(&self.tree, rng) {
                Ok(()) => {}
                Err(LiveError::NotRepeated { .. }) => {
                    self.stuck += 1;
                    self.programs[chosen] = self.programs[chosen].anew();
                }
                Err(error) => panic!("{error}"),
            }
        }
        self
    }
}

#[test]
fn each_clone_hears_what_it_would_hear_alone() {
    let mut sessions = 0;
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let peer = MachinePeer::new(rng.next_u64());
        let run = Run::new(peer.clone(), Program::default(), &mut rng).steps(60, &mut rng);
        let statistics = run.tree.statistics();
        assert_eq!((run.stuck, statistics.differences), (0, 0), "seed {seed}");
        sessions += statistics.sessions_started;
        for program in &run.programs {
            check_alone(program, &peer, seed);
        }
        check_positions(&run.programs, seed);
    }
    assert!(sessions > 10_000, "conversations were hardly ever repeated: {sessions}");
}

#[test]
fn a_saved_tree_repeats_all_conversations_without_a_peer() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let peer = MachinePeer::new(rng.next_u64());
        let run = Run::new(peer, Program::default(), &mut rng).steps(60, &mut rng);
        let mut bytes = Vec::new();
        run.tree.save(&mut bytes).unwrap();
        let loaded = ConversationTree::load(&bytes, None, TreeOptions::default()).unwrap();
        let mut again = Vec::new();
        loaded.save(&mut again).unwrap();
        assert_eq!(bytes, again, "seed {seed}");
        for program in &run.programs {
            program.repeat(&loaded, seed);
        }
    }
}

#[test]
fn threads_that_share_a_tree_hear_what_they_would_hear_alone() {
    for seed in 0..60 {
        let peer = MachinePeer::new(Rng::new(seed).next_u64());
        let options = TreeOptions { sessions_max: 2, ..TreeOptions::default() };
        let tree = ConversationTree::new(Arc::new(peer.clone()), options);
        let programs = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (tree, programs) = (&tree, &programs);
                scope.spawn(move || {
                    // Two threads each do the same, so that they ask the same at the same time.
                    let mut rng = Rng::new(seed * 10 + thread / 2);
                    let mut program = Program::default();
                    for _ in 0..60 {
                        program.step(tree, &mut rng).unwrap();
                        if rng.below(12) == 0 {
                            programs.lock().unwrap().push(program);
                            program = Program::default();
                        }
                    }
                    programs.lock().unwrap().push(program);
                });
            }
        });
        assert_eq!(tree.statistics().differences, 0, "seed {seed}");
        let programs = programs.into_inner().unwrap();
        for program in &programs {
            check_alone(program, &peer, seed);
        }
        check_positions(&programs, seed);
    }
}

#[test]
fn peers_that_do_not_repeat_themselves_are_noticed() {
    let (mut noticed, mut unnoticed) = (0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let transcripts = Arc::new(Mutex::new(Vec::new()));
        let peer = MachinePeer::new(rng.next_u64()).moody(1 + rng.below(30), transcripts.clone());
        let run = Run::new(peer, Program::orderly(), &mut rng).steps(60, &mut rng);
        let transcripts = transcripts.lock().unwrap();
        let transcripts: Vec<_> = transcripts.iter().map(|it| it.lock().unwrap()).collect();
        let differs = transcripts.iter().enumerate().any(|(number, one)| {
            transcripts[..number].iter().any(|two| Transcript::differ(one, two))
        });
        let differences = run.tree.statistics().differences;
        assert!(!differs || differences > 0, "seed {seed}: answers differ unnoticed");
        assert_eq!(run.tree.differences().len() as u64, differences);
        if differences > 0 { noticed += 1 } else { unnoticed += 1 }
    }
    assert!(noticed > 200 && unnoticed > 200, "{noticed} of the peers, and not {unnoticed} others");
}

#[test]
fn strict_trees_end_with_the_first_difference() {
    let mut found = 0;
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let peer = MachinePeer::new(rng.next_u64()).moody(4, Arc::default());
        let options = TreeOptions { strict: true, sessions_max: 1, ..TreeOptions::default() };
        let tree = ConversationTree::new(Arc::new(peer), options);
        let mut programs = [Program::default(), Program::default()];
        for step in 0..80 {
            match programs[step % 2].step(&tree, &mut rng) {
                Ok(()) => assert_eq!(tree.statistics().differences, 0, "seed {seed}"),
                Err(LiveError::Differs(difference)) => {
                    assert_eq!(tree.differences(), [*difference]);
                    found += 1;
                    break;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(found > 50, "{found} differences");
}
