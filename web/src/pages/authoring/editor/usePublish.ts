import { useMutation, useQueryClient } from "@tanstack/react-query";

import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import type { Doc } from "../doc/json";
import { useT } from "../messages";
import { deleteTool, register } from "../queries";

/** Publishes a definition. A version that is new can be taken back: it is then archived, and its receipts stay. */
export function usePublish(onPublished: (definition: Doc) => void) {
  const t = useT();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.tools });
  return useMutation({
    mutationFn: (definition: Doc) => register(definition, false),
    onSuccess: async ({ tool, created, warnings }, definition) => {
      onPublished(definition);
      await refresh();
      const id = `${tool.name}@${tool.version}`;
      const undo = () => void deleteTool(id).then(() => notify.done(t("publish.undone", { id })), notify.failed).finally(refresh);
      notify.done(t(created ? "publish.done" : "publish.edited", { id }), { detail: warnings[0], ...(created && { undo }) });
    },
    // The page shows the refusal at its place.
    meta: { quiet: true },
  });
}
