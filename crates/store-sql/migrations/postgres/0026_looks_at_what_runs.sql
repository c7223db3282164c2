-- Every few seconds each process looks for calls that a dead one left behind, and for suspended ones that may go on. The planner knows
-- nothing of a table that nobody has analysed, and never of one that is usually empty. So it read all calls that had run since the last
-- vacuum, each time anew: a twentieth of the server's time under load.

-- Whoever walks the index itself marks in it what is over, and the next one passes over that.
ALTER FUNCTION toolgate_orphans(timestamptz, bigint) SET enable_bitmapscan = off;
ALTER FUNCTION toolgate_orphans(timestamptz, bigint) SET enable_seqscan = off;

-- From the few that are suspended to their calls, to what those called, and to their tasks. OFFSET 0: each by the way that is named.
CREATE OR REPLACE FUNCTION toolgate_ready(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET enable_bitmapscan = off AS $$
    SELECT s.tenant_id, s.invocation_id FROM suspensions s CROSS JOIN LATERAL (
        SELECT status, node_id FROM tool_invocations i
        WHERE i.tenant_id = s.tenant_id AND i.id = s.invocation_id OFFSET 0) AS i
    WHERE i.status = 'running' AND i.node_id IS NULL
        AND (s.wake_at <= moment
            OR NOT EXISTS (
                SELECT FROM (SELECT tenant_id, status FROM tool_invocations c WHERE c.parent_id = s.invocation_id OFFSET 0) AS c
                WHERE c.tenant_id = s.tenant_id AND c.status IN ('pending', 'approved', 'running'))
            AND NOT EXISTS (SELECT FROM tasks t
                WHERE t.tenant_id = s.tenant_id AND t.id = s.task_id
                    AND split_part(t.name, '/', 1) IN ('open', 'in_progress')))
    LIMIT at_most
$$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION toolgate_ready(timestamptz, bigint) SET search_path = %I, pg_temp', current_schema());
END $$;
