//! [`SplitPolicy`]: how long a worker stays with a job, and into how many parts it splits the rest.
//!
//! Workers decide alone, by what all of them see: the jobs in the queue, and the workers that wait for
//! one. A part that goes through the queue costs writing, reading and traffic, so there are as few of
//! them as keep everybody busy. All workers share one server: the more of them there are, the less each
//! may ask of it. `examples/simulate` shows what comes of it.

use std::time::Duration;

use crate::job::QueueLength;

/// Workers that a server serves without an effort. Each of more workers looks at the queue less often, and
/// stays with its jobs for longer.
const FEW_WORKERS: u64 = 32;

/// A worker stays with a job for so many times the time that it took to read it, whatever the policy says:
/// its parts take about as long to write and to read again.
const WORK_FOR_READING: u32 = 10;

/// Limits within which a worker decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitPolicy {
    /// A worker stays with a job for this time, even if others wait.
    pub shortest: Duration,
    /// The same while most workers have nothing to do, as in the beginning of a run.
    pub shortest_at_first: Duration,
    /// A worker splits after this time, or a multiple of it if there are many workers, even if nobody
    /// waits. So much is lost if it dies.
    pub longest: Duration,
    /// The time between two looks at the queue, and of calls of
    /// [`JobBoard::progress`](crate::JobBoard::progress), from and to.
    pub look_every: (Duration, Duration),
    /// The most parts that one job leaves.
    pub most_parts: usize,
}

impl Default for SplitPolicy {
    fn default() -> SplitPolicy {
        SplitPolicy {
            shortest: Duration::from_secs(3),
            shortest_at_first: Duration::from_millis(500),
            longest: Duration::from_secs(30),
            look_every: (Duration::from_secs(1), Duration::from_secs(10)),
            most_parts: 16,
        }
    }
}

impl SplitPolicy {
    /// The job is to end now, and what is left of it is to be split. The worker was `reading` it before it
    /// has `worked` on it, and parts of it take as long to write and to read.
    pub fn is_time_to_split(
        &self,
        worked: Duration,
        reading: Duration,
        queue: QueueLength,
    ) -> bool {
        let lacking = lacking(queue);
        let shortest = if lacking > queue.taken { self.shortest_at_first } else { self.shortest };
        let is_long =
            worked >= multiple(self.longest, queue) || (lacking > 0 && worked >= shortest);
        is_long && worked >= reading * WORK_FOR_READING
    }

    /// The time after which a worker looks at the queue for the first time, having been `reading` before.
    pub fn first_look(&self, reading: Duration) -> Duration {
        self.shortest_at_first.max(reading * WORK_FOR_READING)
    }

    /// The number of parts to make of what is left, with the largest part published first. The worker has
    /// one of the jobs that are taken, and each of these makes its share of what is lacking.
    pub fn parts_to_make(&self, queue: QueueLength) -> usize {
        let share = lacking(queue).div_ceil(queue.taken.max(1));
        usize::try_from(share).unwrap_or(usize::MAX).saturating_add(1).clamp(1, self.most_parts)
    }

    /// The time until a worker looks at the queue again.
    pub fn next_look(&self, queue: QueueLength) -> Duration {
        let (least, most) = self.look_every;
        multiple(least, queue).min(most)
    }
}

/// The time for few workers, and longer in proportion for more.
fn multiple(time: Duration, queue: QueueLength) -> Duration {
    let workers = queue.taken + queue.idle;
    let hundredths = (100 * workers / FEW_WORKERS).clamp(100, 100_000);
    time * u32::try_from(hundredths).unwrap_or(u32::MAX) / 100
}

/// The jobs that are lacking in the queue: one for each idle worker, and one for every eighth worker, who
/// comes to an end before the queue is looked at again.
fn lacking(queue: QueueLength) -> u64 {
    let workers = queue.taken + queue.idle;
    let reserve = if workers > 1 { workers.div_ceil(8) } else { 0 };
    (queue.idle + reserve).saturating_sub(queue.waiting)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(waiting: u64, taken: u64, idle: u64) -> QueueLength {
        QueueLength { waiting, taken, idle }
    }

    #[test]
    fn worker_that_is_alone_goes_on_to_the_limit() {
        let policy = SplitPolicy::default();
        assert!(!policy.is_time_to_split(Duration::from_secs(29), Duration::ZERO, queue(0, 1, 0)));
        assert!(policy.is_time_to_split(policy.longest, Duration::ZERO, queue(0, 1, 0)));
        assert_eq!(policy.parts_to_make(queue(0, 1, 0)), 1);
    }

    #[test]
    fn first_job_is_short_and_makes_many_parts() {
        let policy = SplitPolicy::default();
        assert!(policy.is_time_to_split(policy.shortest_at_first, Duration::ZERO, queue(0, 1, 99)));
        assert_eq!(policy.parts_to_make(queue(0, 1, 99)), policy.most_parts);
        assert_eq!(policy.parts_to_make(queue(0, 1, 3)), 5);
    }

    #[test]
    fn nobody_splits_while_the_queue_is_long_enough() {
        let policy = SplitPolicy::default();
        assert!(!policy.is_time_to_split(policy.shortest, Duration::ZERO, queue(13, 100, 0)));
        assert!(policy.is_time_to_split(policy.shortest, Duration::ZERO, queue(12, 100, 0)));
        assert!(!policy.is_time_to_split(
            policy.shortest_at_first,
            Duration::ZERO,
            queue(0, 100, 0)
        ));
        assert_eq!(policy.parts_to_make(queue(13, 100, 0)), 1);
        assert_eq!(policy.parts_to_make(queue(12, 100, 0)), 2);
    }

    #[test]
    fn worker_stays_with_a_job_that_took_long_to_read() {
        let (policy, reading) = (SplitPolicy::default(), Duration::from_secs(4));
        assert_eq!(policy.first_look(reading), Duration::from_secs(40));
        assert!(!policy.is_time_to_split(Duration::from_secs(39), reading, queue(0, 1, 99)));
        assert!(policy.is_time_to_split(Duration::from_secs(40), reading, queue(0, 1, 99)));
        assert_eq!(policy.first_look(Duration::ZERO), policy.shortest_at_first);
    }

    #[test]
    fn many_workers_ask_the_server_less_often() {
        let policy = SplitPolicy::default();
        assert_eq!(policy.next_look(queue(0, 8, 0)), Duration::from_secs(1));
        assert_eq!(policy.next_look(queue(0, 64, 0)), Duration::from_secs(2));
        assert_eq!(policy.next_look(queue(0, 900, 100)), Duration::from_secs(10));
        assert!(!policy.is_time_to_split(Duration::from_secs(59), Duration::ZERO, queue(8, 64, 0)));
        assert!(policy.is_time_to_split(Duration::from_secs(60), Duration::ZERO, queue(8, 64, 0)));
    }
}
