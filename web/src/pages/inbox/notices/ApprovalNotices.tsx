import { useEffect } from "react";

import { live } from "@/api/live";
import { useMe } from "@/app/session";

import { useT } from "../messages";
import { areNoticesOn, showNotice } from "./desktop";

/** Tells of a new question while the page is not looked at. On whatever page one is. */
export default function ApprovalNotices() {
  const t = useT();
  const mayDecide = useMe().may("approvals.tenant.decide");
  useEffect(() => {
    if (!mayDecide) return;
    return live.listen(({ type, data, invocation_id }) => {
      if (type !== "tool.needs_approval" || !areNoticesOn() || document.hasFocus()) return;
      const tool = typeof data.name === "string" ? data.name : "";
      void showNotice(t("notice.title"), t("notice.body", { tool }), `/inbox?invocation=${invocation_id}`);
    });
  }, [mayDecide, t]);
  return null;
}
