import { KeyRound } from "lucide-react";

import type { Column } from "@/parts/table/DataTable";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";

import { useT } from "./messages";
import type { Provider } from "./queries";

export function useColumns(): Column<Provider>[] {
  const t = useT();
  return [
    { id: "name", header: t("column.name"), width: "minmax(0,2fr)", phone: "title", cell: ({ name }) => <span className="block truncate font-medium">{name}</span> },
    { id: "api", header: t("column.api"), width: "minmax(0,2fr)", cell: ({ api }) => <span className="block truncate">{t(`api.${api}`)}</span> },
    { id: "models", header: t("column.models"), width: "minmax(0,3fr)", cell: ({ models = [] }) => <span className="block truncate">{models.length === 0 ? t("models.none") : models.join(", ")}</span> },
    { id: "key", header: t("column.key"), width: "minmax(0,2fr)", cell: ({ api_key_secret: secret }) => <KeyName secret={secret} /> },
    { id: "changed", header: t("column.changed"), width: "7rem", align: "end", phone: "hidden", cell: ({ updated_at }) => <RelativeTime at={updated_at} className="text-muted-foreground" /> },
  ];
}

function KeyName({ secret }: { secret: string | null | undefined }) {
  const t = useT();
  if (!secret) return <span className="text-muted-foreground">{t("key.none")}</span>;
  return (
    <Badge tone="outline" className="min-w-0">
      <KeyRound aria-hidden />
      <span className="truncate font-mono">{secret}</span>
    </Badge>
  );
}
