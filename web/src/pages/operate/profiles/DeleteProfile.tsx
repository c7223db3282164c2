import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Confirm } from "@/ui/confirm";

import { useT } from "./messages";
import { useDeleteProfile, type Assignment, type Profile } from "./queries";

interface DeleteProfileProps {
  profile: Profile;
  used: Assignment[];
  onClose(): void;
  onDeleted(): void;
}

/** A profile in use stays: without it, its assignments would be denied. The server says so, and so does the dialog before. */
export function DeleteProfile({ profile: { id, name }, used, onClose, onDeleted }: DeleteProfileProps) {
  const t = useT();
  const remove = useDeleteProfile(id);
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess() {
        notify.done(t("deleted", { name }));
        onDeleted();
      },
    });
  return (
    <Confirm open onOpenChange={(isOpen) => !isOpen && onClose()} title={t("delete.title", { name })} action={t("delete")} busy={remove.isPending} onConfirm={confirm}>
      <div className="grid gap-3">
        <Refusal error={remove.error} />
        <p>{used.length === 0 ? t("delete.text") : t("delete.used", { count: used.length })}</p>
      </div>
    </Confirm>
  );
}
