//! The board of one process: everything in memory.
//!
//! It behaves as the one on NATS: holds expire, settlements that come late are accepted, news go to those
//! that listen, and so workers can be tried without a server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::board::JobBoard;
use crate::clock::now;
use crate::error::Result;
use crate::ids::RunId;
use crate::job::QueueLength;
use crate::store::{BoardStore, Delivery, PRESENCE, Settlement, Shelf, ShelfEntry};

/// News that one listener has not heard yet, at most: the oldest are lost.
const NEWS: usize = 1024;

/// A cluster inside of this process. Its boards share runs and jobs.
#[derive(Clone)]
pub struct InProcessCluster {
    memory: Arc<Memory>,
    hold: Duration,
}

impl InProcessCluster {
    /// A cluster without runs. A job that makes no progress for the time of `hold` goes to another worker.
    pub fn new(hold: Duration) -> InProcessCluster {
        InProcessCluster { memory: Arc::new(Memory::default()), hold }
    }

    /// Another participant, for the runs of a build.
    pub fn board(&self, build: &str) -> JobBoard {
        let mut contents = self.memory.lock();
        let listener = contents.listeners.len();
        contents.listeners.push(BTreeMap::new());
        let memory = Arc::clone(&self.memory);
        let store = InProcessStore { memory, hold: self.hold, listener };
        JobBoard::new(Box::new(store), build, self.hold)
    }
}

#[derive(Default)]
struct Memory {
    contents: Mutex<Contents>,
    /// Raised when something was added to a shelf or to the queue.
    added: Condvar,
}

#[derive(Default)]
struct Contents {
    last_number: u64,
    shelves: BTreeMap<Shelf, BTreeMap<String, (u64, Vec<u8>)>>,
    queue: BTreeMap<u64, Queued>,
    /// The names of messages that were enqueued, by run.
    enqueued: BTreeMap<RunId, BTreeSet<String>>,
    /// News that each participant has not heard yet, by the runs that it listens to.
    listeners: Vec<BTreeMap<RunId, VecDeque<Vec<u8>>>>,
    workers: BTreeMap<String, (Instant, Vec<u8>)>,
    /// Threads that wait for a message, by build.
    idle: BTreeMap<String, u64>,
}

struct Queued {
    build: String,
    run: RunId,
    bytes: Vec<u8>,
    deliveries: u64,
    /// Held, or to be delivered later, until this moment.
    until: Option<Instant>,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something is added, or until the moment.
    fn wait<'a>(
        &self,
        contents: MutexGuard<'a, Contents>,
        until: Instant,
    ) -> MutexGuard<'a, Contents> {
        let time = until.saturating_duration_since(now());
        self.added.wait_timeout(contents, time).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Contents {
    fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    fn deliver(&mut self, build: &str, hold: Duration) -> Option<Delivery> {
        let moment = now();
        let is_free = |queued: &Queued| queued.until.is_none_or(|until| until <= moment);
        let (number, queued) =
            self.queue.iter_mut().find(|(_, queued)| queued.build == build && is_free(queued))?;
        queued.until = Some(moment + hold);
        queued.deliveries += 1;
        Some(Delivery {
            run: queued.run.to_string(),
            bytes: queued.bytes.clone(),
            deliveries: queued.deliveries,
            ticket: number.to_string(),
        })
    }
}

struct InProcessStore {
    memory: Arc<Memory>,
    hold: Duration,
    listener: usize,
}

impl BoardStore for InProcessStore {
    fn create(&self, shelf: Shelf, key: &str, bytes: &[u8]) -> Result<bool> {
        let mut contents = self.memory.lock();
        let number = contents.next_number();
        let entries = contents.shelves.entry(shelf).or_default();
        if entries.contains_key(key) {
            return Ok(false);
        }
        entries.insert(key.to_owned(), (number, bytes.to_vec()));
        self.memory.added.notify_all();
        Ok(true)
    }

    fn get(&self, shelf: Shelf, key: &str) -> Result<Option<Vec<u8>>> {
        let contents = self.memory.lock();
        let entry = contents.shelves.get(&shelf).and_then(|entries| entries.get(key));
        Ok(entry.map(|(_, bytes)| bytes.clone()))
    }

    fn entries(
        &self,
        shelf: Shelf,
        under: Option<&RunId>,
        after: u64,
        patience: Duration,
    ) -> Result<Vec<ShelfEntry>> {
        let deadline = now() + patience;
        let mut contents = self.memory.lock();
        loop {
            let is_meant = |key: &str| under.is_none_or(|run| is_under(key, run.as_str()));
            let entries = contents.shelves.entry(shelf).or_default().iter();
            let mut found: Vec<ShelfEntry> = entries
                .filter(|(key, (number, _))| *number > after && is_meant(key))
                .map(|(key, (number, bytes))| (key.clone(), *number, bytes.clone()))
                .map(|(key, number, bytes)| ShelfEntry { number, key, bytes })
                .collect();
            if !found.is_empty() || now() >= deadline {
                found.sort_by_key(|entry| entry.number);
                return Ok(found);
            }
            contents = self.memory.wait(contents, deadline);
        }
    }

