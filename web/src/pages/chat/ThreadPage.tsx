import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";

import { Failed, Loading } from "@/parts/states/states";

import { ChatFrame } from "./ChatFrame";
import { useT } from "./messages";
import { messagesQuery, threadQuery } from "./queries";
import { Talk } from "./Talk";

const route = getRouteApi("/shell/chat/$thread");

/** One conversation, and the threads beside it. */
export function ThreadPage() {
  const t = useT();
  const { thread: id } = route.useParams();
  const thread = useQuery(threadQuery(id));
  const messages = useQuery(messagesQuery(id));
  const error = (thread.data ? null : thread.error) ?? (messages.data ? null : messages.error);
  const retry = () => void Promise.all([thread.refetch(), messages.refetch()]);
  return (
    <ChatFrame title={thread.data?.title ?? t("title")} shows="content">
      {error ? (
        <div className="p-4">
          <h1 className="sr-only">{t("title")}</h1>
          <Failed error={error} onRetry={retry} />
        </div>
      ) : thread.data && messages.data ? (
        <Talk key={id} thread={thread.data} messages={messages.data} />
      ) : (
        <div className="mx-auto w-full max-w-3xl p-4">
          <h1 className="sr-only">{t("title")}</h1>
          <Loading />
        </div>
      )}
    </ChatFrame>
  );
}
