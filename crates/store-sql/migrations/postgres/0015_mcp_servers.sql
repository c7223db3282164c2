-- MCP servers of others that a tenant uses, by name.
CREATE TABLE mcp_servers (
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
GRANT SELECT, INSERT, DELETE, UPDATE (name, body, revision, updated_at) ON mcp_servers TO toolgate_app;

ALTER TABLE mcp_servers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_the_tenant ON mcp_servers
    USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);
DO $$
BEGIN
    EXECUTE format('CREATE POLICY of_the_owner ON mcp_servers TO %I USING (true)', current_user);
END $$;

-- What was accepted of each tool that such a server offers, by `server id/tool`.
CREATE TABLE mcp_tool_locks (
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
GRANT SELECT, INSERT, DELETE, UPDATE (name, body, revision, updated_at) ON mcp_tool_locks TO toolgate_app;

ALTER TABLE mcp_tool_locks ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_the_tenant ON mcp_tool_locks
    USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);
DO $$
BEGIN
    EXECUTE format('CREATE POLICY of_the_owner ON mcp_tool_locks TO %I USING (true)', current_user);
END $$;
