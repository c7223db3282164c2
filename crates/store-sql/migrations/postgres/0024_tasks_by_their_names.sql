-- Whether a task is over is told by its name, which begins with its status, and not by its body: PostgreSQL reads the whole of a JSON text
-- to find one member, and fails where any member holds a NUL. One such task would have kept the calls of all tenants from going on.
CREATE OR REPLACE FUNCTION toolgate_ready(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT i.tenant_id, i.id FROM suspensions s
    JOIN tool_invocations i ON i.tenant_id = s.tenant_id AND i.id = s.invocation_id
    WHERE i.status = 'running' AND i.node_id IS NULL
        AND (s.wake_at <= moment
            OR NOT EXISTS (SELECT FROM tool_invocations c
                WHERE c.parent_id = i.id AND c.tenant_id = i.tenant_id AND c.status IN ('pending', 'approved', 'running'))
            AND NOT EXISTS (SELECT FROM tasks t
                WHERE t.tenant_id = s.tenant_id AND t.id = s.task_id
                    AND split_part(t.name, '/', 1) IN ('open', 'in_progress')))
    LIMIT at_most
$$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION toolgate_ready(timestamptz, bigint) SET search_path = %I, pg_temp', current_schema());
END $$;
