//! Streams and subjects at the server.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

use crate::ids::RunId;
use crate::store::{PRESENCE, Shelf};

/// A job that was published again within this time is the same job. Later it is there twice, and its record
/// keeps it from being counted twice.
const DUPLICATES: Duration = Duration::from_secs(120);
/// A build whose workers are away for this time loses its consumer, and no jobs.
const IDLE_BUILD: Duration = Duration::from_secs(3600);
/// A reader of records that is not used for this time is forgotten by the server.
const IDLE_READER: Duration = Duration::from_secs(60);
/// Jobs of a build that may be held at a time.
const HELD_JOBS: i64 = 100_000;

/// The stream of jobs: `everett.jobs.BUILD.RUN`. A job that is settled leaves it.
pub(super) const JOBS: &str = "everett-jobs";
/// The stream of workers: `everett.workers.NAME`, the last word of each.
pub(super) const WORKERS: &str = "everett-workers";

/// The stream of a shelf.
pub(super) fn stream(shelf: Shelf) -> &'static str {
    match shelf {
        Shelf::Runs => "everett-runs",
        Shelf::Records => "everett-done",
        Shelf::Blobs => "everett-blobs",
    }
}

/// The beginning of the subjects of a shelf.
pub(super) fn prefix(shelf: Shelf) -> &'static str {
    match shelf {
        Shelf::Runs => "everett.runs.",
        Shelf::Records => "everett.done.",
        Shelf::Blobs => "everett.blobs.",
    }
}

pub(super) fn jobs_subject(build: &str, run: &RunId) -> String {
    format!("everett.jobs.{build}.{run}")
}

/// Jobs of a run, whatever its build.
pub(super) fn jobs_of_run(run: &RunId) -> String {
    format!("everett.jobs.*.{run}")
}

pub(super) fn worker_subject(worker: &str) -> String {
    format!("everett.workers.{worker}")
}

pub(super) fn news_subject(run: &RunId) -> String {
    format!("everett.news.{run}")
}

/// The streams that have to be there. What does not fit into them any more is refused, and nothing old is
/// thrown away for it.
pub(super) fn streams() -> Vec<Config> {
    let stream = |name: &str, subjects: &str| Config {
        name: name.to_owned(),
        subjects: vec![subjects.to_owned()],
        storage: StorageType::File,
        discard: DiscardPolicy::New,
        allow_direct: true,
        duplicate_window: DUPLICATES,
        ..Config::default()
    };
    let shelves = [Shelf::Runs, Shelf::Records, Shelf::Blobs];
    let mut streams: Vec<Config> = shelves
        .map(|shelf| Config {
            max_messages_per_subject: 1,
            ..stream(self::stream(shelf), &format!("{}>", prefix(shelf)))
        })
        .into();
    streams
        .push(Config { retention: RetentionPolicy::WorkQueue, ..stream(JOBS, "everett.jobs.*.*") });
    streams.push(Config {
        max_messages_per_subject: 1,
        max_age: PRESENCE,
        discard: DiscardPolicy::Old,
        duplicate_window: PRESENCE,
        ..stream(WORKERS, "everett.workers.*")
    });
    streams
}

/// What a reader is to read of each message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// All of it.
    Messages,
    /// Subject and number alone.
    Numbers,
}

/// The consumer that all workers of a build share.
pub(super) fn build_consumer(build: &str, hold: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(consumer_name(build)),
        filter_subject: format!("everett.jobs.{build}.*"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: hold,
        max_ack_pending: HELD_JOBS,
        // Each worker of a build may wait for a job.
        max_waiting: HELD_JOBS,
        inactive_threshold: IDLE_BUILD,
        ..pull::Config::default()
    }
}

pub(super) fn consumer_name(build: &str) -> String {
    format!("everett-{build}")
}

/// A consumer that reads messages of a subject in their order, and leaves them there.
pub(super) fn reading_consumer(filter: &str, after: u64, what: Reading) -> pull::Config {
    pull::Config {
        filter_subject: filter.to_owned(),
        headers_only: what == Reading::Numbers,
        deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: after + 1 },
        ack_policy: AckPolicy::None,
        inactive_threshold: IDLE_READER,
        memory_storage: true,
        ..pull::Config::default()
    }
}
