//! How many share a commit: half of those who come and go. While the one half waits for the disk, the other has something to do.
//! All of them in one group would leave the database and the callers to wait for each other, in turns.

/// How many came for each of the last two groups, which take turns.
#[derive(Debug, Default)]
pub(super) struct Rhythm {
    sizes: [usize; 2],
}

impl Rhythm {
    pub(super) fn enough(&self) -> usize {
        // Rounded down: where there is doubt, nobody is waited for.
        self.sizes.iter().sum::<usize>() / self.sizes.len()
    }

    pub(super) fn came(&mut self, size: usize) {
        self.sizes = [size, self.sizes[0]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_all_the_others_become_two_halves() {
        let mut rhythm = Rhythm::default();
        rhythm.came(1);
        rhythm.came(63);
        assert_eq!(rhythm.enough(), 32);
    }

    #[test]
    fn who_is_alone_waits_for_nobody() {
        let mut rhythm = Rhythm::default();
        assert_eq!(rhythm.enough(), 0);
        rhythm.came(2);
        rhythm.came(1);
        assert_eq!(rhythm.enough(), 1);
    }
}
