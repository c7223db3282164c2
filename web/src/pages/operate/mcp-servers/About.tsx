import { EgressBadge, RiskBadge } from "@/parts/badges/badges";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Duration, RelativeTime } from "@/parts/time/Time";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { Facts } from "../shared/Facts";
import { useT } from "./messages";
import type { McpServer } from "./queries";
import { placeOf } from "./states";

/** How the server is reached, and what is said for all of its tools. */
export function About({ server }: { server: McpServer }) {
  const t = useT();
  const { transport, status } = server;
  const isHttp = transport.kind === "http";
  const named = Object.entries((isHttp ? transport.headers : transport.env) ?? {});
  const facts = [
    { label: isHttp ? t("about.address") : t("about.program"), value: <Place text={placeOf(server)} /> },
    !isHttp && transport.cwd ? { label: t("about.folder"), value: <code className="font-mono text-xs">{transport.cwd}</code> } : undefined,
    named.length > 0 && { label: isHttp ? t("about.headers") : t("about.env"), value: <Named pairs={named} /> },
    { label: t("about.prefix"), value: server.prefix ? <code className="font-mono text-xs">{server.prefix}_</code> : t("about.prefix.none") },
    { label: t("about.egress"), value: <EgressBadge value={server.egress_class ?? "write"} /> },
    server.risk && { label: t("about.risk"), value: <RiskBadge value={server.risk} /> },
    server.timeout_ms ? { label: t("about.timeout"), value: <Duration ms={server.timeout_ms} /> } : undefined,
    status?.server ? { label: t("about.says"), value: status.server } : undefined,
    status?.revision ? { label: t("about.revision"), value: status.revision } : undefined,
    { label: t("about.seen"), value: <RelativeTime at={status?.last_seen_at} /> },
    { label: t("about.asked"), value: <RelativeTime at={status?.asked_at} /> },
    { label: t("about.imported"), value: <RelativeTime at={server.imported_at} /> },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("about.title")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts facts={facts.map((fact) => fact || undefined)} />
      </CardContent>
    </Card>
  );
}

function Place({ text }: { text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 font-mono text-xs break-all">{text}</code>
      <CopyButton text={text} className="size-6 max-md:size-11" />
    </span>
  );
}

function Named({ pairs }: { pairs: [string, string][] }) {
  return (
    <ul className="grid gap-0.5 font-mono text-xs">
      {pairs.map(([name, value]) => (
        <li key={name} className="break-all">
          {name}: {value}
        </li>
      ))}
    </ul>
  );
}
