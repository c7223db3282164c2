import { useLanguage } from "@/app/i18n";

import { useT } from "../messages";
import type { Span } from "../types";
import { LOOKS } from "./looks";
import { precise } from "./precise";
import { timeByRole } from "./tree";

/** What models, tools, people and rules took, in all. */
export function WhereTimeWent({ spans, now }: { spans: Span[]; now: number }) {
  const t = useT();
  const language = useLanguage();
  return (
    <dl aria-label={t("trace.where")} className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
      {timeByRole(spans, now).map(({ role, ms, count }) => {
        const { icon: Icon, bar } = LOOKS[role];
        return (
          <div key={role} className="flex items-center gap-2">
            <span aria-hidden className={`size-2.5 rounded-sm ${bar}`} />
            <Icon aria-hidden className="size-4 text-muted-foreground" />
            <dt className="text-muted-foreground">{t(`trace.by.${role}`, { count })}</dt>
            <dd className="font-medium tabular-nums">{precise(ms, language)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
