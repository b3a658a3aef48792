//! Reading directories while they change.

use super::TestWorld;
use everett_base::Rng;

/// Reads the directory from a cookie on in steps of `step` entries, doing `meanwhile` between them.
fn read_in_steps(
    world: &mut TestWorld,
    step: usize,
    mut meanwhile: impl FnMut(&mut TestWorld),
) -> Vec<String> {
    let dir = world.find("/d").unwrap();
    let (mut names, mut cookie) = (Vec::new(), 0);
    loop {
        let entries = world.fs.read_dir(dir, cookie, step).unwrap();
        let Some(last) = entries.last() else { return names };
        cookie = last.next;
        names.extend(entries.iter().map(|entry| String::from_utf8(entry.name.to_vec()).unwrap()));
        meanwhile(world);
    }
}

#[test]
fn entries_come_in_order_of_creation_after_the_dots() {
    let mut world = TestWorld::new();
    world.mkdir("/d").unwrap();
    for name in ["c", "a", "b"] {
        world.put(&format!("/d/{name}"), "");
    }
    world.unlink("/d/a").unwrap();
    world.put("/d/a", "");
    for step in [1, 2, 3, 100] {
        assert_eq!(read_in_steps(&mut world, step, |_| ()), [".", "..", "c", "b", "a"]);
    }
    let dir = world.find("/d").unwrap();
    let entries = world.fs.read_dir(dir, 0, 2).unwrap();
    assert_eq!(entries[0].inode, dir);
    assert_eq!(entries[1].inode, world.fs.root());
}

#[test]
fn what_stays_is_read_once_whatever_happens_meanwhile() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let mut world = TestWorld::new();
        world.mkdir("/d").unwrap();
        for n in 0..30 {
            world.put(&format!("/d/stays{n}"), "");
            world.put(&format!("/d/goes{n}"), "");
        }
        let step = 1 + rng.below(5) as usize;
        let names = read_in_steps(&mut world, step, |world| {
            let n = rng.below(30);
            let _ = world.unlink(&format!("/d/goes{n}"));
            if rng.below(20) == 0 {
                world.put(&format!("/d/new{n}"), "");
            }
        });
        for n in 0..30 {
            let count = |name: String| names.iter().filter(|found| **found == name).count();
            assert_eq!(count(format!("stays{n}")), 1, "seed {seed}");
            assert!(count(format!("goes{n}")) <= 1, "seed {seed}");
        }
    }
}

#[test]
fn removing_everything_while_reading_ends_with_an_empty_directory() {
    let mut world = TestWorld::new();
    world.mkdir("/d").unwrap();
    for n in 0..1000 {
        world.put(&format!("/d/{n}"), "");
    }
    let dir = world.find("/d").unwrap();
    let mut cookie = 2;
    while let entries = world.fs.read_dir(dir, cookie, 7).unwrap()
        && let Some(last) = entries.last()
    {
        cookie = last.next;
        for entry in &entries {
            world.unlink(&format!("/d/{}", String::from_utf8_lossy(&entry.name))).unwrap();
        }
    }
    world.rmdir("/d").unwrap();
}
