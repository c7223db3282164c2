import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { apiKeysQuery } from "@/api/every";

export function useCreateKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["CreateKeyParams"]) => data(api.POST("/api/keys", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
    meta: { quiet: true },
    // The key is shown once and kept nowhere, not even here.
    gcTime: 0,
  });
}

export function useRevokeKey() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/keys/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
}
