import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";

import { useLanguage } from "@/app/i18n";
import { PathLink } from "@/app/PathLink";
import { LifecycleBadge } from "@/parts/badges/badges";
import { Failed } from "@/parts/states/states";
import { RelativeTime } from "@/parts/time/Time";
import { Principal } from "@/parts/people/Principal";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/table";

import { useT } from "./messages";
import { deprecatedQuery } from "./queries";

/** Who must be told before something can go. */
export function Deprecated({ since }: { since: string }) {
  const t = useT();
  const language = useLanguage();
  const { data: items, error, refetch } = useQuery(deprecatedQuery(since));
  return (
    <section aria-labelledby="deprecated" className="flex min-w-0 flex-col gap-2">
      <h2 id="deprecated" className="text-base font-semibold">
        {t("deprecated")}
      </h2>
      <p className="text-sm text-muted-foreground">{t("deprecated.text")}</p>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : items?.length === 0 ? (
        <p className="flex items-center gap-2 text-sm text-good">
          <CircleCheck aria-hidden className="size-4" />
          {t("deprecated.none")}
        </p>
      ) : (
        <Table aria-label={t("deprecated")}>
          <TableHead>
            <TableRow>
              <TableHeader>{t("by.tool")}</TableHeader>
              <TableHeader>{t("state")}</TableHeader>
              <TableHeader>{t("who")}</TableHeader>
              <TableHeader>{t("surface")}</TableHeader>
              <TableHeader className="text-right">{t("calls")}</TableHeader>
              <TableHeader className="text-right">{t("lastCall")}</TableHeader>
            </TableRow>
          </TableHead>
          <TableBody>
            {(items ?? []).map((item) => (
              <TableRow key={`${item.name}@${item.version} ${item.alias ?? ""} ${item.caller} ${item.agent_id ?? ""} ${item.surface}`}>
                <TableCell>
                  <PathLink path={`/tools/${encodeURIComponent(item.name)}`} className="font-medium hover:underline">
                    {item.name}@{item.version}
                  </PathLink>
                  {item.alias && <span className="block text-xs text-muted-foreground">{t("asAlias", { alias: item.alias })}</span>}
                </TableCell>
                <TableCell>
                  <LifecycleBadge value={item.lifecycle} />
                </TableCell>
                <TableCell>
                  <Principal id={item.agent_id ?? item.caller} />
                </TableCell>
                <TableCell>{t(`surface.${item.surface}`)}</TableCell>
                <TableCell className="text-right tabular-nums">{new Intl.NumberFormat(language).format(item.calls)}</TableCell>
                <TableCell className="text-right whitespace-nowrap">
                  <RelativeTime at={item.last_call} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </section>
  );
}
