-- Who may call what: the rules, who changed them, and the chain that vouches for both the changes and the receipts.

ALTER TABLE tenants ADD COLUMN archived_at INTEGER;

-- Whom a key speaks for: an agent, a person, the service role.
ALTER TABLE api_keys ADD COLUMN bound TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(bound));

-- What the person who approved made of the input. It comes with the approval, and stays.
ALTER TABLE tool_invocations ADD COLUMN approved_input TEXT;

CREATE TRIGGER tool_invocations_approved_input BEFORE UPDATE OF approved_input ON tool_invocations
WHEN OLD.approved_input IS NOT NEW.approved_input AND NOT (OLD.status = 'pending' AND NEW.status = 'approved')
BEGIN
    SELECT RAISE(ABORT, 'illegal change of an invocation');
END;

CREATE TRIGGER tool_invocations_born_unedited BEFORE INSERT ON tool_invocations WHEN NEW.approved_input IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'illegal first state of an invocation');
END;

CREATE TABLE audit_events (
    id BLOB NOT NULL,
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- One link per commit and tenant; `items` are the digests of what was committed. One tree and not two: every commit pays for it.
CREATE TABLE audit_chain (
    tenant_id BLOB NOT NULL,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    items BLOB NOT NULL,
    PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;

-- Where each chain ends.
CREATE TABLE audit_heads (
    tenant_id BLOB PRIMARY KEY REFERENCES tenants (id),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;

INSERT INTO audit_heads (tenant_id, seq, hash) SELECT id, 0, zeroblob(32) FROM tenants;

-- The server's word on where a chain ended at a moment.
CREATE TABLE audit_signatures (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    signed_at INTEGER NOT NULL,
    signature BLOB NOT NULL,
    PRIMARY KEY (tenant_id, seq)
) STRICT;

CREATE TRIGGER audit_events_no_update BEFORE UPDATE ON audit_events
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_chain_no_update BEFORE UPDATE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_chain_no_delete BEFORE DELETE ON audit_chain
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_signatures_no_update BEFORE UPDATE ON audit_signatures
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

CREATE TRIGGER audit_signatures_no_delete BEFORE DELETE ON audit_signatures
BEGIN
    SELECT RAISE(ABORT, 'the audit trail is append-only');
END;

-- The rules are documents: one table per kind, all of one shape.

-- Teams inside a tenant, by slug.
CREATE TABLE workspaces (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- People, by e-mail address.
CREATE TABLE users (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Sets of permissions that a tenant made, by name.
CREATE TABLE roles (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Browsers' sessions, by the hash of their token.
CREATE TABLE logins (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- By handle.
CREATE TABLE agents (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Bundles of overrides, by name.
CREATE TABLE tool_profiles (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Agent × tool, by `agent/tool`.
CREATE TABLE tool_assignments (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- The three-tier permissions of an agent, by its id.
CREATE TABLE agent_tools (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Whether a tool is enabled for the tenant, by its name.
CREATE TABLE tool_switches (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Versions of the tenant's policy; the newest is in force.
CREATE TABLE policies (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Sealed values, by scope and name.
CREATE TABLE secrets (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- What seals a tenant's secrets, itself wrapped by the server's key.
CREATE TABLE tenant_keys (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Where questions are sent, by name.
CREATE TABLE webhooks (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Questions on their way to a webhook.
CREATE TABLE webhook_deliveries (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- What a tenant decides for itself.
CREATE TABLE tenant_settings (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Who said yes to a call that several people must agree to, by `invocation/person`.
CREATE TABLE approval_votes (
    tenant_id BLOB NOT NULL REFERENCES tenants (id),
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, name)
) STRICT, WITHOUT ROWID;
