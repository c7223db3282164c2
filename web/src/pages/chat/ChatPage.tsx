import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";

import { useIsPhone } from "@/parts/table/useIsPhone";
import { buttonVariants } from "@/ui/button";

import { ChatFrame } from "./ChatFrame";
import { NewChat } from "./compose/NewChat";
import { useT } from "./messages";
import { useThreads } from "./queries";

const route = getRouteApi("/shell/chat");

/** Without a thread: begin one. On a phone the list comes first, unless there is nothing in it. */
export function ChatPage() {
  const t = useT();
  const search = route.useSearch();
  const isPhone = useIsPhone();
  const threads = useThreads(search.archived ?? false);
  const isFirst = !threads.isLoading && threads.rows.length === 0 && search.find === undefined;
  const showsNew = search.new === true || search.agent !== undefined || isFirst;
  return (
    <ChatFrame title={t("title")} shows={isPhone && !showsNew ? "list" : "content"}>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex max-w-2xl flex-col gap-6 p-4 md:px-6 md:py-10">
          <header className="flex items-center gap-2">
            {!isFirst && (
              <Link to="/chat" search={{}} aria-label={t("back")} className={`${buttonVariants({ variant: "ghost", size: "icon" })} md:hidden`}>
                <ArrowLeft aria-hidden />
              </Link>
            )}
            <div>
              <h1 className="text-xl font-semibold">{t("title")}</h1>
              <p className="text-muted-foreground">{t("lead")}</p>
            </div>
          </header>
          <NewChat />
        </div>
      </div>
    </ChatFrame>
  );
}
