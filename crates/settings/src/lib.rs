//! Settings of a run, as command lines, scenarios and test cases have them.
//!
//! [`RunOptions`] has them all, each with its documentation and its default, and makes the engine's
//! configuration of them. [`SETTINGS`] says where each belongs. [`SettingDefinition`] describes them to
//! those who read them in another form, and [`recorded`] keeps those that a test case needs.
//!
//! Not here: the process, its environment and its terminal (`everett`, the command line).
//!
//! ```
//! use everett_settings::RunOptions;
//!
//! let words = ["prog.bc", "--max-time", "5m", "--sym-stdin", "4"].map(Into::into);
//! let config = RunOptions::parse(words)?.config()?;
//! assert_eq!(config.limits.time.map(|time| time.as_secs()), Some(300));
//! # Ok::<(), everett_settings::SettingsError>(())
//! ```

#![forbid(unsafe_code)]

mod definition;
mod environment;
mod error;
mod faults;
mod gates;
mod invariants;
mod live;
mod options;
mod reading;
mod recorded;
mod table;

pub use definition::{SettingDefinition, given};
pub use error::SettingsError;
pub use gates::GateOptions;
pub use live::LiveOptions;
pub use options::{ExportFormat, RunOptions, SpillChoice, is_scenario};
pub use reading::FrameChoice;
pub use recorded::{SettingOwner, absolute, recorded, words};
pub use table::{SETTINGS, SettingRow, SettingScope, SettingSection, SettingStorage};
