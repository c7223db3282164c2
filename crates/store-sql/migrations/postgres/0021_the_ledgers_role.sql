-- The ledger's writer works as a role of its own. It writes groups of calls of many tenants, and named in its session whoever the entries
-- named: that kept nobody out, was read once per table with every group, and again with every further tenant. What it may do is said by
-- grants instead, and is less than before: it reads no input, no output, no event and no receipt.

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'toolgate_ledger') THEN
        BEGIN
            CREATE ROLE toolgate_ledger NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    -- Whoever is a member has its policies: clients work as toolgate_app, and would see everything.
    IF pg_has_role('toolgate_app', 'toolgate_ledger', 'MEMBER') THEN
        RAISE EXCEPTION 'the role toolgate_app is a member of toolgate_ledger, and would look over every wall'
            USING HINT = 'As a superuser: REVOKE toolgate_ledger FROM toolgate_app';
    END IF;
    IF NOT pg_has_role(current_user, 'toolgate_ledger',
        CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
        BEGIN
            EXECUTE format('GRANT toolgate_ledger TO %I', current_user);
        EXCEPTION WHEN unique_violation THEN
            NULL;
        END;
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE EXCEPTION '% may not make the role that the ledger is written as; as a superuser, run: CREATE ROLE toolgate_ledger NOLOGIN; GRANT toolgate_ledger TO %; then migrate again',
        current_user, quote_ident(current_user) USING ERRCODE = 'insufficient_privilege';
END $$;

DO $$
DECLARE
    written text;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO toolgate_ledger', current_schema());
    FOREACH written IN ARRAY ARRAY['tool_invocations', 'session_events', 'blobs', 'audit_events', 'audit_chain', 'audit_heads'] LOOP
        EXECUTE format('CREATE POLICY of_the_ledger ON %I TO toolgate_ledger USING (true)', written);
    END LOOP;
END $$;

GRANT INSERT ON tool_invocations, session_events, blobs, audit_events, audit_chain TO toolgate_ledger;
-- What an UPDATE finds its row by, and what it keeps.
GRANT SELECT (tenant_id, id, status, approval_status, node_id, started_at, approval_decided_by, approval_reason, approved_input)
    ON tool_invocations TO toolgate_ledger;
GRANT UPDATE (status, approval_status, approval_decided_by, approval_reason, approved_input, node_id, output, error, cached,
    truncated, attachments, cost_estimate, started_at, completed_at) ON tool_invocations TO toolgate_ledger;
GRANT SELECT (tenant_id, seq, hash), UPDATE (seq, hash) ON audit_heads TO toolgate_ledger;
