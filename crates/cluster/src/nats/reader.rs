//! Reading messages of a stream in their order, in batches.

use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;

use super::layout::{self, Reading};
use super::session::{Failure, Session};

/// Messages that are fetched at a time: some megabytes if all are as large as can be.
const BATCH: usize = 32;

/// A message of a stream.
pub(super) struct StreamMessage {
    pub(super) number: u64,
    pub(super) subject: String,
    pub(super) bytes: Vec<u8>,
}

/// A consumer of the server, and the place that it has come to.
pub(super) struct StreamReader {
    consumer: PullConsumer,
    /// The number of the last message.
    pub(super) last: u64,
    /// Messages so far, which the server counts as well.
    read: u64,
}

impl StreamReader {
    /// A reader of what comes after a message.
    pub(super) async fn new(
        session: &Session,
        stream: &str,
        filter: &str,
        after: u64,
    ) -> Result<StreamReader, Failure> {
        let stream = session.jetstream.get_stream_no_info(stream).await?;
        let config = layout::reading_consumer(filter, after, Reading::Messages);
        let consumer = stream.create_consumer(config).await?;
        Ok(StreamReader { consumer, last: after, read: 0 })
    }

    /// The numbers of all messages of a subject.
    pub(super) async fn numbers(
        session: &Session,
        stream: &str,
        filter: &str,
    ) -> Result<Vec<u64>, Failure> {
        let stream = session.jetstream.get_stream_no_info(stream).await?;
        let config = layout::reading_consumer(filter, 0, Reading::Numbers);
        let consumer = stream.create_consumer(config).await?;
        let mut reader = StreamReader { consumer, last: 0, read: 0 };
        let mut numbers = Vec::new();
        loop {
            let messages = reader.next(Duration::ZERO).await?;
            if messages.is_empty() {
                return Ok(numbers);
            }
            numbers.extend(messages.iter().map(|message| message.number));
        }
    }

    /// The next messages. Waits for the first one as long as `patience`.
    pub(super) async fn next(&mut self, patience: Duration) -> Result<Vec<StreamMessage>, Failure> {
        let mut messages = self.fetch(None).await?;
        if messages.is_empty() && !patience.is_zero() {
            messages = self.fetch(Some(patience)).await?;
            if !messages.is_empty() {
                messages.extend(self.fetch(None).await?);
            }
        }
        Ok(messages)
    }

    /// What is there, or one message that is waited for.
    async fn fetch(&mut self, wait: Option<Duration>) -> Result<Vec<StreamMessage>, Failure> {
        let failure = |error: async_nats::Error| Failure::of(&*error);
        let mut batch = match wait {
            Some(patience) => {
                self.consumer.batch().max_messages(1).expires(patience).messages().await?
            }
            None => self.consumer.fetch().max_messages(BATCH).messages().await?,
        };
        let mut messages = Vec::new();
        while let Some(message) = batch.next().await {
            let message = message.map_err(failure)?;
            let info = message.info().map_err(failure)?;
            // The server does not send a message again that was lost on the way.
            if info.consumer_sequence != self.read + 1 {
                return Err(Failure::Passing("messages were lost on the way".to_owned()));
            }
            self.read += 1;
            self.last = info.stream_sequence;
            let (number, subject) = (info.stream_sequence, message.subject.to_string());
            messages.push(StreamMessage { number, subject, bytes: message.payload.to_vec() });
        }
        Ok(messages)
    }
}
