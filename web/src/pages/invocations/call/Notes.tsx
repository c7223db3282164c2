import type { Invocation } from "@/api/queries";

import { useT } from "../messages";

/** What the server wants said about the call: a deprecated version, an answer that was cut. */
export function Notes({ call }: { call: Invocation }) {
  const t = useT();
  const notes = [...call.warnings, ...(call.truncated ? [t("truncated")] : []), ...(call.attempt > 1 ? [t("attempts", { count: call.attempt })] : [])];
  if (notes.length === 0) return null;
  return (
    <ul aria-label={t("notes")} className="flex flex-col gap-1 rounded-lg border bg-warn-soft px-4 py-3 text-sm text-warn">
      {notes.map((note) => (
        <li key={note} className="break-words">
          {note}
        </li>
      ))}
    </ul>
  );
}
