//! What live peers have said, in the output folder: one file for each live node.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use everett_engine::{LivePeer, SystemNode};
use everett_explorer::tree_file;

/// The conversations of a run with its live peers, and the folder that they are stored in.
#[derive(Clone)]
pub(crate) struct LiveConversations {
    out: PathBuf,
    peers: Vec<(String, LivePeer)>,
}

impl LiveConversations {
    /// The conversations of nodes. There is nothing to store if none of them is live.
    pub(crate) fn of_nodes(nodes: &[SystemNode], out: PathBuf) -> LiveConversations {
        let peer = |node: &SystemNode| {
            Some((node.config.kernel.hostname.clone(), node.config.live.clone()?))
        };
        LiveConversations { out, peers: nodes.iter().filter_map(peer).collect() }
    }

    /// Stores everything that was said until now.
    pub(crate) fn store(&self) -> Result<()> {
        for (node, peer) in &self.peers {
            let file = tree_file(&self.out, node);
            let beside = file.with_extension("tree.part");
            let write = || {
                fs::create_dir_all(file.parent().unwrap_or(&self.out))?;
                let mut to = BufWriter::new(File::create(&beside)?);
                peer.tree.save(&mut to)?;
                to.flush()?;
                to.get_ref().sync_all()?;
                fs::rename(&beside, &file)
            };
            if let Err(error) = write() {
                let _ = fs::remove_file(&beside);
                return Err(error).with_context(|| format!("cannot write {}", file.display()));
            }
        }
        Ok(())
    }

    /// Goes on with what was said in a run that was stopped.
    pub(crate) fn restore(&self) -> Result<()> {
        for (node, peer) in &self.peers {
            let file = tree_file(&self.out, node);
            let bytes =
                fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
            let restored = peer.tree.restore(&bytes);
            restored.with_context(|| format!("cannot go on with {}", file.display()))?;
        }
        Ok(())
    }
}
