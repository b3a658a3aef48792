//! Trojan messages: messages that a receiver accepts and that no correct sender can send.
//!
//! Such a message shows a check that is missing in the receiver. Senders are given as paths: a condition over
//! inputs, and the bytes that the path sends. The receiver is given as the conditions of its paths on a
//! message of unconstrained bytes. All of them are terms of one [`Pool`](everett_expr::Pool).
//!
//! - [`SenderSet`] turns sender paths into predicates over the message. Inputs are eliminated where message
//!   bytes determine them, so that most predicates have no quantifier and can be negated exactly.
//! - [`TrojanSearch`] compares them with what a receiver accepts. Inputs that are left are dealt with by
//!   refinement, and the result is certain nevertheless, or undecided.
//! - [`ReceiverState`] goes along with a path of the receiver: [`TrojanSearch::assume`] adds the condition of
//!   a branch, and says when nothing is to be found behind it.
//! - [`TrojanClasses`] and [`ClassTable`] put messages together that have the same reason.
//! - [`TrojanSearch::origin`] is the question the other way round: can a sender have sent a message that was
//!   recorded, and if not, why not?
//!
//! A sender writes a command from 1 to 3 and its complement; the receiver checks the command only:
//!
//! ```
//! use std::sync::Arc;
//! use everett_expr::Pool;
//! use everett_solver::{ChainOptions, MonotonicClock, SolverChain};
//! use everett_trojan::{SearchLimits, SenderOptions, SenderPath, SenderSet, TrojanSearch};
//!
//! let pool = Pool::new();
//! let command = pool.byte(pool.symbol("command", 1), 0);
//! let in_range = pool.ult(pool.sub(command, pool.constant(8, 1)), pool.constant(8, 3));
//! let path = SenderPath { conditions: vec![in_range], message: vec![command, pool.not(command)] };
//! let mut senders = SenderSet::new("message", SenderOptions::default());
//! senders.add(&pool, &path);
//! senders.set_explored_to_end(true);
//!
//! let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
//! let received = pool.byte(senders.message(&pool, 2), 0);
//! let mut search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
//! let mut state = search.receive(2);
//! search.assume(&pool, &mut chain, &mut state, pool.eq(received, pool.constant(8, 2)))?;
//! let found = search.classes(&pool, &mut chain, &state)?;
//! // No command has the complement 0. Others have the complement 0xfc, but not the command 2.
//! assert_eq!((&*found.classes[0].example, &*found.classes[0].core), (&[2, 0][..], &[1][..]));
//! assert_eq!((&*found.classes[1].example, &*found.classes[1].core), (&[2, 0xfc][..], &[0, 1][..]));
//! # Ok::<(), everett_solver::SolverError>(())
//! ```
//!
//! Not here: exploration of senders and receivers, and what it means to accept a message (the engine).
//! Nothing reads a clock: time is limited by the solver chain, work by [`SearchLimits`] and
//! [`EliminationLimits`].
#![forbid(unsafe_code)]

mod class_table;
mod classes;
mod count;
mod eliminate;
mod example;
mod origin;
mod receiver;
mod search;
mod sender;
mod settled;

pub use self::class_table::{ClassEntry, ClassKey, ClassTable};
pub use self::classes::{Certainty, TrojanClass, TrojanClasses};
pub use self::count::MessageCount;
pub use self::eliminate::EliminationLimits;
pub use self::origin::{MessageOrigin, NearestMessage, SendingObstacle};
pub use self::receiver::{Coverage, ReceiverState};
pub use self::search::{MessageSenders, SearchLimits, SearchStats, TrojanSearch};
pub use self::sender::{SenderOptions, SenderPath, SenderPathId, SenderSet};
