//! Tests of boards: one suite for all kinds of them, and what is special about one kind.

mod conformance;
mod fake_work;

use std::time::Duration;

use crate::{InProcessCluster, JobBoard};

/// Boards of one kind that share runs and jobs.
pub(crate) trait TestCluster: Sync {
    fn board(&self, build: &str) -> JobBoard;
}

impl TestCluster for InProcessCluster {
    fn board(&self, build: &str) -> JobBoard {
        InProcessCluster::board(self, build)
    }
}

/// A hold that does not expire in a test.
pub(crate) const LONG: Duration = Duration::from_secs(60);
/// A hold that expires soon.
pub(crate) const SHORT: Duration = Duration::from_millis(400);
/// Patience for what comes for certain.
pub(crate) const PATIENT: Duration = Duration::from_secs(20);
/// Patience for what must not come.
pub(crate) const BRIEF: Duration = Duration::from_millis(50);

/// The suite, for one kind of boards.
macro_rules! suite {
    ($cluster:expr, [$($hold:ident: $($test:ident),*;)*]) => {
        $($(
            #[test]
            fn $test() {
                conformance::$test(&$cluster(super::$hold));
            }
        )*)*
    };
}

/// The tests of the suite, by the hold that they need.
macro_rules! suite_for {
    ($cluster:expr) => {
        suite!($cluster, [
            LONG: runs_are_there_until_they_are_removed, first_end_of_a_run_counts, run_is_submitted_once,
                run_of_another_build_is_refused, blobs_of_all_sizes_come_back, damaged_blob_is_refused,
                jobs_go_to_workers_of_their_build, job_that_is_published_twice_is_there_once,
                job_that_is_given_back_is_taken_again, first_record_counts, large_bodies_come_back,
                child_waits_for_the_record_of_its_parent, child_that_no_record_names_is_dropped,
                root_that_the_run_does_not_name_is_dropped, jobs_of_an_ended_run_are_dropped,
                jobs_are_added_to_a_run_without_a_root,
                records_come_in_order, news_reach_others, workers_are_there,
                garbage_is_refused_with_a_warning, lost_content_stops_the_run, too_large_is_an_error,
                equal_jobs_are_two_jobs, workers_that_wait_are_counted;
            SHORT: job_comes_again_when_its_hold_expires, progress_extends_the_hold,
                late_record_of_an_expired_hold_counts, tree_is_folded_exactly_while_workers_die;
        ]);
    };
}

mod in_process {
    use super::conformance;
    use crate::InProcessCluster;

    suite_for!(InProcessCluster::new);
}

#[cfg(feature = "nats")]
mod nats;
