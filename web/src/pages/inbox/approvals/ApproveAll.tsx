import type { Invocation } from "@/api/queries";
import { notify } from "@/app/notify";
import { useDecideAll, type Outcome } from "@/parts/decision";
import { Confirm } from "@/ui/confirm";

import { useT } from "../messages";

interface Props {
  calls: Invocation[];
  onClose(): void;
  onDone(outcome: Outcome): void;
}

/** Several yeses at once, only to the very same question, and never by one key alone. */
export function ApproveAll({ calls, onClose, onDone }: Props) {
  const t = useT();
  const decide = useDecideAll(onDone);
  const approve = () => decide.mutate({ calls, ruling: { kind: "approve" } }, { onError: (thrown) => notify.failed(thrown), onSettled: onClose });
  return (
    <Confirm
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t("identical.title", { count: calls.length, tool: calls[0]?.tool_name ?? "" })}
      action={t("identical.approve", { count: calls.length })}
      destructive={false}
      busy={decide.isPending}
      onConfirm={approve}
    >
      {t("identical.text", { count: calls.length })} {t("final")}
    </Confirm>
  );
}
