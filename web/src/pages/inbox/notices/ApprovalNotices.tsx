import { useEffect } from "react";

import { live, type LiveEventType } from "@/api/live";
import { useMe } from "@/app/session";

import { useT } from "../messages";
import { areNoticesOn, dropNotice, showNotice } from "./desktop";

/** After these a call waits for nobody's yes. */
const SETTLED: readonly LiveEventType[] = ["tool.approved", "tool.failed", "tool.cancelled"];

/** Tells of a new question while the page is not looked at, until somebody has answered it. On whatever page one is. */
export default function ApprovalNotices() {
  const t = useT();
  const mayDecide = useMe().may("approvals.tenant.decide");
  useEffect(() => {
    if (!mayDecide) return;
    return live.listen(({ type, data, invocation_id }) => {
      if (!areNoticesOn()) return;
      if (SETTLED.includes(type)) return void dropNotice(invocation_id);
      if (type !== "tool.needs_approval" || document.hasFocus()) return;
      const tool = typeof data.name === "string" ? data.name : "";
      void showNotice(invocation_id, t("notice.title"), t("notice.body", { tool }), `/inbox?invocation=${invocation_id}`);
    });
  }, [mayDecide, t]);
  return null;
}
