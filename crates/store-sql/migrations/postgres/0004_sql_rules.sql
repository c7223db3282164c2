-- The rules, for clients that work in the database. They say what the server would say (crates/policy), as far as the database
-- knows: what needs the policy language, the input's schema, secrets, rates or quotas is the server's alone.
--
-- A client says who it is in two settings: app.tenant, the first of which is its own tenant, and app.principal.

CREATE FUNCTION toolgate_refuse(because text, code text DEFAULT 'insufficient_privilege') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = because, ERRCODE = code;
END $$;

-- The one who is answerable: a person, a key, or an agent.
CREATE FUNCTION toolgate_principal() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
    who text := coalesce(current_setting('app.principal', true), '');
BEGIN
    IF who !~ '^(usr|key|agt)_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
        PERFORM toolgate_refuse('say who you are first: SET app.principal = ''usr_…'' (or key_…, or agt_…)');
    END IF;
    RETURN who;
END $$;

CREATE FUNCTION toolgate_own_tenant() RETURNS tenants LANGUAGE plpgsql STABLE AS $$
DECLARE
    own tenants;
BEGIN
    SELECT * INTO own FROM tenants WHERE id = (toolgate_tenants())[1] AND archived_at IS NULL;
    IF NOT FOUND THEN
        PERFORM toolgate_refuse('say whose calls these are first: SET app.tenant = ''<uuid of a tenant that is not archived>''');
    END IF;
    RETURN own;
END $$;

-- Whether a principal holds a permission: by the scopes of a key, by the roles of a person, both for a person's own key.
CREATE FUNCTION toolgate_may(own uuid, who text, permission text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
    whose uuid := right(who, 36)::uuid;
    key api_keys;
BEGIN
    IF who LIKE 'agt\_%' THEN
        RETURN permission = 'tools.tenant.execute';
    END IF;
    IF who LIKE 'key\_%' THEN
        SELECT * INTO key FROM api_keys WHERE tenant_id = own AND id = whose AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > clock_timestamp());
        -- A key that speaks for an agent is that agent.
        IF NOT FOUND OR key.bound ->> 'agent_id' IS NOT NULL OR NOT EXISTS (
            SELECT FROM json_array_elements_text(key.scopes) AS scope WHERE scope = 'admin'
                OR (scope, permission) IN (('tools:execute', 'tools.tenant.execute'), ('approvals:decide', 'approvals.tenant.decide'))
        ) THEN
            RETURN false;
        END IF;
        IF key.bound ->> 'user_id' IS NULL THEN
            RETURN true;
        END IF;
        whose := right(key.bound ->> 'user_id', 36)::uuid;
    END IF;
    RETURN EXISTS (
        SELECT FROM users u, json_array_elements_text(u.body -> 'roles') AS role
        WHERE u.tenant_id = own AND u.id = whose AND u.body ->> 'status' = 'active' AND CASE role
            WHEN 'admin' THEN true
            WHEN 'viewer' THEN false
            WHEN 'member' THEN permission = 'tools.tenant.execute'
            WHEN 'approver' THEN permission = 'approvals.tenant.decide'
            WHEN 'builder' THEN permission = 'tools.tenant.execute'
            WHEN 'operator' THEN permission IN ('tools.tenant.execute', 'approvals.tenant.decide')
            ELSE EXISTS (
                SELECT FROM roles r, json_array_elements_text(r.body -> 'permissions') AS granted
                WHERE r.tenant_id = own AND r.body ->> 'name' = role AND granted = permission)
            END);
END $$;

