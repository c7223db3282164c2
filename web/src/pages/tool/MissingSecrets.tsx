import { Link } from "@tanstack/react-router";

import { useMe } from "@/app/session";
import { serverOfLogin } from "@/pages/operate/mcp-servers/secrets-in";

import { useT } from "./messages";

const KEEPERS = ["secrets.user.update", "secrets.workspace.update", "secrets.tenant.update"];
const linked = "font-medium underline max-md:inline-block max-md:py-3";

/** What must be set before the tool can be called, and the way to set it for those who may. */
export function MissingSecrets({ names }: { names: string[] }) {
  const t = useT();
  const me = useMe();
  const mayKeep = KEEPERS.some((permission) => me.may(permission));
  return (
    <span className="flex flex-wrap gap-x-3">
      {t("missing", { names: names.join(", ") })}
      {mayKeep && names.map((name) => <Way key={name} name={name} />)}
    </span>
  );
}

function Way({ name }: { name: string }) {
  const t = useT();
  const server = serverOfLogin(name);
  return server === undefined ? (
    <Link to="/operate/secrets" search={{ set: name }} className={linked}>
      {t("missing.set", { name })}
    </Link>
  ) : (
    <Link to="/operate/mcp-servers/$name" params={{ name: server }} className={linked}>
      {t("missing.login", { server })}
    </Link>
  );
}
