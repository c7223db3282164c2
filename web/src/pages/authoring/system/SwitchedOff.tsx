import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Power } from "lucide-react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";

import { useT } from "../messages";
import { putSettings, settingsQuery } from "../queries";

/** A tool that is switched off does not exist for anybody. Its settings do, and with them the way to switch it on. */
export function SwitchedOff({ name, error }: { name: string; error: Error | null }) {
  const t = useT();
  const queryClient = useQueryClient();
  const settings = useQuery({ ...settingsQuery(name), retry: false });
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  const switchOn = useMutation({
    mutationFn: () => putSettings(name, { approval: settings.data?.approval ?? null, enabled: true }),
    onSuccess: async () => {
      await refresh();
      notify.done(t("off.done", { name }));
    },
  });
  if (settings.isPending) return <Loading />;
  if (!settings.data) return <Failed error={error ?? settings.error} />;
  return (
    <Empty
      icon={Power}
      title={t("off.title", { name })}
      action={
        <Button busy={switchOn.isPending} onClick={() => switchOn.mutate()}>
          {t("off.on")}
        </Button>
      }
    >
      {settings.data.enabled === false ? t("off.body") : t("off.never")}
    </Empty>
  );
}
