//! Random sequences of operations, done by the host's file system and by ours: every answer must be
//! the same, and so must the trees at the end.
//!
//! Run as user 0, the steps are done by several users in turn, so that permissions are compared as
//! well; otherwise by the user who runs the tests.

#![allow(clippy::unwrap_used, reason = "a failing call on the host fails the test")]

#[path = "host/ops.rs"]
mod ops;
#[path = "host/real.rs"]
mod real;
#[path = "host/simulated.rs"]
mod simulated;

use everett_base::Rng;

use ops::{Step, StepGenerator, StepOp, StepReply, StepUser};
use real::RealFiles;
use simulated::SimulatedFiles;

/// Steps of a sequence.
const STEPS: usize = 120;

/// One of so many sequences is done on a disk.
const DISK_EVERY: u64 = 100;

/// Runs `count` sequences from a seed on.
fn compare(first_seed: u64, count: u64, users: &[StepUser]) {
    for seed in first_seed..first_seed + count {
        let mut generator = StepGenerator::new(Rng::new(seed), users.len());
        let mut real = RealFiles::new(users, seed % DISK_EVERY != 0);
        let mut simulated = SimulatedFiles::new(users, real.counts_subdirectories());
        run(seed, &mut generator, &mut real, &mut simulated);
    }
}

/// Runs a sequence on both and compares everything.
fn run(
    seed: u64,
    generator: &mut StepGenerator,
    real: &mut RealFiles,
    simulated: &mut SimulatedFiles,
) {
    let mut done: Vec<Step> = Vec::new();
    for _ in 0..STEPS {
        let step = generator.step();
        let (expected, found) = (real.apply(&step), simulated.apply(&step));
        done.push(step);
        let step = done.last().expect("it was pushed");
        if !same(&step.op, &expected, &found) {
            let history: Vec<String> = done.iter().map(|step| format!("{step:?}")).collect();
            let [host, ours] = [expected, found].map(|reply| format!("{reply:?}"));
            panic!("seed {seed}\n{}\nhost {host:.300}\nours {ours:.300}", history.join("\n"));
        }
    }
    let (host, ours) = (real.tree(), simulated.tree());
    for (host, ours) in host.iter().zip(&ours) {
        assert_eq!((&host.0, &host.1), (&ours.0, &ours.1), "seed {seed}");
        assert!(host.2 == ours.2, "seed {seed}: contents of {:?} differ", host.0);
    }
    assert_eq!(host.len(), ours.len(), "seed {seed}");
}

/// Returns `true` if two answers are the same, but for what is no matter of the file system.
fn same(op: &StepOp, host: &StepReply, ours: &StepReply) -> bool {
    let opens_pipe =
        matches!(op, StepOp::Open { .. }) && *host == StepReply::Errno(nix::libc::ENXIO);
    host == ours || opens_pipe && *ours == StepReply::OpenedPipe
}

/// The users that steps can be done as.
fn users() -> Vec<StepUser> {
    let groups = nix::unistd::getgroups().unwrap().into_iter().map(nix::unistd::Gid::as_raw);
    let groups: Vec<u32> = groups.collect();
    let (uid, gid) = (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw());
    let user = |uid, gid| StepUser { uid, gid, groups: groups.clone() };
    if uid == 0 {
        vec![user(0, 0), user(1000, 1000), user(1001, 1001)]
    } else {
        vec![user(uid, gid)]
    }
}

#[test]
fn one_user_gets_the_answers_of_the_host() {
    compare(1, 200, &users()[..1]);
}

#[test]
fn several_users_get_the_answers_of_the_host() {
    compare(100_001, 200, &users());
}

/// The first half of each sequence makes a tree twice: one to go on with, one to mount. Further names
/// of one file are not made, since a mount does not follow them.
#[test]
fn a_mounted_tree_behaves_like_the_one_that_it_shows() {
    let users = users();
    for seed in 200_001..200_151 {
        let mut generator = StepGenerator::without_seeks(Rng::new(seed), users.len());
        let (mut real, mut shown) = (RealFiles::new(&users, true), RealFiles::new(&users, true));
        for _ in 0..STEPS {
            let step = generator.step();
            if !matches!(step.op, StepOp::Link { .. }) {
                assert_eq!(real.apply(&step), shown.apply(&step), "seed {seed}: {step:?}");
            }
        }
        real.close();
        shown.close();
        let before = shown.tree();
        let counts = real.counts_subdirectories();
        let mut simulated = SimulatedFiles::mounted(&users, counts, shown.path());
        run(seed, &mut generator, &mut real, &mut simulated);
        assert!(shown.tree() == before, "seed {seed}: what was mounted has changed");
    }
}

#[test]
fn times_of_change_follow_the_host() {
    let users = &users()[..1];
    for seed in 400_001..400_031 {
        let mut generator = StepGenerator::new(Rng::new(seed), 1);
        let mut real = RealFiles::new(users, true);
        let mut simulated = SimulatedFiles::new(users, real.counts_subdirectories());
        for _ in 0..STEPS {
            let step = generator.step();
            real.forget_times();
            real.apply(&step);
            simulated.apply(&step);
            assert_eq!(real.changed_since(), simulated.changed_since(), "seed {seed}: {step:?}");
        }
    }
}

/// Two versions go on from a common one in turn; each must be what it would be alone.
#[test]
fn versions_go_their_own_ways() {
    let users = users();
    for seed in 300_000..300_050 {
        let generator = |part: u64| StepGenerator::new(Rng::new(seed * 3 + part), users.len());
        let mut common = SimulatedFiles::new(&users, true);
        let mut first = generator(0);
        let start: Vec<Step> = (0..STEPS).map(|_| first.step()).collect();
        start.iter().for_each(|step| drop(common.apply(step)));
        let mut together = [common.clone(), common];
        let mut generators = [generator(1), generator(2)];
        let mut alone = [(); 2].map(|()| {
            let mut simulated = SimulatedFiles::new(&users, true);
            start.iter().for_each(|step| drop(simulated.apply(step)));
            simulated
        });
        for turn in 0..2 * STEPS {
            let step = generators[turn % 2].step();
            let replies = (together[turn % 2].apply(&step), alone[turn % 2].apply(&step));
            assert_eq!(replies.0, replies.1, "seed {seed}: {step:?}");
        }
        for (together, alone) in together.iter_mut().zip(&mut alone) {
            assert!(together.tree() == alone.tree(), "seed {seed}");
        }
    }
}
