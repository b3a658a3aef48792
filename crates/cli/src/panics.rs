//! The panic hook of the driver: the summary tells of panics of workers, all others are shown at once.

use std::panic::{set_hook, take_hook};
use std::sync::{Arc, OnceLock};

use everett_engine::PanicLog;

/// The hook is the process's, and so is what it fills.
static LOG: OnceLock<Arc<PanicLog>> = OnceLock::new();

/// Where the panic hook, which is set up with the first call, notes panics of workers.
pub(crate) fn panic_log() -> Arc<PanicLog> {
    let install = || {
        let log = Arc::new(PanicLog::default());
        let (noted, usual) = (log.clone(), take_hook());
        // Whoever asks for backtraces gets them in the usual way.
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
