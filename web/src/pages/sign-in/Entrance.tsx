import type { ReactNode } from "react";

import { Logo } from "@/app/shell/Logo";

/** The frame of the pages in front of the sign-in. */
export function Entrance({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center p-4">
      <title>{`${title} · Toolgate`}</title>
      <div className="grid w-full max-w-sm gap-5">
        <div className="flex items-center gap-3">
          <Logo />
          <span className="text-lg font-semibold">Toolgate</span>
        </div>
        <div>
          <h1 className="text-xl font-semibold">{title}</h1>
          <p className="pt-1 text-muted-foreground">{lead}</p>
        </div>
        {children}
      </div>
    </main>
  );
}

/** The fields keep the focus: one corrects what was typed. */
export function Notice({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      {children}
    </p>
  );
}
