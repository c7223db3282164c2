import { Ban, CircleCheck, CircleDashed, CircleX, Ghost, PowerOff, ShieldAlert, Sparkles, Unplug, type LucideIcon } from "lucide-react";

import type { Schemas } from "@/api/client";
import { Badge, type Tone } from "@/ui/badge";
import { Tooltip } from "@/ui/tooltip";

import { useT } from "./messages";
import type { McpServer } from "./queries";

export type Standing = Schemas["UpstreamState"] | "off";

export function standingOf(server: Pick<McpServer, "enabled" | "status">): Standing {
  return server.enabled === false ? "off" : (server.status?.state ?? "unknown");
}

const SERVER: Record<Standing, [Tone, LucideIcon]> = {
  healthy: ["good", CircleCheck],
  failing: ["bad", CircleX],
  open: ["bad", Unplug],
  unknown: ["quiet", CircleDashed],
  off: ["quiet", PowerOff],
};

export function StandingBadge({ server }: { server: Pick<McpServer, "enabled" | "status"> }) {
  const t = useT();
  const standing = standingOf(server);
  const [tone, Icon] = SERVER[standing];
  return (
    <Tooltip text={t(`state.${standing}.help`)}>
      <Badge tone={tone}>
        <Icon aria-hidden />
        {t(`state.${standing}`)}
      </Badge>
    </Tooltip>
  );
}

const LOCK: Record<Schemas["LockState"], [Tone, LucideIcon]> = {
  accepted: ["good", CircleCheck],
  quarantined: ["bad", ShieldAlert],
  new: ["warn", Sparkles],
  gone: ["quiet", Ghost],
  unusable: ["bad", Ban],
};

export function LockBadge({ state }: { state: Schemas["LockState"] }) {
  const t = useT();
  const [tone, Icon] = LOCK[state];
  return (
    <Tooltip text={t(`lock.${state}.help`)}>
      <Badge tone={tone}>
        <Icon aria-hidden />
        {t(`lock.${state}`)}
      </Badge>
    </Tooltip>
  );
}

/** How many of its tools wait for a person. */
export function waitingIn(server: Pick<McpServer, "imports">): number {
  return Object.values(server.imports ?? {}).filter(({ state }) => state === "new" || state === "quarantined").length;
}

/** Where the server is: its address, or the program with its arguments. */
export function placeOf({ transport }: Pick<McpServer, "transport">): string {
  return transport.kind === "http" ? transport.url : [transport.command, ...(transport.args ?? [])].join(" ");
}
