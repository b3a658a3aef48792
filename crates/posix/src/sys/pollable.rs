//! Files that threads wait for: pipes, events, timers, signals, and the calls that wait for several of them.

pub(crate) mod epoll;
pub(crate) mod eventfd;
pub(crate) mod inotify;
pub(crate) mod look;
pub(crate) mod pipe;
pub(crate) mod poll;
pub(crate) mod signalfd;
pub(crate) mod timerfd;
