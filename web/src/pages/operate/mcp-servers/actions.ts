// Everything that changes a server or its tools. What was imported changes the library too.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { api, data, type Schemas } from "@/api/client";
import { asProblem } from "@/api/problem";
import { keys } from "@/api/queries";
import { notify } from "@/app/notify";

import { useT } from "./messages";
import { SERVERS, type McpServer, type McpTool, type ToolRule } from "./queries";

function useLookAgain() {
  const queryClient = useQueryClient();
  return async () => {
    void queryClient.invalidateQueries({ queryKey: keys.tools });
    await queryClient.invalidateQueries({ queryKey: SERVERS });
  };
}

export function useAddServer() {
  const queryClient = useQueryClient();
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ body, review }: { body: Schemas["McpServerParams"]; review: boolean }) => data(api.POST("/api/mcp/servers", { body, params: { query: { review } } })),
    async onSuccess({ server }) {
      await lookAgain();
      // Its page comes next, and need not wait for what is known already.
      queryClient.setQueryData([...SERVERS, server.name], server);
    },
    meta: { quiet: true },
  });
}

export function useChangeServer(name: string, quiet = false) {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: (body: Schemas["UpdateMcpServerParams"]) => data(api.PATCH("/api/mcp/servers/{name}", { params: { path: { name } }, body })),
    onSuccess: lookAgain,
    meta: { quiet },
  });
}

export function useRemoveServer(name: string) {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: () => data(api.DELETE("/api/mcp/servers/{name}", { params: { path: { name } } })),
    async onSuccess() {
      // Its page is left first: nobody should ask again for what is gone.
      await navigate({ to: "/operate/mcp-servers" });
      notify.done(t("removed", { name }));
      queryClient.removeQueries({ queryKey: [...SERVERS, name] });
      await lookAgain();
    },
  });
}

export function useRefresh(name: string) {
  const t = useT();
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: () => data(api.POST("/api/mcp/servers/{name}/refresh", { params: { path: { name }, query: {} } })),
    async onSuccess({ moved, error }) {
      await lookAgain();
      if (error) notify.info(t("refreshed.failed", { name }), { detail: error.message });
      else notify.done(moved.length === 0 ? t("refreshed.same", { name }) : t("refreshed.moved", { count: moved.length, name }));
    },
  });
}

/** Yes or no to what was shown, by its digest. When the server changed it again meanwhile, the new one is fetched to be looked at. */
export function useReview(server: string) {
  const t = useT();
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ tool, digest, answer }: { tool: string; digest: string; answer: "accept" | "reject" }) => {
      const asked = { params: { path: { name: server, tool } }, body: { digest } };
      return data(answer === "accept" ? api.POST("/api/mcp/servers/{name}/tools/{tool}/accept", asked) : api.POST("/api/mcp/servers/{name}/tools/{tool}/reject", asked));
    },
    async onSuccess(tool, { answer }) {
      await lookAgain();
      notify.done(answer === "accept" ? t("accepted", { tool: tool.name, version: tool.version ?? "" }) : t("rejected", { tool: tool.name }));
    },
    onError: (thrown) => void (asProblem(thrown).isConflict && lookAgain()),
    meta: { quiet: true },
  });
}

/** One after the other: the server keeps them in one document. */
export function useAcceptAll(server: string) {
  const t = useT();
  const lookAgain = useLookAgain();
  return useMutation({
    async mutationFn(tools: McpTool[]) {
      for (const { tool, digest } of tools) await data(api.POST("/api/mcp/servers/{name}/tools/{tool}/accept", { params: { path: { name: server, tool } }, body: { digest: digest ?? "" } }));
      return tools.length;
    },
    onSuccess: (count) => notify.done(t("acceptedPlain", { count })),
    onSettled: lookAgain,
  });
}

export function useSetRule(server: McpServer) {
  const t = useT();
  const change = useChangeServer(server.name, true);
  const put = (tool: string, rule: ToolRule | null) => change.mutateAsync({ tools: { [tool]: rule } as Schemas["UpdateMcpServerParams"]["tools"] });
  return {
    error: change.error,
    isPending: change.isPending,
    async save(tool: McpTool, rule: ToolRule | null) {
      const before = server.tools?.[tool.tool] ?? null;
      await put(tool.tool, rule);
      notify.done(t("rule.saved", { tool: tool.name }), { undo: () => void put(tool.tool, before).catch((thrown: unknown) => notify.failed(thrown)) });
    },
  };
}
