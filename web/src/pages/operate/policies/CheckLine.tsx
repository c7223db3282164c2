import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";

import { notify } from "@/app/notify";
import { Failed } from "@/parts/states/states";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";

import { useT } from "./messages";
import type { Check, Draft } from "./useDraft";

/** Whether the draft could be put in force as it stands; announced as it changes. */
export function CheckLine({ draft, check }: { draft: Draft; check: Check }) {
  const t = useT();
  if (!draft.isChanged) return null;
  const count = check.flaws.length + draft.unreadable.length;
  const general = check.flaws.filter(({ place }) => place === "document");
  const discard = () => {
    const { rules } = draft;
    draft.discard();
    notify.done(t("discarded"), { undo: () => draft.setRules(rules) });
  };
  return (
    <div className="grid gap-2 rounded-lg border px-4 py-3 text-sm">
      {draft.isStale && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-warn">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {t("stale")}
          <Button variant="outline" size="sm" onClick={discard}>
            {t("stale.take")}
          </Button>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>{t("draft")}</span>
        <span role="status" className="flex items-center gap-1.5">
          {check.isChecking ? (
            <>
              <Spinner /> {t("check.checking")}
            </>
          ) : count > 0 ? (
            <span className="flex items-center gap-1.5 text-bad">
              <CircleAlert aria-hidden className="size-4" /> {t("check.bad", { count })}
            </span>
          ) : check.isGood ? (
            <span className="flex items-center gap-1.5 text-good">
              <CircleCheck aria-hidden className="size-4" /> {t("check.good")}
            </span>
          ) : null}
        </span>
        <Button variant="ghost" size="sm" className="ml-auto" onClick={discard}>
          {t("discard")}
        </Button>
      </div>
      {general.map(({ message }, index) => (
        <p key={index} role="alert" className="break-words text-bad">
          {message}
        </p>
      ))}
      {check.error && <Failed error={check.error} />}
    </div>
  );
}
