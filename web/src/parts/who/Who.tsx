import { useQuery } from "@tanstack/react-query";

import { useMe } from "@/app/session";
import { cn } from "@/ui/cn";

import { useT } from "./messages";
import { nameQuery } from "./names";

const SHOWN = 6;
const KINDS = { usr: "user", key: "key", agt: "agent", whk: "webhook" } as const;

/** Whoever did something, by name; the id is in the title. */
export function Who({ principal, className }: { principal: string | null | undefined; className?: string }) {
  const name = useWhoName(principal);
  return (
    <span className={cn("truncate", className)} title={principal ?? undefined}>
      {name}
    </span>
  );
}

export function useWhoName(principal: string | null | undefined): string {
  const t = useT();
  const me = useMe();
  const kind = KINDS[(principal?.split("_", 1)[0] ?? "") as keyof typeof KINDS];
  const isMe = principal === me.principal;
  const { data: name } = useQuery({ ...nameQuery(principal ?? ""), enabled: kind !== undefined && !isMe && me.may("invocations.tenant.read"), retry: false });
  if (!principal) return t("nobody");
  if (isMe) return t("you");
  if (principal === "system") return t("system");
  if (kind === undefined) return principal;
  return name ? t(`${kind}Named`, { name }) : t(kind, { end: principal.slice(-SHOWN) });
}
