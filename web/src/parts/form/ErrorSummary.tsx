import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";

import { useT } from "./messages";
import type { Complaint } from "./validation/complain";
import { fieldOf, idOf } from "./validation/place";

const FOCUSABLE = "input, select, textarea, button, [contenteditable=true], [tabindex]";

/** Leads to a field, or to the nearest group around it that is shown. */
function focusField(steps: string[], prefix: string): void {
  for (let length = steps.length; length > 0; length -= 1) {
    const element = document.getElementById(idOf(steps.slice(0, length), prefix));
    if (!element) continue;
    const target = element.matches(FOCUSABLE) ? element : element.querySelector<HTMLElement>(FOCUSABLE);
    (target ?? element).focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
    return;
  }
}

/** All that is wrong, at the top, with a way to each field. It takes the focus when it appears: `attempt` counts the submissions. */
export function ErrorSummary({ found, prefix, attempt }: { found: Complaint[]; prefix: string; attempt: number }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) place.current?.focus();
  }, [attempt]);
  if (found.length === 0) return null;
  return (
    <div ref={place} tabIndex={-1} role="alert" className="rounded-lg border border-bad bg-bad-soft p-4 text-bad">
      <p className="flex items-center gap-2 font-medium">
        <CircleAlert aria-hidden className="size-4" />
        {t("errors", { count: found.length })}
      </p>
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {found.map((complaint, index) => {
          const steps = fieldOf(complaint);
          return (
            <li key={index} className="break-words">
              <a
                href={`#${idOf(steps, prefix)}`}
                className="underline underline-offset-2"
                onClick={(event) => {
                  event.preventDefault();
                  focusField(steps, prefix);
                }}
              >
                {steps.length > 0 && <span className="font-mono">{steps.join(" › ")}</span>}
                {steps.length > 0 && ": "}
                {complaint.message}
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
