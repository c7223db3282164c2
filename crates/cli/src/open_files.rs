//! Connections are files, and most systems let a program open a thousand of them until it asks for more.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What a server opens beside the connections of its clients: databases, blobs, other servers, programs.
const BESIDE: u64 = 1_024;

/// Asks for as many as so many connections need, and says so in the log where it does not get them.
pub(crate) fn allow(connections: u64) {
    let now = getrlimit(Resource::Nofile);
    let needed = connections.saturating_add(BESIDE);
    let Some(more) = more_than(&now, needed) else { return };
    let got = more.current;
    if let Err(error) = setrlimit(Resource::Nofile, more) {
        tracing::warn!(%error, needed, "more files cannot be opened: some connections will have to wait");
    } else if got.is_some_and(|got| got < needed) {
        tracing::warn!(got, needed, "few files can be opened: raise `ulimit -Hn`, or lower max_connections");
    }
}

/// As much as is needed, or as may be had. Nothing when there is enough.
fn more_than(now: &Rlimit, needed: u64) -> Option<Rlimit> {
    if now.current.is_none_or(|most| most >= needed) {
        return None;
    }
    let current = now.maximum.map_or(needed, |most| most.min(needed));
    Some(Rlimit { current: Some(current), maximum: now.maximum })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::enough(Some(6_000), Some(9_000), None)]
    #[case::no_bound(None, None, None)]
    #[case::as_much_as_is_needed(Some(1_024), Some(500_000), Some(5_000))]
    #[case::as_much_as_may_be_had(Some(1_024), Some(4_096), Some(4_096))]
    #[case::nothing_above(Some(1_024), None, Some(5_000))]
    fn the_bound_goes_up_as_far_as_it_must_and_may(
        #[case] current: Option<u64>,
        #[case] maximum: Option<u64>,
        #[case] becomes: Option<u64>,
    ) {
        let more = more_than(&Rlimit { current, maximum }, 5_000);
        assert_eq!(more.as_ref().and_then(|more| more.current), becomes);
        assert!(more.is_none_or(|more| more.maximum == maximum), "what others may have is left alone");
    }
}
