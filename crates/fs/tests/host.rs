//! Random sequences of operations, done by the host's file system and by ours: every answer must be
//! the same, and so must the trees at the end.
//!
//! Run as user 0, the steps are done by several users in turn, so that permissions are compared as
//! well; otherwise by the user who runs the tests.

#[path = "host/ops.rs"]
mod ops;
#[path = "host/real.rs"]
mod real;
#[path = "host/simulated.rs"]
mod simulated;

use everett_base::Rng;

use ops::{Generator, Op, Reply, Step, User};
use real::Real;
use simulated::Simulated;

/// Steps of a sequence.
const STEPS: usize = 120;

/// One of so many sequences is done on a disk.
const DISK_EVERY: u64 = 100;

/// Runs `count` sequences from a seed on.
fn compare(first_seed: u64, count: u64, users: &[User]) {
    for seed in first_seed..first_seed + count {
        let mut generator = Generator::new(Rng::new(seed), users.len());
        let mut real = Real::new(users, seed % DISK_EVERY != 0);
        let mut simulated = Simulated::new(users, real.counts_subdirectories());
        let mut done: Vec<Step> = Vec::new();
        for _ in 0..STEPS {
            let step = generator.step();
            done.push(step);
            let step = done.last().expect("it was pushed");
            let (expected, found) = (real.apply(step), simulated.apply(step));
            if !same(&step.op, &expected, &found) {
                let history: Vec<String> = done.iter().map(|step| format!("{step:?}")).collect();
                let [host, ours] = [expected, found].map(|reply| format!("{reply:?}"));
                panic!("seed {seed}\n{}\nhost {host:.300}\nours {ours:.300}", history.join("\n"));
            }
        }
        for (host, ours) in real.tree().iter().zip(&simulated.tree()) {
            assert_eq!((&host.0, &host.1), (&ours.0, &ours.1), "seed {seed}");
            assert!(host.2 == ours.2, "seed {seed}: contents of {:?} differ", host.0);
        }
        assert_eq!(real.tree().len(), simulated.tree().len(), "seed {seed}");
    }
}

/// Whether two answers are the same, but for what is no matter of the file system.
fn same(op: &Op, host: &Reply, ours: &Reply) -> bool {
    let opens_pipe = matches!(op, Op::Open { .. }) && *host == Reply::Errno(nix::libc::ENXIO);
    host == ours || opens_pipe && *ours == Reply::OpenedPipe
}

/// The users that steps can be done as.
fn users() -> Vec<User> {
    let groups = nix::unistd::getgroups().unwrap().into_iter().map(nix::unistd::Gid::as_raw);
    let groups: Vec<u32> = groups.collect();
    let (uid, gid) = (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw());
    let user = |uid, gid| User { uid, gid, groups: groups.clone() };
    if uid == 0 {
        vec![user(0, 0), user(1000, 1000), user(1001, 1001)]
    } else {
        vec![user(uid, gid)]
    }
}

#[test]
fn one_user_gets_the_answers_of_the_host() {
    compare(1, 300, &users()[..1]);
}

#[test]
fn several_users_get_the_answers_of_the_host() {
    compare(100_001, 300, &users());
}
