import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, data, type Schemas } from "@/api/client";
import { everyAgentQuery } from "@/api/every";
import { MOST_ROWS, usePages, type Pages } from "@/api/pages";
import { keys, type Agent } from "@/api/queries";

import { isOver } from "./run/state";

export type Thread = Schemas["Thread"];
export type Message = Schemas["MessageResponse"];

const PAGE = 50;
/** A stream tells how a run goes; this is for a run whose stream has nothing to tell, as it never began. */
const ASK_AGAIN_MS = 10_000;

export function useThreads(withArchived: boolean): Pages<Thread> {
  return usePages<Thread>([...keys.threads, "list", withArchived], (cursor, signal) =>
    data(api.GET("/api/threads", { params: { query: { limit: PAGE, archived: withArchived, ...(cursor === undefined ? {} : { cursor }) } }, signal })),
  );
}

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.threads, id, "thread"],
    queryFn: ({ signal }) => data(api.GET("/api/threads/{id}", { params: { path: { id } }, signal })),
  });

/** The whole conversation. The API hands it out oldest first, and what is needed first is its end: so all of it is read. */
export const messagesQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.threads, id, "messages"],
    queryFn: async ({ signal }) => {
      const messages: Message[] = [];
      for (let cursor: number | undefined; ; ) {
        const query = { limit: MOST_ROWS, ...(cursor === undefined ? {} : { cursor }) };
        const page = await data(api.GET("/api/threads/{id}/messages", { params: { path: { id }, query }, signal }));
        messages.push(...(page.items as Message[]));
        if (!page.next_cursor) return messages;
        cursor = Number(page.next_cursor);
      }
    },
    refetchInterval: ({ state }) => (isAnswering(state.data) ? ASK_AGAIN_MS : false),
  });

function isAnswering(messages: Message[] | undefined): boolean {
  const last = messages?.at(-1);
  return last?.role === "assistant" && !isOver(last.status);
}

export interface Agents {
  /** Those that one can talk to. */
  active: Agent[];
  byId: Map<string, Agent>;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
}

export function useAgents(): Agents {
  const { data: all, error, isPending, refetch } = useQuery(everyAgentQuery);
  return useMemo(
    () => ({
      active: (all ?? []).filter(({ status }) => status === "active"),
      byId: new Map((all ?? []).map((agent) => [agent.id, agent])),
      isLoading: isPending,
      error,
      retry: () => void refetch(),
    }),
    [all, error, isPending, refetch],
  );
}
