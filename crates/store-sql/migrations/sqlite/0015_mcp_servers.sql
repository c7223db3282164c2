-- MCP servers of others that a tenant uses, by name.
CREATE TABLE mcp_servers (
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

-- What was accepted of each tool that such a server offers, by `server id/tool`.
CREATE TABLE mcp_tool_locks (
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
