//! Paths, links and names beyond what can be compared with the host safely.

use super::TestWorld;
use crate::{
    Credentials, DeviceNumber, FollowLinks, FsContext, FsError, InodeId, InodeKind, LINK_MAX,
    MagicLinks, MagicTarget, OpenHow, PathLimits, RenameMode, Result,
};

#[test]
fn absolute_links_start_at_the_root_of_the_caller() {
    let mut world = TestWorld::new();
    for dir in ["/jail", "/jail/etc", "/etc"] {
        world.mkdir(dir).unwrap();
    }
    world.put("/etc/name", "outside");
    world.put("/jail/etc/name", "inside");
    world.symlink("/etc/name", "/jail/link").unwrap();
    let jail = world.find("/jail").unwrap();
    let cred = Credentials::root();
    let ctx = FsContext::new(jail, &cred);
    for path in ["/link", "/../../link", "link", "../etc/name"] {
        let found = world.fs.resolve(&ctx, path.as_bytes(), FollowLinks::Yes).unwrap();
        assert_eq!(world.text_of(found).unwrap(), "inside", "{path}");
    }
    assert_eq!(world.text("/jail/link").unwrap(), "outside");
    let etc = world.find("/jail/etc").unwrap();
    assert_eq!(world.fs.path_of(etc, jail).unwrap(), b"/etc");
    assert_eq!(world.fs.path_of(etc, world.fs.root()).unwrap(), b"/jail/etc");
    let outside = world.find("/etc").unwrap();
    assert_eq!(world.fs.path_of(outside, jail).unwrap(), b"(unreachable)/etc");
    assert_eq!(world.fs.path_of(jail, jail).unwrap(), b"/");
}

#[test]
fn calls_on_the_root_itself() {
    let mut world = TestWorld::new();
    world.put("/a", "");
    assert_eq!(world.mkdir("/"), Err(FsError::Exists));
    assert_eq!(world.rmdir("/"), Err(FsError::Busy));
    assert_eq!(world.rmdir("//."), Err(FsError::Invalid));
    assert_eq!(world.rmdir("/.."), Err(FsError::NotEmpty));
    assert_eq!(world.unlink("/"), Err(FsError::IsADirectory));
    assert_eq!(world.rename("/", "/b"), Err(FsError::Busy));
    assert_eq!(world.rename("/a", "/"), Err(FsError::Busy));
    let create = OpenHow { write: true, create: true, ..OpenHow::default() };
    assert_eq!(world.open("/", create), Err(FsError::IsADirectory));
    assert_eq!(world.open("/", OpenHow { exclusive: true, ..create }), Err(FsError::Exists));
    assert_eq!(world.find("/../.."), Ok(world.fs.root()));
    let no_replace = world.call(|fs, ctx| fs.rename(ctx, b"/a", ctx, b"/.", RenameMode::NoReplace));
    assert_eq!(no_replace, Err(FsError::Exists));
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let mut world = TestWorld::new();
    world.put("/l0", "end");
    for n in 1..=41 {
        world.symlink(&format!("l{}", n - 1), &format!("/l{n}")).unwrap();
    }
    assert_eq!(world.text("/l40").unwrap(), "end");
    assert_eq!(world.find("/l41"), Err(FsError::Loop));
    let create = OpenHow { write: true, create: true, ..OpenHow::default() };
    assert!(world.open("/l40", create).is_ok());
    assert_eq!(world.open("/l41", create), Err(FsError::Loop));
    world.symlink("self", "/self").unwrap();
    assert_eq!(world.find("/self/x"), Err(FsError::Loop));
}

#[test]
fn a_removed_directory_is_empty_and_stays_so() {
    let mut world = TestWorld::new();
    world.mkdir("/d").unwrap();
    let dir = world.mkdir("/d/e").unwrap();
    world.fs.hold(dir);
    world.rmdir("/d/e").unwrap();
    assert_eq!(world.fs.stat(dir).unwrap().nlink, 0);
    assert_eq!(world.fs.path_of(dir, world.fs.root()), Err(FsError::NotFound));
    let made = world.call(|fs, ctx| fs.mkdir(&ctx.at(dir), b"x", 0o755));
    assert_eq!(made, Err(FsError::NotFound));
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    let opened = world.call(|fs, ctx| fs.open(&ctx.at(dir), b"x", &how));
    assert_eq!(opened, Err(FsError::NotFound));
    let up = world.call(|fs, ctx| fs.resolve(&ctx.at(dir), b"..", FollowLinks::Yes));
    assert_eq!(up, world.find("/d"));
    assert_eq!(world.fs.read_dir(dir, 0, 10).unwrap(), []);
    world.fs.release(dir);
    assert_eq!(world.fs.stat(dir), Err(FsError::Stale));
}

#[test]
fn names_are_found_again() {
    let mut world = TestWorld::new();
    world.mkdir("/d").unwrap();
    let file = world.put("/d/a", "");
    world.link("/d/a", "/b").unwrap();
    assert_eq!(world.fs.name_of(file).unwrap(), b"/b");
    world.unlink("/b").unwrap();
    assert_eq!(world.fs.name_of(file).unwrap(), b"/d/a");
    world.rename("/d", "/e").unwrap();
    assert_eq!(world.fs.name_of(file).unwrap(), b"/e/a");
    world.fs.hold(file);
    world.unlink("/e/a").unwrap();
    assert_eq!(world.fs.name_of(file), Err(FsError::NotFound));
    let limits = PathLimits { depth: 2, count: 10, host_depth: 0 };
    let paths: Vec<_> =
        world.fs.paths(limits).unwrap().into_iter().map(|entry| entry.path).collect();
    assert_eq!(paths, [b"/e"]);
}

