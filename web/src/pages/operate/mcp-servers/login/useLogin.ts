// A login leaves the page for the authorization server and comes back to it with a code. Whoever starts it finishes it, once.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

import { api, data, type Schemas } from "@/api/client";
import { notify } from "@/app/notify";

import { useRefresh } from "../actions";
import { useT } from "../messages";

type Owner = Schemas["OauthOwner"];

/** Where the browser comes back to. */
export const backTo = (server: string): string => `${window.location.origin}/operate/mcp-servers/${encodeURIComponent(server)}`;

// Whose login was begun must be said again at the end; the page is left in between.
const KEY = "toolgate.mcp-login";
const remember = (state: string, owner: Owner) => sessionStorage.setItem(KEY, JSON.stringify({ state, owner }));

function ownerOf(state: string): Owner | undefined {
  try {
    const begun = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as { state?: string; owner?: Owner };
    return begun.state === state ? begun.owner : undefined;
  } catch {
    return undefined;
  }
}

export function useStartLogin(name: string) {
  return useMutation({
    async mutationFn(owner: Owner) {
      const started = await data(api.POST("/api/mcp/servers/{name}/oauth/start", { params: { path: { name } }, body: { redirect_uri: backTo(name), owner } }));
      remember(started.state, owner);
      window.location.assign(started.authorization_url);
    },
    meta: { quiet: true },
  });
}

// A code is good once, whatever mounts this page twice.
const taken = new Set<string>();

export function useFinishLogin(name: string) {
  const t = useT();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = useRefresh(name);
  const { code, state, iss, error, error_description } = useSearch({ from: "/shell/operate/mcp-servers/$name" });
  const finish = useMutation({
    mutationFn: (answer: { code: string; state: string; iss?: string }) =>
      data(api.POST("/api/mcp/servers/{name}/oauth/finish", { params: { path: { name } }, body: { ...answer, owner: ownerOf(answer.state) ?? null } })),
    onSuccess() {
      sessionStorage.removeItem(KEY);
      notify.done(t("login.done", { name }));
      void queryClient.invalidateQueries({ queryKey: ["secrets"] });
      // Now it can be asked what it offers.
      refresh.mutate();
    },
    // The code is spent either way; it has no business in the address.
    onSettled: () => void navigate({ to: "/operate/mcp-servers/$name", params: { name }, search: {}, replace: true }),
    meta: { quiet: true },
  });
  const run = useEffectEvent((answer: { code: string; state: string; iss?: string }) => finish.mutate(answer));
  useEffect(() => {
    if (code === undefined || state === undefined || taken.has(code)) return;
    taken.add(code);
    run({ code, state, iss });
  }, [code, state, iss]);
  return { isFinishing: finish.isPending, error: finish.error, refused: error === undefined ? undefined : (error_description ?? error) };
}
