-- A statement that can be undone by itself, without its transaction, makes SQLite copy every page that it touches. The ledger's statements
-- write one row each, and what refuses a row does so before it is written: so they may FAIL, which leaves nothing to undo.

-- Foreign keys are looked at after the row; here a trigger looks before. Only the constraints leave: what is on disk stays as it is.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(replace(sql, ' REFERENCES agent_run_steps (id)', ''), ' REFERENCES tools_registry (id)', '')
WHERE type = 'table' AND name = 'tool_invocations';
PRAGMA writable_schema = RESET;

DROP TRIGGER tool_invocations_first_phase;
DROP TRIGGER tool_invocations_born_unedited;
DROP TRIGGER tool_invocations_legal_change;
DROP TRIGGER tool_invocations_approved_input;
DROP TRIGGER tool_invocations_same_parent;

CREATE TRIGGER tool_invocations_first_phase BEFORE INSERT ON tool_invocations
-- Not `IN (…)`: for that SQLite makes a table of its own each time, which costs as much as the row.
WHEN NOT (NEW.status = 'pending' AND NEW.approval_status = 'pending'
    OR NEW.approval_status = 'not_required' AND (NEW.status = 'running' OR NEW.status = 'completed'
        OR NEW.status = 'failed' OR NEW.status = 'cancelled'))
    OR NEW.approved_input IS NOT NULL
    OR NEW.tool_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tools_registry WHERE id = NEW.tool_id)
    OR NEW.agent_run_step_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM agent_run_steps WHERE id = NEW.agent_run_step_id)
BEGIN
    SELECT RAISE(FAIL, 'illegal first state of an invocation, or one of a tool or of a step that does not exist');
END;

-- The other side of it: what the ledger names stays. (Steps do already.)
CREATE TRIGGER tools_registry_stay BEFORE DELETE ON tools_registry
BEGIN
    SELECT RAISE(ABORT, 'tools are blocked, not deleted: the ledger names them');
END;
CREATE TRIGGER tools_registry_same_id BEFORE UPDATE OF id ON tools_registry WHEN OLD.id IS NOT NEW.id
BEGIN
    SELECT RAISE(ABORT, 'the id of a tool stays: the ledger names it');
END;

CREATE TRIGGER tool_invocations_legal_change BEFORE UPDATE ON tool_invocations
WHEN NOT (
    CASE OLD.status
        WHEN 'pending' THEN NEW.status = 'approved' AND NEW.approval_status = 'approved'
            OR NEW.status = 'rejected' AND NEW.approval_status = 'rejected'
            OR NEW.status = 'cancelled' AND NEW.approval_status = 'rejected'
        WHEN 'approved' THEN NEW.approval_status = 'approved'
            AND (NEW.status = 'running' OR NEW.status = 'failed' OR NEW.status = 'cancelled')
        -- From running to running: another process takes a call over from one that died.
        WHEN 'running' THEN NEW.approval_status = OLD.approval_status
            AND (NEW.status = 'completed' OR NEW.status = 'failed' OR NEW.status = 'cancelled' OR NEW.status = 'running')
        ELSE 0
    END
    AND (OLD.approved_input IS NEW.approved_input OR OLD.status = 'pending' AND NEW.status = 'approved'))
BEGIN
    SELECT RAISE(FAIL, 'illegal change of an invocation');
END;

-- Only for statements that name one of these columns, which the ledger's own never do: large inputs are not compared for nothing.
CREATE TRIGGER tool_invocations_same_call
BEFORE UPDATE OF id, tenant_id, session_id, parent_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name, tool_version,
    egress_class, call_id, seq, input, decision, caller, surface, idempotency_key, is_test, created_at, approval_expires_at
ON tool_invocations
WHEN OLD.id IS NOT NEW.id OR OLD.tenant_id IS NOT NEW.tenant_id OR OLD.session_id IS NOT NEW.session_id
    OR OLD.parent_id IS NOT NEW.parent_id OR OLD.run_id IS NOT NEW.run_id
    OR OLD.agent_run_step_id IS NOT NEW.agent_run_step_id OR OLD.agent_id IS NOT NEW.agent_id
    OR OLD.tool_id IS NOT NEW.tool_id OR OLD.tool_name IS NOT NEW.tool_name OR OLD.tool_version IS NOT NEW.tool_version
    OR OLD.egress_class IS NOT NEW.egress_class OR OLD.call_id IS NOT NEW.call_id OR OLD.seq IS NOT NEW.seq
    OR OLD.input IS NOT NEW.input OR OLD.decision IS NOT NEW.decision OR OLD.caller IS NOT NEW.caller
    OR OLD.surface IS NOT NEW.surface OR OLD.idempotency_key IS NOT NEW.idempotency_key
    OR OLD.is_test IS NOT NEW.is_test OR OLD.created_at IS NOT NEW.created_at
    OR OLD.approval_expires_at IS NOT NEW.approval_expires_at
BEGIN
    SELECT RAISE(FAIL, 'illegal change of an invocation');
END;