#[test]
fn an_unnamed_file_can_be_named_and_a_removed_one_cannot() {
    let mut world = TestWorld::new();
    let root = world.fs.root();
    let file = world.call(|fs, ctx| fs.create_unnamed(ctx, root, 0o600)).unwrap();
    assert_eq!(world.fs.stat(file).unwrap().nlink, 0);
    world.call(|fs, ctx| fs.link_inode(ctx, file, b"/a")).unwrap();
    world.unlink("/a").unwrap();
    let again = world.call(|fs, ctx| fs.link_inode(ctx, file, b"/b"));
    assert_eq!(again, Err(FsError::NotFound));
    world.fs.release(file);
    assert_eq!(world.fs.stat(file), Err(FsError::Stale));
}

#[test]
fn the_number_of_links_is_limited() {
    let mut world = TestWorld::new();
    let file = world.put("/a", "");
    world.fs.record_mut(file).unwrap().meta.nlink = LINK_MAX;
    assert_eq!(world.link("/a", "/b"), Err(FsError::TooManyLinks));
    let root = world.fs.root();
    world.fs.record_mut(root).unwrap().meta.nlink = LINK_MAX;
    world.mkdir("/d").unwrap();
}

#[test]
fn devices_are_for_user_0() {
    let mut world = TestWorld::new();
    let null = DeviceNumber { major: 1, minor: 3 };
    let make = |world: &mut TestWorld, path: &str, kind| {
        world.call(|fs, ctx| fs.mknod(ctx, path.as_bytes(), kind, 0o666, null))
    };
    let device = make(&mut world, "/null", InodeKind::CharDevice).unwrap();
    let stat = world.fs.stat(device).unwrap();
    assert_eq!((stat.device, stat.device.to_rdev(), stat.st_mode()), (null, 0x103, 0o020_644));
    assert_eq!(DeviceNumber::from_rdev(0x103), null);
    let wide = DeviceNumber { major: 0x12345, minor: 0x0abc_def0 };
    assert_eq!(DeviceNumber::from_rdev(wide.to_rdev()), wide);
    assert_eq!(make(&mut world, "/d", InodeKind::Directory), Err(FsError::NotPermitted));
    assert_eq!(make(&mut world, "/l", InodeKind::Symlink), Err(FsError::Invalid));
    world.fs.chmod(&FsContext::new(InodeId(2), &Credentials::root()), InodeId(2), 0o777).unwrap();
    world.become_user(1000);
    assert_eq!(make(&mut world, "/null2", InodeKind::CharDevice), Err(FsError::NotPermitted));
    assert!(make(&mut world, "/pipe", InodeKind::Fifo).is_ok());
    let socket = make(&mut world, "/socket", InodeKind::Socket).unwrap();
    let read = OpenHow { read: true, ..OpenHow::default() };
    assert_eq!(world.open("/socket", read), Err(FsError::NoDevice));
    let path_only = OpenHow { path_only: true, ..OpenHow::default() };
    assert_eq!(world.open("/socket", path_only), Ok(socket));
}

struct TestLinks(InodeId);

impl MagicLinks for TestLinks {
    fn follow(&self, tag: u32) -> Result<MagicTarget> {
        match tag {
            1 => Ok(MagicTarget::Inode(self.0)),
            2 => Ok(MagicTarget::Path(b"/d/a".to_vec())),
            _ => Err(FsError::NotFound),
        }
    }

    fn text(&self, tag: u32) -> Result<Vec<u8>> {
        Ok(format!("link {tag}").into_bytes())
    }
}

#[test]
fn magic_links_lead_where_the_embedder_says() {
    let mut world = TestWorld::new();
    let dir = world.mkdir("/d").unwrap();
    world.put("/d/a", "text");
    for (path, tag) in [(&b"/cwd"[..], 1), (b"/exe", 2), (b"/gone", 3)] {
        world.call(|fs, ctx| fs.magic_link(ctx, path, tag)).unwrap();
    }
    let links = TestLinks(dir);
    let cred = Credentials::root();
    let ctx = FsContext { magic: Some(&links), ..FsContext::new(world.fs.root(), &cred) };
    let fs = &mut world.fs;
    assert_eq!(fs.resolve(&ctx, b"/cwd", FollowLinks::Yes), Ok(dir));
    let file = fs.resolve(&ctx, b"/cwd/a", FollowLinks::Yes).unwrap();
    assert_eq!(fs.resolve(&ctx, b"/exe", FollowLinks::Yes), Ok(file));
    assert_eq!(fs.resolve(&ctx, b"/exe/", FollowLinks::Yes), Err(FsError::NotADirectory));
    assert_eq!(fs.resolve(&ctx, b"/gone", FollowLinks::Yes), Err(FsError::NotFound));
    let link = fs.resolve(&ctx, b"/cwd", FollowLinks::No).unwrap();
    assert_eq!(&*fs.readlink(&ctx, link).unwrap(), b"link 1");
    assert_eq!(fs.stat(link).unwrap().tag, 1);
    assert_eq!(world.find("/cwd"), Err(FsError::NotFound), "nobody says where it leads");
}
