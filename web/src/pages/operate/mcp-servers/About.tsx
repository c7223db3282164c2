import { EgressBadge, RiskBadge } from "@/parts/badges/badges";
import { CopyButton } from "@/parts/copy/CopyButton";
import { Fact, FactList } from "@/parts/facts/FactList";
import { Duration, RelativeTime } from "@/parts/time/Time";
import { Card, CardContent, CardHeader, CardTitle } from "@/ui/card";

import { useT } from "./messages";
import type { McpServer } from "./queries";
import { placeOf } from "./states";

/** How the server is reached, and what is said for all of its tools. */
export function About({ server }: { server: McpServer }) {
  const t = useT();
  const { transport, status } = server;
  const isHttp = transport.kind === "http";
  const named = Object.entries((isHttp ? transport.headers : transport.env) ?? {});
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("about.title")}</CardTitle>
      </CardHeader>
      <CardContent>
        <FactList>
          <Fact name={isHttp ? t("about.address") : t("about.program")}>
            <Place text={placeOf(server)} />
          </Fact>
          {!isHttp && transport.cwd && (
            <Fact name={t("about.folder")}>
              <code className="font-mono text-xs">{transport.cwd}</code>
            </Fact>
          )}
          {named.length > 0 && (
            <Fact name={isHttp ? t("about.headers") : t("about.env")}>
              <Named pairs={named} />
            </Fact>
          )}
          <Fact name={t("about.prefix")}>{server.prefix ? <code className="font-mono text-xs">{server.prefix}_</code> : t("about.prefix.none")}</Fact>
          <Fact name={t("about.egress")}>
            <EgressBadge value={server.egress_class ?? "write"} />
          </Fact>
          {server.risk && (
            <Fact name={t("about.risk")}>
              <RiskBadge value={server.risk} />
            </Fact>
          )}
          {server.timeout_ms && (
            <Fact name={t("about.timeout")}>
              <Duration ms={server.timeout_ms} />
            </Fact>
          )}
          {status?.server && <Fact name={t("about.says")}>{status.server}</Fact>}
          {status?.revision && <Fact name={t("about.revision")}>{status.revision}</Fact>}
          <Fact name={t("about.seen")}>
            <RelativeTime at={status?.last_seen_at} />
          </Fact>
          <Fact name={t("about.asked")}>
            <RelativeTime at={status?.asked_at} />
          </Fact>
          <Fact name={t("about.imported")}>
            <RelativeTime at={server.imported_at} />
          </Fact>
        </FactList>
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
