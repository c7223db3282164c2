//! One story per promise. Every backend runs them all; [`stories!`] writes the tests.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the suite is made of tests; a broken promise ends one"
)]

mod actions;
mod cache;
mod chain;
mod fixtures;
mod governance;
mod kept;
mod ledger;
mod meter;
mod objects;
mod quotas;
mod reading;
mod spans;
mod steps;
mod suspensions;
mod threads;
mod usage;

use async_trait::async_trait;
use toolgate_domain::ids::Uuid;

pub use actions::*;
pub use cache::*;
pub use chain::*;
pub use fixtures::Fixture;
pub use governance::*;
pub use kept::*;
pub use ledger::*;
pub use meter::*;
pub use objects::*;
pub use quotas::*;
pub use reading::*;
pub use spans::*;
pub use steps::*;
pub use suspensions::*;
pub use threads::*;
pub use usage::*;

/// A way around the traits: what a person with a database shell could do.
#[async_trait]
pub trait RawSql: Send + Sync {
    /// The number of rows changed, or the database's refusal.
    async fn execute(&self, sql: &str) -> Result<u64, String>;

    /// The first column of the first row, as text.
    async fn query_text(&self, sql: &str) -> Result<Option<String>, String>;

    /// An id as a literal of this database.
    fn literal(&self, id: Uuid) -> String;
}

/// Writes one test per story. `$make` is an async function that gives a [`Fixture`] on an empty database.
#[macro_export]
macro_rules! stories {
    ($make:path) => {
        $crate::stories!(@each $make:
            what_was_recorded_reads_back,
            a_row_is_born_only_in_a_first_state,
            only_legal_changes_pass_even_around_the_traits,
            what_a_call_was_cannot_be_rewritten,
            the_ledger_only_grows,
            the_ledger_names_tools_that_exist_and_stay,
            a_late_change_conflicts_and_leaves_nothing,
            only_the_process_that_runs_a_call_ends_it,
            an_idempotency_key_names_one_call,
            a_refused_neighbour_harms_nobody_in_the_group,
            an_entry_that_speaks_of_several_tenants_is_refused,
            the_ledger_wakes_those_who_follow_it,
            orphans_are_found_and_adopted_once,
            approved_calls_and_expired_questions_are_found,
            a_tool_that_writes_asks_whoever_wrote_the_row,
            versions_aliases_and_schemas_are_kept,
            a_rename_is_all_or_nothing,
            usage_tells_who_calls_what_and_how,
            steps_are_kept_once_in_their_places_and_stay,
            a_span_is_replaced_while_it_goes_on_and_stays_once_it_ended,
            the_spans_of_a_tenant_are_nobody_elses,
            a_turn_and_what_it_took_are_kept_together_and_stay,
            calls_are_summed_up_by_what_is_asked_for,
            questions_to_models_are_summed_up_by_what_is_asked_for,
            what_a_model_costs_is_not_counted_with_the_call_as_well,
            an_action_has_one_place_in_its_day,
            at_the_edge_of_a_quota_exactly_as_many_get_in_as_fit,
            a_place_of_a_call_that_failed_is_free_again,
            threads_are_listed_by_owner_changed_and_archived,
            messages_have_one_place_each_and_stay,
            keys_are_found_by_their_hash_until_revoked,
            a_setting_keeps_its_first_value,
            pages_neither_repeat_nor_miss,
            filters_narrow_and_combine,
            calls_that_wait_are_counted,
            events_come_in_order_with_their_payload,
            a_call_of_one_commit_begins_and_ends,
            another_tenant_sees_nothing,
            the_view_joins_the_tool_and_the_step,
            a_blob_is_known_once_its_call_is,
            receipts_and_audit_events_form_a_chain,
            a_change_that_comes_too_late_is_not_in_the_chain,
            the_chain_holds_when_many_write_at_once,
            the_audit_trail_only_grows,
            audit_events_are_found_by_what_who_and_when,
            what_the_chain_should_hold_is_told_in_order,
            a_head_is_signed_once_and_found_until_then,
            documents_are_kept_by_revision_and_name,
            tenants_are_made_once_and_archived_once,
            a_call_that_waits_is_nobodys_until_it_is_ready,
            a_call_that_waits_for_a_task_is_ready_when_the_task_is_done,
            a_call_that_waited_long_enough_is_ready_whatever_it_waits_for,
            the_parent_of_a_call_cannot_be_rewritten,
        );
    };
    (@each $make:path: $($story:ident,)*) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $story() {
            $crate::conformance::$story(&$make().await).await;
        }
    )*};
}
