import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleSlash } from "lucide-react";
import { useState } from "react";

import { api, data } from "@/api/client";
import { invocationQuery, keys, type Invocation } from "@/api/queries";
import { notify } from "@/app/notify";
import { useMayCancel } from "@/parts/cancelling/useMayCancel";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";

/** Stops a call. What it did until then is not undone, so it is asked first. */
export function CancelButton({ call }: { call: Invocation }) {
  const t = useT();
  const mayCancel = useMayCancel(call);
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => data(api.POST("/api/invocations/{id}/cancel", { params: { path: { id: call.id } } })),
    onSuccess(after) {
      queryClient.setQueryData(invocationQuery(call.id).queryKey, after);
      // A call that had ended already stays as it ended: the answer shows it.
      if (after.status === "cancelled") notify.done(t("cancel.done", { tool: call.tool_name }));
      else notify.info(t("cancel.late"));
    },
    onSettled: () => Promise.all([keys.invocations, keys.approvals, keys.runs].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
  if (!mayCancel) return null;
  return (
    <>
      <Button variant="outline" size="sm" className="self-start" busy={cancel.isPending} onClick={() => setIsAsking(true)}>
        {!cancel.isPending && <CircleSlash aria-hidden />}
        {t("cancel")}
      </Button>
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("cancel.title", { tool: call.tool_name })}
        action={t("cancel")}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: () => setIsAsking(false) })}
      >
        {t(call.status === "pending" ? "cancel.waiting" : "cancel.text")}
      </Confirm>
    </>
  );
}
