import type { ReactNode } from "react";

export interface Fact {
  label: string;
  value: ReactNode;
}

/** What is so, name by name. What is not there is left out. */
export function Facts({ facts }: { facts: (Fact | undefined | false)[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[minmax(0,10rem)_minmax(0,1fr)]">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.label} className="contents">
              <dt className="text-muted-foreground">{fact.label}</dt>
              <dd className="min-w-0 break-words max-sm:pb-1">{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
