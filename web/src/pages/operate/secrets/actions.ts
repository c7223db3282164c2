import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { secretsQuery } from "@/api/every";
import { keys } from "@/api/queries";

export type Scope = "user" | "workspace" | "tenant";

export interface Value {
  name: string;
  body: Schemas["SetSecretParams"];
}

/** A value that was set changes which tools can be called. */
function useLookAgain() {
  const queryClient = useQueryClient();
  return async () => {
    void queryClient.invalidateQueries({ queryKey: keys.tools });
    await queryClient.invalidateQueries({ queryKey: secretsQuery.queryKey });
  };
}

export function useSetSecret() {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ name, body }: Value) => data(api.PUT("/api/secrets/{name}", { params: { path: { name } }, body })),
    onSuccess: lookAgain,
    meta: { quiet: true },
    // Nothing keeps a value longer than it takes to send it.
    gcTime: 0,
  });
}

export function useRotateSecret() {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ name, body }: Value) => data(api.POST("/api/secrets/{name}/rotate", { params: { path: { name } }, body })),
    onSuccess: lookAgain,
    meta: { quiet: true },
    gcTime: 0,
  });
}

export function useDeleteSecret() {
  const lookAgain = useLookAgain();
  return useMutation({
    mutationFn: ({ name, scope, workspace }: { name: string; scope: string; workspace?: string }) =>
      data(api.DELETE("/api/secrets/{name}", { params: { path: { name }, query: { scope, ...(workspace === undefined ? {} : { workspace }) } } })),
    onSuccess: lookAgain,
  });
}
