import { useQuery } from "@tanstack/react-query";

import { approvalsCountQuery } from "@/api/queries";

import { useT } from "../messages";
import { GROUPS, type NavigationEntry } from "../navigation";
import { PathLink } from "../PathLink";
import { useMe } from "../session";
import { useNavigation } from "../useNavigation";

/** How many calls wait for this person, for those who may answer. */
export function usePending(): number {
  const me = useMe();
  const { data = 0 } = useQuery({ ...approvalsCountQuery, enabled: me.may("approvals.tenant.decide") });
  return data;
}

export function PendingBadge({ className }: { className?: string }) {
  const t = useT();
  const pending = usePending();
  if (pending === 0) return null;
  return (
    <span className={className}>
      <span aria-hidden className="inline-block min-w-5 rounded-full bg-primary px-1.5 text-center text-xs leading-5 font-medium text-primary-foreground tabular-nums">
        {pending > 99 ? "99+" : pending}
      </span>
      <span className="sr-only">{t("waiting", { count: pending })}</span>
    </span>
  );
}

export function NavigationList({ onNavigate }: { onNavigate?: () => void }) {
  const t = useT();
  const entries = useNavigation();
  return GROUPS.map((group) => {
    const own = entries.filter((entry) => entry.group === group);
    if (own.length === 0) return null;
    return (
      <div key={group} className="pt-3 first:pt-0">
        <h2 className="px-2 pb-1 text-xs font-medium text-muted-foreground">{t(`group.${group}`)}</h2>
        <ul>
          {own.map((entry) => (
            <li key={entry.to}>
              <NavigationLink entry={entry} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function NavigationLink({ entry, onNavigate }: { entry: NavigationEntry; onNavigate?: () => void }) {
  const t = useT();
  const Icon = entry.icon;
  return (
    <PathLink
      path={entry.to}
      onClick={onNavigate}
      className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-muted-foreground hover:bg-accent hover:text-foreground focus-visible:-outline-offset-2 data-[status=active]:bg-accent data-[status=active]:font-medium data-[status=active]:text-foreground max-md:h-11 max-md:text-base"
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 truncate">{t(entry.label)}</span>
      {entry.badge === "approvals" && <PendingBadge />}
    </PathLink>
  );
}
