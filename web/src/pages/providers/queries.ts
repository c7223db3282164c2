import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, data, type Schemas } from "@/api/client";
import { providersQuery } from "@/api/every";

export type Provider = Schemas["Provider"];
export type ProviderParams = Schemas["ProviderParams"];

/** Without an id: a new one. */
export function useSaveProvider(quiet = false) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id?: string; body: ProviderParams }) =>
      id === undefined ? data(api.POST("/api/providers", { body })) : data(api.PUT("/api/providers/{id}", { params: { path: { id } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: providersQuery.queryKey }),
    meta: { quiet },
  });
}

export function useDeleteProvider() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => data(api.DELETE("/api/providers/{id}", { params: { path: { id } } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: providersQuery.queryKey }),
  });
}
