//! The folder of a native replay: everything that is needed to run a test without Everett.
//!
//! ```text
//! replay.sh            makes the networks, runs the conductor
//! conductor, plan      starts the programs, judges
//! script, script.txt   what happens, for the library and for people
//! nodes/n0.0/          what the first node sees as its root at its first start
//! nodes/NAME.in        standard input
//! README
//! ```

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use everett_engine::{ProgramLaunch, TreeFile};
use everett_replay::DTest;

use super::executable::NativeExecutable;
use super::{NativeTools, kit, network, plan};
use crate::error::{RerunError, Result};
use crate::script::ScriptRecording;

const SCRIPT: &str = include_str!("replay.sh");
/// The line of the script that the commands of the networks take the place of.
const NETWORK_MARK: &str = "  # The networks of the test: @NETWORK@\n";
const README: &str = include_str!("README.txt");

/// Kinds of files, in their modes.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;
const REGULAR: u32 = 0o100_000;
const SOCKET: u32 = 0o140_000;

/// The contents of a folder for a native replay.
pub(super) struct FolderContents<'a> {
    pub(super) recording: &'a ScriptRecording,
    /// By node.
    pub(super) programs: &'a [NativeExecutable],
}

impl FolderContents<'_> {
    /// Writes the folder, which is there and empty.
    pub(super) fn write(&self, folder: &Path, tools: &NativeTools) -> Result<()> {
        let plan = plan::text(self.recording, self.programs)?;
        put(&folder.join("plan"), plan.as_bytes(), 0o644)?;
        put(&folder.join("replay.sh"), shell(&self.recording.test).as_bytes(), 0o755)?;
        put(&folder.join("script"), &self.recording.script.to_bytes(), 0o644)?;
        put(&folder.join("script.txt"), self.recording.script.to_string().as_bytes(), 0o644)?;
        put(&folder.join("README"), README.as_bytes(), 0o644)?;
        let kit = kit::folder(tools)?;
        copy(&kit.join(kit::CONDUCTOR_NAME), &folder.join(kit::CONDUCTOR_NAME), 0o755)?;
        let nodes = folder.join("nodes");
        for (at, node) in self.recording.script.nodes.iter().enumerate() {
            let launches = self.recording.launches.iter().filter(|each| each.node as usize == at);
            for (boot, launch) in launches.enumerate() {
                if boot == 0 {
                    put(&nodes.join(format!("{}.in", node.name)), &launch.with.stdin, 0o644)?;
                }
                let root = nodes.join(plan::root_name(at, boot));
                self.root(&root, &launch.with, at, &kit)
                    .map_err(|error| error.of_node(&node.name))?;
            }
        }
        Ok(())
    }

    /// Makes the folder that a node sees as its root.
    fn root(&self, root: &Path, launch: &ProgramLaunch, node: usize, kit: &Path) -> Result<()> {
        make_folder(root)?;
        tree(root, &launch.files)?;
        make_folder(&inside(root, &launch.cwd)?)?;
        let own = root.join(".everett");
        make_folder(&own)?;
        copy(&kit.join(kit::LIBRARY_NAME), &own.join(kit::LIBRARY_NAME), 0o755)?;
        let program = &self.programs[node];
        copy(&program.file, &inside(root, plan::PROGRAM.as_bytes())?, 0o755)?;
        for library in &program.libraries {
            let place = inside(root, library.as_os_str().as_bytes())?;
            if let Some(parent) = place.parent() {
                make_folder(parent)?;
            }
            copy(library, &place, 0o755)?;
        }
        Ok(())
    }
}

/// `replay.sh`.
pub(super) fn shell(test: &DTest) -> String {
    SCRIPT.replace(NETWORK_MARK, &network::commands(test))
}

/// The UNIX sockets among the files of a node: their paths, and their permissions.
pub(super) fn sockets(files: &[TreeFile]) -> impl Iterator<Item = (&[u8], u32)> {
    let sockets = files.iter().filter(|file| file.mode & KIND == SOCKET);
    sockets.map(|file| (&file.path[..], file.mode & 0o7777))
}

/// Makes files in an order in which each has its folder.
fn tree(root: &Path, files: &[TreeFile]) -> Result<()> {
    for TreeFile { path, mode, uid: _, gid: _, bytes } in files {
        let place = inside(root, path)?;
        let permissions = mode & 0o7777;
        match mode & KIND {
            FOLDER => make_folder(&place)?,
            LINK => {
                let target = Path::new(OsStr::from_bytes(bytes));
                symlink(target, &place)
                    .map_err(|source| RerunError::Make { path: place.clone(), source })?;
            }
            // The user who runs the replay owns all files, and has to be able to copy them.
            REGULAR => put(&place, bytes, permissions | 0o400)?,
            // Many programs that copy folders leave sockets out, so the conductor makes them.
            SOCKET => {}
            _ => {
                let path = String::from_utf8_lossy(path).into_owned();
                return Err(RerunError::SpecialFile { path });
            }
        }
    }
    Ok(())
}

/// A path of a node below the folder that is its root.
fn inside(root: &Path, path: &[u8]) -> Result<PathBuf> {
    let path = Path::new(OsStr::from_bytes(path));
    let mut place = root.to_path_buf();
    for component in path.components() {
        match component {
            Component::RootDir | Component::CurDir => {}
            Component::Normal(name) => place.push(name),
            _ => return Err(RerunError::Relative { path: path.display().to_string() }),
        }
    }
    Ok(place)
}

fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .map_err(|source| RerunError::Make { path: folder.to_path_buf(), source })
}

fn copy(from: &Path, to: &Path, mode: u32) -> Result<()> {
    let bytes =
        fs::read(from).map_err(|source| RerunError::Read { path: from.to_path_buf(), source })?;
    put(to, &bytes, mode)
}

fn put(file: &Path, bytes: &[u8], mode: u32) -> Result<()> {
    let write = || -> std::io::Result<()> {
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut options = fs::OpenOptions::new();
        let mut made =
            options.write(true).create(true).truncate(true).mode(mode | 0o200).open(file)?;
        made.write_all(bytes)?;
        made.set_permissions(fs::Permissions::from_mode(mode))
    };
    write().map_err(|source| RerunError::Write { path: file.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_root() {
        let root = Path::new("/r");
        assert_eq!(inside(root, b"/etc/hosts").unwrap(), Path::new("/r/etc/hosts"));
        assert!(inside(root, b"/../etc").is_err());
    }
}
