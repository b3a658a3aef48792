//! The driver that is evaluated.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::heading;
use crate::setup;
use crate::workspace::{Profile, build_driver};

/// The driver that was given, or a new one.
pub(super) fn release_driver(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(driver) = given {
        return driver.canonicalize().with_context(|| format!("no driver at {}", driver.display()));
    }
    setup::run()?;
    heading("building the driver");
    build_driver(Profile::Release)
}
