import { BadgeCheck } from "lucide-react";

import type { Agent, Tool } from "@/api/queries";
import { PermissionBadge } from "@/parts/badges/badges";
import { Principal } from "@/parts/people/Principal";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";

import { useT } from "../messages";
import type { Profile } from "../queries";
import { GivenBadge } from "./GivenBadge";
import { PermissionPicker } from "./PermissionPicker";
import { ProfileSelect } from "./ProfileSelect";
import { RowMenu } from "./RowMenu";
import type { ToolRow } from "./rows";
import { ToolCell } from "./ToolCell";
import type { ToolChanges } from "./useToolChanges";
import { VerdictButton } from "./verdict";

interface Given {
  agent: Agent;
  tools: ReadonlyMap<string, Tool> | undefined;
  profiles: readonly Profile[];
  changes: ToolChanges;
  mayEdit: boolean;
  /** The tool whose row has the focus: only its controls are in the way of Tab. */
  active: string | undefined;
  onExplain(tool: string): void;
}

export function useAssignmentColumns({ agent, tools, profiles, changes, mayEdit, active, onExplain }: Given): Column<ToolRow>[] {
  const t = useT();
  return [
    { id: "tool", header: t("column.tool"), width: "minmax(0,2fr)", phone: "title", cell: (row) => <ToolCell row={row} tool={tools?.get(row.name)} /> },
    {
      id: "given",
      header: t("column.givenUnder"),
      width: "9.5rem",
      cell: (row) => (
        <span className="grid min-w-0 justify-items-start gap-1 max-md:w-full">
          <GivenBadge row={row} />
          <ProfileSelect row={row} profiles={profiles} mayEdit={mayEdit} isReachable={row.name === active} onChange={(profile, label) => changes.setProfile(row, profile, label)} />
        </span>
      ),
    },
    {
      id: "permission",
      header: t("column.permission"),
      width: "20.5rem",
      cell: (row) => (
        <span className="grid min-w-0 gap-1 max-md:w-full">
          {mayEdit && row.entry ? (
            <PermissionPicker tool={row.name} value={changes.tierOf(row)} isWrite={row.entry.egressClass === "write"} isReachable={row.name === active} onChange={(tier) => changes.setTier(row, tier)} />
          ) : (
            <PermissionBadge value={row.tier} />
          )}
          {row.override && row.tier === "needs_approval" && <Override row={row} />}
        </span>
      ),
    },
    { id: "verdict", header: t("column.verdict"), width: "6.5rem", cell: (row) => <VerdictButton agent={agent.id} tool={row.name} isReachable={row.name === active} onOpen={() => onExplain(row.name)} /> },
    ...(mayEdit ? [{ id: "do", header: "", width: "2.5rem", align: "end" as const, phone: "title" as const, cell: (row: ToolRow) => <RowMenu row={row} changes={changes} isReachable={row.name === active} onExplain={() => onExplain(row.name)} /> }] : []),
  ];
}

/** It asks no more, because somebody said “always”. */
function Override({ row }: { row: ToolRow }) {
  const t = useT();
  if (!row.override) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-1 text-xs font-normal text-good">
      <BadgeCheck aria-hidden className="size-3.5" />
      {t("override")} <Principal id={row.override.approvedBy} />, <RelativeTime at={row.override.approvedAt} />
    </span>
  );
}
