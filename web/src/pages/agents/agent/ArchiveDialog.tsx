import type { Agent } from "@/api/queries";
import { notify } from "@/app/notify";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";
import { useArchiveAgent } from "../mutations";

/** The API takes nothing back here, so it asks, and says what can be taken back instead. */
export function ArchiveDialog({ agent, isOpen, onClose }: { agent: Agent; isOpen: boolean; onClose(): void }) {
  const t = useT();
  const archive = useArchiveAgent(agent.id);
  const confirm = () =>
    archive.mutate(undefined, {
      onSuccess() {
        onClose();
        notify.done(t("archived", { name: agent.display_name }));
      },
      onError: onClose,
    });
  return (
    <Confirm open={isOpen} onOpenChange={(next) => !next && onClose()} title={t("archive.title", { name: agent.display_name })} action={t("archive")} busy={archive.isPending} onConfirm={confirm}>
      <p>{t("archive.text")}</p>
      <p className="pt-2">{t("archive.instead")}</p>
    </Confirm>
  );
}