-- What the installation decided about a tool for everyone, whoever asks.
CREATE FUNCTION toolgate_switch_of_all(tool text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT (body ->> 'enabled')::boolean FROM tool_switches
    WHERE tenant_id = '00000000-0000-0000-0000-000000000000' AND name = tool
$$;

-- The tool, if it exists for the tenant. Opt-in for system tools that need secrets, opt-out for the rest.
CREATE FUNCTION toolgate_visible_tool(own tenants, wanted uuid) RETURNS tools_registry LANGUAGE plpgsql STABLE AS $$
DECLARE
    tool tools_registry;
    switched boolean;
    for_all boolean;
BEGIN
    SELECT * INTO tool FROM tools_registry t WHERE t.id = wanted
        AND (t.tenant_id = own.id OR t.tenant_id = '00000000-0000-0000-0000-000000000000' AND t.origin = 'code');
    SELECT (body ->> 'enabled')::boolean INTO switched FROM tool_switches WHERE tenant_id = own.id AND name = tool.name;
    for_all := toolgate_switch_of_all(tool.name);
    IF tool.id IS NULL OR tool.definition ->> 'visibility' = 'internal' OR switched IS FALSE OR for_all IS FALSE
        OR (tool.origin = 'code' AND coalesce(json_array_length(tool.definition -> 'secrets'), 0) > 0
            AND coalesce(switched, for_all) IS NOT TRUE)
        OR (coalesce(json_array_length(tool.definition -> 'tenant_slugs'), 0) > 0 AND own.slug NOT IN (
            SELECT json_array_elements_text(tool.definition -> 'tenant_slugs')))
    THEN
        PERFORM toolgate_refuse('there is no such tool: a tool of the installation is seen by those who list the default tenant in app.tenant, too', 'no_data_found');
    END IF;
    RETURN tool;
END $$;

CREATE FUNCTION toolgate_evidence(rule text, verdict text, because text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
    SELECT jsonb_build_array(jsonb_build_object('rule', rule, 'verdict', verdict, 'because', because))
$$;

-- The bounds that the tenant and the agent set for a run, within the server's usual 25 calls.
CREATE FUNCTION toolgate_judge_run(own uuid, tool tools_registry, guards json[], run uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    classes text[] := ARRAY['none', 'read_only', 'write'];
    evidence jsonb := '[]';
    guard json;
    calls bigint;
    spent double precision;
BEGIN
    SELECT count(*), coalesce(sum(cost_estimate), 0) INTO calls, spent FROM tool_invocations
    WHERE tenant_id = own AND run_id = run;
    FOREACH guard IN ARRAY guards || '{}'::json LOOP
        IF guard -> 'enabled_tools' IS NOT NULL
            AND tool.name NOT IN (SELECT json_array_elements_text(guard -> 'enabled_tools')) THEN
            evidence := evidence || toolgate_evidence('guard.enabled_tools', 'deny',
                format('this run may not call %s: it is not among its enabled tools', tool.name));
        END IF;
        IF array_position(classes, tool.egress_class) > array_position(classes, guard ->> 'side_effects') THEN
            evidence := evidence || toolgate_evidence('guard.side_effects', 'deny', format(
                'this run may go as far as %s, and %s is of class %s', guard ->> 'side_effects', tool.name, tool.egress_class));
        END IF;
        IF calls >= least(25, (guard ->> 'max_tool_calls')::bigint) THEN
            evidence := evidence || toolgate_evidence('guard.max_tool_calls', 'deny',
                format('this run has made %s calls, the most it may make', calls));
        END IF;
        IF spent >= (guard ->> 'max_budget')::double precision THEN
            evidence := evidence || toolgate_evidence('guard.max_budget', 'deny',
                format('this run has spent %s of %s', spent, guard ->> 'max_budget'));
        END IF;
    END LOOP;
    RETURN evidence;
END $$;

-- How an agent stands towards a tool (crates/policy/src/standing.rs): evidence, and the profile that applies.
CREATE FUNCTION toolgate_judge_agent(own uuid, tool tools_registry, agent uuid, OUT evidence jsonb, OUT profile json, OUT guard json)
LANGUAGE plpgsql STABLE AS $$
DECLARE
    body json;
    permission text;
    overridden boolean;
    assignment json;
BEGIN
    evidence := '[]';
    SELECT a.body INTO body FROM agents a WHERE a.tenant_id = own AND a.id = agent;
    IF NOT FOUND THEN
        evidence := toolgate_evidence('agent', 'deny', 'there is no such agent');
        RETURN;
    END IF;
    guard := body -> 'guard';
    IF body ->> 'status' IS DISTINCT FROM 'active' THEN
        evidence := toolgate_evidence('agent_status', 'deny', format('the agent %s is %s', body ->> 'handle', body ->> 'status'));
    END IF;
    SELECT t.body -> 'tools' -> tool.name ->> 'status', t.body -> 'overrides' -> tool.name IS NOT NULL
    INTO permission, overridden FROM agent_tools t WHERE t.tenant_id = own AND t.id = agent;
    SELECT a.body INTO assignment FROM tool_assignments a
    WHERE a.tenant_id = own AND a.name = agent || '/' || tool.name;
    SELECT p.body INTO profile FROM tool_profiles p
    WHERE p.tenant_id = own AND p.id = right(assignment ->> 'profile_id', 36)::uuid;
    IF permission = 'blocked' THEN
        evidence := evidence || toolgate_evidence('assignment', 'deny', format('%s is blocked for the agent %s', tool.name, body ->> 'handle'));
    -- A profile that is gone may have demanded anything: without it the tool is not allowed.
    ELSIF (assignment ->> 'allowed')::boolean IS FALSE OR (assignment ->> 'profile_id' IS NOT NULL AND profile IS NULL) THEN
        evidence := evidence || toolgate_evidence('assignment', 'deny', format('%s is assigned to the agent %s as denied', tool.name, body ->> 'handle'));
    ELSIF assignment IS NULL AND permission IS NULL
        AND tool.name NOT IN (SELECT json_array_elements_text(body -> 'custom_tools'))
        AND coalesce(tool.definition ->> 'category', 'utility') NOT IN (SELECT json_array_elements_text(body -> 'tool_groups')) THEN
        evidence := evidence || toolgate_evidence('assignment', 'deny',
            format('%s is not assigned to the agent %s; an operator can assign it', tool.name, body ->> 'handle'));
    ELSIF permission = 'always_allow' OR overridden THEN
        evidence := evidence || toolgate_evidence('permission', 'allow', format('the agent %s may always call it', body ->> 'handle'));
    ELSE
        evidence := evidence || toolgate_evidence('permission', 'ask', format('the agent %s needs approval for it', body ->> 'handle'));
    END IF;
    IF (profile ->> 'requires_approval')::boolean THEN
        evidence := evidence || toolgate_evidence('profile', 'ask', format('the profile %s asks for approval', profile ->> 'name'));
    END IF;
END $$;

-- Everything that the rules of this moment say about a call, as one decision with its evidence; the strictest verdict wins.
CREATE FUNCTION toolgate_judge(own uuid, who text, tool tools_registry, agent uuid, run uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
DECLARE
    evidence jsonb := '[]';
    standing record;
    guards json[] := ARRAY(SELECT body -> 'guard' FROM tenant_settings WHERE tenant_id = own AND body -> 'guard' IS NOT NULL);
    terms json[] := ARRAY(SELECT body -> 'approval' FROM tool_switches WHERE tenant_id = own AND name = tool.name);
    demanded text := tool.definition ->> 'required_permission';
    verdict text;
    approval jsonb;
BEGIN
    IF EXISTS (SELECT FROM policies WHERE tenant_id = own) THEN
        PERFORM toolgate_refuse(format('the tenant has a policy in force, which only the server can judge: use POST /api/tools/%s/invoke', tool.name), 'feature_not_supported');
    END IF;
    IF tool.lifecycle = 'blocked' THEN
        evidence := toolgate_evidence('lifecycle', 'deny', format('%s is blocked; an operator can set it active again', tool.key));
    END IF;
    evidence := evidence || CASE WHEN toolgate_may(own, who, 'tools.tenant.execute')
        THEN toolgate_evidence('scope', 'allow', 'the caller holds tools:execute')
        ELSE toolgate_evidence('scope', 'deny', 'the caller lacks tools:execute; use a key that has the scope, or ask for a role that has tools.tenant.execute') END;
    IF demanded IS NOT NULL AND NOT toolgate_may(own, who, demanded) THEN
        evidence := evidence || toolgate_evidence('required_permission', 'deny',
            format('the tool demands the permission %s, which the caller lacks; a role can grant it', demanded));
    END IF;
    IF tool.egress_class = 'write' THEN
        evidence := evidence || toolgate_evidence('egress_class', 'ask', 'the tool writes outside Toolgate, which always asks a person');
    ELSIF tool.requires_approval THEN
        evidence := evidence || toolgate_evidence('requires_approval', 'ask', 'the tool''s definition asks for approval');
    ELSIF agent IS NOT NULL AND tool.definition ->> 'permission_policy' = 'always_ask' THEN
        evidence := evidence || toolgate_evidence('permission_policy', 'ask', 'the tool''s policy is always_ask, and an agent calls it');
    END IF;
    IF agent IS NOT NULL THEN
        standing := toolgate_judge_agent(own, tool, agent);
        evidence := evidence || standing.evidence;
        guards := guards || standing.guard;
        terms := terms || (standing.profile -> 'approval');
    END IF;
    IF run IS NOT NULL THEN
        evidence := evidence || toolgate_judge_run(own, tool, guards, run);
    END IF;
    SELECT CASE WHEN bool_or(e ->> 'verdict' = 'deny') THEN 'deny' WHEN bool_or(e ->> 'verdict' = 'ask') THEN 'ask' ELSE 'allow' END
    INTO verdict FROM jsonb_array_elements(evidence) AS e;
    -- Of several terms the strictest: the most people, and oneself only where all say so.
    SELECT jsonb_build_object('quorum', max(coalesce((t ->> 'quorum')::int, 1)),
        'allow_self', bool_and(coalesce((t ->> 'allow_self')::boolean, false)))
    INTO approval FROM unnest(terms) AS t WHERE json_typeof(t) = 'object' HAVING count(*) > 0;
    RETURN jsonb_strip_nulls(jsonb_build_object('verdict', verdict, 'evidence', evidence, 'approval',
        CASE WHEN verdict = 'ask' AND approval <> '{"quorum": 1, "allow_self": false}' THEN approval END));
END $$;
