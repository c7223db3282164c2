import { queryOptions } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { usePages, type Pages } from "@/api/pages";
import { keys, type Invocation } from "@/api/queries";

export type Task = Schemas["Task"];

const PAGE = 50;

export function useApprovals(): Pages<Invocation> {
  return usePages([...keys.approvals, "list"], async (cursor, signal) => {
    const page = await data(api.GET("/api/approvals", { params: { query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } }, signal }));
    return { items: page.items as Invocation[], next_cursor: page.next_cursor };
  });
}

/** Tasks that are not over: the reader's own (`me`), or nobody's. */
export function useTasks(assignee: "me" | "nobody"): Pages<Task> {
  return usePages([...keys.tasks, assignee], async (cursor, signal) => {
    const page = await data(api.GET("/api/tasks", { params: { query: { assignee, limit: PAGE, ...(cursor !== undefined && { cursor }) } }, signal }));
    return { items: page.items as Task[], next_cursor: page.next_cursor };
  });
}

/** One task, also when it is over and stands in no list any more. */
export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.tasks, "one", id],
    queryFn: async ({ signal }) => (await data(api.GET("/api/tasks/{id}", { params: { path: { id } }, signal }))) as Task,
  });

export const isOver = ({ status }: Pick<Task, "status">): boolean => status === "completed" || status === "cancelled";

/** What is only tried has a version of its own, and nobody can read it: it is published nowhere. */
export const isDraft = (key: string) => key.includes("@0.0.0-draft-");
