import { ChevronRight } from "lucide-react";

import { useT } from "./messages";

const WORDS = [
  ["caller", "caller.principal, .kind, .scopes, .roles, .tenant"],
  ["agent", "agent.id, agent.handle"],
  ["tool", "tool.name, .version, .egress_class, .risk, .category, .origin"],
  ["input", "input.…"],
  ["time", "time.hour, .minute, .weekday, .date, .epoch_s"],
  ["surface", "surface"],
] as const;

/** The words of the language, where one writes it. */
export function Words() {
  const t = useT();
  return (
    <details className="group text-xs">
      <summary className="flex cursor-pointer items-center gap-1 text-link hover:underline max-md:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
        {t("words.title")}
      </summary>
      <dl className="grid gap-x-3 gap-y-1 pt-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        {WORDS.map(([name, members]) => (
          <div key={name} className="contents">
            <dt>
              <code className="font-mono break-words">{members}</code>
            </dt>
            <dd className="text-muted-foreground">{t(`words.${name}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="pt-1 text-muted-foreground">{t("words.functions")}</p>
    </details>
  );
}
