-- Who may call what: the rules, who changed them, and the chain that vouches for both the changes and the receipts.

ALTER TABLE tenants ADD COLUMN archived_at timestamptz;

-- Whom a key speaks for: an agent, a person, the service role.
ALTER TABLE api_keys ADD COLUMN bound json NOT NULL DEFAULT '{}';

-- What the person who approved made of the input. It comes with the approval, and stays.
ALTER TABLE tool_invocations ADD COLUMN approved_input json;

CREATE TRIGGER tool_invocations_approved_input BEFORE UPDATE OF approved_input ON tool_invocations
FOR EACH ROW WHEN (OLD.approved_input::text IS DISTINCT FROM NEW.approved_input::text
    AND NOT (OLD.status = 'pending' AND NEW.status = 'approved'))
EXECUTE FUNCTION ledger_refuse('illegal change of an invocation');

CREATE TRIGGER tool_invocations_born_unedited BEFORE INSERT ON tool_invocations
FOR EACH ROW WHEN (NEW.approved_input IS NOT NULL) EXECUTE FUNCTION ledger_refuse('illegal first state of an invocation');

-- The view lists its columns once, when it is made.
DROP VIEW tool_invocations_v;
CREATE VIEW tool_invocations_v AS
SELECT i.*, t.key AS tool_key, s.title AS step_title
FROM tool_invocations i
LEFT JOIN tools_registry t ON t.id = i.tool_id
LEFT JOIN agent_run_steps s ON s.id = i.agent_run_step_id;

CREATE TABLE audit_events (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    at timestamptz NOT NULL,
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    before json,
    after json,
    PRIMARY KEY (tenant_id, id)
);

-- One link per commit and tenant; `items` are the digests of what was committed.
CREATE TABLE audit_chain (
    tenant_id uuid NOT NULL,
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    items bytea NOT NULL,
    PRIMARY KEY (tenant_id, seq)
);

-- Where each chain ends. Half-empty pages, because the row is replaced with every commit.
CREATE TABLE audit_heads (
    tenant_id uuid PRIMARY KEY REFERENCES tenants (id),
    seq bigint NOT NULL,
    hash bytea NOT NULL
) WITH (fillfactor = 10);

INSERT INTO audit_heads (tenant_id, seq, hash) SELECT id, 0, decode(repeat('00', 32), 'hex') FROM tenants;

-- The server's word on where a chain ended at a moment.
CREATE TABLE audit_signatures (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    seq bigint NOT NULL,
    hash bytea NOT NULL,
    signed_at timestamptz NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (tenant_id, seq)
);

CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the audit trail is append-only');

CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the audit trail is append-only');

CREATE TRIGGER audit_signatures_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_signatures
FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse('the audit trail is append-only');

-- The rules are documents: one table per kind, all of one shape.

-- Teams inside a tenant, by slug.
CREATE TABLE workspaces (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- People, by e-mail address.
CREATE TABLE users (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Sets of permissions that a tenant made, by name.
CREATE TABLE roles (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Browsers' sessions, by the hash of their token.
CREATE TABLE logins (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- By handle.
CREATE TABLE agents (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Bundles of overrides, by name.
CREATE TABLE tool_profiles (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Agent × tool, by `agent/tool`.
CREATE TABLE tool_assignments (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- The three-tier permissions of an agent, by its id.
CREATE TABLE agent_tools (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Whether a tool is enabled for the tenant, by its name.
CREATE TABLE tool_switches (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Versions of the tenant's policy; the newest is in force.
CREATE TABLE policies (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Sealed values, by scope and name.
CREATE TABLE secrets (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- What seals a tenant's secrets, itself wrapped by the server's key.
CREATE TABLE tenant_keys (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Where questions are sent, by name.
CREATE TABLE webhooks (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Questions on their way to a webhook.
CREATE TABLE webhook_deliveries (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- What a tenant decides for itself.
CREATE TABLE tenant_settings (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);

-- Who said yes to a call that several people must agree to, by `invocation/person`.
CREATE TABLE approval_votes (
    tenant_id uuid NOT NULL REFERENCES tenants (id),
    id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    body json NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
);
