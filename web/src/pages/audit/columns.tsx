import { Badge } from "@/ui/badge";
import type { Column } from "@/parts/table/DataTable";
import { useIsPhone } from "@/parts/table/useIsPhone";
import { AbsoluteTime } from "@/parts/time/Time";
import { Principal } from "@/parts/people/Principal";

import { useT } from "./messages";
import type { AuditEvent } from "./queries";
import { Target } from "./Target";
import { gist, toneOf } from "./gist";

export function useColumns(): Column<AuditEvent>[] {
  const t = useT();
  const columns: Column<AuditEvent>[] = [
    { id: "at", header: t("column.at"), width: "12rem", cell: ({ at }) => <AbsoluteTime at={at} className="text-muted-foreground tabular-nums" /> },
    { id: "actor", header: t("column.actor"), width: "minmax(0,11rem)", cell: ({ actor }) => <Principal id={actor} className="block truncate" /> },
    { id: "action", header: t("column.action"), width: "minmax(0,12rem)", phone: "title", cell: ({ action }) => <Badge tone={toneOf(action)} className="font-mono">{action}</Badge> },
    { id: "target", header: t("column.target"), width: "minmax(0,14rem)", cell: ({ target }) => <Target target={target} /> },
    { id: "what", header: t("column.what"), phone: "hidden", cell: (event) => <span className="block truncate text-muted-foreground">{gist(event)}</span> },
  ];
  // A card begins with what was done.
  return useIsPhone() ? [...columns].sort((a, b) => Number(b.phone === "title") - Number(a.phone === "title")) : columns;
}
