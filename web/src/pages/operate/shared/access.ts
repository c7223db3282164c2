import { useMe } from "@/app/session";

const SECRETS = ["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"];

/** What the page offers; the server decides again. Scopes are those of everything that the person may do. */
export function useAccess() {
  const me = useMe();
  const has = (scope: string) => me.everything || me.allowed_scopes.includes(scope);
  return {
    me,
    has,
    seesSecrets: SECRETS.some((permission) => me.may(permission)),
    seesKeys: me.may("keys.tenant.update"),
    seesPeople: me.may("people.tenant.read"),
    seesAgents: me.may("agents.tenant.read"),
  };
}
