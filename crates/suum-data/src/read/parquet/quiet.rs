//! Panics of the decoder, without the message that could repeat data.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static INSTALLED: Once = Once::new();

/// Runs `work`; returns `None` if it panics, without any message.
///
/// Some corrupt files make the Parquet reader panic; here they are refused as corrupt files. A
/// panic is reported by the hook of the process, before it can be caught, with a message that may
/// hold data. So a hook is installed before the existing one: it is silent on a thread inside this
/// function, and passes on every other panic.
pub(super) fn quietly<T>(work: impl FnOnce() -> T) -> Option<T> {
    INSTALLED.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            // Without the thread's own flag, which is gone when the thread ends, it is not in here.
            if !QUIET.try_with(Cell::get).unwrap_or(false) {
                before(panic);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    // The payload holds the message too, and goes with it.
    QUIET.set(outer);
    done.ok()
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    /// Runs itself again in a child process, since only another process can see the messages.
    #[test]
    fn nobody_hears_of_a_panic_inside_and_everybody_of_others() {
        const CHILD: &str = "SUUM_TEST_PANICS";
        if std::env::var_os(CHILD).is_none() {
            let (_, tests) = module_path!().split_once("::").unwrap();
            let name = "nobody_hears_of_a_panic_inside_and_everybody_of_others";
            let name = format!("{tests}::{name}");
            let child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", &name, "--nocapture"])
                .env(CHILD, "1")
                .output()
                .unwrap();
            let heard = String::from_utf8_lossy(&child.stderr);
            assert!(child.status.success(), "{heard}");
            assert!(!heard.contains("SECRET123"), "{heard}");
            for other in ["BEFORE", "MEANWHILE", "AFTER"] {
                assert!(heard.contains(other), "{other} in {heard}");
            }
            return;
        }
        let panics = |message: &'static str| {
            assert!(thread::spawn(move || panic!("{message}")).join().is_err())
        };
        panics("BEFORE");
        assert_eq!(quietly(|| 7), Some(7));
        let inside = || {
            panics("MEANWHILE");
            panic!("SECRET123 {}", line!());
        };
        assert_eq!(quietly(inside), None::<()>);
        // One inside another leaves the outer one silent.
        let nested = || {
            assert_eq!(quietly(|| panic!("SECRET123")), None::<()>);
            panic!("SECRET123");
        };
        assert_eq!(quietly(nested), None::<()>);
        assert!(catch_unwind(|| panic!("AFTER")).is_err());
    }
}
