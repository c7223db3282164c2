-- What refuses a change of a call looks at the row after it was written. It refuses the same, and the statement is undone all the same;
-- but a trigger that looks before makes the server lock each row first, and write that down, as if it were another change.

DROP TRIGGER tool_invocations_legal_change ON tool_invocations;
DROP TRIGGER tool_invocations_same_call ON tool_invocations;
DROP TRIGGER tool_invocations_approved_input ON tool_invocations;
DROP TRIGGER tool_invocations_same_parent ON tool_invocations;

CREATE TRIGGER tool_invocations_legal_change AFTER UPDATE ON tool_invocations
FOR EACH ROW WHEN (OLD.status || '/' || OLD.approval_status || ' ' || NEW.status || '/' || NEW.approval_status NOT IN (
    'pending/pending approved/approved',
    'pending/pending rejected/rejected',
    'pending/pending cancelled/rejected',
    'approved/approved running/approved',
    'approved/approved failed/approved',
    'approved/approved cancelled/approved',
    'running/approved completed/approved',
    'running/approved failed/approved',
    'running/approved cancelled/approved',
    'running/not_required completed/not_required',
    'running/not_required failed/not_required',
    'running/not_required cancelled/not_required',
    -- Another process takes a call over from one that died.
    'running/approved running/approved',
    'running/not_required running/not_required')
    OR OLD.approved_input::text IS DISTINCT FROM NEW.approved_input::text
        AND NOT (OLD.status = 'pending' AND NEW.status = 'approved'))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');

-- Only for statements that name one of these columns, which the ledger's own never do: large inputs are not compared for nothing.
CREATE TRIGGER tool_invocations_same_call
AFTER UPDATE OF id, tenant_id, session_id, parent_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name, tool_version,
    egress_class, call_id, seq, input, decision, caller, surface, idempotency_key, is_test, created_at, approval_expires_at
ON tool_invocations
FOR EACH ROW WHEN (
    (OLD.id, OLD.tenant_id, OLD.session_id, OLD.parent_id, OLD.run_id, OLD.agent_run_step_id, OLD.agent_id, OLD.tool_id,
        OLD.tool_name, OLD.tool_version, OLD.egress_class, OLD.call_id, OLD.seq, OLD.input::text, OLD.decision::text, OLD.caller,
        OLD.surface, OLD.idempotency_key, OLD.is_test, OLD.created_at, OLD.approval_expires_at)
    IS DISTINCT FROM
    (NEW.id, NEW.tenant_id, NEW.session_id, NEW.parent_id, NEW.run_id, NEW.agent_run_step_id, NEW.agent_id, NEW.tool_id,
        NEW.tool_name, NEW.tool_version, NEW.egress_class, NEW.call_id, NEW.seq, NEW.input::text, NEW.decision::text, NEW.caller,
        NEW.surface, NEW.idempotency_key, NEW.is_test, NEW.created_at, NEW.approval_expires_at))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');
