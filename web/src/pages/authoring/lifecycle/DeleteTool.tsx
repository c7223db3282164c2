import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { keepDraft } from "../doc/drafts";
import { useT } from "../messages";
import { deleteTool } from "../queries";

/** Nobody sees the tool any more. Its receipts stay, and it can be restored. */
export function DeleteTool({ name }: { name: string }) {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteTool(name),
    onSuccess: async () => {
      keepDraft(name, undefined);
      void navigate({ to: "/admin/tools", ignoreBlocker: true });
      await queryClient.invalidateQueries({ queryKey: keys.tools });
      notify.done(t("delete.done", { name }), { detail: t("delete.done.detail") });
    },
    onSettled: () => setIsAsking(false),
  });
  return (
    <>
      <Button variant="destructive" className="justify-self-start" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        {t("delete.do")}
      </Button>
      <Confirm open={isAsking} onOpenChange={setIsAsking} title={t("delete.confirm", { name })} action={t("delete.do")} busy={remove.isPending} onConfirm={() => remove.mutate()}>
        {t("delete.help")}
      </Confirm>
    </>
  );
}
