import { notify } from "@/app/notify";
import { Confirm } from "@/ui/confirm";

import { useDeleteSecret } from "./actions";
import { useT } from "./messages";
import { widerThan, type Secret } from "./needs";
import { useScopeName } from "./ScopeBadge";

interface DeleteSecretProps {
  secret: Secret;
  all: Secret[];
  /** Those that declare it. */
  tools: string[];
  onClose(): void;
}

/** Says what calls get afterwards, before it is gone for good. */
export function DeleteSecret({ secret, all, tools, onClose }: DeleteSecretProps) {
  const t = useT();
  const scopeName = useScopeName();
  const remove = useDeleteSecret();
  const { name, scope, workspace_id: workspace } = secret;
  const wider = widerThan(secret, all);
  const confirm = () =>
    remove.mutate(
      { name, scope, workspace: workspace ?? undefined },
      {
        onSuccess: () => notify.done(t("delete.done", { name })),
        onSettled: onClose,
      },
    );
  return (
    <Confirm open onOpenChange={(isOpen) => !isOpen && onClose()} title={t("delete.title", { name })} action={t("delete")} busy={remove.isPending} onConfirm={confirm}>
      {wider ? t("delete.wider", { scope: scopeName(wider) }) : tools.length > 0 ? t("delete.stops", { count: tools.length }) : t("delete.free")} {t("delete.undo")}
    </Confirm>
  );
}
