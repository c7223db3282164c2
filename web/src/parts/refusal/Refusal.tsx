import { useEffect, useRef } from "react";

import { explain } from "@/app/notify";

/** Why the server did not take what was sent. It takes the focus, so that nobody looks for what happened. */
export function Refusal({ id, error }: { id?: string; error: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  const isRefused = error !== null && error !== undefined;
  useEffect(() => {
    if (isRefused) place.current?.focus();
  }, [error, isRefused]);
  if (!isRefused) return null;
  const { title, detail } = explain(error);
  return (
    <div id={id} ref={place} role="alert" tabIndex={-1} className="rounded-md bg-bad-soft px-3 py-2 text-sm break-words text-bad">
      <p className="font-medium">{title}</p>
      {detail !== "" && <p>{detail}</p>}
    </div>
  );
}
