import { notify } from "@/app/notify";
import { Refusal } from "@/parts/refusal/Refusal";
import { Confirm } from "@/ui/confirm";

import { asDocument, differenceOf, spelled } from "./document";
import { useT } from "./messages";
import { usePutPolicy, type PolicyVersion, type useReplay } from "./queries";
import type { Draft } from "./useDraft";

interface PutDialogProps {
  draft: Draft;
  inForce: PolicyVersion | undefined;
  replay: ReturnType<typeof useReplay>;
  onClose(): void;
}

/** The last look before it holds for everybody. It can be taken back: the version before comes into force again. */
export function PutDialog({ draft, inForce, replay, onClose }: PutDialogProps) {
  const t = useT();
  const put = usePutPolicy();
  const before = asDocument(inForce?.document);
  const { added, removed, changed } = differenceOf(before, draft.document);
  const isTried = replay.data !== undefined && spelled(replay.variables.document) === spelled(draft.document);
  const confirm = () =>
    put.mutate(draft.document, {
      onSuccess() {
        draft.discard();
        onClose();
        notify.done(t("put.done"), { undo: () => put.mutate(before, { onError: (thrown) => notify.failed(thrown) }) });
      },
    });
  return (
    <Confirm open onOpenChange={(isOpen) => !isOpen && onClose()} title={t("put.title")} action={t("put")} busy={put.isPending} destructive={false} onConfirm={confirm}>
      <div className="grid gap-3">
        <Refusal error={put.error} />
        {draft.isStale && <p className="text-warn">{t("stale")}</p>}
        <p>{t("put.text")}</p>
        <Ids label={t("put.added")} ids={added} />
        <Ids label={t("put.changed")} ids={changed} />
        <Ids label={t("put.removed")} ids={removed} />
        <p>{isTried ? t("put.tried", { count: replay.data.changes.length, judged: replay.data.judged }) : t("put.untried")}</p>
      </div>
    </Confirm>
  );
}

function Ids({ label, ids }: { label: string; ids: string[] }) {
  if (ids.length === 0) return null;
  return (
    <p>
      {label}:{" "}
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <code className="font-mono text-foreground">{id}</code>
        </span>
      ))}
    </p>
  );
}
