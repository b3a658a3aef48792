//! [`NatsStore`]: shelves are streams with one message a subject, the queue is a stream whose messages
//! leave it when they are settled, and news are messages that nobody keeps.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Subscriber;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::{ConsumerInfoErrorKind, PublishErrorKind};
use async_nats::jetstream::message::{AckKind, PublishMessage};
use async_nats::jetstream::response::Response;
use async_nats::jetstream::stream::DirectGetErrorKind;
use futures_util::{FutureExt, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};

use super::layout;
use super::reader::{StreamMessage, StreamReader};
use super::session::{Failure, Session};
use crate::clock::now;
use crate::error::Result;
use crate::ids::RunId;
use crate::job::QueueLength;
use crate::store::{BoardStore, Delivery, Settlement, Shelf, ShelfEntry};

/// The server waits this long at most in one request for a job or a record. Another request follows.
const REQUEST_WAIT: Duration = Duration::from_secs(5);
/// Runs that are listened to at a time.
const LISTENED_RUNS: usize = 16;

pub(super) struct NatsStore {
    session: Session,
    hold: Duration,
    /// The consumer of the build whose jobs are taken.
    consumer: Mutex<Option<(String, PullConsumer)>>,
    /// Readers that go on where they have stopped, by stream and filter.
    readers: Mutex<BTreeMap<(Shelf, Option<RunId>), StreamReader>>,
    listening: Mutex<BTreeMap<RunId, Subscriber>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NatsStore {
    pub(super) fn new(session: Session, hold: Duration) -> NatsStore {
        NatsStore {
            session,
            hold,
            consumer: Mutex::default(),
            readers: Mutex::default(),
            listening: Mutex::default(),
        }
    }

    /// Publishes to a stream, and waits until the server has stored it. Tells whether it was refused
    /// because the subject has a message already, or whether it was stored.
    async fn store(
        &self,
        subject: &str,
        message: PublishMessage,
    ) -> std::result::Result<bool, Failure> {
        let acknowledged =
            match self.session.jetstream.send_publish(subject.to_owned(), message).await {
                Ok(future) => future.await,
                Err(error) => Err(error),
            };
        match acknowledged {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(Failure::of(&error)),
        }
    }

    /// The consumer of a build, made if it is not there.
    async fn consumer(&self, build: &str) -> std::result::Result<PullConsumer, Failure> {
        if let Some((_, consumer)) = lock(&self.consumer).as_ref().filter(|(of, _)| of == build) {
            return Ok(consumer.clone());
        }
        let stream = self.session.jetstream.get_stream_no_info(layout::JOBS).await?;
        let consumer = stream.create_consumer(layout::build_consumer(build, self.hold)).await?;
        *lock(&self.consumer) = Some((build.to_owned(), consumer.clone()));
        Ok(consumer)
    }

    async fn request_job(
        &self,
        build: &str,
        wait: Duration,
    ) -> std::result::Result<Option<Delivery>, Failure> {
        let consumer = self.consumer(build).await?;
        let mut batch = if wait.is_zero() {
            consumer.fetch().max_messages(1).messages().await?
        } else {
            consumer.batch().max_messages(1).expires(wait).messages().await?
        };
        let Some(message) = batch.next().await else { return Ok(None) };
        let message = message.inspect_err(|_| *lock(&self.consumer) = None);
        let message = message.map_err(|error| Failure::of(&*error))?;
        let info = message.info().map_err(|error| Failure::of(&*error))?;
        let deliveries = u64::try_from(info.delivered).unwrap_or(1);
        let run = message.subject.rsplit('.').next().unwrap_or_default().to_owned();
        let ticket = message.reply.as_ref().map(ToString::to_string).unwrap_or_default();
        Ok(Some(Delivery { run, bytes: message.payload.to_vec(), deliveries, ticket }))
    }

    async fn read(
        &self,
        shelf: Shelf,
        under: Option<&RunId>,
        after: u64,
        wait: Duration,
    ) -> std::result::Result<Vec<StreamMessage>, Failure> {
        let key = (shelf, under.cloned());
        let known = lock(&self.readers).remove(&key).filter(|reader| reader.last == after);
        let mut reader = match known {
            Some(reader) => reader,
            None => {
                let prefix = layout::prefix(shelf);
                let filter = under.map_or(format!("{prefix}>"), |run| format!("{prefix}{run}.>"));
                StreamReader::new(&self.session, layout::stream(shelf), &filter, after).await?
            }
        };
        let messages = reader.next(wait).await?;
        lock(&self.readers).insert(key, reader);
        Ok(messages)
    }

    /// Removes messages one by one, the newest first. A purge with a filter would be one request, but
    /// NATS 2.9 goes on counting what it has removed, until its store is full of nothing.
    async fn remove(
        &self,
        stream: &str,
        mut numbers: Vec<u64>,
    ) -> std::result::Result<(), Failure> {
        numbers.sort_unstable();
        for seq in numbers.into_iter().rev() {
            let request = DeleteRequest { seq, no_erase: true };
            let subject = format!("STREAM.MSG.DELETE.{stream}");
            match self.session.jetstream.request(subject, &request).await? {
                Response::Ok(DeleteResponse { success: true }) => {}
                Response::Ok(DeleteResponse { success: false }) => {
                    return Err(Failure::Passing("a message is not removed".to_owned()));
                }
                Response::Err { error } if is_gone(error.error_code()) => {}
                Response::Err { error } => return Err(Failure::Passing(error.to_string())),
            }
        }
        Ok(())
    }

    /// The numbers of jobs. The stream of jobs has no other readers than workers.
    async fn job_numbers(&self, filter: &str) -> std::result::Result<Vec<u64>, Failure> {
        let stream = self.session.jetstream.get_stream_no_info(layout::JOBS).await?;
        let mut numbers = Vec::new();
        loop {
            let after = numbers.last().map_or(1, |last| last + 1);
            match stream.direct_get_next_for_subject(filter, Some(after)).await {
                Ok(message) => numbers.push(message.sequence),
                Err(error) if error.kind() == DirectGetErrorKind::NotFound => return Ok(numbers),
                Err(error) => return Err(Failure::of(&error)),
            }
        }
    }

    async fn count_jobs(
        &self,
        build: &str,
        run: &RunId,
    ) -> std::result::Result<QueueLength, Failure> {
        let stream = self.session.jetstream.get_stream_no_info(layout::JOBS).await?;
        let subjects = stream.info_with_subjects(layout::jobs_subject(build, run)).await?;
        let counts: Vec<(String, usize)> = subjects.try_collect().await?;
        let all = counts.iter().map(|(_, count)| *count as u64).sum();
        let (waiting, idle) = match stream.consumer_info(layout::consumer_name(build)).await {
            Ok(info) => (info.num_pending.min(all), info.num_waiting as u64),
            // No worker of the build has come yet.
            Err(error) if error.kind() == ConsumerInfoErrorKind::NotFound => (all, 0),
            Err(error) => return Err(Failure::of(&error)),
        };
        Ok(QueueLength { waiting, taken: all - waiting, idle })
    }
}

#[derive(Serialize)]
struct DeleteRequest {
    seq: u64,
    /// The bytes need not be overwritten.
    no_erase: bool,
}

#[derive(Deserialize)]
struct DeleteResponse {
    success: bool,
}

/// Somebody else has removed the message.
fn is_gone(code: ErrorCode) -> bool {
    [
        ErrorCode::SEQUENCE_NOT_FOUND,
        ErrorCode::NO_MESSAGE_FOUND,
        ErrorCode::STREAM_MESSAGE_DELETE_FAILED,
    ]
    .contains(&code)
}

impl BoardStore for NatsStore {
    fn create(&self, shelf: Shelf, key: &str, bytes: &[u8]) -> Result<bool> {
        let subject = format!("{}{key}", layout::prefix(shelf));
        let bytes = bytes::Bytes::copy_from_slice(bytes);
        self.session.persist("storing", async || {
            let message = PublishMessage::build().payload(bytes.clone());
            self.store(&subject, message.expected_last_subject_sequence(0)).await
        })
    }

