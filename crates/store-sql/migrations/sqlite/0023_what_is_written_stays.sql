-- REPLACE takes a row away without asking the triggers that guard it (unless a connection says `recursive_triggers`, which is no property of
-- the file). So a row whose key is taken is turned away before it is written. Where our own statements say `ON CONFLICT DO NOTHING`, it is
-- passed over, as they wish; elsewhere it is an error.

DROP TRIGGER tool_invocations_first_phase;
CREATE TRIGGER tool_invocations_first_phase BEFORE INSERT ON tool_invocations
-- Not `IN (…)`: for that SQLite makes a table of its own each time, which costs as much as the row.
WHEN NOT (NEW.status = 'pending' AND NEW.approval_status = 'pending'
    OR NEW.approval_status = 'not_required' AND (NEW.status = 'running' OR NEW.status = 'completed'
        OR NEW.status = 'failed' OR NEW.status = 'cancelled'))
    OR NEW.approved_input IS NOT NULL
    OR NEW.tool_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM tools_registry WHERE id = NEW.tool_id)
    OR NEW.agent_run_step_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM agent_run_steps WHERE id = NEW.agent_run_step_id)
    OR EXISTS (SELECT 1 FROM tool_invocations WHERE tenant_id = NEW.tenant_id AND id = NEW.id)
    OR NEW.idempotency_key IS NOT NULL AND EXISTS (SELECT 1 FROM tool_invocations
        WHERE tenant_id = NEW.tenant_id AND caller = NEW.caller AND idempotency_key = NEW.idempotency_key)
    -- A row that names its place itself; others have none yet, which SQLite calls -1.
    OR NEW.rowid >= 0 AND EXISTS (SELECT 1 FROM tool_invocations WHERE rowid = NEW.rowid)
BEGIN
    SELECT CASE
        WHEN EXISTS (SELECT 1 FROM tool_invocations WHERE tenant_id = NEW.tenant_id AND id = NEW.id)
            OR EXISTS (SELECT 1 FROM tool_invocations
                WHERE tenant_id = NEW.tenant_id AND caller = NEW.caller AND idempotency_key = NEW.idempotency_key)
            OR EXISTS (SELECT 1 FROM tool_invocations WHERE rowid = NEW.rowid)
        THEN RAISE(IGNORE)
        ELSE RAISE(FAIL, 'illegal first state of an invocation, or one of a tool or of a step that does not exist')
    END;
END;

-- An UPDATE may replace as well: a row that takes the place of another.
CREATE TRIGGER tool_invocations_same_place BEFORE UPDATE ON tool_invocations WHEN OLD.rowid IS NOT NEW.rowid
BEGIN SELECT RAISE(FAIL, 'illegal change of an invocation'); END;

CREATE TRIGGER session_events_not_replaced BEFORE INSERT ON session_events
WHEN EXISTS (SELECT 1 FROM session_events WHERE id = NEW.id)
BEGIN SELECT RAISE(FAIL, 'the ledger is append-only'); END;

CREATE TRIGGER blobs_not_replaced BEFORE INSERT ON blobs
WHEN EXISTS (SELECT 1 FROM blobs WHERE id = NEW.id OR rowid = NEW.rowid)
BEGIN SELECT RAISE(FAIL, 'the ledger is append-only'); END;

CREATE TRIGGER blobs_no_delete BEFORE DELETE ON blobs
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER schema_versions_not_replaced BEFORE INSERT ON schema_versions
WHEN EXISTS (SELECT 1 FROM schema_versions WHERE id = NEW.id OR rowid = NEW.rowid)
    OR EXISTS (SELECT 1 FROM schema_versions WHERE tenant_id = NEW.tenant_id AND tool_id = NEW.tool_id
        AND input_hash = NEW.input_hash AND coalesce(output_hash, '') = coalesce(NEW.output_hash, ''))
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER agent_run_steps_not_replaced BEFORE INSERT ON agent_run_steps
WHEN EXISTS (SELECT 1 FROM agent_run_steps WHERE id = NEW.id OR rowid = NEW.rowid)
    OR NEW.run_id IS NOT NULL AND EXISTS (SELECT 1 FROM agent_run_steps
        WHERE tenant_id = NEW.tenant_id AND run_id = NEW.run_id AND seq = NEW.seq)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER model_usage_not_replaced BEFORE INSERT ON model_usage
WHEN EXISTS (SELECT 1 FROM model_usage WHERE tenant_id = NEW.tenant_id AND id = NEW.id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER messages_not_replaced BEFORE INSERT ON messages
WHEN EXISTS (SELECT 1 FROM messages WHERE tenant_id = NEW.tenant_id AND thread_id = NEW.thread_id AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM messages WHERE tenant_id = NEW.tenant_id AND id = NEW.id)
    OR EXISTS (SELECT 1 FROM messages WHERE tenant_id = NEW.tenant_id AND run_id = NEW.run_id AND role = NEW.role)
BEGIN SELECT RAISE(ABORT, 'what was said stays'); END;

CREATE TRIGGER audit_events_not_replaced BEFORE INSERT ON audit_events
WHEN EXISTS (SELECT 1 FROM audit_events WHERE tenant_id = NEW.tenant_id AND id = NEW.id)
BEGIN SELECT RAISE(FAIL, 'the audit trail is append-only'); END;

CREATE TRIGGER audit_chain_not_replaced BEFORE INSERT ON audit_chain
WHEN EXISTS (SELECT 1 FROM audit_chain WHERE tenant_id = NEW.tenant_id AND seq = NEW.seq)
BEGIN SELECT RAISE(FAIL, 'the audit trail is append-only'); END;

CREATE TRIGGER audit_signatures_not_replaced BEFORE INSERT ON audit_signatures
WHEN EXISTS (SELECT 1 FROM audit_signatures WHERE tenant_id = NEW.tenant_id AND seq = NEW.seq OR rowid = NEW.rowid)
BEGIN SELECT RAISE(IGNORE); END;
