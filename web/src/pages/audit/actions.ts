// What is done to what, as the server names it: for suggestions. What is not listed here can be typed.
const ACTIONS = [
  "agent.action", "agent.archive", "agent.create", "agent.update", "approval.approve", "approval.bypass", "approval.reject",
  "approval.vote", "assignment.put", "assignment.revoke", "key.create", "key.revoke", "login.begin", "login.end", "mcp_server.create",
  "mcp_server.delete", "mcp_server.update", "mcp_tool.accept", "mcp_tool.reject", "override.create", "override.revoke", "pack.install",
  "pack.remove", "pack.upgrade", "permissions.replace", "policy.put", "profile.create", "profile.delete", "profile.update",
  "provider.create", "provider.delete", "provider.update", "role.delete", "role.put", "secret.delete", "secret.rotate", "secret.set",
  "settings.update", "skill.create", "skill.delete", "skill.update", "task.cancel", "task.complete", "task.create", "task.overdue",
  "task.start", "tenant.archive", "tenant.create", "tool.alias", "tool.draft", "tool.lifecycle", "tool.purge_cache", "tool.register",
  "tool.rename", "tool.settings", "tool.update", "user.create", "user.link", "user.update", "webhook.create", "webhook.delete",
  "webhook.test", "workspace.create",
] as const;

/** Everything that begins with `key.`, and each action by itself. */
export function suggestions(): string[] {
  const things = [...new Set(ACTIONS.map((action) => `${action.split(".", 1)[0] ?? ""}.`))];
  return [...things, ...ACTIONS].sort();
}
