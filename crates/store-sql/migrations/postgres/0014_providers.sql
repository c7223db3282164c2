-- Providers of models that a tenant brings, by name.
CREATE TABLE providers (
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
GRANT SELECT, INSERT, DELETE, UPDATE (name, body, revision, updated_at) ON providers TO toolgate_app;

ALTER TABLE providers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY of_the_tenant ON providers
    USING ((tenant_id = ANY ((SELECT toolgate_tenants())::uuid[])) IS TRUE);
DO $$
BEGIN
    EXECUTE format('CREATE POLICY of_the_owner ON providers TO %I USING (true)', current_user);
END $$;
