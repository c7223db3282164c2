import { Inbox } from "lucide-react";
import { useRef, useState } from "react";

import { Failed, Loading } from "@/parts/states/states";
import { Button } from "@/ui/button";
import { Kbd } from "@/ui/kbd";

import { useT } from "../messages";
import { NothingWaits } from "../NothingWaits";
import { useApprovals } from "../queries";
import { useFocusKept } from "../useFocusKept";
import { ApprovalFeed } from "./ApprovalFeed";
import { groupsOf } from "./groups";
import { useVotesFresh } from "./useVotesFresh";

/** The calls that wait for a yes, as they come. */
export function Approvals() {
  const t = useT();
  const approvals = useApprovals();
  useVotesFresh(approvals.rows);
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set());
  // What was decided here goes at once; the next answer of the server no longer has it.
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const waiting = approvals.rows.filter(({ id }) => !decided.has(id));
  const groups = groupsOf(waiting, apart);
  const list = useRef<HTMLDivElement>(null);
  useFocusKept(list, groups.map(({ key }) => key).join());
  if (approvals.isLoading) return <Loading />;
  if (approvals.error && approvals.rows.length === 0) return <Failed error={approvals.error} onRetry={approvals.retry} />;
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      <p role="status" className="sr-only">
        {t("waiting", { count: waiting.length })}
      </p>
      {groups.length === 0 && !approvals.hasMore ? (
        <NothingWaits icon={Inbox} title={t("empty.title")}>
          <p>{t("empty.text")}</p>
        </NothingWaits>
      ) : (
        <>
          <p className="text-xs text-muted-foreground">
            {t("final")}{" "}
            <span className="max-md:hidden">
              <Kbd>j</Kbd> <Kbd>k</Kbd> {t("keys.move")} · <Kbd>a</Kbd> {t("keys.approve")} · <Kbd>r</Kbd> {t("keys.reject")} · <Kbd>e</Kbd> {t("keys.edit")} · <Kbd>Enter</Kbd> {t("keys.open")}
            </span>
          </p>
          <ApprovalFeed groups={groups} onDecided={(id) => setDecided((old) => new Set(old).add(id))} onApart={(key) => setApart((old) => new Set(old).add(key))} />
        </>
      )}
      {approvals.hasMore && (
        <Button variant="outline" className="self-center" busy={approvals.isLoadingMore} onClick={approvals.more}>
          {t("more")}
        </Button>
      )}
    </div>
  );
}
