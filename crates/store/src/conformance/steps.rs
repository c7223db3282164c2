//! The steps of runs.

use serde_json::json;
use toolgate_domain::{Clock, RunId, RunStep, StepId, StepKind, TenantId};

use super::Fixture;

pub async fn steps_are_kept_once_in_their_places_and_stay(f: &Fixture) {
    let steps = &f.stores.steps;
    let run = RunId::generate(&f.ids);
    let step = |seq: u64, kind| RunStep {
        id: StepId::generate(&f.ids),
        tenant_id: TenantId::DEFAULT,
        run_id: run,
        seq,
        kind,
        title: format!("step {seq}"),
        body: json!({"seq": seq, "text": "é"}),
        created_at: f.clock.now(),
    };
    let kept = [step(0, StepKind::Begin), step(1, StepKind::Turn), step(2, StepKind::Search)];
    for step in &kept {
        assert!(steps.add_step(step).await.unwrap());
    }
    assert!(!steps.add_step(&step(1, StepKind::Turn)).await.unwrap(), "the place is taken");
    assert_eq!(steps.steps(TenantId::DEFAULT, run, 0, 10).await.unwrap(), kept);
    assert_eq!(steps.steps(TenantId::DEFAULT, run, 1, 1).await.unwrap(), kept[1..2]);
    assert!(steps.steps(TenantId::DEFAULT, RunId::generate(&f.ids), 0, 10).await.unwrap().is_empty());
    let stranger = TenantId::from_uuid(f.new_uuid());
    assert!(steps.steps(stranger, run, 0, 10).await.unwrap().is_empty(), "nobody else sees them");
    let id = f.raw.literal(kept[0].id.uuid());
    for change in ["UPDATE agent_run_steps SET title = 'other'", "DELETE FROM agent_run_steps"] {
        assert!(f.raw.execute(&format!("{change} WHERE id = {id}")).await.is_err(), "{change}");
    }
}
