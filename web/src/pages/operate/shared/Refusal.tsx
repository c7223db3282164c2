import { useEffect, useRef } from "react";

import { asProblem } from "@/api/problem";
import { explain } from "@/app/notify";

import { useT } from "./messages";

/** Why a form was not taken, above its fields. It takes the focus, so that nobody looks for what happened. */
export function Refusal({ error }: { error: unknown }) {
  const t = useT();
  const place = useRef<HTMLDivElement>(null);
  const isRefused = error !== null && error !== undefined;
  useEffect(() => {
    if (isRefused) place.current?.focus();
  }, [error, isRefused]);
  if (!isRefused) return null;
  const { title, detail } = explain(error);
  return (
    <div ref={place} role="alert" tabIndex={-1} className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <p className="font-medium">{asProblem(error).isForbidden ? t("forbidden") : title}</p>
      {detail !== "" && <p className="break-words">{detail}</p>}
    </div>
  );
}
