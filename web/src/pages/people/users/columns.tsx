import { CircleCheck, CircleSlash } from "lucide-react";

import type { Workspace } from "@/api/queries";
import { useMe } from "@/app/session";
import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";
import type { Person } from "../queries";

export function useColumns(workspaces: Workspace[]): Column<Person>[] {
  const t = useT();
  const names = new Map(workspaces.map(({ id, name }) => [id, name]));
  return [
    { id: "person", header: t("people.column.person"), width: "minmax(0,3fr)", phone: "title", cell: (person) => <PersonCell person={person} /> },
    { id: "roles", header: t("people.column.roles"), width: "minmax(0,2fr)", cell: ({ roles }) => <Names names={roles} /> },
    { id: "workspaces", header: t("people.column.workspaces"), width: "minmax(0,2fr)", phone: "hidden", cell: (person) => <Names names={person.workspaces.map((id) => names.get(id) ?? t("people.workspace.other"))} /> },
    { id: "way", header: t("people.column.way"), width: "minmax(0,9rem)", phone: "hidden", cell: (person) => <SignInWays person={person} /> },
    { id: "status", header: t("people.column.status"), width: "7.5rem", cell: ({ status }) => <PersonStatus status={status} /> },
    { id: "added", header: t("people.column.added"), width: "7rem", align: "end", phone: "hidden", cell: ({ created_at }) => <RelativeTime at={created_at} className="text-muted-foreground" /> },
  ];
}

function PersonCell({ person }: { person: Person }) {
  const t = useT();
  const isMe = useMe().user?.id === person.id;
  return (
    <span className="block min-w-0">
      <span className="block truncate font-medium">
        {person.name} {isMe && <span className="font-normal text-muted-foreground">({t("people.you")})</span>}
      </span>
      <span className="block truncate text-xs font-normal text-muted-foreground">{person.email}</span>
    </span>
  );
}

export function Names({ names }: { names: string[] }) {
  if (names.length === 0) return <span className="text-muted-foreground">–</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-1">
      {names.map((name, index) => (
        <Badge key={index} tone="outline" className="min-w-0">
          <span className="truncate">{name}</span>
        </Badge>
      ))}
    </span>
  );
}

export function SignInWays({ person }: { person: Person }) {
  const t = useT();
  const ways = [...(person.has_password ? [t("people.way.password")] : []), ...(person.oidc_issuer ? [t("people.way.elsewhere")] : [])];
  return <span className="block truncate">{ways.length === 0 ? t("people.way.none") : ways.join(", ")}</span>;
}

export function PersonStatus({ status }: Pick<Person, "status">) {
  const t = useT();
  const isActive = status === "active";
  return (
    <Badge tone={isActive ? "good" : "quiet"}>
      {isActive ? <CircleCheck aria-hidden /> : <CircleSlash aria-hidden />}
      {t(`people.status.${status}`)}
    </Badge>
  );
}
