import { CircleCheck, CircleX } from "lucide-react";

import type { Schemas } from "@/api/client";
import { explain } from "@/app/notify";

import { useT } from "./messages";

/** What the receiver answered to the test letter. */
export function TestResult({ result, error }: { result: Schemas["TestWebhookResponse"] | undefined; error: Error | null }) {
  const t = useT();
  const isGood = result?.delivered === true;
  const Icon = isGood ? CircleCheck : CircleX;
  const text = error ? explain(error).detail || explain(error).title : result && (isGood ? t("test.good", { status: result.status ?? 0 }) : result.status ? t("test.bad", { status: result.status }) : t("test.none", { reason: result.error ?? "" }));
  return (
    <div role="status">
      {text !== undefined && (
        <p className={`flex items-start gap-2 rounded-md px-3 py-2 text-sm ${isGood ? "bg-good-soft text-good" : "bg-bad-soft text-bad"}`}>
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{text}</span>
        </p>
      )}
    </div>
  );
}
