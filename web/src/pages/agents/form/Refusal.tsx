import { CircleX } from "lucide-react";

/** Why nothing was saved, in the server's words. */
export function Refusal({ refusal }: { refusal: { title: string; detail: string } | undefined }) {
  if (!refusal) return null;
  return (
    <div role="alert" className="flex gap-2 rounded-lg border border-bad p-3 text-sm">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <p className="min-w-0 break-words">
        <span className="font-medium text-bad">{refusal.title}</span> {refusal.detail}
      </p>
    </div>
  );
}
