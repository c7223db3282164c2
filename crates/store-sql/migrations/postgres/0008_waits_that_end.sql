-- A call that waits goes on at this moment at the latest, whether or not what it waits for is over.
ALTER TABLE suspensions ADD COLUMN wake_at timestamptz;
GRANT UPDATE (wake_at) ON suspensions TO toolgate_app;

DROP FUNCTION toolgate_ready(bigint);

-- Suspended calls that have nothing left to wait for, or waited long enough.
CREATE FUNCTION toolgate_ready(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT i.tenant_id, i.id FROM suspensions s
    JOIN tool_invocations i ON i.tenant_id = s.tenant_id AND i.id = s.invocation_id
    WHERE i.status = 'running' AND i.node_id IS NULL
        AND (s.wake_at <= moment
            OR NOT EXISTS (SELECT FROM tool_invocations c
                WHERE c.parent_id = i.id AND c.tenant_id = i.tenant_id AND c.status IN ('pending', 'approved', 'running'))
            AND NOT EXISTS (SELECT FROM tasks t
                WHERE t.tenant_id = s.tenant_id AND t.id = s.task_id AND t.body ->> 'status' IN ('open', 'in_progress')))
    LIMIT at_most
$$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION toolgate_ready(timestamptz, bigint) SET search_path = %I, pg_temp', current_schema());
    REVOKE ALL ON FUNCTION toolgate_ready(timestamptz, bigint) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION toolgate_ready(timestamptz, bigint) TO toolgate_app;
END $$;
