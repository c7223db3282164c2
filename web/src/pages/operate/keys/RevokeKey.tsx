import { notify } from "@/app/notify";
import { Confirm } from "@/ui/confirm";

import { useRevokeKey } from "./actions";
import { useT } from "./messages";
import type { ApiKey } from "./state";

export function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const t = useT();
  const revoke = useRevokeKey();
  const confirm = () => revoke.mutate(id, { onSuccess: () => notify.done(t("revoked", { name })), onSettled: onClose });
  return (
    <Confirm open onOpenChange={(isOpen) => !isOpen && onClose()} title={t("revoke.title", { name })} action={t("revoke")} busy={revoke.isPending} onConfirm={confirm}>
      {t("revoke.text")}
    </Confirm>
  );
}
