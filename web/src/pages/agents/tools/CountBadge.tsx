import type { Pages } from "@/api/pages";
import { Badge } from "@/ui/badge";

import { useT } from "../messages";

/** How many wait. Nothing when nothing does. */
export function CountBadge({ pages: { rows, hasMore } }: { pages: Pages<unknown> }) {
  const t = useT();
  if (rows.length === 0) return null;
  const count = rows.length;
  return (
    <Badge tone="warn" className="rounded-full tabular-nums">
      <span aria-hidden>{hasMore ? `${String(count)}+` : count}</span>
      <span className="sr-only">{t("waiting", { count })}</span>
    </Badge>
  );
}
