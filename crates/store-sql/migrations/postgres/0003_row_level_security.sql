-- The outermost wall, in the database itself: whoever forgets to ask for a tenant reads nothing and writes nothing.
--
-- The server works as the role toolgate_app, which owns nothing. A transaction says whose rows it is about in the setting
-- app.tenant: one tenant, or several with commas between them.

-- Roles belong to the cluster, so another database's migration may make this one at the same moment.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'toolgate_app') THEN
        BEGIN
            CREATE ROLE toolgate_app NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'toolgate_app' AND (rolsuper OR rolbypassrls)) THEN
        RAISE EXCEPTION 'the role toolgate_app can bypass row-level security'
            USING HINT = 'As a superuser: ALTER ROLE toolgate_app NOSUPERUSER NOBYPASSRLS';
    END IF;
    -- Since PostgreSQL 16 who made a role is a member of it, and still may not become it.
    IF NOT pg_has_role(current_user, 'toolgate_app',
        CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
        BEGIN
            EXECUTE format('GRANT toolgate_app TO %I', current_user);
        EXCEPTION WHEN unique_violation THEN
            NULL;
        END;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION '% may not make the role that the server works as; as a superuser, run: CREATE ROLE toolgate_app NOLOGIN; GRANT toolgate_app TO %; then migrate again',
        current_user, quote_ident(current_user) USING ERRCODE = 'insufficient_privilege';
END $$;

-- Whose rows this transaction is about. No setting and an empty one mean nobody's.
CREATE FUNCTION toolgate_tenants() RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT string_to_array(current_setting('app.tenant', true), ',')::uuid[]
$$;

-- What a client in the database did and the chain does not vouch for yet: the server seals it.
CREATE TABLE audit_pending (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    -- As in the chain: 1 a receipt, 2 an audit event.
    kind smallint NOT NULL CHECK (kind IN (1, 2)),
    id uuid NOT NULL,
    PRIMARY KEY (tenant_id, kind, id)
);

-- The owner keeps the keys of the house: migrations, backups, and the functions below, which run as the owner.
DO $$
DECLARE
    found record;
BEGIN
    FOR found IN
        SELECT c.oid::regclass AS name, a.attname AS tenant
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
            AND a.attname = CASE c.relname WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', found.name);
        -- The list is read once per statement. IS TRUE keeps it out of the indexes' conditions: there it would be tried tenant by
        -- tenant, for each row of a group.
        EXECUTE format('CREATE POLICY of_the_tenant ON %s
            USING ((%I = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE)', found.name, found.tenant);
        EXECUTE format('CREATE POLICY of_the_owner ON %s TO %I USING (true)', found.name, current_user);
    END LOOP;
END $$;

ALTER VIEW tool_invocations_v SET (security_invoker = true);

-- What the server needs, and no more: nothing can be dropped or altered, no trigger disabled, no ledger shortened.
DO $$
DECLARE
    document text;
BEGIN
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO toolgate_app', current_schema());
    FOREACH document IN ARRAY ARRAY['workspaces', 'users', 'roles', 'logins', 'agents', 'tool_profiles', 'tool_assignments',
        'agent_tools', 'tool_switches', 'policies', 'secrets', 'tenant_keys', 'webhooks', 'webhook_deliveries',
        'tenant_settings', 'approval_votes']
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, DELETE, UPDATE (name, body, revision, updated_at) ON %I TO toolgate_app', document);
    END LOOP;
END $$;

GRANT SELECT ON schema_migrations, tool_invocations_v TO toolgate_app;
GRANT SELECT, INSERT ON settings, agent_run_steps, schema_versions, session_events, blobs, audit_events, audit_chain,
    audit_signatures TO toolgate_app;
GRANT SELECT, INSERT, DELETE, UPDATE (expires_at) ON nodes TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (archived_at) ON tenants TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON api_keys TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (requires_approval, lifecycle, definition, updated_at) ON tools_registry TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (target, remove_by) ON tool_aliases TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (seq, hash) ON audit_heads TO toolgate_app;
GRANT SELECT, DELETE ON audit_pending TO toolgate_app;
GRANT SELECT, INSERT, UPDATE (status, approval_status, approval_decided_by, approval_reason, approved_input, node_id, attempt,
    output, error, cached, truncated, attachments, cost_estimate, started_at, completed_at) ON tool_invocations TO toolgate_app;

-- As a foreign key would, this looks past the wall; and it sees to it that nobody calls another tenant's tool.
CREATE OR REPLACE FUNCTION tool_invocations_know_their_tool() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT tenant_id, tool_id AS id FROM inserted) used LEFT JOIN tools_registry t
            ON t.id = used.id AND (t.tenant_id = used.tenant_id
                OR t.tenant_id = '00000000-0000-0000-0000-000000000000' AND t.origin = 'code')
        WHERE used.id IS NOT NULL AND t.id IS NULL
        UNION ALL
        SELECT FROM inserted i LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id AND s.tenant_id = i.tenant_id
        WHERE i.agent_run_step_id IS NOT NULL AND s.id IS NULL
    ) THEN
        RAISE EXCEPTION 'an invocation of a tool or of a step that does not exist' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$;

-- The doors in the wall. Each lets through what is asked for before the tenant is known, and nothing else.

-- Who knows the hash knows the key.
CREATE FUNCTION toolgate_key_by_hash(key_hash bytea)
RETURNS TABLE (id uuid, tenant_id uuid, name text, hash bytea, hint text, scopes json, created_at timestamptz,
    expires_at timestamptz, revoked_at timestamptz, bound json, slug text)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT k.id, k.tenant_id, k.name, k.hash, k.hint, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.bound, t.slug
    FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.hash = key_hash AND t.archived_at IS NULL
$$;

-- For the installation's own admins, and for sign-in, which begins with a slug.
CREATE FUNCTION toolgate_all_tenants() RETURNS SETOF tenants LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT * FROM tenants ORDER BY id
$$;
CREATE FUNCTION toolgate_tenant_by_slug(wanted text) RETURNS SETOF tenants LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT * FROM tenants WHERE slug = wanted
$$;

-- Blobs are reached by signed address; the record tells the tenant.
CREATE FUNCTION toolgate_blob(wanted uuid) RETURNS SETOF blobs LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT * FROM blobs WHERE id = wanted
$$;

-- Calls whose process is gone. What a client in the database runs never had one, and is nobody's orphan.
CREATE FUNCTION toolgate_orphans(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT tenant_id, id FROM tool_invocations
    WHERE status = 'running' AND surface <> 'sql' AND node_id NOT IN (SELECT nodes.id FROM nodes WHERE expires_at > moment) LIMIT at_most
$$;

-- Calls that wait for the server. One that a client in the database made waits for that client once it is approved.
CREATE FUNCTION toolgate_decided(moment timestamptz, at_most bigint) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT tenant_id, id FROM tool_invocations
    WHERE status = 'approved' AND surface <> 'sql' OR status = 'pending' AND approval_expires_at <= moment LIMIT at_most
$$;

CREATE FUNCTION toolgate_audit_pending(at_most bigint) RETURNS TABLE (tenant_id uuid, kind smallint, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT tenant_id, kind, id FROM audit_pending ORDER BY tenant_id, id LIMIT at_most
$$;

-- Ends of chains that wait for the server's word.
CREATE FUNCTION toolgate_unsigned_heads() RETURNS SETOF audit_heads LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT * FROM audit_heads h WHERE seq > 0 AND NOT EXISTS
        (SELECT FROM audit_signatures s WHERE s.tenant_id = h.tenant_id AND s.seq = h.seq)
$$;

-- Nobody's search path decides what the owner's functions mean, and nobody else calls them.
DO $$
DECLARE
    found regprocedure;
BEGIN
    FOR found IN SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosecdef LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', found, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', found);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO toolgate_app', found);
    END LOOP;
END $$;
