import { useLanguage } from "@/app/i18n";
import { cost, duration } from "@/parts/time/format";
import { Badge } from "@/ui/badge";

import { useT } from "./messages";
import type { Profile } from "./queries";

/** What a profile tightens, in a few words each. */
export function Overrides({ profile }: { profile: Profile }) {
  const t = useT();
  const language = useLanguage();
  const { approval, cost_limit: costLimit, rate_limit: rate, timeout_ms: timeout } = profile;
  const told = [
    profile.requires_approval === true && t("overrides.approval"),
    approval && (approval.quorum ?? 1) > 1 && t("overrides.quorum", { count: approval.quorum ?? 1 }),
    approval?.allow_self === true && t("overrides.self"),
    typeof costLimit === "number" && t("overrides.cost", { cost: cost(costLimit, language) }),
    rate && t("overrides.rate", { count: rate.limit, window: duration(rate.window_s * 1_000, language) }),
    timeout && t("overrides.timeout", { duration: duration(timeout, language) }),
  ].filter((one): one is string => typeof one === "string");
  if (told.length === 0) return <span className="text-muted-foreground">{t("overrides.none")}</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {told.map((one) => (
        <Badge key={one}>{one}</Badge>
      ))}
    </span>
  );
}
