import { useQuery } from "@tanstack/react-query";
import { UserRoundSearch } from "lucide-react";
import { useState } from "react";

import { LifecycleBadge } from "@/parts/badges/badges";
import { Principal } from "@/parts/people/Principal";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { RelativeTime } from "@/parts/time/Time";
import { Field } from "@/ui/label";
import { NativeSelect } from "@/ui/native-select";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/ui/table";

import { useT } from "../messages";
import { usageQuery } from "../queries";

const DAYS = [7, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

/** Who still calls the tool: the people and agents to talk to before it goes. */
export function WhoUses({ name }: { name: string }) {
  const t = useT();
  const [days, setDays] = useState(30);
  // To the hour, so that the question stays the same while one looks at the answer.
  const [since, setSince] = useState(() => hoursAgo(30));
  const { data, error, refetch } = useQuery(usageQuery(name, since));
  return (
    <>
      <Field id="usage-days" label={t("uses.since")}>
        <NativeSelect
          id="usage-days"
          value={days}
          onChange={(event) => {
            setDays(Number(event.target.value));
            setSince(hoursAgo(Number(event.target.value)));
          }}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {t("uses.days", { count })}
            </option>
          ))}
        </NativeSelect>
      </Field>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.length === 0 ? (
        <Empty icon={UserRoundSearch} title={t("uses.none")} className="py-6">
          {t("uses.none.body")}
        </Empty>
      ) : (
        <Table aria-label={t("uses")}>
          <TableHead>
            <TableRow>
              <TableHeader>{t("uses.who")}</TableHeader>
              <TableHeader>{t("uses.what")}</TableHeader>
              <TableHeader>{t("uses.surface")}</TableHeader>
              <TableHeader className="text-right">{t("uses.calls")}</TableHeader>
              <TableHeader>{t("uses.last")}</TableHeader>
            </TableRow>
          </TableHead>
          <TableBody>
            {data.map((line, index) => (
              <TableRow key={index}>
                <TableCell>
                  <Principal id={line.agent_id ?? line.caller} className="break-words" />
                </TableCell>
                <TableCell>
                  <span className="flex flex-wrap items-center gap-1">
                    <span className="font-mono text-xs">{line.version}</span>
                    {line.lifecycle !== "active" && <LifecycleBadge value={line.lifecycle} />}
                    {line.alias && <span className="text-xs text-muted-foreground">{t("uses.alias", { alias: line.alias })}</span>}
                  </span>
                </TableCell>
                <TableCell className="uppercase">{line.surface}</TableCell>
                <TableCell className="text-right tabular-nums">{line.calls}</TableCell>
                <TableCell className="whitespace-nowrap">
                  <RelativeTime at={line.last_call} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      )}
    </>
  );
}

function hoursAgo(days: number): string {
  const hour = 3_600_000;
  return new Date(Math.floor((Date.now() - days * DAY_MS) / hour) * hour).toISOString();
}
