//! The days of agents.

use std::sync::Arc;

use futures::future::join_all;
use toolgate_domain::{AgentId, Gate, InvocationId, Phase, TenantId, Timestamp, governance::ActionCaps};

use super::Fixture;
use crate::{ActionPlace, Admission};

const NOON: &str = "2026-03-14T12:00:00Z";
const NEXT_DAY: &str = "2026-03-15T00:00:00Z";

fn place(f: &Fixture, agent: AgentId, kind: &str, at: &str) -> ActionPlace {
    ActionPlace {
        tenant_id: TenantId::DEFAULT,
        invocation_id: InvocationId::generate(&f.ids),
        agent_id: agent,
        kind: kind.to_owned(),
        taken_at: at.parse::<Timestamp>().unwrap(),
    }
}

fn caps(of_kind: Option<u64>, of_all: Option<u64>) -> ActionCaps {
    ActionCaps { of_kind, of_all }
}

pub async fn an_action_has_one_place_in_its_day(f: &Fixture) {
    let actions = &f.stores.actions;
    let (agent, other) = (AgentId::generate(&f.ids), AgentId::generate(&f.ids));
    let (one, both) = (caps(Some(1), None), caps(Some(1), Some(2)));
    let vote = place(f, agent, "vote", NOON);
    assert_eq!(actions.take_place(&vote, one).await.unwrap(), Admission::Taken);
    assert_eq!(actions.take_place(&vote, one).await.unwrap(), Admission::Taken, "it has its place already");
    let second = place(f, agent, "vote", NOON);
    assert_eq!(actions.take_place(&second, one).await.unwrap(), Admission::FullForKind);
    let comment = place(f, agent, "comment", NOON);
    assert_eq!(actions.take_place(&comment, both).await.unwrap(), Admission::Taken);
    let run = place(f, agent, "run", NOON);
    assert_eq!(actions.take_place(&run, both).await.unwrap(), Admission::FullForAll);
    assert_eq!(actions.take_place(&run, caps(Some(0), None)).await.unwrap(), Admission::FullForKind);
    for free in [place(f, other, "vote", NOON), place(f, agent, "vote", NEXT_DAY)] {
        assert_eq!(actions.take_place(&free, one).await.unwrap(), Admission::Taken, "{free:?}");
    }
    let stranger = TenantId::from_uuid(f.new_uuid());
    actions.give_place_back(stranger, vote.invocation_id).await.unwrap();
    assert_eq!(actions.take_place(&second, one).await.unwrap(), Admission::FullForKind, "it is not theirs");
    actions.give_place_back(TenantId::DEFAULT, vote.invocation_id).await.unwrap();
    assert_eq!(actions.take_place(&second, one).await.unwrap(), Admission::Taken);
}

pub async fn at_the_edge_of_a_quota_exactly_as_many_get_in_as_fit(f: &Fixture) {
    let agent = AgentId::generate(&f.ids);
    let asked = (0..50).map(|_| {
        let (actions, place) = (Arc::clone(&f.stores.actions), place(f, agent, "vote", NOON));
        tokio::spawn(async move { actions.take_place(&place, caps(Some(10), None)).await.unwrap() })
    });
    let answers = join_all(asked).await;
    let taken = answers.iter().filter(|answer| matches!(answer, Ok(Admission::Taken))).count();
    assert_eq!(taken, 10);
}

pub async fn a_place_of_a_call_that_failed_is_free_again(f: &Fixture) {
    let tool = f.registered("act").await;
    let agent = AgentId::generate(&f.ids);
    let (begun, failed) = (Phase::Running(Gate::NotRequired), Phase::Failed(Gate::NotRequired));
    let running = f.in_phase(&tool, begun).await;
    let first = ActionPlace { invocation_id: running.id, ..place(f, agent, "vote", NOON) };
    let second = place(f, agent, "vote", NOON);
    let one = caps(Some(1), None);
    assert_eq!(f.stores.actions.take_place(&first, one).await.unwrap(), Admission::Taken);
    assert_eq!(f.stores.actions.take_place(&second, one).await.unwrap(), Admission::FullForKind);
    f.stores.ledger.record(f.advance(&running, begun, failed)).await.unwrap();
    assert_eq!(f.stores.actions.take_place(&second, one).await.unwrap(), Admission::Taken);
}
