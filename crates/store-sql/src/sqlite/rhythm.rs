//! How many share a commit. A commit costs as much as writing many rows, so it waits while those who come and go are busy making the next
//! entries. But not until all of them wait for it: while it is under way, the others shall have something to do.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use crate::answering::Answering;

/// How long a commit waits for others at the most. Whoever keeps the callers' runtime busy with other things delays a commit or two by that: after
/// them nobody is waited for.
const PATIENCE: Duration = Duration::from_millis(3);

/// Between two looks at who came meanwhile. Each of them waking the writer would cost more than their rows.
const PAUSE: Duration = Duration::from_micros(100);

#[derive(Debug)]
pub(super) struct Rhythm {
    enough: usize,
    most: usize,
}

/// The group that is being made.
#[derive(Debug)]
pub(super) struct Gathering {
    enough: usize,
    began: Instant,
}

impl Rhythm {
    /// `most`: that may ever share a commit.
    pub(super) fn new(most: usize) -> Self {
        Self { enough: 1, most }
    }

    pub(super) fn begin(&self) -> Gathering {
        Gathering { enough: self.enough, began: Instant::now() }
    }

    /// `others_came`: during the commit. They could have shared it, so the next one waits for one more. Where fewer came than were waited
    /// for, these were all there are; three quarters of them leave the others something to do.
    pub(super) fn committed(&mut self, gathering: &Gathering, size: usize, others_came: bool) {
        if size < gathering.enough {
            self.enough = (size * 3 / 4).max(1);
        } else if others_came {
            self.enough = (self.enough + 1).min(self.most);
        }
    }
}

impl Gathering {
    pub(super) fn enough(&self) -> usize {
        self.enough
    }

    /// Waits a moment for others, where some are to be expected.
    pub(super) fn waits(&self, came: usize, callers: &Answering) -> bool {
        let more = self.expects_more(came, self.began.elapsed(), || callers.is_at_rest());
        if more {
            sleep(PAUSE);
        }
        more
    }

    fn expects_more(&self, came: usize, waited: Duration, nobody_is_at_work: impl FnOnce() -> bool) -> bool {
        came < self.enough && waited < PATIENCE && !nobody_is_at_work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commits(rhythm: &mut Rhythm, size: usize, others_came: bool) {
        let gathering = rhythm.begin();
        rhythm.committed(&gathering, size, others_came);
    }

    #[test]
    fn a_group_waits_for_as_many_as_are_enough_while_somebody_is_at_work_and_not_for_ever() {
        let mut rhythm = Rhythm::new(512);
        commits(&mut rhythm, 1, true);
        let gathering = rhythm.begin();
        assert!(gathering.expects_more(1, Duration::ZERO, || false));
        assert!(!gathering.expects_more(2, Duration::ZERO, || false), "that is enough");
        assert!(!gathering.expects_more(1, Duration::ZERO, || true), "nobody is about to come");
        assert!(!gathering.expects_more(1, PATIENCE, || false), "that was long enough");
    }

    #[test]
    fn who_is_alone_waits_for_nobody() {
        let mut rhythm = Rhythm::new(512);
        commits(&mut rhythm, 1, false);
        assert_eq!(rhythm.begin().enough(), 1);
    }

    #[test]
    fn where_others_come_meanwhile_more_are_waited_for_up_to_the_bound() {
        let mut rhythm = Rhythm::new(3);
        for enough in [2, 3, 3] {
            let size = rhythm.begin().enough();
            commits(&mut rhythm, size, true);
            assert_eq!(rhythm.begin().enough(), enough);
        }
    }

    #[test]
    fn where_nobody_else_comes_a_quarter_is_left_something_to_do() {
        let mut rhythm = Rhythm::new(512);
        for size in 1..=63 {
            commits(&mut rhythm, size, true);
        }
        commits(&mut rhythm, 60, false);
        assert_eq!(rhythm.begin().enough(), 45);
        commits(&mut rhythm, 1, false);
        assert_eq!(rhythm.begin().enough(), 1, "and nobody is waited for who has gone");
    }
}
