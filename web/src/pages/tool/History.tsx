import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { History as HistoryIcon, Undo2 } from "lucide-react";

import type { Invocation } from "@/api/queries";
import { useMe } from "@/app/session";
import { CachedBadge, StatusBadge, TestBadge } from "@/parts/badges/badges";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { tookMs } from "@/parts/time/format";
import { Duration, RelativeTime } from "@/parts/time/Time";
import { Button } from "@/ui/button";
import { ToggleGroup, ToggleGroupItem } from "@/ui/toggle-group";

import { useT } from "./messages";
import { useHistory } from "./queries";

/** The calls of this tool, the newest first; each fills the form again with one click. */
export function History({ tool, onRerun }: { tool: string; onRerun: (invocation: Invocation) => void }) {
  const t = useT();
  const me = useMe();
  const navigate = useNavigate();
  const { history } = useSearch({ from: "/shell/tools/$slug" });
  const calls = useHistory(tool);
  if (calls.isLoading) return <Loading />;
  if (calls.error && calls.rows.length === 0) return <Failed error={calls.error} onRetry={calls.retry} />;
  const shown = history === "all" ? calls.rows : calls.rows.filter(({ caller }) => caller === me.principal);
  if (calls.rows.length === 0) {
    return (
      <Empty icon={HistoryIcon} title={t("history.empty")}>
        {t("history.emptyBody")}
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <ToggleGroup
        type="single"
        value={history ?? "mine"}
        aria-label={t("history.who")}
        onValueChange={(who) => void navigate({ to: ".", search: (search) => ({ ...search, history: who === "all" ? "all" : undefined }), replace: true })}
      >
        <ToggleGroupItem value="mine">{t("history.mine")}</ToggleGroupItem>
        <ToggleGroupItem value="all">{t("history.all")}</ToggleGroupItem>
      </ToggleGroup>
      {shown.length === 0 && <p className="text-sm text-muted-foreground">{t("history.noneMine")}</p>}
      <ul className="flex flex-col divide-y divide-border rounded-lg border border-border empty:hidden">
        {shown.map((invocation) => (
          <Entry key={invocation.id} invocation={invocation} onRerun={onRerun} />
        ))}
      </ul>
      {calls.hasMore && (
        <Button variant="outline" className="self-start" busy={calls.isLoadingMore} onClick={calls.more}>
          {t("history.more")}
        </Button>
      )}
    </div>
  );
}

function Entry({ invocation, onRerun }: { invocation: Invocation; onRerun: (invocation: Invocation) => void }) {
  const t = useT();
  const ms = tookMs(invocation.started_at, invocation.completed_at);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
      <StatusBadge value={invocation.status} />
      {invocation.cached && <CachedBadge />}
      {invocation.is_test && <TestBadge />}
      <Link to="." search={(search) => ({ ...search, invocation: invocation.id })} className="text-link hover:underline max-md:py-3" title={t("history.open")}>
        <RelativeTime at={invocation.created_at} />
      </Link>
      {ms !== undefined && <Duration ms={ms} className="text-muted-foreground" />}
      <code className="min-w-0 flex-1 basis-40 truncate font-mono text-xs text-muted-foreground">{JSON.stringify(invocation.input).slice(0, 200)}</code>
      <Button variant="ghost" size="sm" aria-label={t("history.rerun")} title={t("history.rerun")} onClick={() => onRerun(invocation)}>
        <Undo2 aria-hidden />
        {t("fillAgain")}
      </Button>
    </li>
  );
}
