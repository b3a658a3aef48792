//! Threads that run experiments: [`ExperimentPool`].

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::experiment::NodeFault;
use super::run::{ExperimentEngine, ExperimentRun};

/// A run that has ended, with its faults.
type EndedRun = (Vec<NodeFault>, thread::Result<ExperimentRun>);

/// Threads with an engine each. Whatever they are at when the pool is dropped is given up.
pub(super) struct ExperimentPool {
    /// The sets of faults to run. Without it, threads end.
    orders: Option<Sender<Vec<NodeFault>>>,
    ended: Receiver<EndedRun>,
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl ExperimentPool {
    /// Starts so many threads, at least one.
    pub(super) fn start(engine: ExperimentEngine, threads: usize) -> ExperimentPool {
        let (order, orders) = unbounded::<Vec<NodeFault>>();
        let (tell, ended) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let twins = (1..threads).map(|_| engine.twin()).collect::<Vec<_>>();
        let begin = |mut engine: ExperimentEngine| {
            let (orders, tell, is_over) = (orders.clone(), tell.clone(), is_over.clone());
            thread::spawn(move || {
                for faults in orders {
                    // Whoever waits for the run goes on with the panic.
                    let run = catch_unwind(AssertUnwindSafe(|| engine.run(&faults, &is_over)));
                    if tell.send((faults, run)).is_err() {
                        return;
                    }
                }
            })
        };
        let threads = std::iter::once(engine).chain(twins).map(begin).collect();
        ExperimentPool { orders: Some(order), ended, is_over, threads }
    }

    /// Runs that are made at the same time.
    pub(super) fn size(&self) -> usize {
        self.threads.len()
    }

    /// Has a run made, as soon as a thread is free.
    pub(super) fn begin(&self, faults: Vec<NodeFault>) {
        let orders = self.orders.as_ref().expect("it is taken by `drop` only");
        orders.send(faults).expect("threads listen as long as they may be asked for something");
    }

    /// Waits for the end of a run that was begun.
    pub(super) fn wait(&self) -> (Vec<NodeFault>, ExperimentRun) {
        let (faults, run) = self.ended.recv().expect("threads tell of every run that was begun");
        (faults, run.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

impl Drop for ExperimentPool {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.orders = None;
        for thread in self.threads.drain(..) {
            // A panic was caught, and told to whoever was waiting.
            let _ = thread.join();
        }
    }
}
