import { Building2, User, Users } from "lucide-react";

import { Badge } from "@/ui/badge";

import { useAccess } from "../shared/access";
import { useT } from "./messages";
import type { Secret } from "./needs";

export function useScopeName(): (secret: Pick<Secret, "scope" | "workspace_id">) => string {
  const t = useT();
  const { me } = useAccess();
  return ({ scope, workspace_id: id }) => {
    if (scope !== "workspace") return t(scope === "user" ? "scope.user" : "scope.tenant");
    return t("scope.workspace", { name: me.workspaces.find((one) => one.id === id)?.name ?? id ?? "" });
  };
}

export function ScopeBadge({ secret }: { secret: Secret }) {
  const name = useScopeName();
  const Icon = secret.scope === "user" ? User : secret.scope === "workspace" ? Users : Building2;
  return (
    <Badge tone={secret.scope === "tenant" ? "info" : "quiet"}>
      <Icon aria-hidden />
      <span className="truncate">{name(secret)}</span>
    </Badge>
  );
}
