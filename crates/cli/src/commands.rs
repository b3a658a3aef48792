//! The subcommands, one file each.

pub(crate) mod baseline;
pub(crate) mod bitcode;
pub(crate) mod cc;
pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod completions;
pub(crate) mod conforms;
pub(crate) mod doctor;
pub(crate) mod explore;
pub(crate) mod explore_jobs;
pub(crate) mod faults;
pub(crate) mod init;
pub(crate) mod ktest;
pub(crate) mod lower;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod scenario;
pub(crate) mod trojan;
pub(crate) mod work;
