// What is done to what, as the server names it: for suggestions. What is not listed here can be typed.
export const ACTIONS = [
  "agent.create", "agent.update", "agent.archive", "agent.action", "approval.approve", "approval.reject", "approval.bypass",
  "assignment.put", "assignment.revoke", "key.create", "key.revoke", "mcp_server.create", "mcp_server.update", "mcp_server.delete",
  "mcp_tool.reject", "override.create", "override.revoke", "pack.install", "pack.remove", "policy.put", "profile.create", "profile.update",
  "profile.delete", "provider.create", "provider.update", "provider.delete", "role.put", "role.delete", "secret.set", "secret.rotate",
  "secret.delete", "settings.update", "skill.create", "skill.update", "skill.delete", "task.create", "task.cancel", "tenant.create",
  "tenant.archive", "tool.register", "tool.update", "tool.lifecycle", "tool.rename", "tool.alias", "tool.settings", "user.create",
  "user.update", "user.link", "webhook.create", "webhook.delete", "workspace.create",
] as const;

/** Everything that begins with `key.`, and each action by itself. */
export function suggestions(): string[] {
  const things = [...new Set(ACTIONS.map((action) => `${action.split(".", 1)[0] ?? ""}.`))];
  return [...things, ...ACTIONS].sort();
}