    fn get(&self, shelf: Shelf, key: &str) -> Result<Option<Vec<u8>>> {
        let subject = format!("{}{key}", layout::prefix(shelf));
        self.session.persist("reading", async || {
            let stream = self.session.jetstream.get_stream_no_info(layout::stream(shelf)).await?;
            match stream.direct_get_last_for_subject(subject.clone()).await {
                Ok(message) => Ok(Some(message.payload.to_vec())),
                Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
                Err(error) => Err(Failure::of(&error)),
            }
        })
    }

    fn entries(
        &self,
        shelf: Shelf,
        under: Option<&RunId>,
        after: u64,
        patience: Duration,
    ) -> Result<Vec<ShelfEntry>> {
        let begin = now();
        loop {
            let wait = patience.saturating_sub(begin.elapsed()).min(REQUEST_WAIT);
            let messages = self.session.persist_waiting("reading records", wait, async || {
                self.read(shelf, under, after, wait).await
            })?;
            if !messages.is_empty() || begin.elapsed() >= patience {
                let key = |subject: String| subject[layout::prefix(shelf).len()..].to_owned();
                let entry = |StreamMessage { number, subject, bytes }| ShelfEntry {
                    number,
                    key: key(subject),
                    bytes,
                };
                return Ok(messages.into_iter().map(entry).collect());
            }
        }
    }