    fn clear(&self, shelf: Shelf, under: &str) -> Result<()> {
        let mut contents = self.memory.lock();
        contents.shelves.entry(shelf).or_default().retain(|key, _| !is_under(key, under));
        Ok(())
    }

    fn enqueue(&self, build: &str, run: &RunId, name: &str, bytes: &[u8]) -> Result<()> {
        let mut contents = self.memory.lock();
        if !contents.enqueued.entry(run.clone()).or_default().insert(name.to_owned()) {
            return Ok(());
        }
        let number = contents.next_number();
        let (build, run, bytes) = (build.to_owned(), run.clone(), bytes.to_vec());
        contents.queue.insert(number, Queued { build, run, bytes, deliveries: 0, until: None });
        self.memory.added.notify_all();
        Ok(())
    }

    fn dequeue(&self, build: &str, patience: Duration) -> Result<Option<Delivery>> {
        let deadline = now() + patience;
        let mut contents = self.memory.lock();
        loop {
            let delivery = contents.deliver(build, self.hold);
            if delivery.is_some() || now() >= deadline {
                return Ok(delivery);
            }
            let held = contents.queue.values().filter(|queued| queued.build == build);
            let free = held.filter_map(|queued| queued.until).min();
            let until = free.map_or(deadline, |free| free.min(deadline));
            *contents.idle.entry(build.to_owned()).or_default() += 1;
            contents = self.memory.wait(contents, until);
            *contents.idle.entry(build.to_owned()).or_default() -= 1;
        }
    }

    fn settle(&self, delivery: &Delivery, settlement: Settlement) -> Result<()> {
        let mut contents = self.memory.lock();
        let number = delivery.ticket.parse().expect("a ticket is the number of a delivery");
        match settlement {
            Settlement::Done | Settlement::Refused => {
                contents.queue.remove(&number);
            }
            Settlement::Extended | Settlement::Later(_) => {
                let time = if let Settlement::Later(time) = settlement { time } else { self.hold };
                if let Some(queued) = contents.queue.get_mut(&number) {
                    queued.until = Some(now() + time);
                }
                self.memory.added.notify_all();
            }
        }
        Ok(())
    }

    fn queue_length(&self, build: &str, run: &RunId) -> Result<QueueLength> {
        let moment = now();
        let contents = self.memory.lock();
        let idle = contents.idle.get(build).copied().unwrap_or_default();
        let mut length = QueueLength { idle, ..QueueLength::default() };
        for queued in contents.queue.values().filter(|q| q.build == build && q.run == *run) {
            let is_taken = queued.until.is_some_and(|until| until > moment);
            *(if is_taken { &mut length.taken } else { &mut length.waiting }) += 1;
        }
        Ok(length)
    }

    fn clear_queue(&self, run: &RunId) -> Result<()> {
        let mut contents = self.memory.lock();
        contents.queue.retain(|_, queued| queued.run != *run);
        contents.enqueued.remove(run);
        Ok(())
    }

    fn tell(&self, run: &RunId, news: &[u8]) -> Result<()> {
        let mut contents = self.memory.lock();
        for (listener, heard) in contents.listeners.iter_mut().enumerate() {
            let Some(heard) = heard.get_mut(run).filter(|_| listener != self.listener) else {
                continue;
            };
            if heard.len() == NEWS {
                heard.pop_front();
            }
            heard.push_back(news.to_vec());
        }
        Ok(())
    }

    fn heard(&self, run: &RunId) -> Result<Vec<Vec<u8>>> {
        let mut contents = self.memory.lock();
        let heard = contents.listeners[self.listener].entry(run.clone()).or_default();
        Ok(heard.drain(..).collect())
    }

    fn announce(&self, worker: &str, status: &[u8]) -> Result<()> {
        let mut contents = self.memory.lock();
        contents.workers.insert(worker.to_owned(), (now(), status.to_vec()));
        Ok(())
    }

    fn announced(&self) -> Result<Vec<Vec<u8>>> {
        let mut contents = self.memory.lock();
        contents.workers.retain(|_, (heard, _)| heard.elapsed() < PRESENCE);
        Ok(contents.workers.values().map(|(_, status)| status.clone()).collect())
    }
}

/// The key goes on with a dot behind `under`.
fn is_under(key: &str, under: &str) -> bool {
    key.strip_prefix(under).is_some_and(|rest| rest.starts_with('.'))
}
