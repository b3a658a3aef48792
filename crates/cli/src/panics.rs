//! The panic hook of the driver: the summary tells of panics of workers, all others are shown at once.

use std::panic::{set_hook, take_hook};
use std::sync::{Arc, OnceLock};

use everett_engine::PanicLog;

/// There is one panic hook for the whole process, so there is one log that it fills.
static LOG: OnceLock<Arc<PanicLog>> = OnceLock::new();

/// The log in which the panic hook notes panics of workers. The first call sets up the hook.
pub(crate) fn panic_log() -> Arc<PanicLog> {
    let install = || {
        let log = Arc::new(PanicLog::default());
        let (noted, usual) = (log.clone(), take_hook());
        // With RUST_BACKTRACE, the usual hook shows the panic with its backtrace.
        let traced = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        set_hook(Box::new(move |info| {
            if !noted.note(info) || traced {
                usual(info);
            }
        }));
        log
    };
    LOG.get_or_init(install).clone()
}
