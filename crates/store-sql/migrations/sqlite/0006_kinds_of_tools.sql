-- Tools that call tools, tools that wait, and tools that tenants write themselves.

-- The call that made this one, and whether it was only a try.
ALTER TABLE tool_invocations ADD COLUMN parent_id BLOB;
ALTER TABLE tool_invocations ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));

CREATE INDEX tool_invocations_by_parent ON tool_invocations (parent_id) WHERE parent_id IS NOT NULL;

CREATE TRIGGER tool_invocations_same_parent BEFORE UPDATE OF parent_id, is_test ON tool_invocations
WHEN OLD.parent_id IS NOT NEW.parent_id OR OLD.is_test IS NOT NEW.is_test
BEGIN
    SELECT RAISE(ABORT, 'illegal change of an invocation');
END;

-- Running calls that no process holds: each waits for the calls it made, or for a task. `state` is what its runtime goes on from.
CREATE TABLE suspensions (
    tenant_id BLOB NOT NULL,
    invocation_id BLOB NOT NULL,
    task_id BLOB,
    state BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, invocation_id)
) STRICT, WITHOUT ROWID;

-- What a tenant changes of a tool that ships with the program, by the tool's name.
CREATE TABLE tool_overrides (
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

-- Packs that a tenant installed, by name.
CREATE TABLE packs (
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

-- Instructions that a prompt tool runs against an agent, by name.
CREATE TABLE skills (
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

-- Work that a tool handed to somebody, by id.
CREATE TABLE tasks (
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
