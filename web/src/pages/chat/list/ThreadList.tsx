import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Archive, MessagesSquare, SquarePen } from "lucide-react";
import { useEffect, useRef } from "react";

import { SearchField } from "@/parts/search/SearchField";
import { Empty, Failed, Loading } from "@/parts/states/states";
import { Button, buttonVariants } from "@/ui/button";
import { cn } from "@/ui/cn";
import { Skeleton } from "@/ui/skeleton";

import { useT } from "../messages";
import { useThreads, type Thread } from "../queries";
import type { ListSearch } from "../search";
import { ThreadRow } from "./ThreadRow";

const ROW_PX = 60;

/** One's own threads, the newest first. */
export function ThreadList() {
  const t = useT();
  const navigate = useNavigate();
  const { find = "", archived = false } = useSearch({ strict: false }) as ListSearch;
  const threads = useThreads(archived);
  const change = (next: ListSearch) => void navigate({ to: ".", search: (old) => ({ ...old, ...next }), replace: true });
  // The server cannot look for titles, so all of the list is read while somebody does.
  const { hasMore, isLoadingMore, more } = threads;
  useEffect(() => {
    if (find !== "" && hasMore && !isLoadingMore) more();
  }, [find, hasMore, isLoadingMore, more]);
  const wanted = find.toLocaleLowerCase();
  const shown = find === "" ? threads.rows : threads.rows.filter(({ title }) => (title ?? "").toLocaleLowerCase().includes(wanted));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-2 p-3">
        <Link to="/chat" search={{ new: true }} className={cn(buttonVariants({ variant: "outline" }), "w-full")}>
          <SquarePen aria-hidden />
          {t("new")}
        </Link>
        <div className="flex items-center gap-1">
          <SearchField label={t("find")} value={find} onChange={(next) => change({ find: next === "" ? undefined : next })} className="min-w-0 flex-1" />
          <Button
            variant={archived ? "secondary" : "ghost"}
            size="icon"
            aria-pressed={archived}
            aria-label={t("withArchived")}
            title={t("withArchived")}
            onClick={() => change({ archived: archived ? undefined : true })}
          >
            <Archive aria-hidden />
          </Button>
        </div>
      </div>
      {threads.isLoading ? (
        <Loading className="px-3">
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className="h-12" />
          ))}
        </Loading>
      ) : threads.error && threads.rows.length === 0 ? (
        <Failed error={threads.error} onRetry={threads.retry} className="m-3" />
      ) : shown.length === 0 && !threads.isLoadingMore ? (
        find === "" ? (
          <Empty icon={MessagesSquare} title={t("list.empty")} className="m-3 py-8">
            {t("list.emptyText")}
          </Empty>
        ) : (
          <p role="status" className="p-4 text-center text-sm text-muted-foreground">
            {t("list.noMatch", { text: find })}
          </p>
        )
      ) : (
        <Rows threads={shown} hasMore={hasMore} onMore={more} />
      )}
    </div>
  );
}

function Rows({ threads, hasMore, onMore }: { threads: Thread[]; hasMore: boolean; onMore: () => void }) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: threads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => threads[index]?.id ?? index,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const isAtEnd = (items.at(-1)?.index ?? -1) >= threads.length - 1;
  useEffect(() => {
    if (isAtEnd && hasMore) onMore();
  }, [isAtEnd, hasMore, onMore]);
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      <ul aria-label={t("list")} className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const thread = threads[item.index];
          return (
            thread && (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                aria-setsize={hasMore ? -1 : threads.length}
                aria-posinset={item.index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <ThreadRow thread={thread} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
