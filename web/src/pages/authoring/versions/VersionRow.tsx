import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitCompareArrows, History, MoreHorizontal, PencilLine } from "lucide-react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { LifecycleBadge } from "@/parts/badges/badges";
import { RelativeTime } from "@/parts/time/Time";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Dropdown, DropdownContent, DropdownItem, DropdownTrigger } from "@/ui/dropdown";

import { useT } from "../messages";
import { deleteTool, restoreTool, type Version } from "../queries";

interface Props {
  name: string;
  version: Version;
  isNewest: boolean;
  onEdit: (() => void) | undefined;
  onCompare: (() => void) | undefined;
}

export function VersionRow({ name, version, isNewest, onEdit, onCompare }: Props) {
  const t = useT();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const restore = useMutation({
    mutationFn: () => restoreTool(name, version.version),
    onSuccess: async ({ tool }) => {
      await refresh();
      const id = `${tool.name}@${tool.version}`;
      notify.done(t("versions.restored", { old: version.version, id }), { undo: () => void deleteTool(id).then(refresh, notify.failed) });
    },
  });
  const id = `${name}@${version.version}`;
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <span className="font-mono font-medium">{version.version}</span>
      {isNewest && <Badge tone="info">{t("versions.newest")}</Badge>}
      {version.lifecycle !== "active" && <LifecycleBadge value={version.lifecycle} />}
      <RelativeTime at={version.created_at} className="text-muted-foreground" />
      <span className="min-w-0 flex-1 basis-40 truncate text-muted-foreground">{version.description}</span>
      <Dropdown>
        <DropdownTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t("versions.actions", { id })}>
            <MoreHorizontal aria-hidden />
          </Button>
        </DropdownTrigger>
        <DropdownContent align="end">
          {onCompare && (
            <DropdownItem onSelect={onCompare}>
              <GitCompareArrows aria-hidden />
              {t("versions.compare")}
            </DropdownItem>
          )}
          {onEdit && (
            <DropdownItem onSelect={onEdit}>
              <PencilLine aria-hidden />
              {t("versions.edit")}
            </DropdownItem>
          )}
          <DropdownItem disabled={restore.isPending} onSelect={() => restore.mutate()}>
            <History aria-hidden />
            {t("versions.restore")}
          </DropdownItem>
        </DropdownContent>
      </Dropdown>
    </li>
  );
}
