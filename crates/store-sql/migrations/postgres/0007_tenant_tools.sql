-- Drafts that were only tried, and tools that were deleted. Both stay, because receipts name them; both are blocked as well, so that
-- whoever does not know the stage does not call them.
ALTER TABLE tools_registry ADD COLUMN stage text,
    ADD CONSTRAINT tools_registry_stage CHECK (stage IS NULL OR stage IN ('draft', 'archived') AND lifecycle = 'blocked');
GRANT UPDATE (stage) ON tools_registry TO toolgate_app;

-- What the installation changed of a tool for everyone, whoever asks.
CREATE FUNCTION toolgate_override_of_all(tool text) RETURNS json LANGUAGE sql STABLE SECURITY DEFINER AS $$
    SELECT body FROM tool_overrides WHERE tenant_id = '00000000-0000-0000-0000-000000000000' AND name = tool
$$;

-- The tool, if it exists for the tenant, with what the installation and the tenant made stricter of it. Opt-in for system tools that
-- need secrets, opt-out for the rest.
CREATE OR REPLACE FUNCTION toolgate_visible_tool(own tenants, wanted uuid) RETURNS tools_registry LANGUAGE plpgsql STABLE AS $$
DECLARE
    tool tools_registry;
    switched boolean;
    for_all boolean;
    changes json;
BEGIN
    SELECT * INTO tool FROM tools_registry t WHERE t.id = wanted AND t.stage IS NULL
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
    IF tool.origin = 'code' THEN
        FOREACH changes IN ARRAY ARRAY[toolgate_override_of_all(tool.name),
            (SELECT body FROM tool_overrides WHERE tenant_id = own.id AND name = tool.name)] LOOP
            CONTINUE WHEN changes IS NULL;
            tool.requires_approval := tool.requires_approval OR coalesce((changes ->> 'requires_approval')::boolean, false);
            IF changes ->> 'permission_policy' = 'always_ask' THEN
                tool.definition := (tool.definition::jsonb || '{"permission_policy": "always_ask"}')::json;
            END IF;
            IF changes -> 'required_permission' IS NOT NULL THEN
                IF tool.definition ->> 'required_permission' <> changes ->> 'required_permission' THEN
                    PERFORM toolgate_refuse(format('%s demands several permissions, which only the server can judge: use POST /api/tools/%s/invoke',
                        tool.key, tool.name), 'feature_not_supported');
                END IF;
                tool.definition := (tool.definition::jsonb
                    || jsonb_build_object('required_permission', changes ->> 'required_permission'))::json;
            END IF;
            IF changes -> 'defaults' IS NOT NULL THEN
                PERFORM toolgate_refuse(format('%s has input defaults, which only the server fills in: use POST /api/tools/%s/invoke',
                    tool.key, tool.name), 'feature_not_supported');
            END IF;
        END LOOP;
    END IF;
    RETURN tool;
END $$;

DO $$
DECLARE
    made regprocedure;
BEGIN
    FOREACH made IN ARRAY ARRAY['toolgate_override_of_all(text)', 'toolgate_visible_tool(tenants, uuid)']::regprocedure[] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', made, current_schema());
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', made);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO toolgate_app', made);
    END LOOP;
END $$;
