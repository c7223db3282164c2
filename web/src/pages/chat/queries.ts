import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { api, data, type Schemas } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, type Agent, type Tool } from "@/api/queries";

import { isOver } from "./run/state";

export type Thread = Schemas["Thread"];
export type Message = Schemas["MessageResponse"];

const PAGE = 50;
/** The most that the server hands out at once. */
const LARGE_PAGE = 200;
/** A tenant with more agents finds the rest by their pages, which link here. */
const MAX_AGENT_PAGES = 10;
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
        const query = { limit: LARGE_PAGE, ...(cursor === undefined ? {} : { cursor }) };
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

const agentsQuery = queryOptions({
  queryKey: [...keys.agents, "chat"],
  queryFn: async ({ signal }) => {
    const agents: Agent[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_AGENT_PAGES; page += 1) {
      const query = { limit: LARGE_PAGE, archived: true, ...(cursor === undefined ? {} : { cursor }) };
      const { items, next_cursor } = await data(api.GET("/api/agents", { params: { query }, signal }));
      agents.push(...(items as Agent[]));
      if (!next_cursor) break;
      cursor = next_cursor;
    }
    return agents;
  },
  staleTime: 30_000,
});

export interface Agents {
  /** Those that one can talk to. */
  active: Agent[];
  byId: Map<string, Agent>;
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
}

export function useAgents(): Agents {
  const { data: all, error, isPending, refetch } = useQuery(agentsQuery);
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

/** How the tool wants its answers shown. A tool that is gone leaves answers to be shown by their shape. */
export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.tools, name],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tools/{name}", { params: { path: { name } }, signal }))) as Tool,
    staleTime: 60_000,
  });

export const invocationQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.invocations, id],
    queryFn: ({ signal }) => data(api.GET("/api/invocations/{id}", { params: { path: { id } }, signal })),
  });
