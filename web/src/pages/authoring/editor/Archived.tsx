import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Archive } from "lucide-react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { Empty } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { restoreTool, type Version } from "../queries";
import { VersionsPanel } from "../versions/VersionsPanel";

/** A tool that was deleted: its history is there, and any of its versions can be had back. */
export function Archived({ name, versions }: { name: string; versions: Version[] }) {
  const t = useT();
  const queryClient = useQueryClient();
  const newest = versions[0];
  const restore = useMutation({
    mutationFn: (version: string) => restoreTool(name, version),
    onSuccess: async ({ tool }) => {
      await queryClient.invalidateQueries({ queryKey: keys.tools });
      notify.done(t("publish.done", { id: `${tool.name}@${tool.version}` }));
    },
  });
  return (
    <>
      <Empty
        icon={Archive}
        title={t("archived.title", { name })}
        action={
          newest && (
            <Button busy={restore.isPending} onClick={() => restore.mutate(newest.version)}>
              {t("archived.restore", { version: newest.version })}
            </Button>
          )
        }
      >
        {t("archived.body")}
      </Empty>
      <VersionsPanel name={name} versions={versions} />
    </>
  );
}
