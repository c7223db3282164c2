import type { ReactNode } from "react";

import type { Invocation } from "@/api/queries";
import { canonical } from "@/parts/diff/canonical";
import { LineDiff } from "@/parts/diff/LineDiff";
import { JsonTree } from "@/parts/json/JsonTree";
import { Attachments } from "@/parts/sections";

import { useT } from "../messages";
import { CallError } from "./CallError";
import { Notes } from "./Notes";

/** What went in and what came out, exactly. */
export function ValuesTab({ call }: { call: Invocation }) {
  const t = useT();
  const isOver = call.status !== "pending" && call.status !== "approved" && call.status !== "running";
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Notes call={call} />
      <Part title={t("input")}>
        <JsonTree value={call.input} label={t("input")} />
      </Part>
      {call.approved_input && (
        <Part title={t("approvedInput")}>
          <p className="text-sm text-muted-foreground">{t("approvedInput.text")}</p>
          <LineDiff before={canonical(call.input)} after={canonical(call.approved_input)} label={t("approvedInput.diff")} />
          <JsonTree value={call.approved_input} label={t("approvedInput")} />
        </Part>
      )}
      {call.error && (
        <Part title={t("error")}>
          <CallError error={call.error} />
        </Part>
      )}
      {call.output !== null && call.output !== undefined ? (
        <Part title={t("output")}>
          <JsonTree value={call.output} label={t("output")} />
        </Part>
      ) : (
        !call.error && <p className="text-sm text-muted-foreground">{t(isOver ? "output.none" : "output.notYet")}</p>
      )}
      <Attachments attachments={call.attachments} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </section>
  );
}
