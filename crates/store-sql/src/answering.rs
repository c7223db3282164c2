//! Where a group's callers are answered: among those who wait, not on the thread that writes. So the next group does not wait for it,
//! what they made is dropped where they made it, and the runtime is woken once for all: from inside, waking its tasks costs no system
//! calls.

use tokio::runtime::Handle;

pub(crate) struct Answering(Option<Handle>);

impl Answering {
    /// On the runtime that this is called from, if there is one.
    pub(crate) fn here() -> Self {
        Self(Handle::try_current().ok())
    }

    /// Whether nobody there has anything to do just now: then nobody is about to ask for anything either.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.0.as_ref().is_none_or(|runtime| {
            let metrics = runtime.metrics();
            // An odd count: the worker has gone to rest once more than it was woken.
            (0..metrics.num_workers()).all(|worker| metrics.worker_park_unpark_count(worker) % 2 == 1)
        })
    }

    pub(crate) fn run(&self, answer_all: impl FnOnce() + Send + 'static) {
        match &self.0 {
            Some(runtime) => drop(runtime.spawn(async move { answer_all() })),
            None => answer_all(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use tokio::runtime::Builder;

    use super::*;

    #[test]
    fn it_tells_whether_those_who_wait_have_something_to_do() {
        let runtime = Builder::new_multi_thread().worker_threads(1).build().unwrap();
        let answering = {
            let _inside = runtime.enter();
            Answering::here()
        };
        let (begin, has_begun) = channel();
        let (end, may_end) = channel::<()>();
        answering.run(move || {
            begin.send(()).unwrap();
            let _ = may_end.recv();
        });
        has_begun.recv().unwrap();
        assert!(!answering.is_at_rest());
        end.send(()).unwrap();
        // It comes to rest once that is over, however soon.
        while !answering.is_at_rest() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn where_there_is_no_runtime_nobody_is_waited_for() {
        assert!(Answering::here().is_at_rest());
    }
}
