//! The nodes of a run before it begins: [`NodeSetup`], with all files that the configuration names.

use std::collections::BTreeSet;

use everett_fs::{Credentials, Fs, FsContext, FsOptions, HostOwner, MountOptions};
use everett_interp::ProgramId;
use everett_ir::FuncId;
use everett_posix::{FirstProcess, Node};

use crate::api::config::NodeConfig;
use crate::api::error::EngineError;

/// A node that is ready to begin.
#[derive(Clone)]
pub(crate) struct NodeSetup {
    pub(crate) config: NodeConfig,
    pub(crate) program: ProgramId,
    pub(crate) entry: FuncId,
    pub(crate) node: Node,
    pub(crate) start: u32,
    pub(crate) server: Option<bool>,
}

impl NodeSetup {
    /// The name of the node.
    pub(crate) fn name(&self) -> &str {
        &self.config.kernel.hostname
    }
}

/// The node of a run, with all files that the configuration names.
pub(crate) fn node(config: &NodeConfig, program: ProgramId) -> Result<Node, EngineError> {
    let now = i64::try_from(u128::from(config.kernel.epoch_s) * 1_000_000_000).unwrap_or(i64::MAX);
    let fs = Fs::new(FsOptions { now, ..FsOptions::default() });
    let trouble = |path: &[u8], error| EngineError::Files {
        path: String::from_utf8_lossy(path).into_owned(),
        error,
    };
    check_names(config)?;
    let mut node = Node::new(fs, &config.kernel)
        .map_err(|error| trouble(b"the files that every node has", error))?;
    let identity = &config.kernel.identity;
    let owner = HostOwner::Fixed { uid: identity.uid, gid: identity.gid };
    let options = MountOptions { owner, read_only: false };
    for mount in &config.mounts {
        node.fs_mut()
            .mount_host(&mount.host, &mount.guest, options, now)
            .map_err(|error| trouble(mount.host.as_os_str().as_encoded_bytes(), error))?;
    }
    let executable = executable_name(config);
    if let Some(host) = &config.executable {
        let name = host.as_os_str().as_encoded_bytes();
        let inode = node.fs_mut().mount_host(host, &executable, options, now);
        let inode = inode.map_err(|error| trouble(name, error))?;
        // Bitcode is executed here, whatever the host thinks of it.
        let cred = Credentials::root();
        let ctx = FsContext { now, ..FsContext::new(node.fs().root(), &cred) };
        node.fs_mut().chmod(&ctx, inode, 0o755).map_err(|error| trouble(name, error))?;
    }
    let first = FirstProcess { program, executable };
    first.begin(&mut node, &config.kernel).map_err(|error| trouble(&config.kernel.cwd, error))?;
    Ok(node)
}

/// The absolute name of the program's file: what `argv[0]` says, seen from the working directory.
pub(crate) fn executable_name(config: &NodeConfig) -> Vec<u8> {
    let name = config.argv.first().cloned().unwrap_or_else(|| b"program".to_vec());
    if name.starts_with(b"/") { name } else { absolute_name(&config.kernel.cwd, &name) }
}

/// The absolute name of a file, without empty parts and dots. Links are not followed.
fn absolute_name(cwd: &[u8], name: &[u8]) -> Vec<u8> {
    let from = if name.starts_with(b"/") { &b""[..] } else { cwd };
    let mut path = Vec::new();
    let parts = from.split(|byte| *byte == b'/').chain(name.split(|byte| *byte == b'/'));
    for part in parts.filter(|part| !matches!(*part, b"" | b".")) {
        if part == b".." {
            let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
            path.truncate(end);
        } else {
            path.push(b'/');
            path.extend_from_slice(part);
        }
    }
    path
}

/// Refuses a second file of the same name, which would take the place of the first, and so a second
/// mount. A file in a folder that is mounted is no second one.
fn check_names(config: &NodeConfig) -> Result<(), EngineError> {
    let known = config.files.iter().map(|(name, _)| name);
    let files = known.chain(config.symbolic_files.iter().map(|(name, _)| name));
    let files: Vec<_> = files.map(|name| absolute_name(&config.kernel.cwd, name)).collect();
    let mounts = config.mounts.iter().map(|mount| absolute_name(b"", &mount.guest)).collect();
    for names in [files, mounts] {
        let mut seen = BTreeSet::new();
        if let Some(name) = names.into_iter().find(|name| !seen.insert(name.clone())) {
            return Err(EngineError::FileTwice { path: String::from_utf8_lossy(&name).into() });
        }
    }
    Ok(())
}
