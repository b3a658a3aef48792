//! The flags of `everett run` about invariants.

use std::path::PathBuf;
use std::sync::Arc;

use everett_engine::EngineConfig;
use everett_input::files::read_text;

use crate::error::{Result, SettingsError};

/// The invariants, which must hold in every world.
#[derive(clap::Args)]
pub(crate) struct InvariantOptions {
    /// Check the invariants of this file over the data that nodes expose; may be given several times
    #[arg(long, value_name = "FILE")]
    invariants: Vec<PathBuf>,
    /// End a world that violates an invariant
    #[arg(long)]
    stop_on_violation: bool,
}

impl InvariantOptions {
    /// Reads the files, and fills in what the flags say.
    pub(crate) fn apply(&self, config: &mut EngineConfig) -> Result<()> {
        config.stop_on_violation = self.stop_on_violation;
        if self.invariants.is_empty() {
            return Ok(());
        }
        let mut files = Vec::with_capacity(self.invariants.len());
        for path in &self.invariants {
            let text = read_text(path)
                .map_err(|source| SettingsError::Read { path: path.clone(), source })?;
            files.push((path.display().to_string(), text));
        }
        let named = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let program = minvariant::Program::parse_files(named)?;
        if program.invariants().len() == 0 {
            return Err(SettingsError::NoInvariant { file: files.swap_remove(0).0 });
        }
        config.invariants = Some(Arc::new(program));
        Ok(())
    }
}
