-- What PostgreSQL does for every call, done once, or only where it is needed.

-- A stored column that the server works out costs as much as an index, and says nothing that `approval_status` does not: who reads
-- works it out, as SQLite does.
DROP VIEW tool_invocations_v;
ALTER TABLE tool_invocations DROP COLUMN approval_required;
CREATE VIEW tool_invocations_v WITH (security_invoker = true) AS
SELECT i.*, i.approval_status <> 'not_required' AS approval_required, t.key AS tool_key, s.title AS step_title
FROM tool_invocations i
LEFT JOIN tools_registry t ON t.id = i.tool_id
LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id;
GRANT SELECT ON tool_invocations_v TO toolgate_app;

-- What only a new call can get wrong is looked at once for all calls of a statement: whether it begins as calls do, and whether its tool
-- and its step are there. It looks past the wall, as a foreign key would; and it sees to it that nobody calls another tenant's tool.
DROP TRIGGER tool_invocations_first_phase ON tool_invocations;
DROP TRIGGER tool_invocations_born_unedited ON tool_invocations;
DROP TRIGGER tool_invocations_know_their_tool ON tool_invocations;
DROP FUNCTION tool_invocations_know_their_tool();
ALTER TABLE tool_invocations DROP CONSTRAINT tool_invocations_check;

CREATE FUNCTION tool_invocations_begin() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    well boolean;
BEGIN
    SELECT legal INTO well
    FROM (
        SELECT tenant_id, tool_id, agent_run_step_id,
            (status = 'pending' AND approval_status = 'pending'
                OR approval_status = 'not_required' AND status IN ('running', 'completed', 'failed', 'cancelled'))
            AND approved_input IS NULL
            -- A call of a tool that does not exist has no tool; it can only have failed.
            AND (tool_id IS NOT NULL OR status = 'failed') AS legal
        FROM inserted GROUP BY 1, 2, 3, 4
    ) AS i
    WHERE NOT legal
        OR tool_id IS NOT NULL AND NOT EXISTS (SELECT FROM tools_registry t WHERE t.id = i.tool_id AND (t.tenant_id = i.tenant_id
            OR t.tenant_id = '00000000-0000-0000-0000-000000000000' AND t.origin = 'code'))
        OR agent_run_step_id IS NOT NULL AND NOT EXISTS (SELECT FROM agent_run_steps s
            WHERE s.id = i.agent_run_step_id AND s.tenant_id = i.tenant_id)
    LIMIT 1;
    IF well THEN
        RAISE EXCEPTION 'an invocation of a tool or of a step that does not exist' USING ERRCODE = 'foreign_key_violation';
    ELSIF NOT well THEN
        RAISE EXCEPTION 'illegal first state of an invocation' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION tool_invocations_begin() SET search_path = %I, pg_temp', current_schema());
END $$;

CREATE TRIGGER tool_invocations_begin AFTER INSERT ON tool_invocations
REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION tool_invocations_begin();

-- A trigger's WHEN is read anew by every statement, word by word. So it only asks whether this is the change that almost all are: a
-- running call completes. The function knows all others.
DROP TRIGGER tool_invocations_legal_change ON tool_invocations;

CREATE FUNCTION tool_invocations_legal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status || '/' || OLD.approval_status || ' ' || NEW.status || '/' || NEW.approval_status NOT IN (
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
            AND NOT (OLD.status = 'pending' AND NEW.status = 'approved')
    THEN
        RAISE EXCEPTION 'illegal change of an invocation' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER tool_invocations_legal_change AFTER UPDATE ON tool_invocations
FOR EACH ROW WHEN (OLD.status <> 'running' OR NEW.status <> 'completed' OR OLD.approval_status <> NEW.approval_status
    OR OLD.approved_input IS NOT NULL OR NEW.approved_input IS NOT NULL)
EXECUTE FUNCTION tool_invocations_legal_change();

-- A group is written whole or not at all: an event does not ask any more what became of its invocation.
ALTER TYPE ledger_event DROP ATTRIBUTE owner;

-- Said like an id that is taken, because it means the same: another change came first.
CREATE FUNCTION toolgate_another_came_first() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an invocation is no longer where it was believed to be'
        USING ERRCODE = 'unique_violation', TABLE = 'tool_invocations';
END $$;

-- No two calls and no two events have the same key, so there is nothing to fold when a page is full. (Other versions of a changed row do;
-- those are taken out as soon as nobody sees them.)
ALTER INDEX tool_invocations_pkey SET (deduplicate_items = off);
ALTER INDEX tool_invocations_by_tool SET (deduplicate_items = off);
ALTER INDEX tool_invocations_not_completed SET (deduplicate_items = off);
ALTER INDEX session_events_pkey SET (deduplicate_items = off);
ALTER INDEX session_events_by_session SET (deduplicate_items = off);
