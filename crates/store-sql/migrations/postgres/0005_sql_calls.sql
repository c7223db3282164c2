-- Calls that a client in the database makes, runs, decides and ends. They run as whoever calls them, so the policies hold; the
-- triggers see to it that every change is a legal one.
--
-- Everything here takes the ledger's lock first, as the server does, so that events become visible in the order of their ids. The
-- lock ends with the transaction: a client that dawdles would stop everybody.
CREATE FUNCTION toolgate_lock_ledger() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(8387792013732832626), set_config('idle_in_transaction_session_timeout', '10s', true);
END $$;

-- UUIDv7: newer calls have greater ids.
CREATE FUNCTION toolgate_new_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- What cannot be read back by everybody is not kept: depth, size, and numbers that are not the same everywhere.
CREATE FUNCTION toolgate_readable(value jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT value IS NULL OR octet_length(value::text) <= 2097152 AND NOT jsonb_path_exists(value, 'strict $.**{64 to last}')
        AND NOT jsonb_path_exists(value, 'strict $.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))')
$$;

CREATE FUNCTION toolgate_tell(call tool_invocations, what text, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO session_events (tenant_id, session_id, type, invocation_id, created_at)
    VALUES (call.tenant_id, call.session_id, what, call.id, moment);
    PERFORM pg_notify('toolgate_ledger', '');
END $$;

-- The chain's digests are made by the server: until it has, they are owed. Only a call that ended by this client's word, or that it
-- ran, and only a decision of its own, can be owed.
CREATE FUNCTION toolgate_owe(item smallint, item_id uuid) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    own uuid := (toolgate_tenants())[1];
    who text := current_setting('app.principal', true);
BEGIN
    INSERT INTO audit_pending (tenant_id, kind, id)
    SELECT own, 1, id FROM tool_invocations WHERE item = 1 AND tenant_id = own AND id = item_id
        AND (surface = 'sql' AND status IN ('completed', 'failed', 'cancelled') OR status = 'rejected' AND approval_decided_by = who)
    UNION ALL
    SELECT own, 2, id FROM audit_events WHERE item = 2 AND tenant_id = own AND id = item_id AND actor = who
    ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION toolgate_audit(call tool_invocations, who text, what text, outcome json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    event uuid := toolgate_new_id();
BEGIN
    INSERT INTO audit_events (id, tenant_id, at, actor, action, target, before, after)
    VALUES (event, call.tenant_id, clock_timestamp(), who, what, 'inv_' || call.id, NULL, outcome);
    PERFORM toolgate_owe(2::smallint, event);
END $$;

-- Records a call: running when nobody has to agree, pending when a person must. The client runs the tool itself.
CREATE FUNCTION fn_invoke_tool(p_team_run_id uuid, p_tool_id uuid, p_ai_lenser_id uuid, p_input jsonb,
    p_agent_run_step_id uuid DEFAULT NULL) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    own tenants := toolgate_own_tenant();
    who text := toolgate_principal();
    tool tools_registry := toolgate_visible_tool(own, p_tool_id);
    agent uuid := p_ai_lenser_id;
    judged jsonb;
    call tool_invocations;
    moment timestamptz;
BEGIN
    IF who LIKE 'agt\_%' THEN
        IF agent IS DISTINCT FROM right(who, 36)::uuid AND agent IS NOT NULL THEN
            PERFORM toolgate_refuse('an agent calls in its own name only');
        END IF;
        agent := right(who, 36)::uuid;
    END IF;
    IF NOT toolgate_readable(coalesce(p_input, 'null')) THEN
        PERFORM toolgate_refuse('the input is larger than 2 MiB, deeper than 64, or has numbers beyond 2^53', 'invalid_parameter_value');
    END IF;
    PERFORM toolgate_lock_ledger();
    moment := clock_timestamp();
    judged := toolgate_judge(own.id, who, tool, agent, p_team_run_id);
    IF judged ->> 'verdict' = 'deny' THEN
        PERFORM toolgate_refuse((SELECT string_agg(e ->> 'because', '; ') FROM jsonb_array_elements(judged -> 'evidence') AS e
            WHERE e ->> 'verdict' = 'deny'));
    END IF;
    call.id := toolgate_new_id();
    INSERT INTO tool_invocations (id, tenant_id, session_id, run_id, agent_run_step_id, agent_id, tool_id, tool_name, tool_version,
        egress_class, call_id, seq, input, status, approval_status, approval_expires_at, decision, caller, surface, attempt,
        created_at, started_at)
    SELECT call.id, own.id, call.id, p_team_run_id, p_agent_run_step_id, agent, tool.id, tool.name, tool.version, tool.egress_class,
        -- The server hashes RFC 8785, which SQL cannot print: the prefix says that this is another hash.
        'sql:' || encode(sha256(convert_to(jsonb_build_array(tool.key, coalesce(p_input, 'null'), 0)::text, 'UTF8')), 'hex'),
        0, coalesce(p_input, 'null')::json, CASE WHEN asks THEN 'pending' ELSE 'running' END,
        CASE WHEN asks THEN 'pending' ELSE 'not_required' END, CASE WHEN asks THEN moment + interval '24 hours' END,
        judged::json, who, 'sql', 1, moment, CASE WHEN NOT asks THEN moment END
    FROM (SELECT judged ->> 'verdict' = 'ask' AS asks) AS verdict
    RETURNING * INTO call;
    PERFORM toolgate_tell(call, CASE call.status WHEN 'pending' THEN 'tool.needs_approval' ELSE 'tool.started' END, moment);
    RETURN call.id;
END $$;

-- A call that waits for a person, held for this decision.
CREATE FUNCTION toolgate_asked(wanted uuid) RETURNS tool_invocations LANGUAGE plpgsql AS $$
DECLARE
    own tenants := toolgate_own_tenant();
    who text := toolgate_principal();
    call tool_invocations;
BEGIN
    PERFORM toolgate_lock_ledger();
    SELECT * INTO call FROM tool_invocations WHERE tenant_id = own.id AND id = wanted FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM toolgate_refuse('there is no such invocation', 'no_data_found');
    ELSIF who LIKE 'agt\_%' THEN
        PERFORM toolgate_refuse('an agent cannot decide: a person must');
    ELSIF NOT toolgate_may(own.id, who, 'approvals.tenant.decide') THEN
        PERFORM toolgate_refuse('deciding takes approvals:decide, which you lack');
    ELSIF call.status <> 'pending' THEN
        PERFORM toolgate_refuse(format('the call is %s already: a call is decided once', call.status), 'check_violation');
    ELSIF call.approval_expires_at <= clock_timestamp() THEN
        PERFORM toolgate_refuse('the question expired: the call counts as rejected; make it again', 'check_violation');
    END IF;
    RETURN call;
END $$;

-- Says yes. A call made here begins at once, and its client runs it; one made through the server is begun by the server.
CREATE FUNCTION fn_approve_tool_invocation(p_invocation_id uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    call tool_invocations := toolgate_asked(p_invocation_id);
    who text := toolgate_principal();
    moment timestamptz := clock_timestamp();
    judged jsonb;
BEGIN
    IF who = call.caller AND (call.decision -> 'approval' ->> 'allow_self')::boolean IS NOT TRUE THEN
        PERFORM toolgate_refuse('nobody approves a call of their own: another person must, who has approvals:decide');
    ELSIF (call.decision -> 'approval' ->> 'quorum')::int > 1 THEN
        PERFORM toolgate_refuse('several people must agree to this call: use POST /api/invocations/{id}/approve', 'feature_not_supported');
    END IF;
    UPDATE tool_invocations SET status = 'approved', approval_status = 'approved', approval_decided_by = who
    WHERE tenant_id = call.tenant_id AND id = call.id;
    PERFORM toolgate_tell(call, 'tool.approved', moment);
    PERFORM toolgate_audit(call, who, 'approval.approve', '{"surface":"sql"}');
    IF call.surface = 'sql' THEN
        -- The world may have changed while the person thought.
        judged := toolgate_judge(call.tenant_id, call.caller, toolgate_visible_tool(toolgate_own_tenant(), call.tool_id), call.agent_id, NULL);
        IF judged ->> 'verdict' = 'deny' THEN
            PERFORM toolgate_refuse('the rules do not allow this call any more: reject it');
        END IF;
        UPDATE tool_invocations SET status = 'running', started_at = moment WHERE tenant_id = call.tenant_id AND id = call.id;
        PERFORM toolgate_tell(call, 'tool.started', moment);
    END IF;
END $$;

CREATE FUNCTION fn_reject_tool_invocation(p_invocation_id uuid, p_reason text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    call tool_invocations := toolgate_asked(p_invocation_id);
    who text := toolgate_principal();
    reason text := btrim(coalesce(p_reason, ''), E' \t\r\n');
    moment timestamptz := clock_timestamp();
BEGIN
    IF char_length(reason) NOT BETWEEN 1 AND 2000 THEN
        PERFORM toolgate_refuse('a rejection needs a reason of 1 to 2000 characters', 'invalid_parameter_value');
    END IF;
    UPDATE tool_invocations SET status = 'rejected', approval_status = 'rejected', approval_decided_by = who,
        approval_reason = reason, completed_at = moment, error = json_build_object('code', 'POLICY_DENIED',
            'message', 'the call was rejected: ' || reason,
            'details', json_build_object('outcome', 'rejected', 'decided_by', who, 'reason', reason))
    WHERE tenant_id = call.tenant_id AND id = call.id;
    PERFORM toolgate_tell(call, 'tool.failed', moment);
    PERFORM toolgate_audit(call, who, 'approval.reject', json_build_object('reason', reason));
    PERFORM toolgate_owe(1::smallint, call.id);
END $$;

-- Ends a call that this client runs. One that was approved through the server is begun and ended here.
CREATE FUNCTION fn_complete_tool_invocation(p_invocation_id uuid, p_status text, p_output jsonb DEFAULT NULL, p_error text DEFAULT NULL,
    p_cost numeric DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    own tenants := toolgate_own_tenant();
    who text := toolgate_principal();
    call tool_invocations;
    judged jsonb;
    moment timestamptz;
BEGIN
    IF p_status IS NULL OR p_status NOT IN ('completed', 'failed', 'cancelled') OR (p_status = 'completed') <> (p_error IS NULL) THEN
        PERFORM toolgate_refuse('a call ends as completed, without an error, or as failed or cancelled, with one', 'invalid_parameter_value');
    ELSIF NOT toolgate_readable(p_output) OR octet_length(p_error) > 65536 OR p_cost < 0 OR p_cost > 1e15 OR p_cost = 'NaN' THEN
        PERFORM toolgate_refuse('the output, the error or the cost is beyond what is kept', 'invalid_parameter_value');
    END IF;
    PERFORM toolgate_lock_ledger();
    moment := clock_timestamp();
    SELECT * INTO call FROM tool_invocations
    WHERE tenant_id = own.id AND id = p_invocation_id AND surface = 'sql' AND node_id IS NULL AND caller = who FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM toolgate_refuse('there is no such invocation of yours that was made in the database', 'no_data_found');
    END IF;
    IF call.status = 'approved' THEN
        UPDATE tool_invocations SET status = 'running', started_at = moment WHERE tenant_id = own.id AND id = call.id;
        PERFORM toolgate_tell(call, 'tool.started', moment);
    END IF;
    IF p_status = 'completed' AND call.status IN ('approved', 'running') THEN
        judged := toolgate_judge(own.id, who, toolgate_visible_tool(own, call.tool_id), call.agent_id, NULL);
        IF judged ->> 'verdict' = 'deny' THEN
            PERFORM toolgate_refuse('the rules do not allow this call any more: end it as failed');
        END IF;
    END IF;
    UPDATE tool_invocations SET status = p_status, output = p_output::json, cost_estimate = p_cost, completed_at = moment,
        error = CASE WHEN p_error IS NOT NULL THEN json_build_object('code', 'PROVIDER_ERROR', 'message', p_error) END
    WHERE tenant_id = own.id AND id = call.id;
    PERFORM toolgate_tell(call, 'tool.' || p_status, moment);
    PERFORM toolgate_owe(1::smallint, call.id);
END $$;

-- Nobody's search path decides what these mean, and only the server's role and its members call them.
DO $$
DECLARE
    found regprocedure;
BEGIN
    FOR found IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        AND (proname LIKE 'toolgate\_%' OR proname LIKE 'fn\_%') AND proname <> 'toolgate_tenants'
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', found, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', found);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO toolgate_app', found);
    END LOOP;
END $$;
