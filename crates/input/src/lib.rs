//! Input of users: files, numbers with units, and words that may be misspelt.
//!
//! * [`files`] reads files that users name, up to a size.
//! * [`host`] finds files of the host, also in a process that has copies of them.
//! * [`suggest`] knows which known word an unknown one was probably meant to be.
//! * [`units`] understands times, sizes and counts.
//!
//! ```
//! use everett_input::{suggest, units};
//!
//! assert_eq!(units::parse_size("2G"), Ok(2 << 30));
//! assert_eq!(suggest::nearest("adress", ["address", "args"]), Some("address"));
//! ```

#![forbid(unsafe_code)]

pub mod files;
pub mod host;
pub mod suggest;
pub mod units;
