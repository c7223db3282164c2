import { Hand } from "lucide-react";

import { PathLink } from "@/app/PathLink";
import { buttonVariants } from "@/ui/button";

import { useT } from "../messages";

/** Somebody must agree before the agent begins at all. It cannot be whoever asked, so the way leads to the inbox. */
export function RunWaits({ runId }: { runId: string }) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border bg-warn-soft p-3 text-sm text-warn">
      <Hand aria-hidden className="size-4" />
      <p className="min-w-0 flex-1 basis-60">{t("runWaits")}</p>
      <PathLink path={`/runs/${runId}`} className={buttonVariants({ variant: "outline", size: "sm" })}>
        {t("trace")}
      </PathLink>
    </div>
  );
}
