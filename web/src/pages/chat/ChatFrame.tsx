import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { asProblem } from "@/api/problem";
import { useShortcut } from "@/app/shortcuts";
import { Page } from "@/parts/page/Page";
import { Failed } from "@/parts/states/states";
import { cn } from "@/ui/cn";

import { ThreadList } from "./list/ThreadList";
import { useT } from "./messages";
import { useThreads } from "./queries";
import type { ListSearch } from "./search";

/** The threads beside what is open. On a phone there is room for one of them. */
export function ChatFrame({ title, shows, children }: { title: string; shows: "list" | "content"; children: ReactNode }) {
  const t = useT();
  const navigate = useNavigate();
  useShortcut({ keys: "n", label: t("new"), group: t("title"), run: () => void navigate({ to: "/chat", search: { new: true } }) });
  const { archived = false } = useSearch({ strict: false }) as ListSearch;
  const { error } = useThreads(archived);
  if (error && asProblem(error).isForbidden) {
    return (
      <Page title={t("title")}>
        <Failed error={error} />
      </Page>
    );
  }
  return (
    <div className="absolute inset-0 flex">
      <title>{`${title} · Toolgate`}</title>
      <aside aria-label={t("list")} className={cn("flex w-full shrink-0 flex-col md:w-64 md:border-r", shows === "content" && "max-md:hidden")}>
        {shows === "list" && <h1 className="px-3 pt-3 text-xl font-semibold md:hidden">{t("title")}</h1>}
        <ThreadList />
      </aside>
      <div className={cn("flex min-w-0 flex-1 flex-col", shows === "list" && "max-md:hidden")}>{children}</div>
    </div>
  );
}