    fn clear(&self, shelf: Shelf, under: &str) -> Result<()> {
        let filter = format!("{}{under}.>", layout::prefix(shelf));
        self.session.persist("removing", async || {
            let stream = layout::stream(shelf);
            let numbers = StreamReader::numbers(&self.session, stream, &filter).await?;
            self.remove(stream, numbers).await
        })
    }

    fn enqueue(&self, build: &str, run: &RunId, name: &str, bytes: &[u8]) -> Result<()> {
        let subject = layout::jobs_subject(build, run);
        let bytes = bytes::Bytes::copy_from_slice(bytes);
        let name = format!("{run}.{name}");
        self.session.persist("publishing a job", async || {
            let message = PublishMessage::build().payload(bytes.clone()).message_id(&name);
            self.store(&subject, message).await.map(drop)
        })
    }

    fn dequeue(&self, build: &str, patience: Duration) -> Result<Option<Delivery>> {
        let begin = now();
        loop {
            let wait = patience.saturating_sub(begin.elapsed()).min(REQUEST_WAIT);
            let delivery = self.session.persist_waiting("taking a job", wait, async || {
                self.request_job(build, wait).await
            })?;
            if delivery.is_some() || begin.elapsed() >= patience {
                return Ok(delivery);
            }
        }
    }

    fn settle(&self, delivery: &Delivery, settlement: Settlement) -> Result<()> {
        let kind = match settlement {
            Settlement::Done => AckKind::Ack,
            Settlement::Refused => AckKind::Term,
            Settlement::Extended => AckKind::Progress,
            Settlement::Later(delay) => AckKind::Nak(Some(delay).filter(|delay| !delay.is_zero())),
        };
        self.session.persist("settling a job", async || {
            let word: bytes::Bytes = kind.into();
            match self.session.client.request(delivery.ticket.clone(), word).await {
                Ok(_) => Ok(()),
                // The consumer is gone: another one delivers the job, and sees what became of it.
                Err(error) if error.kind() == async_nats::RequestErrorKind::NoResponders => Ok(()),
                Err(error) => Err(Failure::of(&error)),
            }
        })
    }

    fn queue_length(&self, build: &str, run: &RunId) -> Result<QueueLength> {
        self.session.persist("counting jobs", async || self.count_jobs(build, run).await)
    }

    fn clear_queue(&self, run: &RunId) -> Result<()> {
        let filter = layout::jobs_of_run(run);
        self.session.persist("removing jobs", async || {
            let numbers = self.job_numbers(&filter).await?;
            self.remove(layout::JOBS, numbers).await
        })
    }

    fn tell(&self, run: &RunId, news: &[u8]) -> Result<()> {
        // News that were kept until the server is back would be old.
        if !self.session.is_connected() {
            return Ok(());
        }
        let news = bytes::Bytes::copy_from_slice(news);
        self.session.persist("telling news", async || {
            Ok(self.session.client.publish(layout::news_subject(run), news.clone()).await?)
        })
    }

    fn heard(&self, run: &RunId) -> Result<Vec<Vec<u8>>> {
        let mut listening = lock(&self.listening);
        if !listening.contains_key(run) {
            if listening.len() == LISTENED_RUNS {
                listening.pop_first();
            }
            let subscriber = self.session.persist("listening to news", async || {
                Ok(self.session.client.subscribe(layout::news_subject(run)).await?)
            })?;
            listening.insert(run.clone(), subscriber);
        }
        let subscriber = listening.get_mut(run).expect("the run is listened to");
        let mut heard = Vec::new();
        while let Some(Some(message)) = subscriber.next().now_or_never() {
            heard.push(message.payload.to_vec());
        }
        Ok(heard)
    }

    fn announce(&self, worker: &str, status: &[u8]) -> Result<()> {
        let subject = layout::worker_subject(worker);
        let status = bytes::Bytes::copy_from_slice(status);
        self.session.persist("announcing a worker", async || {
            let message = PublishMessage::build().payload(status.clone());
            self.store(&subject, message).await.map(drop)
        })
    }

    fn announced(&self) -> Result<Vec<Vec<u8>>> {
        self.session.persist("looking for workers", async || {
            let filter = layout::worker_subject("*");
            let mut reader = StreamReader::new(&self.session, layout::WORKERS, &filter, 0).await?;
            let mut statuses = Vec::new();
            loop {
                let messages = reader.next(Duration::ZERO).await?;
                if messages.is_empty() {
                    return Ok(statuses);
                }
                statuses.extend(messages.into_iter().map(|message| message.bytes));
            }
        })
    }
}
